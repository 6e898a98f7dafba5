// Gives a file back with a plan in it, by the plugin that read it.
#pragma once

#include "app/worker/channel.h"

#include <string_view>

namespace stowage::worker {

/// Carries out a `RewriteOrder` and sends the answer. The text is imported again first: what was planned has to be what it says.
void rewrite(Channel& channel, std::string_view archivedOrder);

} // namespace stowage::worker
