// The difference of two plans as colours of a map: the distance that each buffer moved, and buffers of one plan only. No Qt.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "core/explain/plan_difference.h"

#include <functional>
#include <string>
#include <vector>

namespace stowage {

/// Classes of a difference, in the order of the legend. Lower and higher have three classes each, by thirds of the largest
/// distance.
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

/// The colouring of the run of `difference.here`; its palette is that of `ColourBy::difference`. O(buffers).
[[nodiscard]] Colouring differenceColouring(const PlanDifference& difference);

/// The difference of one buffer in words: "moved 1,024 B lower", "only here", "not moved". `size` formats bytes with their unit.
[[nodiscard]] std::string describeChange(const PlanDifference& difference, BufferId buffer,
                                         const std::function<std::string(Bytes)>& size);

/// An entry of the legend: "lower 85", "higher 69", "same 0", ….
struct DifferenceCount {
    std::string name;
    std::size_t buffers = 0;
    std::vector<DifferenceClass> shades; ///< those in which its buffers are drawn, the furthest first; never empty
};
/// O(buffers).
[[nodiscard]] std::vector<DifferenceCount> differenceCounts(const PlanDifference& difference);

} // namespace stowage
