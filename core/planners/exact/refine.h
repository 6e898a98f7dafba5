// Improves a plan, pool by pool, by the exact search.
#pragma once

#include "core/plan/planner.h"

namespace stowage::exact {

/// Treatment of buffers with several candidate pools.
enum class PoolChoice : std::uint8_t {
    kept,      ///< each buffer stays in the pool of `start`
    untilFits, ///< other assignments are searched until one fits into all capacities
    joint,     ///< all assignments are searched
};

struct RefineOptions {
    std::uint64_t nodes = 0; ///< limit for all pools together; 0: no limit
    PoolChoice pools = PoolChoice::kept;
    bool fitOnly = false; ///< for each pool, stop when it fits into its capacity, or when that is proved impossible
};

struct Refined {
    Plan plan;
    /// Every pool is proved as small as possible for its buffers (with `fitOnly`: it fits, or is proved not to).
    bool proved = true;
    bool keptPools = false;    ///< `proved` holds only for the pools that the plan chooses
    bool fixedOffsets = false; ///< `proved` holds only for plans whose offsets are the same in every iteration
};

/// Makes each pool as small as possible for the buffers that `start` placed there, then searches other assignments as
/// `options.pools` says. Bounds and proofs become claims of the plan if they hold for every plan: if each buffer has one
/// candidate pool or all assignments were searched, and no plan gains by rotating offsets (core/plan/one_iteration.h). Publishes
/// each improvement. The result is never worse than `start`. Errors: properties that the search does not support.
Expected<Refined> refine(const Problem& problem, Plan start, const RefineOptions& options, const PlanContext& context);

/// The best plan of the fast heuristics by `Objective`; of equal plans, that of the first heuristic in the list. The
/// first one runs to its end, even beyond the deadline, and with up to 200,000 buffers all do; with more, as many as the deadline
/// permits.
Expected<Plan> bestOfHeuristics(const Problem& problem, const PlanContext& context);

} // namespace stowage::exact
