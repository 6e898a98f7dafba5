// A problem cut into parts that have no pool in common.
#pragma once

#include "core/ir/problem.h"

#include <vector>

namespace stowage {

/// Some pools of a problem, and the buffers that can go nowhere else.
struct ProblemPart {
    Problem problem;               ///< of `buffers` and `pools` alone, renumbered; names, loops and the axis are the whole's
    std::vector<BufferId> buffers; ///< of the whole, by buffer of the part; ascending
    std::vector<PoolId> pools;     ///< of the whole, by pool of the part; ascending
};

/// Two pools are in one part when some buffer with bytes may go to either, also by way of others. So what one part does concerns
/// no other: plans, bounds and proofs of the parts add up. Buffers without bytes are with their first candidate; pools that no
/// buffer may go to are left out. Ordered by their first pool. Requires a checked problem. O(buffers * candidates + conflicts).
[[nodiscard]] std::vector<ProblemPart> separateParts(const Problem& problem);

} // namespace stowage
