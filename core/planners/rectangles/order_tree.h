// All orders of a stack in which given sets of its elements lie together.
#pragma once

#include "core/ir/random.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace stowage::exact {

/// A PQ-tree (Booth & Lueker 1976): its leaves, read from left to right, are one order of the elements; all others come from
/// permuting the children of `free` nodes and reversing those of `fixed` ones. `gather` narrows that to the orders in which a set
/// of elements lies together.
///
/// Nodes never change: `gather` makes new ones along the path that it changes and shares the rest. So every tree of before stays
/// readable, and a search that takes steps back has only to forget the newest nodes. That costs the linear time of the original:
/// one call looks at the whole tree.
class OrderTree {
public:
    using Node = std::int32_t;

    Node leaf(std::int32_t element);
    /// The nodes one above the other in any order; the node itself if there is but one. Not empty.
    Node anyOrder(std::span<const Node> children) { return children.size() == 1 ? children[0] : make(Kind::free, children); }

    struct Gathered {
        Node together; ///< the set lies together
        Node replaced; ///< and `block` is in its place
    };
    /// Narrows `root` to the orders in which the elements of `set` (not empty, all of them leaves of `root`) are consecutive.
    /// Nothing when there is none. O(size of the tree).
    std::optional<Gathered> gather(Node root, std::span<const std::int32_t> set, Node block);

    /// The elements from bottom to top, in an order that goes up by `key` (by element), where the tree has one. Among equal keys
    /// the order is one that the tree permits, drawn by `dice` if it is given. O(size of the tree * log).
    void order(Node root, std::span<const std::int64_t> key, std::vector<std::int32_t>& out, Dice* dice = nullptr);

    /// Nodes made so far, for `forget`.
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    /// Forgets all nodes made since `size` was this.
    void forget(std::size_t size);
    /// 4-byte entries in use for children, which is where the memory goes.
    [[nodiscard]] std::size_t entries() const { return children_.size(); }
    /// Nodes looked at since the beginning.
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    enum class Kind : std::uint8_t { leaf, free, fixed };
    struct Entry {
        Kind kind;
        std::int32_t element;       ///< of a leaf
        std::int32_t leaves;        ///< below it
        std::uint32_t begin, count; ///< children, in `children_`
    };
    using List = std::vector<Node>;

    Node make(Kind kind, std::span<const Node> children);
    [[nodiscard]] const Entry& entry(Node n) const { return nodes_[static_cast<std::size_t>(n)]; }
    [[nodiscard]] std::span<const Node> children(Node n) const { return {children_.data() + entry(n).begin, entry(n).count}; }
    [[nodiscard]] std::int32_t marked(Node n) const { return marks_[static_cast<std::size_t>(n)]; }
    [[nodiscard]] bool empty(Node n) const { return marked(n) == 0; }
    [[nodiscard]] bool full(Node n) const { return marked(n) == entry(n).leaves; }
    std::int32_t count(Node n);
    std::int64_t lowest(Node n, std::span<const std::int64_t> key);
    void append(Node n, std::vector<std::int32_t>& out, Dice* dice);
    bool gatherAtRoot(Node n, Node block, Gathered& result);
    bool line(Node n, List& out, std::size_t& firstFull);
    bool lineOfFree(Node n, List& out, std::size_t& firstFull);
    bool lineOfFixed(Node n, List& out, std::size_t& firstFull);

    std::vector<Entry> nodes_;
    List children_;
    std::vector<std::uint8_t> inSet_;  ///< by element
    std::vector<std::int32_t> marks_;  ///< by node: elements of the set below it; valid inside a call
    std::vector<std::int64_t> lowest_; ///< by node: valid inside `order`
    std::uint64_t work_ = 0;
};

} // namespace stowage::exact
