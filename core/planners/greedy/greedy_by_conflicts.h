// The buffers with the largest number of neighbours first.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Number of conflicts descending, then size descending, then name descending; each at the lowest gap that fits, below or between
/// what it conflicts with. The order is that of Apache TVM's `greedy_by_conflicts`, which itself fills no gaps (see
/// usmp_greedy.h).
std::shared_ptr<const Planner> greedyByConflicts();

} // namespace stowage
