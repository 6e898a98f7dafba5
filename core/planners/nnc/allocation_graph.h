// The allocation graph of NNC's planners: its edges tell which bytes pass from one tensor to the next, from the source to the
// sink.
#pragma once

#include "core/planners/nnc/tensors.h"

#include <array>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace stowage::nnc {

using EdgeId = std::int32_t;

/// The bytes [offset, offset + bytes), which are free between the end of `from` and the begin of `to`.
struct Edge {
    Node from = source;
    Node to = sink;
    Bytes offset = 0;
    Bytes bytes = 0; ///< 0: used up

    /// Number of ends that are the source or the sink: 0 to 2.
    [[nodiscard]] int dummyEnds() const { return (from == source ? 1 : 0) + (to == sink ? 1 : 0); }
};

/// One to three tensors without conflicts, in the order of access. They are inserted into one edge together.
struct Tuple {
    std::array<Node, 3> members{};
    std::int32_t count = 0;

    void add(Node node) { members[static_cast<std::size_t>(count++)] = node; }
    [[nodiscard]] std::span<const Node> all() const { return std::span(members).first(static_cast<std::size_t>(count)); }
};

/// An edge and an offset; or no edge.
struct Place {
    EdgeId edge = none;
    Bytes offset = 0;

    [[nodiscard]] bool found() const { return edge != none; }
};

/// The graph of one pool, after the allocation graph of libnnc. An edge is a range of bytes that one tensor passes to another. A
/// tuple is inserted into one edge, with all members at the same offset: the rest of the edge stays, and new edges lead to,
/// between and from the members. Edges are never merged: adjacent bytes that come from different tensors stay separate.
/// `nnc-merge` has no such restriction.
class AllocationGraph {
public:
    /// `table` and `tensors` must outlive the graph.
    AllocationGraph(const BufferTable& table, const Tensors& tensors, PoolId pool);

    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] const Edge& edge(EdgeId id) const { return edges_[static_cast<std::size_t>(id)]; }
    /// The size of the pool: the bytes that leave the source.
    [[nodiscard]] Bytes top() const { return top_; }
    /// The alignment of the block of `node` in this pool; `maxBytes` if only offset 0 is aligned.
    [[nodiscard]] Bytes alignment(Node node) const;

    /// The best edge with number >= `from`, with at most `dummyEnds` dummy ends, that can take the tuple; or none. Its tensors
    /// conflict with no member of the tuple. The best edge has the fewest dummy ends; of these the one whose bytes are idle for
    /// the fewest steps (`freeSteps`), then with the fewest bytes, the lowest offset, the lowest number. O(edges); O(edges log
    /// edges) if the bytes of the best edge turn out to be occupied; O(edges added since) if the same call found none before.
    [[nodiscard]] Place find(const Tuple& tuple, int dummyEnds, EdgeId from = 0);
    /// The offset of the tuple in a new edge from the source to the sink; no value above 2^62.
    [[nodiscard]] std::optional<Bytes> onTop(const Tuple& tuple) const;
    /// Adds an edge from the source to the sink, from the current size of the pool to the end of the tuple at `offset`.
    Place grow(const Tuple& tuple, Bytes offset);
    /// Inserts the tuple at a place from `find` or `grow`. O(new edges).
    void insert(const Tuple& tuple, const Place& place);
    /// Inserts a pinned tensor at its address, after all tensors there. Requires that pinned tensors are inserted first, in the
    /// order of access.
    void carve(Node node, Bytes offset);
    /// True if no tensor in conflict with `node` occupies a byte of the block of `node` at `offset`. O(conflicts).
    [[nodiscard]] bool isFree(Node node, Bytes offset) const;
    [[nodiscard]] bool placed(Node node) const { return offsets_[static_cast<std::size_t>(node)] >= 0; }
    [[nodiscard]] Bytes offsetOf(Node node) const { return offsets_[static_cast<std::size_t>(node)]; }
    /// Number of steps in which the bytes of the edge would be idle before the first and after the last member of the tuple.
    /// Steps to the source and the sink do not count, as libnnc counts only hops between tensors.
    [[nodiscard]] Bytes freeSteps(const Edge& edge, const Tuple& tuple) const;
    /// Edges looked at so far.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    using Key = std::tuple<int, Bytes, Bytes, Bytes, EdgeId>; ///< dummy ends, looseness, bytes, offset, edge
    /// A call of `find` that found no edge with a number below `edges`.
    struct Refused {
        std::uint64_t call = 0; ///< members and dummy ends, each in bits of its own; 0: no call
        EdgeId edges = 0;
    };

    /// The entry of `refused_` for this call, which another one may own.
    [[nodiscard]] Refused& refusedBy(std::uint64_t call);
    [[nodiscard]] Place bestFrom(const Tuple& tuple, int dummyEnds, EdgeId from);
    /// Calls `visit` with the key of each edge with number >= `from`, with at most `dummyEnds` dummy ends, that can take the
    /// tuple.
    template <typename Visit>
    void eachFit(const Tuple& tuple, int dummyEnds, EdgeId from, const Visit& visit);
    [[nodiscard]] bool takes(const Edge& edge, const Tuple& tuple) const;
    [[nodiscard]] Bytes blockOf(const Tuple& tuple) const;
    [[nodiscard]] Bytes alignmentOf(const Tuple& tuple) const;
    void append(Node from, Node to, Bytes offset, Bytes bytes);
    void settle(Node node, Bytes offset);

    const BufferTable& table_;
    const Tensors& tensors_;
    PoolId pool_;
    Bytes top_ = 0;
    std::vector<Edge> edges_;
    std::vector<EdgeId> live_;     ///< edges with bytes left, and some that are used up
    std::vector<Key> fits_;        ///< scratch: a heap of the edges that can take a tuple, the best first
    std::vector<Bytes> offsets_;   ///< by tensor; -1: not in this pool
    std::vector<Refused> refused_; ///< by a hash of the call; a later call replaces an earlier one
    std::uint64_t work_ = 0;
};

} // namespace stowage::nnc
