#include "core/planners/nnc/size_classes.h"

#include <algorithm>
#include <bit>

namespace stowage::nnc {

SizeClasses::SizeClasses(const Tensors& tensors, Words& pending)
    : tensors_(tensors), pending_(pending), meets_(at(tensors.size())), asked_(at(tensors.size()))
{
    forEach(pending_, [&](Node node) {
        for (std::size_t w = 0; w < pending_.size(); ++w)
            meets_[at(node)] += std::popcount(tensors_.conflictsIn(node, w) & pending_[w]);
        return true;
    });
}

bool SizeClasses::empty()
{
    while (begin_ < pending_.size() && pending_[begin_] == 0) ++begin_;
    return begin_ == pending_.size();
}

Node SizeClasses::next(AllocationGraph& graph, Place& place)
{
    const auto first = static_cast<Node>(begin_ * 64 + static_cast<std::size_t>(std::countr_zero(pending_[begin_])));
    const Node end = tensors_.classEnd(first);
    order_.clear();
    for (Node node = first; node < end; ++node)
        if (contains(pending_, node)) order_.push_back(node);
    // On a tie the higher number first, as in libnnc: with the opposite order, `over_unet` of its in-place graphs needs 6.5 %
    // more bytes.
    const auto later = [&](Node a, Node b) { return meets_[at(a)] != meets_[at(b)] ? meets_[at(a)] < meets_[at(b)] : a < b; };
    std::make_heap(order_.begin(), order_.end(), later);
    const Node most = order_.front();
    for (auto left = order_.end(); left != order_.begin(); --left) {
        std::pop_heap(order_.begin(), left, later);
        const Node node = *(left - 1);
        Tuple tuple;
        tuple.add(node);
        place = graph.find(tuple, 1, asked_[at(node)]);
        if (place.found()) return node;
        asked_[at(node)] = static_cast<EdgeId>(graph.edges().size());
    }
    return most;
}

void SizeClasses::remove(Node node)
{
    nnc::remove(pending_, node);
    tensors_.eachConflict(node, [&](Node other) {
        --meets_[at(other)];
        return true;
    });
}

} // namespace stowage::nnc
