// The limit of work of a planner that is compared with others.
#pragma once

#include "app/session/session.h"

namespace stowage {

/// A request for one of several planners that are compared. The exact search alone has no limit of its own, and a comparison has
/// to end: it gets one of work, unless the request has a limit, and less of it for more than 500 buffers, whose nodes cost more.
[[nodiscard]] PlanRequest limitedForComparison(const Session& session, const Model& model, PlanRequest request);

} // namespace stowage
