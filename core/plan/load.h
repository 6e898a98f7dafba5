// The bytes that a set of buffers needs at each step, whatever their offsets.
#pragma once

#include "core/ir/problem.h"

#include <span>
#include <vector>

namespace stowage {

/// One or several equal blocks of a buffer that are in use over a range of steps.
struct Load {
    Interval live;
    Bytes bytes = 0;        ///< of one block
    Bytes alignment = 1;    ///< the block begins at a multiple of this
    std::int32_t count = 1; ///< of the blocks
    BufferId buffer = none;

    [[nodiscard]] Bytes total() const { return bytes * count; }
};

/// The bytes that the buffers `ids` occupy: live ranges, windows, and carried values (those that a trip count allows), with all
/// slots. Where several values of a buffer are held there is one load with their number. `pool` gives the alignment; none: 1.
std::vector<Load> occupied(const Problem& problem, std::span<const BufferId> ids, PoolId pool);

/// Bytes that one buffer holds at a step, the values of all iterations together; for step `none`, and where it is not live: the
/// bytes of all its slots. O(live ranges).
Bytes heldAt(const Problem& problem, BufferId buffer, Step step);

/// The same such that at each step the loads belong to buffers that must all lie apart: a unique buffer over the whole axis, and
/// of buffers that may share, directly or through others, the largest only.
std::vector<Load> apart(const Problem& problem, std::span<const BufferId> ids, PoolId pool);

/// A lower bound of the bytes that blocks without common bytes need. On a grid of g = gcd of their alignments a block covers
/// whole cells, but for the topmost, which ends where it ends: sum of sizes rounded up to g, minus the most that one of them was
/// rounded up by. Taken over the blocks of largest alignment, for every g that they share, and at last over all. O(n log n).
Bytes packedBytes(std::vector<Load> blocks);

/// The step at which loads are heaviest; -1 without loads. `aligned`: by `packedBytes`'s measure over each of its grids, else by
/// plain sum. The first of equals. O(n log n), for each of at most 16 grids.
Step heaviestStep(std::span<const Load> loads, bool aligned);

} // namespace stowage
