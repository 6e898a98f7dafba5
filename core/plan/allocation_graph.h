// The allocation graph of a plan: which bytes each buffer takes over from which other buffer. Also the interference graph.
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

/// The bytes [offset, offset + bytes) of a pool: `to` is the next buffer to hold them after `from`.
struct AllocationEdge {
    BufferId from = allocationSource;
    BufferId to = allocationSink;
    Bytes offset = 0;
    Bytes bytes = 0; ///< > 0

    friend bool operator==(const AllocationEdge&, const AllocationEdge&) = default;
};

/// The graph of one pool; acyclic. The edges out of the source have `size` bytes in sum; the edges into and out of a buffer with
/// a fixed offset each have its size in sum.
struct AllocationGraph {
    PoolId pool = none;
    Bytes size = 0;                ///< of the pool
    std::vector<BufferId> buffers; ///< buffers placed in the pool, in the order in which they begin to hold bytes
    /// By `from` and `to` in the order of `buffers` (source first, sink last), then by offset; adjacent bytes are one edge.
    std::vector<AllocationEdge> edges;
};

/// The allocation graph of the NNC tensor allocation algorithm, for a plan of any planner. Buffers pass each byte on in the order
/// of their first live step, then of their end, then of their id. Bytes that no buffer holds go from source to sink. A rotating
/// buffer holds all its offsets. A buffer with gaps passes its bytes on only once: other buffers in its gaps are ordered by their
/// first steps. Requires a valid plan of a checked problem; for other plans all edges still lie within the pool. O((n + edges)
/// log n).
AllocationGraph allocationGraph(const Problem& problem, const Plan& plan, PoolId pool);

/// The pairs of buffers in conflict (`conflict` in core/ir/problem.h), the smaller id first, ascending. Error: more than
/// `maxPairs` pairs, because no layout of such a graph is readable. O(n log n + pairs).
Expected<std::vector<std::pair<BufferId, BufferId>>> interferingPairs(const Problem& problem, std::size_t maxPairs);

} // namespace stowage
