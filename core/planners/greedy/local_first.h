// Sharing inside each operator first: the baseline that shows what planning everything at once gains.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Every operator (`Problem::scopes`) plans its internal buffers by itself; what comes out is one block, a workspace that belongs
/// to the operator as long as it runs. Then the blocks and the buffers between operators are planned together, and of these each
/// is live over the whole of every operator that it touches, as liveness inside operators is not looked at. Both plans are those
/// of `greedy-by-size`. This is what TVM did with StorageRewrite inside operators and GraphPlanMemory between them; a diagnostic
/// gives the lower bound with liveness by operator beside the one with liveness by step. Buffers of one operator that may go to
/// different pools make a block for each list of candidates. A problem without operators is planned like `greedy-by-size`. O(n
/// log n).
std::shared_ptr<const Planner> localFirst();

} // namespace stowage
