// The order in which a function's ops and regions begin and end, as numbers: "inside", "before" and "after" in one comparison.
#pragma once

#include "core/ir/program.h"

#include <vector>

namespace stowage {

/// Nesting of regions and calls beyond this is refused: a limit for hostile files.
inline constexpr std::int32_t maxNesting = 1000;

/// A walk through the regions of one function in listed order, with a counter that ticks whenever an op begins, when an op that
/// holds regions ends, and when a region ends. An op reads its inputs at `begin` and has written its outputs at `end`; a region's
/// outputs are read at its `end - 1`.
struct RegionTree {
    struct Span {
        std::int64_t begin = -1; ///< -1: not reached from the function's own region
        std::int64_t end = -1;

        [[nodiscard]] bool reached() const { return begin >= 0; }
        [[nodiscard]] bool contains(const Span& other) const { return begin <= other.begin && other.end <= end; }
    };

    std::vector<OpId> order;         ///< reached ops in listed order, those of a region after the op that holds it
    std::vector<Span> ops;           ///< by op
    std::vector<Span> regions;       ///< by region
    std::vector<RegionId> parents;   ///< by region: the region around it; none for the function's own
    std::vector<std::int32_t> depth; ///< by region: 0 for the function's own

    /// Requires that regions[0] exists and that all op ids in regions and region ids in ops are in range. What is listed twice
    /// or held in a circle is walked once. O(ops + regions), no recursion.
    static RegionTree of(const Function& function);

    /// True when `inner` is `outer` or lies inside it.
    [[nodiscard]] bool inside(RegionId inner, RegionId outer) const
    {
        return regions[static_cast<std::size_t>(outer)].contains(regions[static_cast<std::size_t>(inner)]);
    }
};

} // namespace stowage
