// Divides a problem into parts that have no pool in common.
#pragma once

#include "core/ir/problem.h"

#include <vector>

namespace stowage {

/// Some pools of a problem, and the buffers whose candidates are among them.
struct ProblemPart {
    Problem problem; ///< contains only `buffers` and `pools`, renumbered; name, loops and axis as in the whole problem
    std::vector<BufferId> buffers; ///< by buffer of the part: buffer of the whole problem; ascending
    std::vector<PoolId> pools;     ///< by pool of the part: pool of the whole problem; ascending
};

/// Divides `problem`. Two pools belong to the same part if both are candidates of one buffer with size > 0, or if other pools
/// connect them in this way. So parts are independent: their plans, bounds and proofs can be combined. Buffers of size 0 belong
/// to the part of their first candidate; pools that are no candidate of any buffer are left out. Ordered by the first pool of the
/// parts. Requires a checked problem. O(buffers * candidates + conflicts).
[[nodiscard]] std::vector<ProblemPart> separateParts(const Problem& problem);

} // namespace stowage
