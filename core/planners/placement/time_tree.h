// A tree over the blocks of a time grid, which divides a range of time into few nodes.
#pragma once

#include "core/planners/common/time_grid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/// A tree of fan-out 8 over the blocks of a grid. Level 0 are the blocks; nodes are numbered level by level.
class TimeTree {
public:
    /// The blocks of a range of time: it touches [first, last], and covers [wholeFirst, wholeLast] entirely.
    struct BlockRange {
        std::int32_t first = 0;
        std::int32_t last = 0;
        std::int32_t wholeFirst = 0;
        std::int32_t wholeLast = 0;
        [[nodiscard]] bool firstIsPartial() const { return wholeFirst != first; }
        [[nodiscard]] bool lastIsPartial() const { return wholeLast != last && (last != first || !firstIsPartial()); }
    };

    /// `grid` must outlive the tree.
    explicit TimeTree(const TimeGrid& grid) : grid_(&grid)
    {
        for (std::int32_t size = grid.blocks(); size > 0; size = (size + fanOut - 1) / fanOut) {
            levelBegin_.push_back(nodes_);
            levelSize_.push_back(size);
            nodes_ += static_cast<std::size_t>(size);
            if (size == 1) break;
        }
    }

    [[nodiscard]] const TimeGrid& grid() const { return *grid_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    /// The node of a block.
    [[nodiscard]] static std::size_t nodeOf(std::int32_t block) { return static_cast<std::size_t>(block); }

    [[nodiscard]] BlockRange takeApart(Ranks stretch) const
    {
        BlockRange p;
        p.first = grid_->blockOf(stretch.begin);
        p.last = grid_->blockOf(stretch.end - 1);
        p.wholeFirst = p.first + (stretch.begin != grid_->blockBegin(p.first) ? 1 : 0);
        p.wholeLast = p.last - (stretch.end != grid_->blockBegin(p.last + 1) ? 1 : 0);
        return p;
    }

    /// Calls visit(node) for the smallest set of nodes that consists of the blocks [wholeFirst, wholeLast].
    template <typename Visit>
    void forEachWhole(const BlockRange& parts, Visit visit) const
    {
        std::int32_t left = parts.wholeFirst;
        std::int32_t right = parts.wholeLast;
        for (std::size_t level = 0; left <= right; ++level) {
            const auto at = [&](std::int32_t i) { return levelBegin_[level] + static_cast<std::size_t>(i); };
            if (level + 1 == levelSize_.size()) {
                for (; left <= right; ++left) visit(at(left));
                return;
            }
            for (; left <= right && left % fanOut != 0; ++left) visit(at(left));
            for (; left <= right && (right + 1) % fanOut != 0; --right) visit(at(right));
            left /= fanOut;
            right = (right + 1) / fanOut - 1;
        }
    }

    /// Calls visit(node) for two blocks and all their ancestors, once for each.
    template <typename Visit>
    void forEachAbove(std::int32_t left, std::int32_t right, Visit visit) const
    {
        for (std::size_t level = 0; level < levelSize_.size(); ++level, left /= fanOut, right /= fanOut) {
            visit(levelBegin_[level] + static_cast<std::size_t>(left));
            if (left != right) visit(levelBegin_[level] + static_cast<std::size_t>(right));
        }
    }

private:
    static constexpr std::int32_t fanOut = 8;

    const TimeGrid* grid_;
    std::vector<std::size_t> levelBegin_;
    std::vector<std::int32_t> levelSize_;
    std::size_t nodes_ = 0;
};

} // namespace stowage
