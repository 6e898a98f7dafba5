// Moves buffers to pools that they prefer and that have room.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/planner.h"

namespace stowage {

/// A heuristic that goes through the buffers once may leave one in a later candidate pool although an earlier one has room, when
/// its buffers are laid out anew (see core/plan/preferred_pools.h). Each such buffer is moved, and both pools are planned again
/// by the quick heuristics, and shortly by the exact search, as long as the plan's objective does not become worse by it. Ends
/// when the preferences hold, or where a buffer finds no place. Each step takes a buffer to a pool that it prefers, so that it
/// ends. `plan` is valid and inside the capacities, and stays so; its work counts the placements tried. O(moves * time of the
/// quick heuristics).
void moveToPreferredPools(const Problem& problem, Plan& plan, const PlanContext& context);

} // namespace stowage
