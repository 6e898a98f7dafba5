// Reads an input with the plugin that claims it with the highest value.
#pragma once

#include "app/worker/channel.h"

#include <string_view>

namespace stowage::worker {

/// Executes an `ImportOrder` and sends the answer. Announces each plugin before it runs the plugin's code, so that the host can
/// tell which one crashed.
void import(Channel& channel, std::string_view archivedOrder);

} // namespace stowage::worker
