// Checks that each buffer lies in the first of its candidate pools with space for it.
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <span>

namespace stowage {

/// A buffer and a pool that it prefers to the pool of its placement.
struct Passed {
    BufferId buffer = none;
    PoolId pool = none;

    friend bool operator==(const Passed&, const Passed&) = default;
};

/// The first pair, by pool of `pools` and then by buffer, of a buffer and a pool that it prefers to its own and that might have
/// space for it; no value: the preferences hold. A pool has no space for a buffer if the lower bound of the buffers that `plan`
/// places there and of this buffer is above its capacity: then no layout of the pool contains them all. So "no value" is a proof,
/// for moves of single buffers; a pair only means that there is no such proof. Buffers of size 0 are ignored. Requires a checked
/// problem and a valid plan. O(n log n + steps of the displaced buffers). For pairs for which the live bytes alone are no proof,
/// O(n log n) each; after a fixed number of them, a pair counts as not proved.
[[nodiscard]] std::optional<Passed> firstPassedOver(const Problem& problem, const Plan& plan, std::span<const PoolId> pools);

} // namespace stowage
