// Pools that are too small whatever a planner does, by bounds alone.
#pragma once

#include "core/ir/problem.h"
#include "core/plan/problem_parts.h"

#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// Pools that cannot hold what may lie nowhere else.
struct TooSmall {
    std::vector<PoolId> pools; ///< ascending
    Bytes bound = 0;           ///< what lies in them at least, all together
    Bytes capacity = 0;        ///< of all of them together, or of the largest where one buffer is too large for each; < bound
    BufferId buffer = none;    ///< the one that is too large for each of its pools
    std::string provedBy;      ///< for people: "max-live" or "clique"
};

/// The proof that no plan of `problem` is within the capacities, before anything is placed: a pool below the bound of the buffers
/// that can go nowhere else, a buffer larger than each of its pools, or pools that share buffers with no others and are together
/// below the bound of these. Nothing when no bound shows it; a plan need not exist then. O(n log n + conflicts) for each pool.
/// Requires a checked problem.
[[nodiscard]] std::optional<TooSmall> tooSmall(const Problem& problem);
/// The same, of a problem that has been separated already; no parts: it has one pool.
[[nodiscard]] std::optional<TooSmall> tooSmall(const Problem& problem, const std::vector<ProblemPart>& parts);

} // namespace stowage
