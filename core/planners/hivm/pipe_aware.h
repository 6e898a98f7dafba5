// Wraps a planner without a pipe model, so that it prices or forbids reuse across pipes.
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

/// All pairs of buffers that do not conflict, may go to one pool, and would need synchronisation: one is touched by DMA, or
/// exactly one by the scalar pipe. Also the pairs for which the problem states a penalty, which is added to the price. Ascending.
/// O(n^2).
[[nodiscard]] std::vector<PipePair> pipePairs(const Problem& problem);

/// The pairs of `pairs` that share bytes in `plan`. O(pairs * slots^2).
[[nodiscard]] std::vector<PipePair> sharingPairs(const Problem& problem, const Plan& plan, const std::vector<PipePair>& pairs);

/// The same planner with one more option, `pipe-aware`:
///  - `ignore`: plans as before;
///  - `forbid`: the pairs of `pipePairs` conflict;
///  - `price`: minimises, inside the capacities, the plan's size plus the prices of the pairs that share; of equal sums, the
///  price.
///    With few pairs, sets of forbidden pairs are tried in the order of their price: optimal when the planner is optimal. With
///    many pairs, the search begins with the plan that ignores pipes and forbids the pair with the highest price that shares, as
///    long as that helps, in at most 200 plannings. A planner without an end of its own gets at most 20,000 placements for each
///    planning, or its share of the context's limit when that is more.
/// With `forbid` and `price` the planner's claims are dropped, as they hold for another problem, and its notes say so
/// (`withdrawProofs`). Prices matter because pipes run in parallel: the smallest plan is not the fastest one.
[[nodiscard]] std::shared_ptr<const Planner> pipeAware(std::shared_ptr<const Planner> planner);

} // namespace stowage
