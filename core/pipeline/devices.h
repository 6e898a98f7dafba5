// The devices that stages run on, and the links between them.
#pragma once

#include "core/ir/types.h"
#include "core/pipeline/ticks.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::pipeline {

/// A processor with a memory of its own. In a split, each device runs at most one stage.
struct Device {
    std::string name;            ///< unique
    std::string kind;            ///< "cpu", "gpu", "npu", …; costs may be given for a kind
    std::optional<Bytes> memory; ///< bytes for a stage's arena, constants, variables and waiting frames; no value: unbounded
    Bytes alignment = 1;         ///< of every offset in the arena, >= 1
    double flopsPerUs = 0;       ///< floating-point operations per µs; 0: computing takes no time
    double bytesPerUs = 0;       ///< bytes per µs that its memory moves; 0: moving takes no time
    double startUs = 0;          ///< time in µs to start one op, >= 0

    friend bool operator==(const Device&, const Device&) = default;
};

/// A connection from one device to another, both by name. Between devices without a link, transfers take no time.
struct Link {
    std::string from;
    std::string to;
    double latencyUs = 0;  ///< >= 0
    double bytesPerUs = 0; ///< 0: a transfer takes the latency only

    friend bool operator==(const Link&, const Link&) = default;
};

struct DeviceSet {
    std::string name;
    std::string description;
    std::string source; ///< origin of the figures
    std::vector<Device> devices;
    std::vector<Link> links; ///< at most one for each ordered pair

    friend bool operator==(const DeviceSet&, const DeviceSet&) = default;

    /// Index of the device of this name, or `none`.
    [[nodiscard]] std::int32_t find(std::string_view device) const
    {
        for (std::size_t d = 0; d < devices.size(); ++d)
            if (devices[d].name == device) return static_cast<std::int32_t>(d);
        return none;
    }
    [[nodiscard]] const Link* link(std::string_view from, std::string_view to) const
    {
        for (const Link& each : links)
            if (each.from == from && each.to == to) return &each;
        return nullptr;
    }
};

/// Time of one transfer of `bytes` over a link; 0 without a link or without bytes.
[[nodiscard]] inline Ticks transferTime(const Link* link, Bytes bytes)
{
    if (!link || bytes <= 0) return 0;
    return toTicks(link->latencyUs + (link->bytesPerUs > 0 ? static_cast<double>(bytes) / link->bytesPerUs : 0.0));
}

/// The device that splits use when the user names none: a small processor with 8,000 flop per µs, 4,000 bytes per µs, and 1 µs to
/// start an op. The figures are round numbers, not those of a product.
[[nodiscard]] Device plainDevice(std::size_t index);

} // namespace stowage::pipeline
