// The set of byte spans in use at one step of a sweep over time.
#pragma once

#include "core/ir/types.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace stowage {

/// A dynamic set of spans. Each span has a fixed rank: its position in the order of low ends. Among a range of ranks, the set
/// finds the spans that end above a given byte. With the ranks of all spans that begin below `high`, these are the spans that
/// overlap [low, high).
///
/// An implicit tree of maxima with 16 children per node: 5 levels for a million spans, two cache lines in each level. Insertion
/// and removal stop at the first node whose maximum does not change. O(log n) each; enumeration takes O(log n) for each span
/// found.
class ActiveSpans {
public:
    /// An empty set for the ranks [0, count). O(count).
    explicit ActiveSpans(std::size_t count)
    {
        do {
            const std::size_t nodes = (count + fanOut - 1) / fanOut;
            levels_.emplace_back(nodes * fanOut, idle);
            count = nodes;
        } while (count > 1);
    }

    /// Inserts the span with this rank, which ends at byte `high`. Requires rank < count, and that the span is not in the set.
    /// O(log n).
    void insert(std::size_t rank, Bytes high)
    {
        for (std::vector<Bytes>& level : levels_) {
            if (level[rank] >= high) return;
            level[rank] = high;
            rank /= fanOut;
        }
    }

    /// Removes the span with this rank; no effect if it is not in the set. O(log n).
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

    /// Calls visit(rank) for the spans with ranks in [first, last) that end above `low`, ascending, until it returns false.
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

    std::vector<std::vector<Bytes>> levels_; ///< [0]: ends by rank; each next level: maxima of 16 elements
};

} // namespace stowage
