// The default planner.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// The quick heuristics, then the exact search from the best of them, until a proof or a work limit of its own.
std::shared_ptr<const Planner> autoPlanner();

} // namespace stowage
