#include "core/planners/nnc/allocation_graph.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>

namespace stowage::nnc {

AllocationGraph::AllocationGraph(const BufferTable& table, const Tensors& tensors, PoolId pool)
    : table_(table), tensors_(tensors), pool_(pool), offsets_(at(tensors.size()), -1)
{
}

Bytes AllocationGraph::alignment(Node node) const
{
    const Tensor& tensor = tensors_[node];
    return tensor.alignment > 1 ? tensor.alignment : table_.alignmentIn(tensor.buffer, pool_);
}

Bytes AllocationGraph::blockOf(const Tuple& tuple) const
{
    Bytes most = 0;
    for (const Node node : tuple.all()) most = std::max(most, tensors_[node].bytes());
    return most;
}

Bytes AllocationGraph::alignmentOf(const Tuple& tuple) const
{
    Bytes common = 1;
    for (const Node node : tuple.all()) common = checkedLcm(common, alignment(node)).value_or(maxBytes);
    return common;
}

bool AllocationGraph::takes(const Edge& edge, const Tuple& tuple) const
{
    for (const Node node : tuple.all()) // reads the rows of the tuple, which stay in the cache from edge to edge
        if ((edge.from != source && !contains(tensors_.before(node), edge.from)) ||
            (edge.to != sink && !contains(tensors_.after(node), edge.to)))
            return false;
    return true;
}

Bytes AllocationGraph::freeSteps(const Edge& edge, const Tuple& tuple) const
{
    const Step first = tensors_[tuple.all().front()].hull.begin;
    const Step last = tensors_[tuple.all().back()].hull.end;
    const Step begin = edge.from == source ? first : tensors_[edge.from].hull.end;
    const Step end = edge.to == sink ? last : tensors_[edge.to].hull.begin;
    return std::max<Step>(0, first - begin) + std::max<Step>(0, end - last);
}

template <typename Visit>
void AllocationGraph::eachFit(const Tuple& tuple, int dummyEnds, EdgeId from, const Visit& visit)
{
    const Bytes block = blockOf(tuple);
    const Bytes aligned = alignmentOf(tuple);
    // The list is ascending, because edges are appended in order.
    auto kept = static_cast<std::size_t>(std::lower_bound(live_.begin(), live_.end(), from) - live_.begin());
    for (std::size_t i = kept; i < live_.size(); ++i) {
        const EdgeId id = live_[i];
        const Edge& candidate = edge(id);
        if (candidate.bytes == 0) continue; // used up meanwhile
        live_[kept++] = id;
        if (candidate.bytes < block || candidate.dummyEnds() > dummyEnds) continue;
        ++work_;
        if (!takes(candidate, tuple)) continue;
        const Bytes start = alignUp(candidate.offset, aligned);
        if (start > candidate.offset + candidate.bytes - block) continue;
        visit(Key{candidate.dummyEnds(), freeSteps(candidate, tuple), candidate.bytes, start, id});
    }
    live_.resize(kept);
}

// With gaps, windows and conflicts from files, `Selection` asks for the same pairs in every step, and most of them fit edges
// whose bytes are occupied. Edges are only added or used up, and tensors never move: an edge that could not take a tuple never
// can. In random loops 19 of 20 calls repeat one that found nothing; they look at new edges only.
Place AllocationGraph::find(const Tuple& tuple, int dummyEnds, EdgeId from)
{
    if (from > 0) return bestFrom(tuple, dummyEnds, from); // the caller knows what it was refused
    static_assert(Tensors::maxTensors < 1 << 20);
    std::uint64_t call = 0;
    for (const Node node : tuple.all()) call = call << 20 | static_cast<std::uint64_t>(node + 1);
    call = call << 2 | static_cast<std::uint64_t>(dummyEnds);
    Refused& refused = refusedBy(call);
    const Place place = bestFrom(tuple, dummyEnds, refused.call == call ? refused.edges : 0);
    if (!place.found()) refused = {call, static_cast<EdgeId>(edges_.size())};
    return place;
}

AllocationGraph::Refused& AllocationGraph::refusedBy(std::uint64_t call)
{
    constexpr std::size_t most = 1 << 17; // 2 MiB
    if (refused_.empty()) refused_.resize(std::bit_ceil(std::min(most, offsets_.size() * offsets_.size())));
    return refused_[static_cast<std::size_t>(call * 0x9E37'79B9'7F4A'7C15U >> 32) & (refused_.size() - 1)];
}

Place AllocationGraph::bestFrom(const Tuple& tuple, int dummyEnds, EdgeId from)
{
    const auto placeOf = [](const Key& key) { return Place{std::get<4>(key), std::get<3>(key)}; };
    // If the relation "before" is transitive, no other tensor occupies the bytes of an edge during the tuple. With gaps, windows
    // and conflicts from files it is not, so the best edge is checked against all tensors on its bytes; usually it passes.
    const auto passes = [&](const Key& key) {
        return std::ranges::all_of(tuple.all(), [&](Node node) { return isFree(node, placeOf(key).offset); });
    };
    std::optional<Key> best;
    eachFit(tuple, dummyEnds, from, [&best](const Key& key) {
        if (!best || key < *best) best = key;
    });
    if (!best) return {};
    if (passes(*best)) return placeOf(*best);
    fits_.clear();
    eachFit(tuple, dummyEnds, from, [&](const Key& key) {
        if (key > *best) fits_.push_back(key);
    });
    for (std::ranges::make_heap(fits_, std::greater()); !fits_.empty(); fits_.pop_back()) {
        std::ranges::pop_heap(fits_, std::greater());
        if (passes(fits_.back())) return placeOf(fits_.back());
    }
    return {};
}

std::optional<Bytes> AllocationGraph::onTop(const Tuple& tuple) const
{
    const Bytes start = alignUp(top_, alignmentOf(tuple));
    if (start > maxBytes - blockOf(tuple)) return std::nullopt;
    return start;
}

Place AllocationGraph::grow(const Tuple& tuple, Bytes offset)
{
    if (offset > top_) append(source, sink, top_, offset - top_); // bytes skipped by alignment
    top_ = offset + blockOf(tuple);
    append(source, sink, offset, top_ - offset);
    return {static_cast<EdgeId>(edges_.size()) - 1, offset};
}

bool AllocationGraph::isFree(Node node, Bytes offset) const
{
    const Bytes end = offset + tensors_[node].bytes();
    bool free = true;
    tensors_.eachConflict(node, [&](Node other) {
        const Bytes start = offsets_[at(other)];
        free = start < 0 || start >= end || offset >= start + tensors_[other].bytes();
        return free;
    });
    return free;
}

void AllocationGraph::append(Node from, Node to, Bytes offset, Bytes bytes)
{
    if (bytes == 0) return;
    edges_.push_back({from, to, offset, bytes});
    live_.push_back(static_cast<EdgeId>(edges_.size()) - 1);
}

void AllocationGraph::settle(Node node, Bytes offset)
{
    offsets_[at(node)] = offset;
}

void AllocationGraph::insert(const Tuple& tuple, const Place& place)
{
    const Edge old = edge(place.edge);
    edges_[at(place.edge)].bytes = 0;
    const Bytes block = blockOf(tuple);
    append(old.from, old.to, old.offset, place.offset - old.offset);
    append(old.from, old.to, place.offset + block, old.offset + old.bytes - place.offset - block);
    for (const Node node : tuple.all()) settle(node, place.offset);

    // The bytes of the tuple are divided into bands, lowest first, one for each different size: all bytes of a band pass through
    // the same members.
    std::array<Bytes, 3> heights{};
    for (std::size_t i = 0; i < tuple.all().size(); ++i) heights[i] = tensors_[tuple.members[i]].bytes();
    const auto end = heights.begin() + tuple.count;
    std::sort(heights.begin(), end);
    std::array<Edge, 12> made;
    std::size_t count = 0;
    Bytes low = 0;
    for (auto height = heights.begin(); height != end; ++height) {
        if (*height == low) continue;
        Node from = old.from;
        const auto pass = [&](Node to) {
            const Edge band{from, to, place.offset + low, *height - low};
            const auto same = std::find_if(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(count), [&](const Edge& e) {
                return e.from == from && e.to == to && e.offset + e.bytes == band.offset;
            });
            if (same != made.begin() + static_cast<std::ptrdiff_t>(count))
                same->bytes += band.bytes;
            else
                made[count++] = band;
            from = to;
        };
        for (const Node node : tuple.all())
            if (tensors_[node].bytes() >= *height) pass(node);
        pass(old.to);
        low = *height;
    }
    for (std::size_t i = 0; i < count; ++i) append(made[i].from, made[i].to, made[i].offset, made[i].bytes);
}

void AllocationGraph::carve(Node node, Bytes offset)
{
    const Bytes end = offset + tensors_[node].bytes();
    if (end > top_) {
        append(source, sink, top_, end - top_);
        top_ = end;
    }
    const std::size_t count = edges_.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Edge old = edges_[i];
        const Bytes low = std::max(offset, old.offset);
        const Bytes high = std::min(end, old.offset + old.bytes);
        if (old.to != sink || low >= high) continue;
        edges_[i].bytes = 0;
        append(old.from, sink, old.offset, low - old.offset);
        append(old.from, sink, high, old.offset + old.bytes - high);
        append(old.from, node, low, high - low);
    }
    append(node, sink, offset, end - offset);
    settle(node, offset);
}

} // namespace stowage::nnc
