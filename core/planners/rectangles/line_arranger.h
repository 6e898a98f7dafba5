// Orders of the parts of a line graph that keep its lines whole.
#pragma once

#include "core/ir/random.h"
#include "core/planners/rectangles/aligned_parts.h"
#include "core/planners/rectangles/groupings.h"
#include "core/planners/rectangles/order_tree.h"

#include <set>
#include <vector>

namespace stowage::exact {

/// What a line graph leaves open: the lines of its parts, and an order of them. See `fillPerfectly`.
class LineArranger {
public:
    /// Graph and limits outlive it. `most`: work, as `work()` counts it.
    LineArranger(const LineGraph& graph, const FillLimits& limits, std::uint64_t most);
    /// Finds the lines that are open, so that there is an order; else false.
    bool decide();
    /// Then: offsets by part, of those not melted; empty: none found that keeps the alignments.
    std::vector<Bytes> offsets(const AlignedParts& aligned);

    /// Nodes of trees looked at.
    [[nodiscard]] std::uint64_t work() const { return tree_.work(); }
    /// After a failure: the last event that was reached, and the parts that could not lie together there.
    [[nodiscard]] std::int32_t deepest() const { return static_cast<std::int32_t>(deepest_); }
    [[nodiscard]] const std::vector<std::int32_t>& failed() const { return failed_; }

private:
    struct Level {
        OrderTree::Node tree;
        std::size_t nodes, lines;
        std::size_t next = 0; ///< grouping to try
        std::vector<Grouping> groupings = {};
        std::set<std::size_t> blamed = {}; ///< events that made later ones fail
    };
    bool pass(OrderTree::Node& tree, const LineEnds& line, std::size_t event);
    bool group();
    std::vector<Bytes> arrange(const AlignedParts& aligned, Dice& dice);

    const LineGraph& graph_;
    const FillLimits& limits_;
    std::uint64_t most_;
    std::vector<std::vector<LineEnds>> known_; ///< by event
    OrderTree tree_;
    std::vector<LineEnds> lines_;
    std::vector<OrderTree::Node> together_; ///< by line: the orders before it, of which the parts that end on it lie together
    OrderTree::Node last_ = -1;
    std::size_t deepest_ = 0;
    std::vector<std::int32_t> failed_;
};

} // namespace stowage::exact
