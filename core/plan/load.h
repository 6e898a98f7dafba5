// The bytes that a set of buffers needs at each step, independent of offsets.
#pragma once

#include "core/ir/problem.h"

#include <span>
#include <vector>

namespace stowage {

/// One or several equal blocks of a buffer that are in use during a range of steps.
struct Load {
    Interval live;
    Bytes bytes = 0;        ///< of one block
    Bytes alignment = 1;    ///< the block begins at a multiple of this
    std::int32_t count = 1; ///< number of blocks
    BufferId buffer = none;

    [[nodiscard]] Bytes total() const { return bytes * count; }
};

/// The loads of the buffers `ids`: live ranges, windows, and carried values that exist within the trip counts, with all slots.
/// All loads of one step are in use at one moment, with all loops in their last iteration. So values that are in use in a single
/// other iteration (`Occupied::when`) are left out, and of a buffer without carried values everything from its first early range
/// on. Several values of a buffer at the same steps are one load with a count. `pool` determines the alignment; none: 1.
std::vector<Load> occupied(const Problem& problem, std::span<const BufferId> ids, PoolId pool);

/// Bytes that a buffer holds at a step, including carried values. For step `none`, and at steps at which the buffer is not live:
/// the bytes of all its slots. O(live ranges).
Bytes heldAt(const Problem& problem, BufferId buffer, Step step);

/// Like `occupied`, but all loads of one step belong to buffers that must not overlap: a unique buffer counts at all steps; of
/// buffers that may share, directly or through others, only the largest counts.
std::vector<Load> apart(const Problem& problem, std::span<const BufferId> ids, PoolId pool);

/// A lower bound, in bytes, of the space that disjoint blocks need. Let g be the gcd of their alignments. Every block except the
/// topmost one uses a multiple of g bytes. So the bound is the sum of the sizes rounded up to g, minus the largest padding of one
/// block. It is the maximum over g: first only for the blocks with the largest alignments, and at last for all. O(n log n).
Bytes packedBytes(std::vector<Load> blocks);

/// The first step with the largest load; -1 without loads. `aligned`: measured by the bound of `packedBytes`, otherwise by the
/// sum of bytes. O(n log n); with `aligned` for each of at most 16 values of g.
Step heaviestStep(std::span<const Load> loads, bool aligned);

} // namespace stowage
