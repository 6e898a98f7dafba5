// Finds heavy cliques of explicit conflicts.
#pragma once

#include "core/ir/problem.h"

#include <span>
#include <vector>

namespace stowage {

/// Buffers of `ids`, ascending, that all conflict explicitly (or are unique), with a large sum of sizes; not necessarily the
/// heaviest clique, which is NP-hard to find. Greedy: begins with one buffer after the other, and adds the largest buffer that
/// conflicts with all members, until a budget of examined conflicts is used up. Also begins with the buffers live at the most
/// loaded step, which form a clique in a `dag` problem. Empty without explicit conflicts. O(n log n + conflicts log conflicts).
std::vector<BufferId> heavyClique(const Problem& problem, std::span<const BufferId> ids);

} // namespace stowage
