// A plan made better, pool by pool, by the exact search.
#pragma once

#include "core/plan/planner.h"

namespace stowage::exact {

/// Treatment of buffers with several candidate pools.
enum class PoolChoice : std::uint8_t {
    kept,      ///< each stays where `start` put it
    untilFits, ///< other assignments are searched until one is inside all capacities
    joint,     ///< all of them
};

struct RefineOptions {
    std::uint64_t nodes = 0; ///< of all pools together; 0: none
    PoolChoice pools = PoolChoice::kept;
    bool fitOnly = false; ///< stop as soon as a pool is inside its capacity, or that is proved impossible
};

struct Refined {
    Plan plan;
    bool proved = true; ///< every pool is as small as it can be with the buffers that it has (or, with `fitOnly`, fits or cannot)
};

/// Makes each pool as small as it can with the buffers that `start` put there, then searches the other assignments, if so wished,
/// for fewer bytes above the capacities, or else in total. Bounds and proofs become claims of the plan where they hold for every
/// plan: with one candidate pool for each buffer, or after all assignments were searched; and where no plan gains by rotating
/// (core/plan/one_iteration.h). Publishes each improvement. Never returns a larger plan than `start`. An error names what the
/// search cannot represent; the start is then the best there is.
Expected<Refined> refine(const Problem& problem, Plan start, const RefineOptions& options, const PlanContext& context);

/// The best of the quick heuristics: less above the capacities, then less in total, then the first in the list. Up to 200,000
/// buffers all of them are run to their end, whatever the deadline; above that those that the deadline leaves time for.
Expected<Plan> bestOfHeuristics(const Problem& problem, const PlanContext& context);

} // namespace stowage::exact
