// Finds rectangles in the plane of steps and addresses: a packed tree over blocks of them. No Qt.
#pragma once

#include "core/ir/types.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace stowage {

/// Half-open in both directions: steps [begin, end), bytes [low, high).
struct StepBytes {
    Step begin = 0;
    Step end = 0;
    Bytes low = 0;
    Bytes high = 0;

    friend bool operator==(const StepBytes&, const StepBytes&) = default;
    [[nodiscard]] bool overlaps(const StepBytes& o) const
    {
        return begin < o.end && o.begin < end && low < o.high && o.low < high;
    }
    [[nodiscard]] bool contains(Step step, Bytes address) const
    {
        return begin <= step && step < end && low <= address && address < high;
    }
};

/// Rectangles in the order of the tree, packed by sort-tile-recursive (Leutenegger, Lopez and Edgington, 1997): slabs of equal
/// counts along the steps, blocks of 64 by address within each, and boxes around 16 boxes above them. Rectangles longer than a
/// sixteenth of all steps form slabs of their own, so that they do not widen the boxes of the others. Each box also has the
/// length and height of its longest and tallest rectangle, so that a search for rectangles large enough for a label skips the
/// others.
class RectIndex {
public:
    RectIndex() = default;
    /// Packs the rectangles. O(n log n): 0.2 s for a million.
    explicit RectIndex(std::span<const StepBytes> rects);

    [[nodiscard]] std::size_t size() const { return rects_.size(); }
    [[nodiscard]] const StepBytes& operator[](std::size_t i) const { return rects_[i]; } ///< by tree position
    /// By tree position: index in the given rectangles.
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    [[nodiscard]] StepBytes bounds() const;

    /// Calls `visit(i)` for each rectangle, ascending, that overlaps `box`, is at least `steps` long and at least `bytes` high.
    /// Stops if `visit` returns false. O(blocks visited).
    template <typename Visit>
    void forEach(const StepBytes& box, Step steps, Bytes bytes, Visit&& visit) const
    {
        if (!levels_.empty()) descend(levels_.size() - 1, 0, levels_.back().size(), box, steps, bytes, visit);
    }
    template <typename Visit>
    void forEach(const StepBytes& box, Visit&& visit) const
    {
        forEach(box, 0, 0, visit);
    }
    /// An upper bound of the count of rectangles that overlap `box`: whole blocks are counted without visiting their rectangles.
    [[nodiscard]] std::size_t countAtMost(const StepBytes& box) const;

private:
    static constexpr std::size_t leaf = 64;
    static constexpr std::size_t fanOut = 16;

    struct Box {
        StepBytes bounds{std::numeric_limits<Step>::max(), std::numeric_limits<Step>::min(), std::numeric_limits<Bytes>::max(),
                         std::numeric_limits<Bytes>::min()};
        Step longest = 0;
        Bytes tallest = 0;
        std::uint32_t count = 0; ///< count of rectangles in it
        void add(const Box& other);
    };

    template <typename Visit>
    bool descend(std::size_t level, std::size_t first, std::size_t last, const StepBytes& box, Step steps, Bytes bytes,
                 Visit& visit) const
    {
        for (std::size_t i = first; i < last; ++i) {
            const Box& node = levels_[level][i];
            if (node.longest < steps || node.tallest < bytes || !node.bounds.overlaps(box)) continue;
            if (level > 0) {
                if (!descend(level - 1, i * fanOut, std::min((i + 1) * fanOut, levels_[level - 1].size()), box, steps, bytes,
                             visit))
                    return false;
                continue;
            }
            for (std::size_t k = i * leaf, end = std::min((i + 1) * leaf, rects_.size()); k < end; ++k) {
                const StepBytes& rect = rects_[k];
                if (!rect.overlaps(box) || rect.end - rect.begin < steps || rect.high - rect.low < bytes) continue;
                if (!visit(k)) return false;
            }
        }
        return true;
    }

    std::vector<StepBytes> rects_;
    std::vector<std::uint32_t> order_;
    std::vector<std::vector<Box>> levels_; ///< [0]: the boxes of the blocks
};

} // namespace stowage
