// The allocation graph: which bytes go from which tensor to which, from the source to the sink.
#pragma once

#include "core/planners/nnc/tensors.h"

#include <array>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace stowage::nnc {

using EdgeId = std::int32_t;

/// The bytes [offset, offset + bytes), free from the end of `from` to the begin of `to`.
struct Edge {
    Node from = source;
    Node to = sink;
    Bytes offset = 0;
    Bytes bytes = 0; ///< 0: it is spent

    [[nodiscard]] int dummyEnds() const { return (from == source ? 1 : 0) + (to == sink ? 1 : 0); }
};

/// At most three tensors, in the order of access, no two in conflict.
struct Tuple {
    std::array<Node, 3> members{};
    std::int32_t count = 0;

    void add(Node node) { members[static_cast<std::size_t>(count++)] = node; }
    [[nodiscard]] std::span<const Node> all() const { return std::span(members).first(static_cast<std::size_t>(count)); }
};

/// An edge and the offset in it, or neither.
struct Place {
    EdgeId edge = none;
    Bytes offset = 0;

    [[nodiscard]] bool found() const { return edge != none; }
};

/// One pool's graph, from the allocation graph of libnnc: an edge is a stretch of bytes that one tensor hands on to another. A
/// tuple goes into one edge, all members at the same offset; what is left of the edge stays; new edges carry what each member
/// passes on. Edges are never merged: neighbouring bytes that come from different tensors stay apart, which is what `nnc-merge`
/// does better.
class AllocationGraph {
public:
    /// Both outlive it.
    AllocationGraph(const BufferTable& table, const Tensors& tensors, PoolId pool);

    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] const Edge& edge(EdgeId id) const { return edges_[static_cast<std::size_t>(id)]; }
    /// Bytes that leave the source: the size of the pool.
    [[nodiscard]] Bytes top() const { return top_; }
    /// What the block of `node` has to be a multiple of in this pool; `maxBytes` where only 0 is one.
    [[nodiscard]] Bytes alignment(Node node) const;

    /// The edge with the fewest dummy ends, at most `dummyEnds`, whose tensors do not meet any of the tuple, or none; of several
    /// the one whose bytes lie idle for the fewest steps (`freeSteps`), then fewest bytes, lowest offset, oldest. Only edges with
    /// a number of `from` or more. O(edges), again for each one that turns out to be taken.
    [[nodiscard]] Place find(const Tuple& tuple, int dummyEnds, EdgeId from = 0);
    /// Where the tuple would lie in new memory from the source to the sink; nothing beyond 2^62.
    [[nodiscard]] std::optional<Bytes> onTop(const Tuple& tuple) const;
    /// New memory up to the end of the tuple at `offset`, as one edge.
    Place grow(const Tuple& tuple, Bytes offset);
    /// Inserts the tuple at a place that `find` or `grow` gave. O(edges made).
    void insert(const Tuple& tuple, const Place& place);
    /// Inserts a pinned tensor at its address, after all tensors there; pins are inserted before all others, in the
    /// order of access.
    void carve(Node node, Bytes offset);
    /// True when no tensor in conflict with `node` has a byte of its block at `offset`. O(conflicts).
    [[nodiscard]] bool isFree(Node node, Bytes offset) const;
    [[nodiscard]] bool placed(Node node) const { return offsets_[static_cast<std::size_t>(node)] >= 0; }
    [[nodiscard]] Bytes offsetOf(Node node) const { return offsets_[static_cast<std::size_t>(node)]; }
    /// Steps in which the edge's bytes would lie idle before the first and after the last of the tuple: what `find` counts. At
    /// the source and the sink none are counted, as libnnc counts hops between tensors only.
    [[nodiscard]] Bytes freeSteps(const Edge& edge, const Tuple& tuple) const;
    /// Edges looked at so far.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    using Key = std::tuple<int, Bytes, Bytes, Bytes, EdgeId>; ///< dummy ends, looseness, bytes, offset, edge

    /// The tightest edge with a key above `behind`; its key.
    Place tightest(const Tuple& tuple, Bytes block, Bytes aligned, int dummyEnds, EdgeId from, const std::optional<Key>& behind,
                   std::optional<Key>& best);
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
    std::vector<EdgeId> live_;   ///< not spent, some spent ones among them
    std::vector<Bytes> offsets_; ///< by tensor; -1: not in this pool
    std::uint64_t work_ = 0;
};

} // namespace stowage::nnc
