// Buffers that a pool was too small for, and the gain from a few more bytes of it.
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace stowage {

/// A buffer that lies in a later one of its candidate pools.
struct Displaced {
    BufferId buffer = none;
    PoolId to = none;          ///< where it lies
    std::optional<Bytes> more; ///< bytes by which the pool's capacity would have to grow to hold it with everything else where it
                               ///< is; 0: it would fit as it is; nothing when that was not looked for
    std::optional<double>
        saved; ///< nanoseconds of traffic that moving it would save (see core/plan/traffic.h); nothing when not known
};

/// What was pushed out of one pool.
struct PoolDisplacement {
    PoolId pool = none;
    Bytes bytes = 0;                  ///< of all of them
    std::vector<Displaced> displaced; ///< those that the fewest bytes would bring first, of equals the larger
};

/// For each bounded pool the buffers that name it as an earlier candidate than the pool they lie in; pools without any are left
/// out. `more` is found by looking for the lowest place among what lies there: exact for one buffer at a time. O(displaced *
/// buffers), at most 5 * 10^7 pairs; beyond that `more` is left out.
[[nodiscard]] std::vector<PoolDisplacement> displacements(const Problem& problem, const Plan& plan);

} // namespace stowage
