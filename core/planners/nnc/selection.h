// The candidate selection of the NNC tensor allocation algorithm.
#pragma once

#include "core/plan/step_reason.h"
#include "core/planners/nnc/allocation_graph.h"

namespace stowage::nnc {

/// Which kind of edge a candidate is inserted into, in the order of the search: `inner` is step 4 of the document; `one` is an
/// addition of libnnc; `fresh` is an edge that alignment left over, or a new one.
using Ends = EdgeKind;

struct Candidate {
    Tuple tuple;
    Place place; ///< no edge: a new edge is needed
    Ends ends = Ends::fresh;
    std::int32_t interference = 0; ///< number of unassigned tensors in conflict with `chosen`: the maximum
    std::int32_t ties = 1;         ///< number of tensors with this interference
    Node chosen = source;          ///< the one with the most interference
    /// Number of tensors with this interference that are larger than the tuple, for which no edge was found.
    std::int32_t passedOver = 0;
    Tuple others; ///< up to three other tensors with this interference, largest first
};

/// Chooses the next tuple, by steps 1 to 5 of the document:
///
///  1. take the unassigned tensors that conflict with the most other unassigned ones;
///  2. candidates are each of them alone, and with each larger unassigned tensor without a conflict;
///  3. order candidates by the size of their largest member, then by their sum of interferences, both descending;
///  4. choose the first candidate for which there is an edge between two tensors without a conflict with it;
///  5. otherwise choose the first candidate.
///
/// Rules that the document leaves open: of equal candidates, take the one with more members, then with the lower buffer id of the
/// largest member, then of the other. Of several edges, take the one with the fewest idle steps, then the smallest, the lowest,
/// the oldest. Between steps 4 and 5, unless `strict`, try the same candidates with edges with one dummy end, as libnnc does.
/// Without this, a chain of equal tensors, which forms no tuples, would share no bytes.
///
/// The third member of the document, the loop partner (the carried value of a loop that becomes this tensor), needs no rule here:
/// the lowering `loops=precise` makes both one buffer, after unrolling if needed.
///
/// Candidates are not enumerated: sets of tensors that fit an edge are intersected, 64 tensors at a time. O(edges * n / 64) for
/// each step.
class Selection {
public:
    /// `pending`: the tensors to insert; `remove` changes it. All arguments must outlive the selection.
    Selection(const Tensors& tensors, AllocationGraph& graph, Words& pending, bool strict);

    /// The next candidate. Requires that `pending` is not empty.
    Candidate next();
    /// Removes a tensor from the pending ones, because it was inserted or moved to another pool.
    void remove(Node node);
    /// Number of edges examined for pairs so far, which take most of the time.
    [[nodiscard]] std::uint64_t work() const { return looked_; }

private:
    struct Fitting {
        EdgeId edge = none;
        bool inner = false;
        Words tensors; ///< tensors that are not larger than the edge and conflict with neither end; some may not be pending any
                       ///< more
    };

    void follow();
    void maxInterfering();
    bool search(Ends ends, Candidate& to);
    void followMost();
    bool pairUp(Node large, Ends ends, Candidate& to);
    bool alone(Node node, Ends ends, Candidate& to);
    void first(Candidate& to);
    void lookRound(Candidate& to) const;
    [[nodiscard]] bool hasPartner(Node large, Node& partner) const;
    [[nodiscard]] Node classEnd(Node node) const { return tensors_.classEnd(node); }
    /// The members of `set` of one size, the most interfering first.
    std::vector<Node> sizeClass(std::span<const std::uint64_t> set, Node from) const;
    [[nodiscard]] Tuple pair(Node a, Node b) const;

    const Tensors& tensors_;
    AllocationGraph& graph_;
    Words& pending_;
    bool strict_;
    std::vector<std::int32_t> interference_; ///< by tensor: number of pending tensors in conflict with it
    std::vector<Fitting> fitting_;
    std::size_t followed_ = 0;     ///< edges of the graph examined so far
    Words most_;                   ///< tensors with the highest interference
    Node lastOfMost_ = source;     ///< the smallest of them
    std::size_t maxBegin_ = 0;     ///< first word of `most_` with a member
    std::size_t maxEnd_ = 0;       ///< one past the last word of `most_` with a member
    std::size_t pendingBegin_ = 0; ///< first word of `pending_` with a member
    std::uint32_t steps_ = 0;
    std::int32_t ties_ = 0;
    std::int32_t interferenceOfMost_ = 0;
    // Scratch.
    Words reach_, pairable_, apart_, partners_;
    std::vector<const Fitting*> taking_; ///< edges of the kind searched for that a tensor of `most_` fits
    std::uint64_t looked_ = 0;
};

} // namespace stowage::nnc
