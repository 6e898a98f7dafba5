// What a bound refuses before it is planned.
#pragma once

#include "core/plan/planner.h"
#include "core/plan/problem_parts.h"

#include <optional>
#include <vector>

namespace stowage {

/// Where a bound shows that no plan fits (core/plan/too_small.h): the best plan of the quick heuristics, which shows what is
/// too much and where, in a single pool made smaller within some 10 ms by the exact search; with a note that says why nothing
/// else was tried. Nothing where a plan may fit. `parts`: of `separateParts`, or none for a single pool. O(n log n + conflicts)
/// for each pool, the heuristics, and a fixed number of nodes.
[[nodiscard]] std::optional<Expected<Plan>> refusedBeforePlanning(const Problem& problem, const std::vector<ProblemPart>& parts,
                                                                  const PlannerInfo& info, const OptionValues& options,
                                                                  const PlanContext& context);

} // namespace stowage
