// Writes plans with an exporter of a plug-in.
#pragma once

#include "app/worker/channel.h"

#include <string_view>

namespace stowage::worker {

/// Executes an `ExportOrder`, and sends the files or an error.
void write(Channel& channel, std::string_view archivedOrder);

} // namespace stowage::worker
