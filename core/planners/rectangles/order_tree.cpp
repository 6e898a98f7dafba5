#include "core/planners/rectangles/order_tree.h"

#include "core/ir/types.h"

#include <algorithm>

namespace stowage::exact {

OrderTree::Node OrderTree::leaf(std::int32_t element)
{
    nodes_.push_back({Kind::leaf, element, 1, 0, 0});
    if (at(element) >= inSet_.size()) inSet_.resize(at(element) + 1, 0);
    return static_cast<Node>(nodes_.size() - 1);
}

OrderTree::Node OrderTree::make(Kind kind, std::span<const Node> children)
{
    Entry entry{kind, -1, 0, static_cast<std::uint32_t>(children_.size()), static_cast<std::uint32_t>(children.size())};
    for (const Node child : children) entry.leaves += nodes_[at(child)].leaves;
    children_.insert(children_.end(), children.begin(), children.end());
    nodes_.push_back(entry);
    return static_cast<Node>(nodes_.size() - 1);
}

void OrderTree::forget(std::size_t size)
{
    // The children of a node were written just before it.
    for (std::size_t n = size; n < nodes_.size(); ++n)
        if (nodes_[n].kind != Kind::leaf) {
            children_.resize(nodes_[n].begin);
            break;
        }
    nodes_.resize(size);
}

std::int32_t OrderTree::count(Node n)
{
    ++work_;
    std::int32_t sum = 0;
    if (entry(n).kind == Kind::leaf)
        sum = inSet_[at(entry(n).element)];
    else
        for (const Node child : children(n)) sum += count(child);
    return marks_[at(n)] = sum;
}

std::optional<OrderTree::Gathered> OrderTree::gather(Node root, std::span<const std::int32_t> set, Node block)
{
    for (const std::int32_t element : set) inSet_[at(element)] = 1;
    marks_.resize(nodes_.size());
    count(root);
    for (const std::int32_t element : set) inSet_[at(element)] = 0;
    // Down to the lowest node that has all of them below it.
    const auto all = static_cast<std::int32_t>(set.size());
    std::vector<std::pair<Node, std::size_t>> path; // with the place of the child
    Node n = root;
    while (!full(n)) {
        const auto list = children(n);
        const auto child = std::find_if(list.begin(), list.end(), [&](Node c) { return marked(c) == all; });
        if (child == list.end()) break;
        path.emplace_back(n, static_cast<std::size_t>(child - list.begin()));
        n = *child;
    }
    Gathered result{n, block};
    if (!full(n) && !gatherAtRoot(n, block, result)) return std::nullopt;
    for (; !path.empty(); path.pop_back()) {
        const auto [parent, place] = path.back();
        const Kind kind = entry(parent).kind;
        List list(children(parent).begin(), children(parent).end());
        if (list[place] != result.together) {
            list[place] = result.together;
            result.together = make(kind, list);
        } else {
            result.together = parent;
        }
        list[place] = result.replaced;
        result.replaced = make(kind, list);
    }
    return result;
}

/// `n` has some elements of the set, and no child has them all.
bool OrderTree::gatherAtRoot(Node n, Node block, Gathered& result)
{
    const List list(children(n).begin(), children(n).end());
    List around, middle; // empty children of a free node; what becomes one fixed sequence
    std::size_t firstFull = 0, endFull = 0;
    if (entry(n).kind == Kind::free) {
        List fulls, partials;
        for (const Node child : list) (empty(child) ? around : full(child) ? fulls : partials).push_back(child);
        if (partials.size() > 2) return false;
        if (partials.empty()) {
            const Node together = anyOrder(fulls);
            around.push_back(together);
            result.together = make(Kind::free, around);
            around.back() = block;
            result.replaced = make(Kind::free, around);
            return true;
        }
        if (!line(partials[0], middle, firstFull)) return false;
        if (!fulls.empty()) middle.push_back(anyOrder(fulls));
        endFull = middle.size();
        if (partials.size() == 2) {
            List other;
            std::size_t first = 0;
            if (!line(partials[1], other, first)) return false;
            endFull += other.size() - first;
            middle.insert(middle.end(), other.rbegin(), other.rend());
        }
    } else {
        // Empty ones, a partial one, full ones, a partial one, empty ones.
        std::size_t first = 0, last = list.size() - 1;
        while (empty(list[first])) ++first;
        while (empty(list[last])) --last;
        middle.assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first));
        firstFull = first;
        for (std::size_t k = first; k <= last; ++k) {
            if (full(list[k])) {
                middle.push_back(list[k]);
                continue;
            }
            if (k != first && k != last) return false;
            List part;
            std::size_t fullFrom = 0;
            if (!line(list[k], part, fullFrom)) return false;
            if (k == first) {
                firstFull = middle.size() + fullFrom;
                middle.insert(middle.end(), part.begin(), part.end());
            } else {
                endFull = middle.size() + (part.size() - fullFrom);
                middle.insert(middle.end(), part.rbegin(), part.rend());
            }
        }
        if (endFull == 0) endFull = middle.size();
        middle.insert(middle.end(), list.begin() + static_cast<std::ptrdiff_t>(last) + 1, list.end());
    }
    const auto finish = [&] {
        const Node sequence = make(Kind::fixed, middle);
        if (around.empty()) return sequence;
        List children = around;
        children.push_back(sequence);
        return make(Kind::free, children);
    };
    result.together = finish();
    middle.erase(middle.begin() + static_cast<std::ptrdiff_t>(firstFull), middle.begin() + static_cast<std::ptrdiff_t>(endFull));
    middle.insert(middle.begin() + static_cast<std::ptrdiff_t>(firstFull), block);
    result.replaced = finish();
    return true;
}

/// A node with some elements of the set as a sequence: those without below, those with above, from `firstFull`.
bool OrderTree::line(Node n, List& out, std::size_t& firstFull)
{
    return entry(n).kind == Kind::free ? lineOfFree(n, out, firstFull) : lineOfFixed(n, out, firstFull);
}

bool OrderTree::lineOfFree(Node n, List& out, std::size_t& firstFull)
{
    List empties, fulls, partials;
    for (const Node child : children(n)) (empty(child) ? empties : full(child) ? fulls : partials).push_back(child);
    if (partials.size() > 1) return false;
    if (!empties.empty()) out.push_back(anyOrder(empties));
    firstFull = out.size();
    if (!partials.empty() && !line(partials[0], out, firstFull)) return false;
    if (!fulls.empty()) out.push_back(anyOrder(fulls));
    return true;
}

bool OrderTree::lineOfFixed(Node n, List& out, std::size_t& firstFull)
{
    List list(children(n).begin(), children(n).end());
    if (full(list.front()) || empty(list.back())) std::reverse(list.begin(), list.end());
    std::size_t k = 0;
    while (k < list.size() && empty(list[k])) out.push_back(list[k++]);
    firstFull = out.size();
    if (k < list.size() && !full(list[k]) && !line(list[k++], out, firstFull)) return false;
    for (; k < list.size(); ++k) {
        if (!full(list[k])) return false;
        out.push_back(list[k]);
    }
    return true;
}

std::int64_t OrderTree::lowest(Node n, std::span<const std::int64_t> key)
{
    ++work_;
    if (entry(n).kind == Kind::leaf) return lowest_[at(n)] = key[at(entry(n).element)];
    std::int64_t low = INT64_MAX;
    for (const Node child : children(n)) low = std::min(low, lowest(child, key));
    return lowest_[at(n)] = low;
}

void OrderTree::append(Node n, std::vector<std::int32_t>& out, Dice* dice)
{
    if (entry(n).kind == Kind::leaf) return out.push_back(entry(n).element);
    List list(children(n).begin(), children(n).end());
    const auto low = [&](Node child) { return lowest_[at(child)]; };
    if (entry(n).kind == Kind::free) {
        for (std::size_t k = dice ? list.size() : 0; k > 1; --k) std::swap(list[k - 1], list[dice->below(k)]);
        std::stable_sort(list.begin(), list.end(), [&](Node a, Node b) { return low(a) < low(b); });
    } else if (low(list.front()) > low(list.back()) || (dice && low(list.front()) == low(list.back()) && dice->below(2) == 0)) {
        std::reverse(list.begin(), list.end());
    }
    for (const Node child : list) append(child, out, dice);
}

void OrderTree::order(Node root, std::span<const std::int64_t> key, std::vector<std::int32_t>& out, Dice* dice)
{
    lowest_.resize(nodes_.size());
    lowest(root, key);
    out.clear();
    append(root, out, dice);
}

} // namespace stowage::exact
