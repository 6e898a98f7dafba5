// What a bound refuses before it is planned.
#pragma once

#include "core/plan/planner.h"

#include <optional>

namespace stowage {

/// Where a bound shows that no plan fits (core/plan/too_small.h): the best plan of the quick heuristics, made smaller within some
/// 10 ms by the exact search, which shows what is too much and where, with a note that says why nothing else was tried. Nothing
/// where a plan may fit. O(n log n + conflicts) for each pool, the heuristics, and a fixed number of nodes.
[[nodiscard]] std::optional<Expected<Plan>> refusedBeforePlanning(const Problem& problem, const PlannerInfo& info,
                                                                  const OptionValues& options, const PlanContext& context);

} // namespace stowage
