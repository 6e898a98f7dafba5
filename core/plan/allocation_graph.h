// Which bytes each buffer takes over from which: the allocation graph of any plan, and the interference graph beside it.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace stowage {

/// The two ends of an allocation graph: the pool before and after the run.
inline constexpr BufferId allocationSource = -1;
inline constexpr BufferId allocationSink = -2;

/// The bytes [offset, offset + bytes) of a pool, that `to` is the next to hold after `from`.
struct AllocationEdge {
    BufferId from = allocationSource;
    BufferId to = allocationSink;
    Bytes offset = 0;
    Bytes bytes = 0; ///< > 0

    friend bool operator==(const AllocationEdge&, const AllocationEdge&) = default;
};

/// One pool's graph. Acyclic; what flows out of the source is `size`, and into each fixed buffer its size, as much as out of it.
struct AllocationGraph {
    PoolId pool = none;
    Bytes size = 0;                ///< of the pool
    std::vector<BufferId> buffers; ///< placed in the pool, in the order in which they come to hold bytes
    std::vector<AllocationEdge>
        edges; ///< by `from` and `to` in that order (source first, sink last), then offset; neighbouring bytes as one
};

/// The allocation graph of the NNC tensor allocation algorithm, read off a plan of any planner: whoever holds a byte hands it to
/// the next in order of the first live step (then of the end, then of the id). Bytes that no buffer holds go from source to sink.
/// A rotating buffer holds all of its offsets; of one with gaps the bytes that others use in between are handed over once, by the
/// first steps. Requires a valid plan of a checked problem; of another one every edge is still inside the pool. O((n + edges) log
/// n).
AllocationGraph allocationGraph(const Problem& problem, const Plan& plan, PoolId pool);

/// Pairs of buffers that conflict, as `conflict` (core/ir/problem.h) says, the smaller id first, ascending. An error when there
/// are more than `most`: no layout of such a graph could be read. O(n log n + pairs).
Expected<std::vector<std::pair<BufferId, BufferId>>> interferingPairs(const Problem& problem, std::size_t most);

} // namespace stowage
