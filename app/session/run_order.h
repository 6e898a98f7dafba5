// Comparison of plan requests, and the order in which runs are listed.
#pragma once

#include "app/session/plan_request.h"

namespace stowage {

/// Whether two requests have the same problem and pools; planner, options, seed and limits may differ.
[[nodiscard]] bool sameSetup(const PlanRequest& a, const PlanRequest& b);

/// Whether two requests are for the same planning, so that the later run replaces the earlier one.
[[nodiscard]] bool sameRequest(const PlanRequest& a, const PlanRequest& b);

/// The order in which runs are listed: plans that fit first, then by total size, then by name of the planner.
[[nodiscard]] bool betterRun(const RunEntry& a, const RunEntry& b);

} // namespace stowage
