// The devices that stages run on, and the links between them.
#pragma once

#include "core/ir/types.h"
#include "core/pipeline/ticks.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::pipeline {

/// A processor with a memory of its own. Each serves at most one stage of a split.
struct Device {
    std::string name;            ///< unique
    std::string kind;            ///< "cpu", "gpu", "npu", …: costs may be given by it
    std::optional<Bytes> memory; ///< for a stage's arena, constants, variables and waiting frames; nothing: unbounded
    Bytes alignment = 1;         ///< of every offset in the arena, >= 1
    double flopsPerUs = 0;       ///< 0: computing takes no time
    double bytesPerUs = 0;       ///< of its memory; 0: moving takes no time
    double startUs = 0;          ///< to start one op, >= 0

    friend bool operator==(const Device&, const Device&) = default;
    /// Equal but for the name: costs by name may still differ.
    [[nodiscard]] bool sameKind(const Device& other) const
    {
        return kind == other.kind && memory == other.memory && alignment == other.alignment && flopsPerUs == other.flopsPerUs &&
               bytesPerUs == other.bytesPerUs && startUs == other.startUs;
    }
};

/// The way from one device to another, by name. Where there is none, data move in no time.
struct Link {
    std::string from;
    std::string to;
    double latencyUs = 0;  ///< >= 0
    double bytesPerUs = 0; ///< 0: the latency is all

    friend bool operator==(const Link&, const Link&) = default;
};

struct DeviceSet {
    std::string name;
    std::string description;
    std::string source; ///< where the figures are from
    std::vector<Device> devices;
    std::vector<Link> links; ///< at most one for each ordered pair

    friend bool operator==(const DeviceSet&, const DeviceSet&) = default;

    /// The index of a device, or `none`.
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

/// Time of one transfer over a link (may be null); nothing takes no time.
[[nodiscard]] inline Ticks transferTime(const Link* link, Bytes bytes)
{
    if (!link || bytes <= 0) return 0;
    return toTicks(link->latencyUs + (link->bytesPerUs > 0 ? static_cast<double>(bytes) / link->bytesPerUs : 0.0));
}

/// A device for splits into N equal stages where the user names none: a small processor, 8,000 flop and 4,000 bytes a µs, 1
/// µs to start an op. The figures are round numbers, not those of a product.
[[nodiscard]] Device plainDevice(std::size_t index);

} // namespace stowage::pipeline
