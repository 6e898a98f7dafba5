// The graphs of a run, cut down to what can be looked at: its ops, which buffers conflict, and which bytes go from which buffer
// to which. No Qt.
#pragma once

#include "core/plan/run.h"

#include <string>
#include <vector>

namespace stowage {

enum class GraphKind : std::uint8_t {
    computation,  ///< ops, an edge for what one reads of another
    interference, ///< buffers, an edge where two may not share a byte
    allocation,   ///< buffers from source to sink, an edge for bytes that one holds after another (core/plan/allocation_graph.h)
};

/// An op, a block of ops that follow on each other, a buffer, or an end of an allocation graph.
struct GraphItem {
    enum class Role : std::uint8_t { op, block, buffer, source, sink } role = Role::op;
    std::string kind; ///< of an op "conv2d"; of a block the most frequent one; empty for buffers
    std::string name; ///< of the op or buffer; of a block how many ops of which steps; of source and sink the pool's
    Step step = -1;   ///< the first one of the op or block, or in which the buffer is live
    Step end = 0;     ///< one past the last
    std::size_t ops = 1;
    std::vector<BufferId> writes;  ///< buffers that it writes, or is; ascending
    std::vector<BufferId> touches; ///< all that it reads, writes or uses as scratch, ascending
    Bytes bytes = 0;               ///< that it writes; size of the buffer; of source and sink the pool's
    std::int32_t places = 1;       ///< of a buffer: as many of its size, which take turns
    PoolId pool = none;            ///< of a buffer, source or sink
    bool proof = false;            ///< one of those that prove the lower bound of its pool
};

struct GraphLink {
    std::int32_t from = 0;
    std::int32_t to = 0;
    BufferId buffer = none; ///< computation: through which the value goes; of several the largest
    Bytes bytes = 0;        ///< of that buffer; allocation: that are handed over
    Bytes offset = 0;       ///< allocation: where they lie
};

struct RunGraph {
    GraphKind kind = GraphKind::computation;
    std::vector<GraphItem> nodes; ///< by step; of an allocation graph pool by pool, source first, sink last
    std::vector<GraphLink> edges; ///< by (from, to); each pair once, but for allocations that are apart
    std::size_t all = 0;          ///< ops of the whole program, or buffers that a planner placed in memories that are reused
    std::size_t shown = 0;        ///< of these
    bool blocks = false;          ///< a node stands for several ops
};

struct RunGraphOptions {
    GraphKind kind = GraphKind::computation;
    BufferId around = none; ///< only what is within `hops` of this buffer
    int hops = 0;           ///< 0: everything
    std::size_t most = 800; ///< with more ops than this, blocks of equal length, at most `blocks` of them
    std::size_t blocks = 300;
    std::size_t maxBuffers = 150; ///< with more, those that prove the bound and the largest ones
    std::size_t maxEdges = 1600;  ///< between buffers: the smaller ones go until no more are left
};

/// Ops are those of the lowered axis, one for each step: a called function appears once for each call. Without a program there
/// are none. Buffers are those in workspace memories: constants meet everything and hand nothing on. Limits are there because
/// Graphviz takes seconds for more, and nobody can read it. O(steps * arity), or O(buffers * nodes + edges log edges).
[[nodiscard]] RunGraph makeRunGraph(const Run& run, const RunGraphOptions& options);

} // namespace stowage
