// Finds pools that are too small for every plan, from bounds alone.
#pragma once

#include "core/ir/problem.h"
#include "core/plan/problem_parts.h"

#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// Pools that are too small for the buffers that have no other candidates.
struct TooSmall {
    std::vector<PoolId> pools; ///< ascending
    Bytes bound = 0;           ///< lower bound of the bytes in all of them together
    Bytes capacity = 0;     ///< of all of them together; of the largest one if one buffer is too large for each of them; < bound
    BufferId buffer = none; ///< a buffer that is too large for each of its pools; none: the sum is too large
    std::string provedBy;   ///< name of the bound, for users: "max-live" or "clique"
};

/// A proof, without planning, that no plan of `problem` fits into the capacities: a pool that is smaller than the bound of the
/// buffers with only this candidate; a buffer that is larger than each of its pools; or a part of the problem whose pools
/// together are smaller than the bound of its buffers. No value if no bound proves it; that does not mean that a plan exists. O(n
/// log n + conflicts) for each pool. Requires a checked problem.
[[nodiscard]] std::optional<TooSmall> tooSmall(const Problem& problem);
/// The same for a problem with known parts (`separateParts`); no parts: the problem has one pool.
[[nodiscard]] std::optional<TooSmall> tooSmall(const Problem& problem, const std::vector<ProblemPart>& parts);

} // namespace stowage
