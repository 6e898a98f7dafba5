// The exact planner.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Smallest pools with a proof, or a proof that nothing fits: see exact/skyline_search.h. Runs to its proof unless limited.
std::shared_ptr<const Planner> exactPlanner();

} // namespace stowage
