// The order in which the ops and regions of a function begin and end, as numbers. Comparing numbers decides whether one lies
// inside, before or after another.
#pragma once

#include "core/ir/program.h"

#include <vector>

namespace stowage {

/// Deepest nesting of regions and calls that is accepted: a limit against hostile files.
inline constexpr std::int32_t maxNesting = 1000;

/// The result of a depth-first walk through the regions of one function in listed order. A counter is incremented when an op
/// begins, when an op with regions ends, and when a region ends. An op reads its inputs at `begin` and has written its outputs at
/// `end`; the outputs of a region are read at its `end - 1`.
struct RegionTree {
    struct Span {
        std::int64_t begin = -1; ///< -1: not reachable from the body of the function
        std::int64_t end = -1;

        [[nodiscard]] bool reached() const { return begin >= 0; }
        [[nodiscard]] bool contains(const Span& other) const { return begin <= other.begin && other.end <= end; }
    };

    std::vector<OpId> order;         ///< reachable ops in listed order; the ops of a region follow the op that owns it
    std::vector<Span> ops;           ///< by op
    std::vector<Span> regions;       ///< by region
    std::vector<RegionId> parents;   ///< by region: the region around it; none for the body of the function
    std::vector<std::int32_t> depth; ///< by region: nesting depth; 0 for the body of the function

    /// Requires that regions[0] exists and that all op ids in regions and region ids in ops are in range. An op or region that is
    /// listed twice or contains itself is visited once. O(ops + regions), no recursion.
    static RegionTree of(const Function& function);

    /// True if `inner` is `outer` or lies inside it.
    [[nodiscard]] bool inside(RegionId inner, RegionId outer) const
    {
        return regions[static_cast<std::size_t>(outer)].contains(regions[static_cast<std::size_t>(inner)]);
    }
};

} // namespace stowage
