// Writes a plan into a file with the plugin that read the file.
#pragma once

#include "app/worker/channel.h"

#include <string_view>

namespace stowage::worker {

/// Executes a `RewriteOrder` and sends the answer. Imports the file again first, to check that it is the one that was planned.
void rewrite(Channel& channel, std::string_view archivedOrder);

} // namespace stowage::worker
