// Planners that know nothing of pipes, made to.
#pragma once

#include "core/plan/planner.h"

#include <memory>
#include <vector>

namespace stowage {

/// Two buffers that may share bytes, but only at the price of synchronising pipes.
struct PipePair {
    BufferId a = none;
    BufferId b = none;
    bool breaksDoubleBuffer = false; ///< one of them is multi-buffered, and both belong to one loop
    Bytes price = 0;                 ///< of sharing: the smaller size, four times that when a double buffer breaks
};

/// All such pairs, and those that the problem has a penalty for, which comes on top. The former: one is DMA-touched, or exactly
/// one scalar-touched, they do not conflict, and a pool may take both. Ascending. O(n^2).
[[nodiscard]] std::vector<PipePair> pipePairs(const Problem& problem);

/// Those of them that share bytes in `plan`. O(pairs * slots^2).
[[nodiscard]] std::vector<PipePair> sharingPairs(const Problem& problem, const Plan& plan, const std::vector<PipePair>& pairs);

/// The same planner with one option more, `pipe-aware`:
///  - `ignore`: as it is;
///  - `forbid`: pairs of `pipePairs` conflict;
///  - `price`: inside the capacities the least sum of size and price of what shares; of equal sums the least price. Few pairs:
///    sets of them are tried by price, which is optimal where the planner is. Many: from the plan that ignores pipes, the dearest
///    pair that shares is forbidden as long as that helps, in at most 200 plannings. Planners that would go on get at most 20,000
///    placements for each planning, more where the context's limit, which is one for all of them, leaves more.
/// Claims of the planner are dropped with `forbid` and `price`, as they are about another problem. The idea of pricing: capacity
/// alone is the wrong score where pipes run in parallel.
[[nodiscard]] std::shared_ptr<const Planner> pipeAware(std::shared_ptr<const Planner> planner);

} // namespace stowage
