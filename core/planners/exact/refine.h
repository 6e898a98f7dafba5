// A plan made better, pool by pool, by the exact search.
#pragma once

#include "core/plan/planner.h"

namespace stowage::exact {

struct RefineOptions {
    std::uint64_t nodes = 0; ///< of all pools together; 0: none
    bool fitOnly = false;    ///< stop as soon as a pool is inside its capacity, or that is proved impossible
};

struct Refined {
    Plan plan;
    bool proved = true; ///< every pool is as small as it can be with the buffers that it has (or, with `fitOnly`, fits or cannot)
};

/// Keeps each buffer in the pool where `start` put it and makes each pool as small as it can. Bounds and proofs become claims of the plan
/// where every buffer has one candidate pool only (else another assignment might do better). Publishes each improvement. Never returns a
/// larger plan than `start`. An error names what the search cannot represent; the start is then the best there is.
Expected<Refined> refine(const Problem& problem, Plan start, const RefineOptions& options, const PlanContext& context);

/// The best of the quick heuristics: less above the capacities, then less in total, then the first in the list.
Expected<Plan> bestOfHeuristics(const Problem& problem, const PlanContext& context);

} // namespace stowage::exact
