// Which plannings ask for the same thing, and which run is listed before which.
#pragma once

#include "app/session/session.h"

namespace stowage {

/// True when both ask for the same problem in the same memories; planner, options, seed and limits may differ.
[[nodiscard]] bool sameSetup(const PlanRequest& a, const PlanRequest& b);

/// True when two requests ask for the same planning, so that the later run replaces the earlier.
[[nodiscard]] bool sameRequest(const PlanRequest& a, const PlanRequest& b);

/// Fits first, then by total size, then by planner name: the order in which runs are listed.
[[nodiscard]] bool betterRun(const RunEntry& a, const RunEntry& b);

} // namespace stowage
