// The graphs of a run, reduced to a readable size: its ops; the conflicts of its buffers; the bytes that pass from buffer to
// buffer. No Qt.
#pragma once

#include "core/plan/run.h"

#include <string>
#include <vector>

namespace stowage {

enum class GraphKind : std::uint8_t {
    computation,  ///< nodes: ops; an edge if one reads a buffer, or a tensor of unknown size, that the other writes
    interference, ///< nodes: buffers; an edge if two conflict
    allocation,   ///< nodes: buffers, from source to sink; an edge for bytes that one holds after another
                  ///< (core/plan/allocation_graph.h)
};

/// A node: an op, a block of consecutive ops, a buffer, or an end of an allocation graph.
struct GraphItem {
    enum class Role : std::uint8_t { op, block, buffer, source, sink } role = Role::op;
    std::string kind; ///< of an op, "conv2d"; of a block its most frequent kind; empty for buffers
    std::string name; ///< of the op or buffer; of a block the count of its ops and its steps; of source and sink the pool's
    Step step = -1;   ///< first step of the op, the block, or the buffer's live ranges
    Step end = 0;     ///< after the last step
    std::size_t ops = 1;
    std::vector<BufferId> writes;  ///< buffers that it writes, or the buffer that it is; ascending
    std::vector<BufferId> touches; ///< buffers that it reads, writes or uses as scratch; ascending
    Bytes bytes = 0;               ///< bytes that it writes; size of the buffer; of source and sink the size of the pool
    std::int32_t places = 1;       ///< of a buffer: count of its slots
    PoolId pool = none;            ///< of a buffer, source or sink
    bool proof = false;            ///< the buffer is one of those that prove the lower bound of its pool
};

struct GraphLink {
    std::int32_t from = 0;
    std::int32_t to = 0;
    BufferId buffer = none; ///< computation: the buffer that passes the value; of several the largest; none: its size is unknown
    Bytes bytes = 0;        ///< size of that buffer; allocation: bytes that are handed over
    Bytes offset = 0;       ///< allocation: their offset
};

struct RunGraph {
    GraphKind kind = GraphKind::computation;
    std::vector<GraphItem> nodes; ///< by step; of an allocation graph pool by pool, source first, sink last
    std::vector<GraphLink> edges; ///< by (from, to); a pair occurs once, except for allocations of separate bytes
    std::size_t all = 0;          ///< count of ops of the program, or of buffers in workspace pools
    std::size_t shown = 0;        ///< count of these that are drawn
    std::size_t apart = 0;        ///< count of ops that are not drawn because nothing joins them to others
    bool blocks = false;          ///< a node stands for several ops
};

struct RunGraphOptions {
    GraphKind kind = GraphKind::computation;
    BufferId around = none; ///< only nodes within `hops` edges of this buffer
    int hops = 0;           ///< 0: everything
    std::size_t most = 800; ///< maximum count of ops; more are joined to at most `blocks` blocks of equal length
    std::size_t blocks = 300;
    std::size_t maxApart = 8;     ///< more ops without an edge are left out, if others have edges: constants, allocations, loops
    std::size_t maxBuffers = 150; ///< maximum count of buffers: those that prove the bound, then the largest
    std::size_t maxEdges = 1600;  ///< maximum count of edges between buffers: the largest
};

/// Makes the graph. Ops are those of the lowered axis, one for each step, so that a called function appears once for each call;
/// there are none without a program. Buffers are those in workspace pools, because constants conflict with all buffers and hand
/// nothing over. The limits keep Graphviz below seconds and the graph readable. O(steps * arity), or O(buffers * nodes + edges
/// log edges).
[[nodiscard]] RunGraph makeRunGraph(const Run& run, const RunGraphOptions& options);

} // namespace stowage
