// The order in which `nnc-size-first` inserts tensors.
#pragma once

#include "core/planners/nnc/allocation_graph.h"

#include <vector>

namespace stowage::nnc {

/// Largest first, as libnnc (2024) inserts them. Of equal ones the one that meets the most tensors still to be inserted is asked
/// first whether an edge takes it, then the next; the first that an edge takes is inserted, and only when no edge takes any of
/// them the one that was asked first needs new memory. An edge has at most one dummy end, and is chosen by the steps in which its
/// bytes lie idle (libnnc: hops in the graph of ops). libnnc never asks again for a tensor that no edge took, although later
/// edges may: here it is asked about those. Equal in both: the higher number first, as libnnc's sort compares with "at
/// least" and so turns equal ones round.
class SizeClasses {
public:
    /// `pending`: the tensors to be inserted, changed by `remove`. Both outlive it. O(n^2 / 64).
    SizeClasses(const Tensors& tensors, Words& pending);

    [[nodiscard]] bool empty();
    /// The tensor to insert next, and the edge that takes it; no place: new memory. Requires that something is pending.
    Node next(AllocationGraph& graph, Place& place);
    /// Takes a tensor out of those that are pending (it was inserted, or goes elsewhere). O(its conflicts).
    void remove(Node node);

private:
    const Tensors& tensors_;
    Words& pending_;
    std::size_t begin_ = 0;           ///< words of `pending_` before it are empty
    std::vector<std::int32_t> meets_; ///< by tensor: pending ones in conflict with it
    std::vector<EdgeId> asked_;       ///< by tensor: no edge with a lower number takes it
    std::vector<Node> order_;         ///< scratch: a heap of the largest ones
};

} // namespace stowage::nnc
