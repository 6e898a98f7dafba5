// Candidate selection of the NNC tensor allocation algorithm.
#pragma once

#include "core/plan/step_reason.h"
#include "core/planners/nnc/allocation_graph.h"

namespace stowage::nnc {

/// Which edges a candidate may be inserted into, in the order in which they are asked for: `inner` is step 4 of the document;
/// `one` is libnnc's addition; `fresh` is an edge left over by alignment, or a new one.
using Ends = EdgeKind;

struct Candidate {
    Tuple tuple;
    Place place; ///< none: new memory is needed
    Ends ends = Ends::fresh;
    std::int32_t interference = 0; ///< unassigned tensors that the first of the tuple meets: the most of all
    std::int32_t ties = 1;         ///< tensors that meet as many
    Node chosen = source;          ///< the one with the most interference
    std::int32_t passedOver =
        0; ///< of those that meet as many, the number that are larger than all of the tuple: asked first, and no edge took them
    Tuple others; ///< up to three more of those that meet as many, largest first
};

/// Chooses what to insert next, by the document's steps 1 to 5:
///
///  1. the unassigned tensors that meet the most other unassigned ones;
///  2. each of them alone, and with each larger unassigned tensor that it does not meet;
///  3. ordered by the size of the largest, largest first, then by how many unassigned tensors they meet in sum, most first;
///  4. the first one for which there is an edge between two tensors that meet none of it;
///  5. else the first one.
///
/// What the document leaves open is decided so. Equal candidates: the one with more members, then the lower buffer id of the
/// largest, then of the other. Several edges: the one that leaves the bytes idle for the fewest steps, then the smallest, the
/// lowest, the oldest. Between 4 and 5, unless `strict`, the same candidates are asked again for an edge with one dummy end, as
/// libnnc does; without that a chain of equal tensors, which makes no tuples, would share nothing.
///
/// The document's third member, the loop partner (what a loop carries into it, where the two do not meet), is one tensor with it
/// here: the lowering `loops=precise` puts both into one buffer, after unrolling where that is needed.
///
/// The candidates are never listed: sets of tensors that fit an edge are intersected 64 at a time. O(edges * n / 64) a step.
class Selection {
public:
    /// `pending`: the tensors to be inserted, changed by `remove`. All outlive it.
    Selection(const Tensors& tensors, AllocationGraph& graph, Words& pending, bool strict);

    /// The next candidate. Requires that something is pending.
    Candidate next();
    /// Takes a tensor out of those that are pending (it was inserted, or goes elsewhere).
    void remove(Node node);
    /// Edges looked at so far for pairs: what a step takes most of its time for.
    [[nodiscard]] std::uint64_t work() const { return looked_; }

private:
    struct Fitting {
        EdgeId edge = none;
        bool inner = false;
        Words tensors; ///< that are no larger and meet neither end; some of them may not be pending any more
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
    std::vector<std::int32_t> interference_; ///< by tensor: pending ones that it meets
    std::vector<Fitting> fitting_;
    std::size_t followed_ = 0;     ///< edges of the graph looked at
    Words most_;                   ///< of the most interference
    Node lastOfMost_ = source;     ///< the smallest of them
    std::size_t maxBegin_ = 0;     ///< words of `most_` with a member: from here
    std::size_t maxEnd_ = 0;       ///< up to here
    std::size_t pendingBegin_ = 0; ///< the first word with something pending
    std::uint32_t steps_ = 0;
    std::int32_t ties_ = 0;
    std::int32_t interferenceOfMost_ = 0;
    // Scratch.
    Words reach_, pairable_, apart_, partners_;
    std::vector<const Fitting*> taking_; ///< edges of the asked kind that one of the most interfering fits
    std::uint64_t looked_ = 0;
};

} // namespace stowage::nnc
