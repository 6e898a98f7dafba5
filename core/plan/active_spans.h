// The byte spans in use at one moment of a sweep over time.
#pragma once

#include "core/ir/types.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace stowage {

/// A set of spans, each known beforehand by its rank in the order of their low ends, that come and go. It finds those that reach
/// above a given byte among a range of ranks: with the ranks of all spans that begin below `high` that is every span which
/// overlaps [low, high).
///
/// A heap-shaped array of maxima with 16 children a node: 5 levels for a million spans, two cache lines each. Insertion and
/// removal stop at the first node whose maximum does not change. O(log n) each; enumeration O(log n) for each span found.
class ActiveSpans {
public:
    /// For the ranks [0, count), none of them there yet. O(count).
    explicit ActiveSpans(std::size_t count)
    {
        do {
            const std::size_t nodes = (count + fanOut - 1) / fanOut;
            levels_.emplace_back(nodes * fanOut, idle);
            count = nodes;
        } while (count > 1);
    }

    /// The span of that rank comes; it ends at byte `high`. Requires a rank below the count, of a span that is not there.
    /// O(log n).
    void insert(std::size_t rank, Bytes high)
    {
        for (std::vector<Bytes>& level : levels_) {
            if (level[rank] >= high) return;
            level[rank] = high;
            rank /= fanOut;
        }
    }

    /// The span of that rank goes; nothing changes where it is not there. O(log n).
    void erase(std::size_t rank)
    {
        levels_.front()[rank] = idle;
        for (std::size_t l = 1; l < levels_.size(); ++l) {
            rank /= fanOut;
            const auto children = levels_[l - 1].begin() + static_cast<std::ptrdiff_t>(rank * fanOut);
            const Bytes highest = *std::max_element(children, children + fanOut);
            if (levels_[l][rank] == highest) return;
            levels_[l][rank] = highest;
        }
    }

    /// Calls visit(rank) for the spans of ranks [first, last) that end above `low`, ascending, until it returns false.
    template <typename Visit>
    void above(Bytes low, std::size_t first, std::size_t last, Visit&& visit) const
    {
        if (first >= last) return;
        const std::size_t top = levels_.size() - 1;
        std::size_t width = 1; // ranks under one node of the top level
        for (std::size_t l = 0; l < top; ++l) width *= fanOut;
        for (std::size_t node = first / width; node < levels_[top].size() && node * width < last; ++node)
            if (!descend(top, width, node, low, first, last, visit)) return;
    }

private:
    static constexpr std::ptrdiff_t fanOutSigned = 16;
    static constexpr std::size_t fanOut = fanOutSigned;
    static constexpr Bytes idle = std::numeric_limits<Bytes>::min();

    template <typename Visit>
    bool descend(std::size_t level, std::size_t width, std::size_t node, Bytes low, std::size_t first, std::size_t last,
                 Visit&& visit) const
    {
        if (levels_[level][node] <= low) return true;
        if (level == 0) return visit(node);
        width /= fanOut;
        const std::size_t from = std::max(node * fanOut, first / width);
        const std::size_t to = std::min((node + 1) * fanOut, (last + width - 1) / width);
        for (std::size_t child = from; child < to; ++child)
            if (!descend(level - 1, width, child, low, first, last, visit)) return false;
        return true;
    }

    std::vector<std::vector<Bytes>> levels_; ///< [0] by rank; each next one a maximum over 16
};

} // namespace stowage
