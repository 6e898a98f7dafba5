// Reads and writes devices and measured costs as JSON.
#pragma once

#include "core/ir/expected.h"
#include "core/pipeline/costs.h"

#include <string>
#include <string_view>

namespace stowage::io {

/// `stowage.devices/1`: devices with unique names, and links between two devices. Unknown fields are errors with a position.
Expected<pipeline::DeviceSet> readDevices(std::string_view text, const std::string& file);
std::string writeDevices(const pipeline::DeviceSet& devices);

/// `stowage.costs/1`: microseconds by op, then by device or kind of device.
Expected<pipeline::Measurements> readCosts(std::string_view text, const std::string& file);
std::string writeCosts(const pipeline::Measurements& measurements);

} // namespace stowage::io
