// Refuses problems of which a bound proves that no plan fits.
#pragma once

#include "core/plan/planner.h"
#include "core/plan/problem_parts.h"

#include <optional>
#include <vector>

namespace stowage {

/// If a bound proves that no plan fits (core/plan/too_small.h): the best plan of the quick heuristics, which shows the excess and
/// its place, with a note that explains why nothing else was tried. In a problem with a single pool, the exact search improves
/// the plan for about 10 ms. No value if a plan may fit. `parts`: of `separateParts`, or none for a single pool. O(n log n +
/// conflicts) for each pool, the heuristics, and a fixed number of nodes.
[[nodiscard]] std::optional<Expected<Plan>> refusedBeforePlanning(const Problem& problem, const std::vector<ProblemPart>& parts,
                                                                  const PlannerInfo& info, const OptionValues& options,
                                                                  const PlanContext& context);

} // namespace stowage
