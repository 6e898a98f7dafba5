#include "core/planners/placement/free_cells.h"

#include <algorithm>
#include <iterator>

namespace stowage {

FreeCells::FreeCells(const TimeGrid& grid) : tree_(grid), nodes_(tree_.nodes()), tops_{{0, 0}} {}

/// Calls visit(node, whole) for each node that keeps the cell.
template <typename Visit>
void FreeCells::forEachNode(const Cell& cell, Visit visit)
{
    const TimeTree::Parts parts = tree_.takeApart(cell.time);
    if (parts.firstIsPartial()) visit(nodes_[TimeTree::nodeOf(parts.first)], false);
    if (parts.lastIsPartial()) visit(nodes_[TimeTree::nodeOf(parts.last)], false);
    tree_.forEachWhole(parts, [&](std::size_t i) { visit(nodes_[i], true); });
}

void FreeCells::addCell(const Cell& cell)
{
    if (cell.time.begin >= cell.time.end || cell.bytes.low >= cell.bytes.high) return;
    std::uint32_t id = static_cast<std::uint32_t>(cells_.size());
    if (unused_.empty()) {
        cells_.push_back(cell);
    } else {
        id = unused_.back();
        unused_.pop_back();
        cells_[id] = cell;
    }
    forEachNode(cell, [&](Node& node, bool whole) {
        if (!whole) return node.partial.push_back({cell, id});
        node.bySize.add({cell.bytes.high - cell.bytes.low, cell.bytes.low});
        node.byAddress.add({cell.bytes.low, id});
    });
}

void FreeCells::removeCell(std::uint32_t id)
{
    const Cell cell = cells_[id];
    forEachNode(cell, [&](Node& node, bool whole) {
        if (!whole) {
            *std::ranges::find(node.partial, id, &Node::Partial::id) = node.partial.back();
            return node.partial.pop_back();
        }
        node.bySize.remove({cell.bytes.high - cell.bytes.low, cell.bytes.low});
        node.byAddress.remove({cell.bytes.low, id});
    });
    unused_.push_back(id);
}

/// Calls visit(cell) for each cell that is there at `rank` and meets `bytes`.
template <typename Visit>
void FreeCells::forEachMet(std::int32_t rank, Span bytes, Visit visit) const
{
    const std::int32_t block = tree_.grid().blockOf(rank);
    tree_.forEachAbove(block, block, [&](std::size_t i) {
        const auto& list = nodes_[i].byAddress;
        auto place = list.lowerBound({bytes.low, 0});
        if (const ByAddress* below = list.before(place); below && cells_[below->cell].bytes.high > bytes.low) visit(below->cell);
        for (const ByAddress* at = list.at(place); at && at->low < bytes.high; place = list.next(place), at = list.at(place))
            visit(at->cell);
    });
    for (const auto& [cell, id] : nodes_[TimeTree::nodeOf(block)].partial)
        if (cell.time.begin <= rank && rank < cell.time.end && cell.bytes.low < bytes.high && cell.bytes.high > bytes.low)
            visit(id);
}

/// The cell that holds an address at a time; it is there.
std::uint32_t FreeCells::cellAt(std::int32_t rank, Bytes address) const
{
    std::uint32_t found = 0;
    forEachMet(rank, {address, address + 1}, [&](std::uint32_t id) { found = id; });
    return found;
}

/// Makes `rank` the begin of an entry of the tops.
FreeCells::Tops::iterator FreeCells::splitTops(std::int32_t rank)
{
    const auto after = tops_.lower_bound(rank);
    if (after != tops_.end() && after->first == rank) return after;
    return tops_.emplace_hint(after, rank, std::prev(after)->second);
}

void FreeCells::insert(Ranks stretch, Span span)
{
    if (span.high <= span.low) return;
    // What is left below and above the span, as long as it stays the same.
    Cell below, above;
    const auto extend = [&](Cell& left, Ranks time, Span bytes) {
        if (left.time.end == time.begin && left.bytes == bytes) {
            left.time.end = time.end;
        } else {
            addCell(left);
            left = {time, bytes};
        }
    };
    if (stretch.end < tree_.grid().size()) splitTops(stretch.end);
    auto top = splitTops(stretch.begin);
    for (std::int32_t rank = stretch.begin; rank < stretch.end;) {
        while (std::next(top) != tops_.end() && std::next(top)->first <= rank) ++top;
        const std::int32_t topEnd = std::next(top) == tops_.end() ? stretch.end : std::min(stretch.end, std::next(top)->first);
        ++cut_;
        if (span.low >= top->second) {
            extend(below, {rank, topEnd}, {top->second, span.low});
            top->second = span.high;
            rank = topEnd;
            continue;
        }
        const std::uint32_t id = cellAt(rank, span.low);
        const Cell cell = cells_[id];
        removeCell(id);
        addCell({{cell.time.begin, stretch.begin}, cell.bytes});
        addCell({{stretch.end, cell.time.end}, cell.bytes});
        const Ranks time{rank, std::min(stretch.end, cell.time.end)};
        extend(below, time, {cell.bytes.low, span.low});
        extend(above, time, {span.high, cell.bytes.high});
        rank = time.end;
    }
    addCell(below);
    addCell(above);
    // Entries that have become equal are joined, or they would pile up.
    for (auto it = tops_.lower_bound(stretch.begin); it != tops_.end() && it->first <= stretch.end;) {
        if (it != tops_.begin() && std::prev(it)->second == it->second)
            it = tops_.erase(it);
        else
            ++it;
    }
}

std::span<const Span> FreeCells::occupiedAt(std::int32_t rank, Bytes size, std::size_t most)
{
    met_.clear();
    const std::int32_t block = tree_.grid().blockOf(rank);
    tree_.forEachAbove(block, block, [&](std::size_t i) {
        const auto& list = nodes_[i].bySize;
        auto place = list.lowerBound({size, 0});
        for (const BySize* cell = list.at(place); cell && met_.size() <= most; place = list.next(place), cell = list.at(place))
            met_.push_back({cell->low, cell->low + cell->size});
    });
    for (const auto& [cell, id] : nodes_[TimeTree::nodeOf(block)].partial)
        if (cell.time.begin <= rank && rank < cell.time.end && cell.bytes.high - cell.bytes.low >= size)
            met_.push_back(cell.bytes);
    if (met_.size() > most) return {};
    std::sort(met_.begin(), met_.end(), [](const Span& a, const Span& b) { return a.low < b.low; });
    occupied_.clear();
    Bytes low = 0;
    for (const Span& cell : met_) {
        if (cell.low > low) occupied_.push_back({low, cell.low});
        low = cell.high;
    }
    if (const Bytes top = topAt(rank); top > low) occupied_.push_back({low, top});
    return occupied_;
}

std::optional<GapAnswer> FreeCells::findGap(Ranks stretch, const GapQuery& query, std::span<const Span> begun)
{
    const std::int32_t rank = stretch.begin;
    const Bytes top = topAt(rank);
    BySize best{maxBytes, -1};
    const auto consider = [&](Bytes low, Bytes size) {
        if (size >= query.size && low <= query.limit - query.size) best = std::min(best, {size, low});
    };
    // What is left between `low` and `high` by the spans that come later.
    const auto considerRest = [&](Bytes low, Bytes high) {
        for (const Span& span : begun) {
            if (span.high <= low || span.low >= high) continue;
            if (span.low > low) consider(low, span.low - low);
            low = std::max(low, span.high);
        }
        if (high > low && high < maxBytes) consider(low, high - low);
        return low;
    };

    met_.clear();
    for (const Span& span : begun)
        if (span.low < top) forEachMet(rank, span, [&](std::uint32_t id) { met_.push_back(cells_[id].bytes); });
    std::sort(met_.begin(), met_.end(), [](const Span& a, const Span& b) { return a.low < b.low; });
    met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
    for (const Span& cell : met_) (void)considerRest(cell.low, cell.high);

    // Of the cells that nothing comes into, the smallest of each node that fits.
    const auto untouched = [&](Bytes low) {
        const auto at = std::lower_bound(met_.begin(), met_.end(), low, [](const Span& s, Bytes b) { return s.low < b; });
        return at == met_.end() || at->low != low;
    };
    const std::int32_t block = tree_.grid().blockOf(rank);
    tree_.forEachAbove(block, block, [&](std::size_t i) {
        const auto& list = nodes_[i].bySize;
        auto place = list.lowerBound({query.size, 0});
        for (const BySize* cell = list.at(place); cell && *cell < best; place = list.next(place), cell = list.at(place))
            if (untouched(cell->low)) consider(cell->low, cell->size);
    });
    for (const auto& [cell, id] : nodes_[TimeTree::nodeOf(block)].partial)
        if (cell.time.begin <= rank && rank < cell.time.end && untouched(cell.bytes.low))
            consider(cell.bytes.low, cell.bytes.high - cell.bytes.low);

    const Bytes end = considerRest(top, maxBytes);
    if (best.low >= 0) return GapAnswer{best.low, true};
    if (end > query.limit - query.size) return std::nullopt;
    return GapAnswer{end, false};
}

} // namespace stowage
