// Smallest capacity for which any planner found a plan.
#pragma once

#include "core/plan/planner.h"

#include <string>
#include <vector>

namespace stowage {

/// The smallest size of a pool in a plan that keeps all capacities that `plan` keeps.
struct AchievedCapacity {
    PoolId pool = none;
    Bytes bytes = 0;
    std::string planner; ///< that achieved it
};

/// For each pool that `plan` overflows: with the limits of these pools lifted, the quick heuristics and a short climb are tried,
/// `plan` itself is one more. Over 20,000 buffers only `plan` itself counts. Of the context, only cancel counts.
[[nodiscard]] std::vector<AchievedCapacity> achievedCapacities(const Problem& problem, const Plan& plan,
                                                               const PlanContext& context);

} // namespace stowage
