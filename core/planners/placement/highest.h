// The end of the highest occupied span, by block of time.
#pragma once

#include "core/ir/types.h"
#include "core/planners/common/time_grid.h"

#include <cstdint>
#include <vector>

namespace stowage {

/// The highest occupied byte + 1 of each block of a time grid, as a segment tree. Raising a range of blocks and finding the next
/// block above a height take O(log blocks).
class HighestByBlock {
public:
    explicit HighestByBlock(std::int32_t blocks)
    {
        while (leaves_ < blocks) leaves_ *= 2;
        nodes_.resize(static_cast<std::size_t>(leaves_) * 2);
    }
    /// Raises the blocks [first, last] at least to `height`.
    void raise(std::int32_t first, std::int32_t last, Bytes height) { raise(1, 0, leaves_, first, last + 1, height); }
    /// The first block in [first, last] that is higher than `height`; `none` if there is no such block.
    [[nodiscard]] std::int32_t firstAbove(std::int32_t first, std::int32_t last, Bytes height) const
    {
        return find<false>(1, 0, leaves_, first, last + 1, height);
    }
    /// The last such block.
    [[nodiscard]] std::int32_t lastAbove(std::int32_t first, std::int32_t last, Bytes height) const
    {
        return find<true>(1, 0, leaves_, first, last + 1, height);
    }

private:
    struct Node {
        Bytes all = 0;     ///< minimum height of all blocks below the node
        Bytes highest = 0; ///< maximum height of the blocks below the node
    };
    void raise(std::int32_t n, std::int32_t begin, std::int32_t end, std::int32_t from, std::int32_t to, Bytes height)
    {
        if (to <= begin || end <= from) return;
        Node& node = nodes_[static_cast<std::size_t>(n)];
        if (node.all >= height) return;
        node.highest = std::max(node.highest, height);
        if (from <= begin && end <= to) {
            node.all = height;
            return;
        }
        const std::int32_t middle = (begin + end) / 2;
        raise(2 * n, begin, middle, from, to, height);
        raise(2 * n + 1, middle, end, from, to, height);
    }
    template <bool last>
    [[nodiscard]] std::int32_t find(std::int32_t n, std::int32_t begin, std::int32_t end, std::int32_t from, std::int32_t to,
                                    Bytes height) const
    {
        const Node& node = nodes_[static_cast<std::size_t>(n)];
        if (to <= begin || end <= from || node.highest <= height) return none;
        if (node.all > height) return last ? std::min(end, to) - 1 : std::max(begin, from);
        if (end - begin == 1) return begin;
        const std::int32_t middle = (begin + end) / 2;
        const std::int32_t found =
            last ? find<last>(2 * n + 1, middle, end, from, to, height) : find<last>(2 * n, begin, middle, from, to, height);
        if (found != none) return found;
        return last ? find<last>(2 * n, begin, middle, from, to, height) : find<last>(2 * n + 1, middle, end, from, to, height);
    }

    std::int32_t leaves_ = 1;
    std::vector<Node> nodes_;
};

} // namespace stowage
