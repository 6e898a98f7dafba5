// Finds a small set of buffers that do not fit into a pool together.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace stowage::exact {

struct InfeasibleSet {
    std::vector<BufferId> buffers; ///< buffers that do not fit together; ascending
    bool irreducible = false;      ///< true: it is proved that the set fits after the removal of any one buffer
    std::optional<Bytes> needs;    ///< smallest size in bytes of a layout of these buffers, if it was found
    std::uint64_t nodes = 0;
};

struct InfeasibleSetLimits {
    std::uint64_t nodesEach = 20'000; ///< limit for the search whether one subset fits
    /// Limit for all searches together; after that no more buffers are removed. A search counts at least as many nodes as its
    /// subset has buffers, because preparing it takes about as long, even if a bound decides it.
    std::uint64_t nodes = 400'000;
    std::uint64_t seed = 0;
    std::function<bool()> stop;
};

/// Reduces `members`, which do not fit into `capacity` bytes of `pool`, to a smaller set that does not fit either. A deletion
/// filter (as in QuickXplain, Junker 2004): removes halves of the set first and single buffers last, and keeps a removal if the
/// rest is proved not to fit. The result is irreducible if each remaining buffer is proved to be needed. A needed buffer stays
/// needed when others are removed, because every subset of buffers that fit also fits. No value if a limit ends the proof that
/// `members` do not fit.
Expected<std::optional<InfeasibleSet>> infeasibleSet(const Problem& problem, PoolId pool, std::span<const BufferId> members,
                                                     Bytes capacity, const InfeasibleSetLimits& limits = {});

/// The same without a search, for buffers that all conflict with each other, as `together` proves: an irreducible subset with
/// more than `capacity` bytes in sum. No value if the sum of sizes does not decide whether the buffers fit: with pins, padding or
/// several slots. O(members log members).
std::optional<InfeasibleSet> infeasibleStack(const Problem& problem, PoolId pool, const CliqueCertificate& together,
                                             Bytes capacity);

/// The same for all pools together: a set of buffers that no choice of candidate pools places within the capacities. The search
/// begins with the pools of `plan`. `needs` has no value.
Expected<std::optional<InfeasibleSet>> infeasibleSetOfAll(const Problem& problem, const Plan& plan,
                                                          const InfeasibleSetLimits& limits = {});

} // namespace stowage::exact
