// The time axis of Ascend's PlanMemory: the number of each op of a function.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/ir/program.h"

namespace stowage::lowering {

/// Pre-order numbers from 0. A loop takes one number when it begins and one when it ends; a branch one when it begins, one after
/// its first region and one after each other region that holds ops (an `if` without an else has none there).
struct HivmAxis {
    struct Numbers {
        Step begin = 0;
        Step end = 0; ///< the last number that it takes; for a leaf its only one
    };

    std::vector<OpId> steps;         ///< by number: the op with this number
    std::vector<Numbers> ops;        ///< by op
    std::vector<Loop> loops;         ///< parents come before inner loops; `live` holds the numbers from begin to end
    std::vector<LoopId> regionLoops; ///< by region: the innermost loop around its ops; none outside loops
    std::vector<OpId> order;         ///< ops in pre-order
    std::vector<std::int32_t> depth; ///< by region: 0 for the function's own

    /// Requires a verified function. An error beyond 2^24 numbers. Linear; recursion as deep as the nesting, which the verifier
    /// bounds.
    static Expected<HivmAxis> of(const Function& function);

    /// The region around `region`; none for the function's own.
    static RegionId parentOf(const Function& function, RegionId region);
    /// The innermost region that contains both, or is one of them. O(depth).
    [[nodiscard]] RegionId commonRegion(const Function& function, RegionId a, RegionId b) const;
    /// The op of `region` that contains `op`, or is `op`. Requires that `op` lies in `region` or in a region inside it. O(depth).
    static OpId ancestorIn(const Function& function, OpId op, RegionId region);
};

} // namespace stowage::lowering
