// Finds the smallest layout of one pool's buffers, with the search that can take them.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace stowage::exact {

class SearchSteps;

/// The state of knowledge about one pool, in bytes: a layout, and the proof that none is smaller than `lower`.
struct PoolLayout {
    std::vector<BufferId> buffers; ///< with bytes; a multi-buffer once for each slot, in turn
    std::vector<Bytes> offsets;    ///< of the best layout known, by position in `buffers`
    Bytes size = 0;
    Bytes lower = 0;
    [[nodiscard]] bool closed() const { return lower >= size; }
};

struct PoolLimits {
    std::uint64_t nodes = 0;     ///< 0: none
    std::optional<Bytes> enough; ///< stop as soon as the size is at most this, or that is proved impossible
    std::uint64_t seed = 0;
    std::function<bool()> stop;
    std::function<void(const PoolLayout&, std::uint64_t nodes)> improved; ///< after each smaller layout
    SearchSteps* steps = nullptr;                                         ///< told what the search does
};

/// Makes the layout of `members` in `pool` smaller until that is proved impossible or a limit is met; returns the nodes searched.
/// `start`, if not null, gives the layout to begin with. `SkylineSearch` for whole buffers, `PairSearch` where one has windows.
/// Errors: what neither can take.
Expected<std::uint64_t> minimisePool(const Problem& problem, PoolId pool, std::span<const BufferId> members, const Plan* start,
                                     const PoolLimits& limits, PoolLayout& layout);

/// Writes the layout into the plan: pool and offsets of its buffers. Placements keep their rotations.
void apply(const PoolLayout& layout, PoolId pool, Plan& plan);

} // namespace stowage::exact
