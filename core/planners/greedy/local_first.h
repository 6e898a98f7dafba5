// Sharing inside each operator first: the baseline that shows what planning everything at once gains.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Plans in two rounds, both with `greedy-by-size`. Round 1 plans the internal buffers of each operator (`Problem::scopes`). The
/// result is one block: a workspace that the operator holds while it runs. Buffers of one operator with different candidate pools
/// make one block for each list of candidates. Round 2 plans the blocks and the buffers between operators together. It ignores
/// steps inside operators: each buffer is live over the whole of every operator that touches it.
///
/// Apache TVM planned so: StorageRewrite inside operators, GraphPlanMemory between them. A diagnostic gives two lower bounds,
/// with live ranges by operator and by step. A problem without operators is planned like `greedy-by-size`. O(n log n).
std::shared_ptr<const Planner> localFirst();

} // namespace stowage
