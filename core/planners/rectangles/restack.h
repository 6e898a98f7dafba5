// A layout as an order of its pieces, which are taken out and put back until it is lower.
#pragma once

#include "core/ir/random.h"
#include "core/planners/rectangles/perfect_fill.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stowage::exact {

/// A layout in which each piece lies on those that are live with it and come before it in an order from the bottom to the top.
/// Two lengths of a piece say all about it: its offset, the longest chain of pieces below it, and the longest chain from its
/// lower end to the top. So what it does to the height when a piece goes anywhere into the order is known without doing it: of
/// the pieces live with it, those below end at the largest of their ends, and those above need the longest of their chains. The
/// piece goes where the sum of both and its size is least; the pieces above move up if they must, which gathers room that is
/// scattered along the chains, while looking for a gap in a layout finds only room that is in one place. (Insertion by heads and
/// tails is what local search does in job shops: Dell'Amico and Trubian 1993, Nowicki and Smutnicki 1996. Taking out several and
/// putting them back one after the other: large neighbourhood search, Shaw 1998.)
///
/// Alignments hold in all offsets; chains to the top leave them out, so with them a sum is a little too small, which misleads the
/// choice now and then, but no height.
class Restack {
public:
    /// Pieces with begin < end, size > 0; they outlive it. The sum of all sizes and alignments must be a number.
    Restack(std::span<const Piece> pieces, std::uint64_t seed);

    /// From this layout; those of offset -1 are not in it. O(n log n + steps that the pieces cover).
    void start(std::span<const Bytes> offsets);
    /// Puts in all that are not in it, those of most bytes first. Whenever those that follow are half as large as those before,
    /// what is in it is made lower, until it is no higher than `bound` or a tenth of the work is done. False when it was stopped
    /// on the way.
    bool addRest(Bytes bound, const FillLimits& limits);
    /// Makes it lower until its height is `bound`, or at the limit. Each round takes out one to six
    /// pieces that are live at the same time, one of them on a chain that is too long, and puts them back; what it comes to is
    /// kept unless it is worse: higher, or with more bytes by which the chains of all pieces together are longer than
    /// a target just below the height.
    void improve(Bytes bound, const FillLimits& limits);

    [[nodiscard]] Bytes height() const;
    /// By piece; -1: not in it.
    [[nodiscard]] const std::vector<Bytes>& offsets() const { return below_; }
    /// Pieces looked at since the beginning, some nanoseconds each.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    using Id = std::int32_t;
    struct Node {
        std::int32_t begin = 0, end = 0; ///< events
        std::int32_t rank = -1;          ///< in the order; -1: not in it
    };
    using Neighbours = std::vector<Id>;

    [[nodiscard]] bool meet(Id a, Id b) const { return node(a).begin < node(b).end && node(b).begin < node(a).end; }
    [[nodiscard]] const Node& node(Id p) const { return nodes_[static_cast<std::size_t>(p)]; }
    void link();
    void remember(Id p);
    void remove(Id p);
    void insert(Id p);
    void join(Id p, std::size_t place);
    void rankFrom(std::size_t place);
    void dirty(Id p, bool down);
    void settle();
    void settleUp();
    void settleDown();
    void set(Id p, Bytes& length, Bytes to);
    [[nodiscard]] double over(Id p) const;
    void aim();
    bool round();
    void chooseOut(Id first);
    void undo();

    std::span<const Piece> pieces_;
    std::vector<Node> nodes_;
    std::vector<Id> order_;
    std::vector<Bytes> below_;               ///< offset: the longest chain below
    std::vector<Bytes> above_;               ///< the longest chain from the lower end to the top
    std::vector<Neighbours> lower_, higher_; ///< pieces that it may rest on, and that may rest on it
    std::size_t events_ = 0, links_ = 0, linksWhenMade_ = 0;
    Dice dice_;
    std::uint64_t work_ = 0;
    // Of improving:
    Bytes target_ = 0;
    double excess_ = 0; ///< bytes by which the chains of all pieces are longer than the target
    // Of one round:
    struct Saved {
        Id piece;
        Neighbours lower, higher;
    };
    std::vector<Saved> saved_;
    std::vector<std::uint8_t> isSaved_;
    std::vector<std::pair<Bytes*, Bytes>> lengths_; ///< as they were
    std::vector<Id> orderBefore_, out_, near_, critical_;
    bool recording_ = false;
    std::vector<std::uint64_t> dirtyUp_, dirtyDown_; ///< bits by rank
    std::vector<Id> overlapping_;
    std::vector<Bytes> chains_;
    std::vector<std::int32_t> nextFree_;
};

} // namespace stowage::exact
