// A search tree of free cells (a range of time and a span of bytes), by size or by address. It finds the cells that exist at a
// given time.
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

/// A gap between two occupied spans that does not change during a range of time.
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

/// A B-tree of cells that all exist at one common time, so that no two have the same key. Each node stores the earliest begin and
/// the latest end of its cells. This tells whether it has a cell that exists at a given time, because all its cells share the
/// common time. Adding and removing take O(log cells), visiting O(log cells) for each cell visited.
template <typename Order>
class CellTree {
public:
    void add(const Cell& cell)
    {
        add(root_, cell);
        if (root_.size() <= maxInNode) return;
        Node upper = split(root_);
        Node lower = std::exchange(root_, {});
        root_.children.reserve(2);
        root_.children.push_back(std::move(lower));
        root_.children.push_back(std::move(upper));
        summarize(root_);
    }
    /// Requires that `cell` is in the tree.
    void remove(const Cell& cell) { remove(root_, cell); }
    /// Calls visit(cell) for the cells that exist at `rank` and are not below `from`, ascending, until it returns false.
    template <typename Visit>
    void forEachFrom(const Cell& from, std::int32_t rank, Visit visit) const
    {
        if (root_.hull.begin <= rank && rank < root_.hull.end) (void)walk(root_, &from, rank, visit);
    }
    /// The last cell that is not above `key`, at any time; null if there is none.
    [[nodiscard]] const Cell* lastUpTo(const Cell& key) const
    {
        const Cell* before = nullptr;
        for (const Node* node = &root_;;) {
            if (node->children.empty()) {
                const auto at = std::upper_bound(node->cells.begin(), node->cells.end(), key, &Order::less);
                return at != node->cells.begin() ? &*std::prev(at) : before;
            }
            const auto at = std::partition_point(node->children.begin(), node->children.end(),
                                                 [&](const Node& child) { return !Order::less(key, child.last); });
            if (at != node->children.begin()) before = &std::prev(at)->last;
            if (at == node->children.end()) return before;
            node = &*at;
        }
    }

private:
    static constexpr std::size_t maxInNode = 64;
    static constexpr Ranks noTime{std::numeric_limits<std::int32_t>::max(), 0};
    struct Node {
        Cell last;                                                                        ///< last cell in the node
        Ranks hull = noTime;                                                              ///< earliest begin and latest end
        std::vector<Cell> cells;                                                          ///< ascending; in leaves only
        std::vector<Node> children;                                                       ///< ascending
        [[nodiscard]] std::size_t size() const { return cells.size() + children.size(); } ///< one of the two is empty
    };

    static void widen(Ranks& hull, Ranks by) { hull = {std::min(hull.begin, by.begin), std::max(hull.end, by.end)}; }
    /// Requires a node that is not empty.
    static void summarize(Node& node)
    {
        node.hull = noTime;
        for (const Cell& cell : node.cells) widen(node.hull, cell.time);
        for (const Node& child : node.children) widen(node.hull, child.hull);
        node.last = node.children.empty() ? node.cells.back() : node.children.back().last;
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
    static Node split(Node& node)
    {
        Node upper;
        upper.cells = upperHalf(node.cells);
        upper.children = upperHalf(node.children);
        summarize(node);
        summarize(upper);
        return upper;
    }
    /// The child that contains `cell`, or to which it would be added.
    static auto childOf(Node& node, const Cell& cell)
    {
        const auto at = std::partition_point(node.children.begin(), node.children.end(),
                                             [&](const Node& child) { return Order::less(child.last, cell); });
        return at == node.children.end() ? std::prev(at) : at;
    }
    static void add(Node& node, const Cell& cell)
    {
        if (node.size() == 0 || Order::less(node.last, cell)) node.last = cell;
        widen(node.hull, cell.time);
        if (node.children.empty()) {
            node.cells.insert(std::upper_bound(node.cells.begin(), node.cells.end(), cell, &Order::less), cell);
            return;
        }
        const auto at = childOf(node, cell);
        add(*at, cell);
        if (at->size() <= maxInNode) return;
        Node upper = split(*at);
        node.children.insert(std::next(at), std::move(upper));
    }
    static void remove(Node& node, const Cell& cell)
    {
        if (node.children.empty()) {
            node.cells.erase(std::lower_bound(node.cells.begin(), node.cells.end(), cell, &Order::less));
        } else {
            const auto at = childOf(node, cell);
            remove(*at, cell);
            if (at->size() == 0) node.children.erase(at);
        }
        if (node.size() == 0)
            node = {};
        else if (node.hull.begin == cell.time.begin || node.hull.end == cell.time.end || node.last == cell)
            summarize(node);
    }
    /// False if `visit` returned false. `from`: null if all cells of the node are above it.
    template <typename Visit>
    static bool walk(const Node& node, const Cell* from, std::int32_t rank, Visit& visit)
    {
        if (node.children.empty()) {
            auto at = node.cells.begin();
            if (from) at = std::lower_bound(at, node.cells.end(), *from, &Order::less);
            for (; at != node.cells.end(); ++at)
                if (at->isThereAt(rank) && !visit(*at)) return false;
            return true;
        }
        auto at = node.children.begin();
        if (from) {
            at = std::partition_point(at, node.children.end(), [&](const Node& child) { return Order::less(child.last, *from); });
        }
        for (; at != node.children.end(); ++at, from = nullptr)
            if (at->hull.begin <= rank && rank < at->hull.end && !walk(*at, from, rank, visit)) return false;
        return true;
    }

    Node root_;
};

} // namespace stowage
