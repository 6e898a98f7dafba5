// Counterfactuals: the single change that would make a pool smallest.
#pragma once

#include "core/ir/change.h"
#include "core/ir/expected.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// What a change would give in the pool that the buffer lies in.
struct Counterfactual {
    Change change;
    Bytes bound = 0;       ///< the new lower bound, for the same buffers in the pool
    Bytes size = 0;        ///< the best size found for them
    bool smallest = false; ///< that is proved smallest
};

struct CounterfactualLimits {
    std::size_t candidates = 48;     ///< changes tried at most
    std::uint64_t nodesEach = 2'000; ///< of the exact search for one change
    std::uint64_t seed = 0;
    std::function<bool()> stop;
};

/// The changes of single buffers that would make a pool smaller, and what it has without any.
struct RankedChanges {
    Bytes unchanged = 0;            ///< the best size found for the pool as it is; below the plan's where a better plan was found
    bool unchangedSmallest = false; ///< that is proved smallest
    std::vector<Counterfactual> changes;
};

/// Evaluates one change for a valid plan. The buffers keep their pools; the search begins with their offsets where the change
/// leaves them valid. Errors: those of `changed`; a buffer that is not placed.
Expected<Counterfactual> counterfactual(const Problem& problem, const Plan& plan, const Change& change,
                                        const CounterfactualLimits& limits = {});

/// The single changes that help `pool` most, best first: smaller size, then lower bound, then fewer bytes changed. Tried are, for
/// the buffers that make up the pool's bound and those that hold its highest byte up, largest first: half the size; a life that
/// ends before the fullest step, or begins after it; and in place of a buffer that is last read where it is first written. What
/// planning again gives without any change is no merit of a change: only those that come below that, or have a lower bound, are
/// returned. Deterministic in (problem, plan, limits without stop).
RankedChanges bestSingleChanges(const Problem& problem, const Plan& plan, PoolId pool, const CounterfactualLimits& limits = {});

/// The same changes of one buffer, with those that help nothing, best first; and in place of others and others in place of it.
/// Empty for one that is not placed.
RankedChanges changesOfBuffer(const Problem& problem, const Plan& plan, BufferId buffer, const CounterfactualLimits& limits = {});

/// Reads a change as people write it: "size:NAME=BYTES", "live:NAME=3-7,9-12" (half-open), "in-place:NAME=OTHER". Names may hold
/// ":" and "=", the last "=" counts. Errors: another kind, a buffer that the problem does not have, no number, ranges that are
/// empty or out of order.
Expected<Change> parseChange(const Problem& problem, std::string_view text);

} // namespace stowage
