// Finds the smallest layout of one pool, with the search that supports its buffers.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stowage::exact {

class SearchSteps;

/// The best layout known for one pool, and a proved lower bound of its size. In bytes.
struct PoolLayout {
    std::vector<BufferId> buffers; ///< those with size > 0; a buffer with several slots has one entry for each slot
    std::vector<Bytes> offsets;    ///< of the best layout known, by position in `buffers`
    Bytes size = 0;                ///< of the best layout known
    Bytes lower = 0;               ///< proved: no layout is smaller
    [[nodiscard]] bool closed() const { return lower >= size; }
};

struct PoolLimits {
    std::uint64_t nodes = 0;     ///< 0: no limit
    std::optional<Bytes> enough; ///< stop when the size is at most this, or when that is proved impossible
    std::uint64_t seed = 0;
    std::function<bool()> stop;
    bool spent = false;                                                   ///< see `MinimiseLimits::spent`
    std::function<void(const PoolLayout&, std::uint64_t nodes)> improved; ///< called after each smaller layout
    SearchSteps* steps = nullptr;                                         ///< records the steps of the search; may be null
};

/// Makes the layout of `members` in `pool` smaller until it is proved optimal or a limit is reached; returns the nodes searched.
/// Begins with the layout of `start`, if not null. Uses `PairSearch` if a buffer has windows, otherwise `SkylineSearch`. Errors:
/// properties that the search does not support.
Expected<std::uint64_t> minimisePool(const Problem& problem, PoolId pool, std::span<const BufferId> members, const Plan* start,
                                     const PoolLimits& limits, PoolLayout& layout);

/// Writes the pool and the offsets of the layout into `plan`. A placement with as many offsets as its buffer has slots keeps its
/// rotations. One with more offsets becomes fixed if there is a single slot; otherwise its slots rotate with the innermost loop
/// of its rotations.
void apply(const PoolLayout& layout, PoolId pool, Plan& plan);

} // namespace stowage::exact
