// The exact planner.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Finds the smallest size of each pool with a proof, or proves that no plan fits, by the search of
/// core/planners/exact/skyline_search.h. Runs until the proof is complete or a limit is reached.
std::shared_ptr<const Planner> exactPlanner();

} // namespace stowage
