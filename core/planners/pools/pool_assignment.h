// All ways to give a few buffers to pools.
#pragma once

#include "core/planners/pools/multi_pool_goal.h"

#include <optional>

namespace stowage {

struct PoolAssignment {
    Plan plan; ///< placements only
    GoalValue value;
    bool improved = false; ///< better than what it started from; else `plan` is empty
    bool proved = false;   ///< nothing is better
    std::uint64_t work = 0;
};

/// At most 4096 assignments of at most 60 buffers: few enough to try them all.
[[nodiscard]] bool fewAssignments(const Problem& problem);

/// Looks for a plan better than `start`: branch and bound over the assignments, the largest buffer first, each pool packed by the
/// exact search (whose sizes for a part of the buffers are lower bounds). Requires few assignments. Nothing when the exact search
/// cannot take the problem. Stops at the context's limits, `spent` counting as done; what it found by then is returned.
std::optional<PoolAssignment> bestAssignment(const Problem& problem, const MultiPoolGoal& goal, const GoalValue& start,
                                             const PlanContext& context, std::uint64_t spent);

} // namespace stowage
