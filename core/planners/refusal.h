// What a bound refuses before it is planned.
#pragma once

#include "core/plan/planner.h"

#include <optional>
#include <string>

namespace stowage {

/// Where a bound shows that no plan fits (core/plan/too_small.h): the best plan of the quick heuristics, which shows what is too
/// much and where, with a note that says why nothing was searched. Nothing where a plan may fit. O(n log n + conflicts) for each
/// pool, and the heuristics.
[[nodiscard]] std::optional<Expected<Plan>> refusedBeforePlanning(const Problem& problem, const PlannerInfo& info,
                                                                  const OptionValues& options, const PlanContext& context);

/// The note of a planner with several members on which of them gave the plan, or why none did.
[[nodiscard]] Diagnostic memberNote(std::string text);

} // namespace stowage
