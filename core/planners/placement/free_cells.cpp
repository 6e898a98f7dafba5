#include "core/planners/placement/free_cells.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace stowage {

namespace {

bool isBelow(const Span& a, const Span& b)
{
    return a.low < b.low;
}

/// The smallest gap so far that fits a query; of equal gaps the lowest.
class SmallestGap {
public:
    explicit SmallestGap(const GapQuery& query) : query_(query) {}
    [[nodiscard]] bool isBeatenBy(Span gap) const
    {
        const Bytes size = gap.high - gap.low;
        return size < size_ || (size == size_ && gap.low < low_);
    }
    void consider(Span gap)
    {
        if (gap.high - gap.low < query_.size || gap.low > query_.limit - query_.size || !isBeatenBy(gap)) return;
        low_ = gap.low;
        size_ = gap.high - gap.low;
    }
    /// The answer, if no byte from `end` on is occupied.
    [[nodiscard]] std::optional<GapAnswer> answer(Bytes end) const
    {
        if (low_ >= 0) return GapAnswer{low_, true};
        if (end > query_.limit - query_.size) return std::nullopt;
        return GapAnswer{end, false};
    }

private:
    const GapQuery& query_;
    Bytes size_ = maxBytes;
    Bytes low_ = -1;
};

} // namespace

FreeCells::FreeCells(const TimeGrid& grid)
    : grid_(&grid),
      nodes_(static_cast<std::size_t>(grid.blocks())),
      inBlocks_(nodes_.size()),
      tops_{{0, 0}},
      highest_(grid.blocks())
{
}

/// The number in [first + 1, last] with the most trailing zero bits: the highest node of the tree between the two blocks.
std::size_t FreeCells::nodeOf(std::int32_t firstBlock, std::int32_t lastBlock) const
{
    const auto first = static_cast<std::uint32_t>(firstBlock), last = static_cast<std::uint32_t>(lastBlock);
    return last & ~(std::bit_floor(first ^ last) - 1);
}

/// Calls visit(node) for each node that may have a cell that exists in a block.
template <typename Visit>
void FreeCells::forEachNodeAt(std::int32_t block, Visit visit) const
{
    for (std::size_t bit = 1; bit < nodes_.size(); bit *= 2)
        if (const std::size_t node = (static_cast<std::size_t>(block) & ~(2 * bit - 1)) | bit; node < nodes_.size())
            visit(nodes_[node]);
}

void FreeCells::addCell(const Cell& cell)
{
    if (cell.time.begin >= cell.time.end || cell.bytes.low >= cell.bytes.high) return;
    const std::int32_t first = grid_->blockOf(cell.time.begin), last = grid_->blockOf(cell.time.end - 1);
    if (first == last) return inBlocks_[static_cast<std::size_t>(first)].push_back(cell);
    Node& node = nodes_[nodeOf(first, last)];
    node.bySize.add(cell);
    node.byAddress.add(cell);
}

void FreeCells::removeCell(const Cell& cell)
{
    const std::int32_t first = grid_->blockOf(cell.time.begin), last = grid_->blockOf(cell.time.end - 1);
    if (first == last) {
        std::vector<Cell>& cells = inBlocks_[static_cast<std::size_t>(first)];
        *std::ranges::find(cells, cell) = cells.back();
        return cells.pop_back();
    }
    Node& node = nodes_[nodeOf(first, last)];
    node.bySize.remove(cell);
    node.byAddress.remove(cell);
}

/// Calls visit(cell) for each cell at a node that exists at `rank` and overlaps `bytes`.
template <typename Visit>
void FreeCells::forEachMetAtNodes(std::int32_t rank, Span bytes, Visit visit) const
{
    const Cell from{{}, {bytes.low, bytes.low}};
    forEachNodeAt(grid_->blockOf(rank), [&](const Node& node) {
        const Cell* const below = node.byAddress.lastUpTo(from);
        if (below && below->bytes.low < bytes.low && below->bytes.high > bytes.low && below->isThereAt(rank)) visit(*below);
        node.byAddress.forEachFrom(from, rank, [&](const Cell& cell) {
            if (cell.bytes.low >= bytes.high) return false;
            visit(cell);
            return true;
        });
    });
}

/// Calls visit(cell) for each cell that exists at `rank` and overlaps `bytes`.
template <typename Visit>
void FreeCells::forEachMet(std::int32_t rank, Span bytes, Visit visit) const
{
    forEachMetAtNodes(rank, bytes, visit);
    for (const Cell& cell : inBlocks_[static_cast<std::size_t>(grid_->blockOf(rank))])
        if (cell.isThereAt(rank) && cell.bytes.low < bytes.high && cell.bytes.high > bytes.low) visit(cell);
}

/// Calls visit(cell) for each cell at a node with at least `size` bytes that exists at `rank`, ascending by size at each node. If
/// it returns false, the rest of the node is skipped.
template <typename Visit>
void FreeCells::forEachOfSizeAtNodes(std::int32_t rank, Bytes size, Visit visit) const
{
    forEachNodeAt(grid_->blockOf(rank), [&](const Node& node) { node.bySize.forEachFrom({{}, {0, size}}, rank, visit); });
}

/// The cell that contains an address at a rank. Requires that it exists.
Cell FreeCells::cellAt(std::int32_t rank, Bytes address) const
{
    Cell found;
    forEachMet(rank, {address, address + 1}, [&](const Cell& cell) { found = cell; });
    return found;
}

/// Splits the entry of the tops at `rank`, so that an entry begins there.
FreeCells::Tops::iterator FreeCells::splitTops(std::int32_t rank)
{
    const auto after = tops_.lower_bound(rank);
    if (after != tops_.end() && after->first == rank) return after;
    return tops_.emplace_hint(after, rank, std::prev(after)->second);
}

void FreeCells::insert(Ranks stretch, Span span)
{
    if (span.high <= span.low) return;
    // The cells that remain below and above the span, as long as they do not change.
    Cell below, above;
    const auto extend = [&](Cell& left, Ranks time, Span bytes) {
        if (left.time.end == time.begin && left.bytes == bytes) {
            left.time.end = time.end;
        } else {
            addCell(left);
            left = {time, bytes};
        }
    };
    if (stretch.end < grid_->size()) splitTops(stretch.end);
    auto top = splitTops(stretch.begin);
    for (std::int32_t rank = stretch.begin; rank < stretch.end;) {
        while (std::next(top) != tops_.end() && std::next(top)->first <= rank) ++top;
        const std::int32_t topEnd = std::next(top) == tops_.end() ? stretch.end : std::min(stretch.end, std::next(top)->first);
        ++work_;
        if (span.low >= top->second) {
            extend(below, {rank, topEnd}, {top->second, span.low});
            top->second = span.high;
            rank = topEnd;
            continue;
        }
        const Cell cell = cellAt(rank, span.low);
        removeCell(cell);
        addCell({{cell.time.begin, stretch.begin}, cell.bytes});
        addCell({{stretch.end, cell.time.end}, cell.bytes});
        const Ranks time{rank, std::min(stretch.end, cell.time.end)};
        extend(below, time, {cell.bytes.low, span.low});
        extend(above, time, {span.high, cell.bytes.high});
        rank = time.end;
    }
    addCell(below);
    addCell(above);
    highest_.raise(grid_->blockOf(stretch.begin), grid_->blockOf(stretch.end - 1), span.high);
    // Joins entries that have become equal; otherwise their number would grow.
    for (auto it = tops_.lower_bound(stretch.begin); it != tops_.end() && it->first <= stretch.end;) {
        if (it != tops_.begin() && std::prev(it)->second == it->second)
            it = tops_.erase(it);
        else
            ++it;
    }
}

std::optional<GapAnswer> FreeCells::findGap(Ranks stretch, const GapQuery& query, std::span<const Span> begun)
{
    const std::int32_t rank = stretch.begin;
    const Bytes top = topAt(rank);
    kept_.clear(); // the union of the spans that begin later
    for (const Span& span : begun) {
        if (!kept_.empty() && span.low <= kept_.back().high)
            kept_.back().high = std::max(kept_.back().high, span.high);
        else
            kept_.push_back(span);
    }
    SmallestGap best(query);
    // Considers the parts of a gap that spans which begin later leave free. Returns the begin of the last part.
    const auto considerRest = [&](Span gap) {
        auto at = std::partition_point(kept_.begin(), kept_.end(), [&](const Span& s) { return s.high <= gap.low; });
        for (; at != kept_.end() && at->low < gap.high; ++at) {
            if (at->low > gap.low) best.consider({gap.low, at->low});
            gap.low = std::max(gap.low, at->high);
        }
        if (gap.high > gap.low && gap.high < maxBytes) best.consider(gap);
        return gap.low;
    };

    met_.clear();
    for (const Span& span : kept_)
        if (span.low < top) forEachMetAtNodes(rank, span, [&](const Cell& cell) { met_.push_back(cell.bytes); });
    for (const Cell& cell : inBlocks_[static_cast<std::size_t>(grid_->blockOf(rank))]) {
        if (cell.size() < query.size || !cell.isThereAt(rank)) continue;
        const auto at = std::partition_point(kept_.begin(), kept_.end(), [&](const Span& s) { return s.high <= cell.bytes.low; });
        if (at != kept_.end() && at->low < cell.bytes.high)
            met_.push_back(cell.bytes);
        else
            best.consider(cell.bytes);
    }
    std::sort(met_.begin(), met_.end(), isBelow);
    met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
    for (const Span& cell : met_) (void)considerRest(cell);

    // Of the other cells, into which no span begins: the smallest of each node that fits.
    forEachOfSizeAtNodes(rank, query.size, [&](const Cell& cell) {
        if (!best.isBeatenBy(cell.bytes)) return false;
        const auto at = std::lower_bound(met_.begin(), met_.end(), cell.bytes, isBelow);
        if (at == met_.end() || at->low != cell.bytes.low) best.consider(cell.bytes);
        return true;
    });
    return best.answer(considerRest({top, maxBytes}));
}

/// The last rank of a stretch at which a byte above `height` is occupied; `none` if there is none.
std::int32_t FreeCells::lastAbove(Ranks stretch, Bytes height) const
{
    while (stretch.begin < stretch.end) {
        const std::int32_t block = highest_.lastAbove(grid_->blockOf(stretch.begin), grid_->blockOf(stretch.end - 1), height);
        if (block == none) break;
        const std::int32_t begin = std::max(stretch.begin, grid_->blockBegin(block));
        std::int32_t end = std::min(stretch.end, grid_->blockBegin(block + 1));
        for (auto top = tops_.lower_bound(end); end > begin; end = top->first)
            if ((--top)->second > height) return end - 1;
        stretch.end = begin;
    }
    return none;
}

/// The first such rank.
std::int32_t FreeCells::firstAbove(Ranks stretch, Bytes height) const
{
    while (stretch.begin < stretch.end) {
        const std::int32_t block = highest_.firstAbove(grid_->blockOf(stretch.begin), grid_->blockOf(stretch.end - 1), height);
        if (block == none) break;
        const std::int32_t begin = std::max(stretch.begin, grid_->blockBegin(block));
        const std::int32_t end = std::min(stretch.end, grid_->blockBegin(block + 1));
        for (auto top = std::prev(tops_.upper_bound(begin)); top != tops_.end() && top->first < end; ++top)
            if (top->second > height) return std::max(begin, top->first);
        stretch.begin = end;
    }
    return none;
}

/// Reduces `spans` to their parts of at least `size` bytes that are free at `rank`. Returns the range of time in which these stay
/// free.
Ranks FreeCells::keepFreeAt(std::int32_t rank, std::vector<Span>& spans, Bytes size)
{
    there_.clear();
    ++work_;
    forEachMet(rank, {spans.front().low, spans.back().high}, [&](const Cell& cell) {
        ++work_;
        if (cell.size() >= size) there_.push_back(cell);
    });
    std::sort(there_.begin(), there_.end(), &ByAddress::less);
    const auto above = tops_.upper_bound(rank);
    there_.push_back(
        {{std::prev(above)->first, above == tops_.end() ? grid_->size() : above->first}, {std::prev(above)->second, maxBytes}});

    Ranks time{0, grid_->size()};
    kept_.clear();
    auto cell = there_.begin();
    for (const Span& span : spans) {
        while (cell != there_.end() && cell->bytes.high <= span.low) ++cell;
        for (auto at = cell; at != there_.end() && at->bytes.low < span.high; ++at) {
            const Span part{std::max(span.low, at->bytes.low), std::min(span.high, at->bytes.high)};
            if (part.high - part.low < size) continue;
            kept_.push_back(part);
            time = {std::max(time.begin, at->time.begin), std::min(time.end, at->time.end)};
        }
    }
    spans.swap(kept_);
    return time;
}

/// Reduces `free`, which is free in `time`, to the parts of at least `size` bytes that are free during the entire `stretch`.
void FreeCells::follow(std::vector<Span>& free, Ranks time, Ranks stretch, Bytes size)
{
    while (!free.empty()) {
        const std::int32_t rank = lastAbove({stretch.begin, time.begin}, free.front().low);
        if (rank == none) break;
        time.begin = keepFreeAt(rank, free, size).begin;
    }
    while (!free.empty()) {
        const std::int32_t rank = firstAbove({time.end, stretch.end}, free.front().low);
        if (rank == none) break;
        time.end = keepFreeAt(rank, free, size).end;
    }
}

std::optional<GapAnswer> FreeCells::findGapFrom(std::int32_t fullest, Ranks stretch, const GapQuery& query)
{
    SmallestGap best(query);
    candidates_.clear();
    forEachOfSizeAtNodes(fullest, query.size, [&](const Cell& cell) {
        candidates_.push_back(cell);
        return true;
    });
    for (const Cell& cell : inBlocks_[static_cast<std::size_t>(grid_->blockOf(fullest))])
        if (cell.isThereAt(fullest) && cell.size() >= query.size) candidates_.push_back(cell);
    work_ += candidates_.size();
    for (const Cell& cell : candidates_) {
        free_.assign(1, cell.bytes);
        follow(free_, cell.time, stretch, query.size);
        for (const Span& span : free_) best.consider(span);
    }
    free_.assign(1, {topAt(fullest), maxBytes});
    follow(free_, {fullest, fullest + 1}, stretch, query.size);
    const Bytes end = free_.back().low;
    free_.pop_back();
    for (const Span& span : free_) best.consider(span);
    return best.answer(end);
}

} // namespace stowage
