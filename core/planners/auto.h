// The default planner.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// The quick heuristics, then from the best of them the exact search beside the improver and orders that learn, until a proof or
/// a work limit of its own.
std::shared_ptr<const Planner> autoPlanner();

} // namespace stowage
