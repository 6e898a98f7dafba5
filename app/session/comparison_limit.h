// The work limit of a planner that is compared with others.
#pragma once

#include "app/session/session.h"

#include <cstdint>

namespace stowage {

inline constexpr std::uint64_t comparedWork = 5'000'000; ///< placements that `exact` tries: seconds, not minutes
inline constexpr std::uint64_t minComparedWork = 1000;   ///< with any number of buffers
inline constexpr std::int64_t easilyCompared = 500;      ///< buffers; of n > 500 the work is multiplied by (500 / n)³

/// The request for one of several planners that are compared. `exact` has no work limit of its own, and a comparison must end; if
/// the request has no limit, `exact` gets one, and a lower one for more than 500 buffers, because their search nodes take longer.
[[nodiscard]] PlanRequest limitedForComparison(const Session& session, const Model& model, PlanRequest request);

} // namespace stowage
