// A small set of buffers that do not fit together.
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
    std::vector<BufferId> buffers; ///< do not fit together; ascending
    bool irreducible = false;      ///< proved: without any one of them the rest fits
    std::optional<Bytes> needs;    ///< the smallest size of these buffers, where it was found
    std::uint64_t nodes = 0;
};

struct InfeasibleSetLimits {
    std::uint64_t nodesEach = 20'000; ///< of one question whether a subset fits
    std::uint64_t nodes = 400'000;    ///< of all questions; after that no more buffers are removed
    std::uint64_t seed = 0;
    std::function<bool()> stop;
};

/// Shrinks `members`, which are known not to fit into `capacity` bytes of `pool`, to a set that does not fit either, but would
/// without any one of its members. A deletion filter: parts of the set are left out, halves first and single buffers last, and
/// stay out when the rest is proved not to fit (as in QuickXplain, Junker 2004). The set is irreducible when each single buffer
/// was shown to be needed; this stays true when others are removed, because a subset of buffers that fit also fits. No value when
/// the limits end the proof that the whole set does not fit.
Expected<std::optional<InfeasibleSet>> infeasibleSet(const Problem& problem, PoolId pool, std::span<const BufferId> members,
                                                     Bytes capacity, const InfeasibleSetLimits& limits = {});

/// The same without a search, for buffers that must all lie apart in `pool`, as `together` proves: a subset with more than
/// `capacity` bytes from which no buffer can be removed. No value when the sizes alone do not decide; they decide when the
/// buffers can be stacked end to end, without pins, padding or several slots. O(members log members).
std::optional<InfeasibleSet> infeasibleStack(const Problem& problem, PoolId pool, const CliqueCertificate& together,
                                             Bytes capacity);

/// The same for all pools together, whichever of its candidates each buffer goes to: a set of buffers of which no choice has
/// everything inside the capacities. `plan` says where the search begins. `needs` stays empty.
Expected<std::optional<InfeasibleSet>> infeasibleSetOfAll(const Problem& problem, const Plan& plan,
                                                          const InfeasibleSetLimits& limits = {});

} // namespace stowage::exact
