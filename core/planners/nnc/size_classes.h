// The order in which `nnc-size-first` inserts tensors.
#pragma once

#include "core/planners/nnc/allocation_graph.h"

#include <vector>

namespace stowage::nnc {

/// The largest tensor first, as in libnnc (2024). Tensors of equal size are tried in descending order of their number of
/// conflicts with tensors still to insert: the first one that fits an edge is inserted. If none fits, the first one tried gets a
/// new edge. Edges with at most one dummy end are used; of these, the one with the fewest idle steps (libnnc: hops in the graph
/// of ops). With equal numbers of conflicts, the tensor with the higher number comes first, because libnnc's sort compares with
/// >= and so reverses equal elements. Unlike libnnc, a tensor that fitted no edge is tried again with later edges.
class SizeClasses {
public:
    /// `pending`: the tensors to insert; `remove` changes it. Both arguments must outlive this object. O(n^2 / 64).
    SizeClasses(const Tensors& tensors, Words& pending);

    [[nodiscard]] bool empty();
    /// The tensor to insert next, and the place for it; no edge: a new edge is needed. Requires that `pending` is not empty.
    Node next(AllocationGraph& graph, Place& place);
    /// Removes a tensor from the pending ones, because it was inserted or moved to another pool. O(its conflicts).
    void remove(Node node);

private:
    const Tensors& tensors_;
    Words& pending_;
    std::size_t begin_ = 0;           ///< all words of `pending_` before this one are empty
    std::vector<std::int32_t> meets_; ///< by tensor: number of pending tensors in conflict with it
    std::vector<EdgeId> asked_;       ///< by tensor: no edge with a lower number can take it
    std::vector<Node> order_;         ///< scratch: a heap of the largest ones
};

} // namespace stowage::nnc
