// The work limit of a planner that is compared with others.
#pragma once

#include "app/session/session.h"

namespace stowage {

/// The request for one of several planners that are compared. `exact` has no work limit of its own, and a comparison must end; if
/// the request has no limit, `exact` gets one, and a lower one for more than 500 buffers, because their search nodes take longer.
[[nodiscard]] PlanRequest limitedForComparison(const Session& session, const Model& model, PlanRequest request);

} // namespace stowage
