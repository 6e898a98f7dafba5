// Free cells (stretch of time x span of bytes) in order of size or of address, which finds those that are there at one moment.
#pragma once

#include "core/planners/common/time_grid.h"
#include "core/planners/placement/span_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace stowage {

/// A gap between two occupied spans that stays the same for a stretch of time.
struct Cell {
    Ranks time;
    Span bytes;

    friend bool operator==(const Cell&, const Cell&) = default;
    [[nodiscard]] Bytes size() const { return bytes.high - bytes.low; }
    [[nodiscard]] bool isThereAt(std::int32_t rank) const { return time.begin <= rank && rank < time.end; }
};

/// Orders of cells, for CellTree.
struct BySize {
    static bool less(const Cell& a, const Cell& b)
    {
        return a.size() != b.size() ? a.size() < b.size() : a.bytes.low < b.bytes.low;
    }
};
struct ByAddress {
    static bool less(const Cell& a, const Cell& b) { return a.bytes.low < b.bytes.low; }
};

/// A B-tree of cells that all share one moment, so that no two have the same key. Each part knows the earliest begin and the
/// latest end in it, so parts without a cell of a given moment are passed over: with one moment common to all, a part that passes
/// has such a cell. Adding and removing O(log cells), visiting O(log cells) for each cell visited.
template <typename Order>
class CellTree {
public:
    void add(const Cell& cell)
    {
        add(root_, cell);
        if (root_.size() <= maxInPart) return;
        Part upper = split(root_);
        Part lower = std::exchange(root_, {});
        root_.parts.reserve(2);
        root_.parts.push_back(std::move(lower));
        root_.parts.push_back(std::move(upper));
        summarize(root_);
    }
    /// `cell` is in the tree.
    void remove(const Cell& cell) { remove(root_, cell); }
    /// Calls visit(cell) for the cells that are there at `rank`, ascending from the first that is not below `from`, until it
    /// returns false.
    template <typename Visit>
    void forEachFrom(const Cell& from, std::int32_t rank, Visit visit) const
    {
        if (root_.hull.begin <= rank && rank < root_.hull.end) (void)walk(root_, &from, rank, visit);
    }
    /// The last cell that is not above `key`, whether it is there at a given time or not; null when there is none.
    [[nodiscard]] const Cell* lastUpTo(const Cell& key) const
    {
        const Cell* before = nullptr;
        for (const Part* part = &root_;;) {
            if (part->parts.empty()) {
                const auto at = std::upper_bound(part->cells.begin(), part->cells.end(), key, &Order::less);
                return at != part->cells.begin() ? &*std::prev(at) : before;
            }
            const auto at = std::partition_point(part->parts.begin(), part->parts.end(),
                                                 [&](const Part& p) { return !Order::less(key, p.last); });
            if (at != part->parts.begin()) before = &std::prev(at)->last;
            if (at == part->parts.end()) return before;
            part = &*at;
        }
    }

private:
    static constexpr std::size_t maxInPart = 64;
    static constexpr Ranks noTime{std::numeric_limits<std::int32_t>::max(), 0};
    struct Part {
        Cell last;                                                                     ///< of all in it
        Ranks hull = noTime;                                                           ///< earliest begin and latest end
        std::vector<Cell> cells;                                                       ///< ascending; of a part without parts
        std::vector<Part> parts;                                                       ///< ascending
        [[nodiscard]] std::size_t size() const { return cells.size() + parts.size(); } ///< one of the two is empty
    };

    static void widen(Ranks& hull, Ranks by) { hull = {std::min(hull.begin, by.begin), std::max(hull.end, by.end)}; }
    /// Requires a part that is not empty.
    static void summarize(Part& part)
    {
        part.hull = noTime;
        for (const Cell& cell : part.cells) widen(part.hull, cell.time);
        for (const Part& p : part.parts) widen(part.hull, p.hull);
        part.last = part.parts.empty() ? part.cells.back() : part.parts.back().last;
    }
    template <typename T>
    static std::vector<T> upperHalf(std::vector<T>& of)
    {
        const auto half = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
        std::vector<T> upper;
        upper.reserve(of.size() - of.size() / 2);
        std::move(half, of.end(), std::back_inserter(upper));
        of.erase(half, of.end());
        return upper;
    }
    static Part split(Part& part)
    {
        Part upper;
        upper.cells = upperHalf(part.cells);
        upper.parts = upperHalf(part.parts);
        summarize(part);
        summarize(upper);
        return upper;
    }
    /// The part that holds `cell`, or would.
    static auto partOf(Part& part, const Cell& cell)
    {
        const auto at =
            std::partition_point(part.parts.begin(), part.parts.end(), [&](const Part& p) { return Order::less(p.last, cell); });
        return at == part.parts.end() ? std::prev(at) : at;
    }
    static void add(Part& part, const Cell& cell)
    {
        if (part.size() == 0 || Order::less(part.last, cell)) part.last = cell;
        widen(part.hull, cell.time);
        if (part.parts.empty()) {
            part.cells.insert(std::upper_bound(part.cells.begin(), part.cells.end(), cell, &Order::less), cell);
            return;
        }
        const auto at = partOf(part, cell);
        add(*at, cell);
        if (at->size() <= maxInPart) return;
        Part upper = split(*at);
        part.parts.insert(std::next(at), std::move(upper));
    }
    static void remove(Part& part, const Cell& cell)
    {
        if (part.parts.empty()) {
            part.cells.erase(std::lower_bound(part.cells.begin(), part.cells.end(), cell, &Order::less));
        } else {
            const auto at = partOf(part, cell);
            remove(*at, cell);
            if (at->size() == 0) part.parts.erase(at);
        }
        if (part.size() == 0)
            part = {};
        else if (part.hull.begin == cell.time.begin || part.hull.end == cell.time.end || part.last == cell)
            summarize(part);
    }
    /// False when `visit` has said so. `from`: null when all are above it.
    template <typename Visit>
    static bool walk(const Part& part, const Cell* from, std::int32_t rank, Visit& visit)
    {
        if (part.parts.empty()) {
            auto at = part.cells.begin();
            if (from) at = std::lower_bound(at, part.cells.end(), *from, &Order::less);
            for (; at != part.cells.end(); ++at)
                if (at->isThereAt(rank) && !visit(*at)) return false;
            return true;
        }
        auto at = part.parts.begin();
        if (from) {
            at = std::partition_point(at, part.parts.end(), [&](const Part& p) { return Order::less(p.last, *from); });
        }
        for (; at != part.parts.end(); ++at, from = nullptr)
            if (at->hull.begin <= rank && rank < at->hull.end && !walk(*at, from, rank, visit)) return false;
        return true;
    }

    Part root_;
};

} // namespace stowage
