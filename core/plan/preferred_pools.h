// Does each buffer lie in the first of its candidate pools that has room for it?
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <span>

namespace stowage {

/// A buffer and a pool that it prefers to the one it lies in.
struct Passed {
    BufferId buffer = none;
    PoolId pool = none;

    friend bool operator==(const Passed&, const Passed&) = default;
};

/// The first buffer, by pool of `pools` and then by id, that this pool might have room for, and that prefers it to its own;
/// nothing: the preferences hold. A pool has no room for a buffer when a lower bound of the buffers that `plan` puts there,
/// together with this one, is above the pool's capacity: then no layout of the pool holds them all, whatever the offsets. So an
/// answer of nothing is a proof, about moves of one buffer at a time; a pair that is given is a pair without a proof. Buffers
/// without bytes count nowhere. Requires a checked problem and a valid plan. O(n log n + steps of the displaced buffers); where
/// the live bytes alone prove nothing, O(n log n) for each such pair, and after a fixed number of these the pair counts as one
/// without a proof.
[[nodiscard]] std::optional<Passed> firstPassedOver(const Problem& problem, const Plan& plan, std::span<const PoolId> pools);

} // namespace stowage
