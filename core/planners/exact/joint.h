// Searches over the assignments of buffers to pools and over offsets together.
#pragma once

#include "core/plan/planner.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace stowage::exact {

struct JointLimits {
    std::uint64_t nodes = 0;    ///< 0: no limit
    bool fitOnly = false;       ///< stop at the first plan within all capacities
    std::function<bool()> stop; ///< asked as often as the limits of the context; true stops the search
    // Pruning rules. Each is sound by itself; tests switch them off to compare the results.
    bool bound = true;    ///< skip assignments whose lower bounds (most loaded steps) are no better than the best plan
    bool remember = true; ///< solve each set of buffers in a pool only once
    /// Maximum number of buffers in all remembered sets, 16 bytes each or more. With more, the sets are forgotten and solved
    /// again when they are needed.
    std::size_t maxRemembered = 20'000'000;
};

struct JointResult {
    bool improved = false;
    bool complete = false; ///< every assignment was searched or excluded: no plan is better
    std::uint64_t nodes = 0;
    StoppedBy stoppedBy = StoppedBy::complete;
};

/// Improves `plan` over all assignments of buffers to their candidate pools. Branches on the pool of one buffer after the other,
/// the largest buffer first, and tries the pool of `plan` first. Prunes a branch if the lower bounds of its pools (most loaded
/// steps) are no better than the best plan. For a complete assignment, `minimisePool` solves each pool, once for each set of
/// buffers. Exponential in the number of buffers with several candidates: meant for some dozens; with more, the search usually
/// ends at its limit. Buffers with one candidate cost a node each, O(live steps), and no stack. Publishes each improvement.
/// Errors: properties that the search of a pool does not support.
Expected<JointResult> searchJointly(const Problem& problem, Plan& plan, const JointLimits& limits, const PlanContext& context);

} // namespace stowage::exact
