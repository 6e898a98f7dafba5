// The difference of two plans as colours of a map: how far each buffer moved, and what is only here. No Qt.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "core/explain/plan_difference.h"

namespace stowage {

/// Classes of a difference, in the order of the legend. Three steps each way, by thirds of the furthest move.
enum class DifferenceClass : std::uint8_t {
    farLower,
    lower,
    slightlyLower,
    unmoved,
    slightlyHigher,
    higher,
    farHigher,
    elsewhere,
    onlyHere,
    notHere
};

/// The colouring of the run whose plan is `here` in `difference`; its palette is that of `ColourBy::difference`. O(buffers).
[[nodiscard]] Colouring differenceColouring(const PlanDifference& difference);

/// What became of one buffer, in words: "moved 1,024 B lower, from 0x0400", "only here", "not moved".
[[nodiscard]] std::string describeChange(const PlanDifference& difference, BufferId buffer);

/// "lower 85", "higher 69", "same 0", … for the legend: the class that stands for it, a name and a count. Kinds that do
/// not occur are left out, but the first three.
struct DifferenceCount {
    DifferenceClass shown = DifferenceClass::unmoved;
    std::string name;
    std::size_t buffers = 0;
};
[[nodiscard]] std::vector<DifferenceCount> differenceCounts(const PlanDifference& difference);

} // namespace stowage
