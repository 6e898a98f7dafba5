// Layouts without waste, one part after the other.
#pragma once

#include "core/ir/random.h"
#include "core/planners/exact/seen_states.h"
#include "core/planners/rectangles/aligned_parts.h"
#include "core/planners/rectangles/line_graph.h"

#include <span>
#include <vector>

namespace stowage::exact {

/// What is left of a line graph, laid from the bottom up and from the top down so that nothing is wasted, by depth-first search.
/// Where the skyline has a well, a stretch lower than both its neighbours, some part has to begin where it begins, at its level,
/// as what is left of that is taken, and some part has to end where it ends; and the same hanging from above, as all is full in
/// the end. The corner that the fewest parts can fill is filled next; none: back. As nothing is wasted, the parts laid from below
/// say how high the skyline is everywhere, whatever the order they came in, and so for those from above; so a state is the two
/// sets, and none is searched twice. (Perfect packing by corners: the lowest gap of Kenmochi et al. 2009, without its sums; the
/// choice of the corner is that of the variable with the fewest values left, Haralick and Elliott 1980.)
///
/// Unlike an order of everything along the lines, this looks at alignments as it goes, and needs no line to be known; but it is
/// quickly lost among many parts. Each run tries them in another order.
class FillWells {
public:
    enum class Result { found, none, limit };

    /// Both outlive it. A parallel part that has not melted is taken apart: others may have to lie between its children.
    FillWells(const LineGraph& graph, const AlignedParts& aligned, Bytes height);
    /// At most `nodes` of them; `none`: there is no layout with the offsets that `aligned` knows. A node costs about the parts at
    /// two corners of each well. Not to be called again after `found`.
    Result run(std::uint64_t nodes, Dice& dice);

    /// By part, after `found`; -1: not laid here.
    [[nodiscard]] const std::vector<Bytes>& offsets() const { return offsets_; }
    /// Of all runs.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
    /// The least that was left to be laid in any run, in bytes times events.
    [[nodiscard]] double leastLeft() const { return leastLeft_; }

private:
    struct Well {
        std::int32_t first = 0, last = 0; ///< events
        Bytes base = 0;
        bool top = false; ///< the wrong way up: it hangs from above
    };
    struct Choice {
        Bytes base;
        bool top;
        std::size_t first, next, end; ///< in `candidates_`
        std::int32_t placed = -1;
    };
    void weigh(Dice& dice);
    [[nodiscard]] double areaOf(std::int32_t part) const;
    void candidates(const Well& well, bool atBegin);
    bool branch();
    void put(std::int32_t part, Bytes base, bool top);
    void take(std::int32_t part, Bytes base, bool top);

    const std::vector<LineGraph::Part>& parts_;
    const AlignedParts& aligned_;
    std::vector<Bytes> floors_, ceilings_;                      ///< of what is free, by event, up to the next
    std::vector<std::vector<std::int32_t>> beginning_, ending_; ///< parts to lay, by event
    std::vector<std::int32_t> bySize_, byLength_;               ///< parts to lay
    std::vector<std::int64_t> weight_;                          ///< by part: larger first
    std::vector<SeenStates::Key> keys_;                         ///< by part
    std::vector<Bytes> offsets_;
    std::vector<std::int32_t> candidates_; ///< of all choices that are open, then of the corner looked at
    std::vector<Choice> choices_;
    SeenStates::Key state_;
    SeenStates failed_;
    std::size_t open_ = 0;  ///< parts not laid
    bool fromAbove_ = true; ///< of this run
    double left_ = 0, leastLeft_ = 0;
    std::uint64_t nodes_ = 0;
};

} // namespace stowage::exact
