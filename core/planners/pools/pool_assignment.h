// Tries all assignments of a few buffers to pools.
#pragma once

#include "core/planners/pools/multi_pool_goal.h"

#include <optional>

namespace stowage {

struct PoolAssignment {
    Plan plan; ///< placements only
    GoalValue value;
    bool improved = false; ///< better than the plan that it started from; else `plan` is empty
    bool proved = false;   ///< no plan is better
    std::uint64_t work = 0;
};

/// True for at most 4096 assignments of at most 60 buffers: few enough to try them all. O(buffers).
[[nodiscard]] bool fewAssignments(const Problem& problem);

/// Looks for a plan better than `start`: branch and bound over the assignments, the largest buffer first, each pool packed by the
/// exact search (whose sizes for a part of the buffers are lower bounds). Requires few assignments. Nothing when the exact search
/// cannot take the problem. Stops at the context's limits, of which `spent` placements are used up, and returns its best plan so
/// far.
std::optional<PoolAssignment> bestAssignment(const Problem& problem, const MultiPoolGoal& goal, const GoalValue& start,
                                             const PlanContext& context, std::uint64_t spent);

} // namespace stowage
