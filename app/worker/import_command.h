// Reads an input with the plugin that knows it best.
#pragma once

#include "app/worker/channel.h"

#include <string_view>

namespace stowage::worker {

/// Carries out an `ImportOrder` and sends the answer. Says what it is about to do before it runs foreign code, so that the host
/// knows whose fault a crash is.
void import(Channel& channel, std::string_view archivedOrder);

} // namespace stowage::worker
