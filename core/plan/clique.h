// Heavy cliques of explicit conflicts.
#pragma once

#include "core/ir/problem.h"

#include <span>
#include <vector>

namespace stowage {

/// Buffers of `ids` that conflict explicitly pairwise (or are unique), with a large sum of sizes. Greedy: grown from one buffer
/// after another, always the heaviest that conflicts with all so far, until a budget of conflicts looked at is spent; also from
/// what is live together at the heaviest step, which in a `dag` problem is a clique. Empty without explicit conflicts. Ascending.
/// O(n log n + conflicts log conflicts). Finding the heaviest clique is hard; this one need not be it.
std::vector<BufferId> heavyClique(const Problem& problem, std::span<const BufferId> ids);

} // namespace stowage
