// Buffers that did not find room in a preferred pool, and the extra capacity that would give them room.
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace stowage {

/// A buffer that does not lie in the candidate pool that it prefers.
struct Displaced {
    BufferId buffer = none;
    PoolId to = none;          ///< the pool in which it lies
    std::optional<Bytes> more; ///< bytes by which the preferred pool's capacity has to grow to hold it, with all other buffers
                               ///< where they are; 0: it fits without; no value: not computed, or no capacity is enough,
                               ///< because other buffers occupy the bytes at its pin or the pool's alignment forbids the pin
    std::optional<double>
        saved;          ///< time of memory traffic, in ns, that the move would save (core/plan/traffic.h); no value: not known
    bool exact = false; ///< `more` is the smallest number; otherwise fewer bytes may be enough
};

/// The displaced buffers of one pool.
struct PoolDisplacement {
    PoolId pool = none;
    Bytes bytes = 0;                  ///< sum of the sizes of all displaced buffers
    std::vector<Displaced> displaced; ///< ascending by `more`, then descending by size
};

/// For each bounded pool, the buffers that prefer it to the pool in which they lie. Pools without such buffers are left out.
/// `more` follows from the lowest free offsets among the buffers in the preferred pool, or from the pin, for moving one buffer
/// alone. It is exact unless the buffer, or one of those that conflict with it there, occupies bytes in some steps or iterations
/// only (windows, carried values, early ranges, a single slot that rotates): these count as occupied throughout.
/// O(displaced * buffers), at most 5 * 10^7 pairs; beyond that `more` has no value.
[[nodiscard]] std::vector<PoolDisplacement> displacements(const Problem& problem, const Plan& plan);

} // namespace stowage
