#include "core/planners/placement/time_index.h"

#include <algorithm>
#include <limits>

namespace stowage {

void SpanRuns::clear()
{
    size_ = 0;
    ends_.clear();
}

Span* SpanRuns::beginRun(std::size_t n)
{
    if (spans_.size() < size_ + n) spans_.resize(std::max(spans_.size() * 2, size_ + n));
    return spans_.data() + size_;
}

void SpanRuns::endRun(const Span* end)
{
    const auto size = static_cast<std::size_t>(end - spans_.data());
    if (size == size_) return;
    size_ = size;
    ends_.push_back(size);
}

void SpanRuns::add(std::span<const Span> ascending)
{
    if (ascending.empty()) return;
    endRun(std::copy(ascending.begin(), ascending.end(), beginRun(ascending.size())));
}

void SpanRuns::shift(std::size_t from, Bytes low, Bytes high)
{
    for (std::size_t i = from; i < size_; ++i) {
        spans_[i].low += low;
        spans_[i].high += high;
    }
}

std::span<const Span> SpanRuns::merged()
{
    while (ends_.size() > 1) {
        if (other_.size() < size_) other_.resize(spans_.size());
        mergedEnds_.clear();
        std::size_t begin = 0;
        for (std::size_t r = 0; r < ends_.size(); r += 2) {
            const std::size_t middle = ends_[r];
            const std::size_t end = r + 1 < ends_.size() ? ends_[r + 1] : middle;
            const Span* a = spans_.data() + begin;
            const Span* b = spans_.data() + middle;
            const Span* const aEnd = b;
            const Span* const bEnd = spans_.data() + end;
            Span* out = other_.data() + begin;
            // Which side is next is a coin toss, so it is a conditional move, not a branch: half the time of std::merge here.
            while (a != aEnd && b != bEnd) {
                const bool takeB = b->low < a->low;
                *out++ = takeB ? *b : *a;
                b += takeB;
                a += !takeB;
            }
            out = std::copy(a, aEnd, out);
            std::copy(b, bEnd, out);
            mergedEnds_.push_back(end);
            begin = end;
        }
        spans_.swap(other_);
        ends_.swap(mergedEnds_);
    }
    return {spans_.data(), size_};
}

/// A stretch of time as blocks: [first, last] are touched, [wholeFirst, wholeLast] covered from begin to end.
struct TimeIndex::Parts {
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int32_t wholeFirst = 0;
    std::int32_t wholeLast = 0;
    [[nodiscard]] bool firstIsPartial() const { return wholeFirst != first; }
    [[nodiscard]] bool lastIsPartial() const { return wholeLast != last && (last != first || !firstIsPartial()); }
};

TimeIndex::TimeIndex(const TimeGrid& grid) : grid_(&grid)
{
    std::int32_t size = grid.blocks();
    std::size_t total = 0;
    while (size > 0) {
        levelBegin_.push_back(total);
        levelSize_.push_back(size);
        total += static_cast<std::size_t>(size);
        if (size == 1) break;
        size = (size + fanOut - 1) / fanOut;
    }
    nodes_.resize(total);
}

TimeIndex::Parts TimeIndex::takeApart(Ranks stretch) const
{
    Parts p;
    p.first = grid_->blockOf(stretch.begin);
    p.last = grid_->blockOf(stretch.end - 1);
    p.wholeFirst = p.first + (stretch.begin != grid_->blockBegin(p.first) ? 1 : 0);
    p.wholeLast = p.last - (stretch.end != grid_->blockBegin(p.last + 1) ? 1 : 0);
    return p;
}

/// The fewest nodes that together make up the whole blocks.
template <typename Visit>
void TimeIndex::forEachWhole(const Parts& parts, Visit visit) const
{
    std::int32_t left = parts.wholeFirst;
    std::int32_t right = parts.wholeLast;
    for (std::size_t level = 0; left <= right; ++level) {
        if (level + 1 == levelSize_.size()) {
            for (; left <= right; ++left) visit(level, left);
            return;
        }
        for (; left <= right && left % fanOut != 0; ++left) visit(level, left);
        for (; left <= right && (right + 1) % fanOut != 0; --right) visit(level, right);
        left /= fanOut;
        right = (right + 1) / fanOut - 1;
    }
}

void TimeIndex::announce(Ranks stretch)
{
    const Parts parts = takeApart(stretch);
    if (parts.firstIsPartial()) ++node(0, parts.first).firstEntry;
    if (parts.lastIsPartial()) ++node(0, parts.last).firstEntry;
    forEachWhole(parts, [this](std::size_t level, std::int32_t i) { node(level, i).asked = true; });
}

void TimeIndex::announceAll()
{
    for (Node& n : nodes_) n.asked = true;
}

void TimeIndex::ready()
{
    std::uint32_t total = 0; // the counts become positions
    for (std::int32_t b = 0; b < grid_->blocks(); ++b) {
        Node& n = node(0, b);
        const std::uint32_t count = n.firstEntry;
        n.firstEntry = total;
        total += count;
    }
    narrow_.resize(total);
}

void TimeIndex::widen()
{
    isWide_ = true;
    wide_.resize(narrow_.size());
    std::transform(narrow_.begin(), narrow_.end(), wide_.begin(), [](const Entry<std::uint32_t>& e) {
        return Entry<Bytes>{e.begin, e.end, e.low, e.high};
    });
    narrow_ = {};
}

template <typename Address>
void TimeIndex::insertEntry(Entries<Address>& entries, Node& n, Entry<Address> entry)
{
    auto* const begin = entries.data() + n.firstEntry;
    auto* const end = begin + n.entries++;
    auto* const at = std::upper_bound(begin, end, entry.low, [](Address low, const Entry<Address>& e) { return low < e.low; });
    std::move_backward(at, end, end + 1);
    *at = entry;
}

void TimeIndex::insertPartial(std::int32_t block, Ranks stretch, Span span)
{
    Node& n = node(0, block);
    const std::int32_t zero = grid_->blockBegin(block) - 1;
    const auto begin = static_cast<std::uint16_t>(std::max(stretch.begin - zero, 0));
    const auto end = static_cast<std::uint16_t>(std::min(stretch.end, grid_->blockBegin(block + 1)) - zero);
    if (!isWide_ && span.high > std::numeric_limits<std::uint32_t>::max()) widen();
    if (isWide_)
        insertEntry(wide_, n, {begin, end, span.low, span.high});
    else
        insertEntry(narrow_, n, {begin, end, static_cast<std::uint32_t>(span.low), static_cast<std::uint32_t>(span.high)});
}

void TimeIndex::insert(Ranks stretch, Span span)
{
    if (span.high <= span.low) return;
    const Parts parts = takeApart(stretch);
    if (parts.firstIsPartial()) insertPartial(parts.first, stretch, span);
    if (parts.lastIsPartial()) insertPartial(parts.last, stretch, span);
    forEachWhole(parts, [&](std::size_t level, std::int32_t i) {
        Node& n = node(level, i);
        n.covers.add(span);
        if (n.asked) n.inside.add(span);
    });
    // Whoever asks for a node wants what lies in the nodes below it too. All those above the nodes covered lie on the two
    // ends' ways up.
    std::int32_t left = parts.first;
    std::int32_t right = parts.last;
    for (std::size_t level = 0; level < levelSize_.size(); ++level, left /= fanOut, right /= fanOut) {
        if (Node& n = node(level, left); n.asked) n.inside.add(span);
        if (left == right) continue;
        if (Node& n = node(level, right); n.asked) n.inside.add(span);
    }
}

template <typename Address>
void TimeIndex::filter(const Entries<Address>& entries, const Node& n, std::uint16_t begin, std::uint16_t end, bool onlyNew,
                       SpanRuns& runs)
{
    const Entry<Address>* const last = entries.data() + n.firstEntry + n.entries;
    Span* out = runs.beginRun(n.entries);
    // Every entry is written, and kept by moving on: matches are as good as random, and a branch would be mispredicted.
    const std::uint16_t notBefore = onlyNew ? 1 : 0;
    for (const Entry<Address>* e = last - n.entries; e != last; ++e) {
        *out = {static_cast<Bytes>(e->low), static_cast<Bytes>(e->high)};
        out += (e->begin < end) & (e->end > begin) & (e->begin >= notBefore);
    }
    runs.endRun(out);
}

/// With `onlyNew`, without those that began before this block.
void TimeIndex::collectPartial(std::int32_t block, Ranks stretch, bool onlyNew, SpanRuns& runs) const
{
    const Node& n = node(0, block);
    const std::int32_t zero = grid_->blockBegin(block) - 1;
    const auto begin = static_cast<std::uint16_t>(std::max(stretch.begin - zero, 1));
    const auto end = static_cast<std::uint16_t>(std::min(stretch.end, grid_->blockBegin(block + 1)) - zero);
    if (isWide_)
        filter<Bytes>(wide_, n, begin, end, onlyNew, runs);
    else
        filter<std::uint32_t>(narrow_, n, begin, end, onlyNew, runs);
}

void TimeIndex::collect(Ranks stretch, SpanRuns& runs) const
{
    const Parts parts = takeApart(stretch);
    if (parts.firstIsPartial()) collectPartial(parts.first, stretch, false, runs);
    if (parts.lastIsPartial()) collectPartial(parts.last, stretch, parts.firstIsPartial() && parts.first != parts.last, runs);
    forEachWhole(parts, [&](std::size_t level, std::int32_t i) { runs.add(node(level, i).inside.spans()); });
    std::int32_t left = parts.first;
    std::int32_t right = parts.last;
    for (std::size_t level = 0; level < levelSize_.size(); ++level, left /= fanOut, right /= fanOut) {
        runs.add(node(level, left).covers.spans());
        if (left != right) runs.add(node(level, right).covers.spans());
    }
}

TimeIndex::Ends TimeIndex::fetchHeads(Ranks stretch) const
{
    const Ends ends{grid_->blockOf(stretch.begin), grid_->blockOf(stretch.end - 1)};
    __builtin_prefetch(&node(0, ends.first));
    __builtin_prefetch(&node(0, ends.last));
    return ends;
}

void TimeIndex::fetchLists(const Ends& ends) const
{
    if (ends.first == none) return;
    fetchLists(node(0, ends.first));
    if (ends.last != ends.first) fetchLists(node(0, ends.last));
}

void TimeIndex::fetchLists(const Node& n) const
{
    asm volatile(""); // or GCC takes a function that only prefetches for one without effect, and drops the calls
    if (!wide_.empty() || !narrow_.empty()) { // empty where every stretch covers its blocks whole
        const void* const entries =
            isWide_ ? static_cast<const void*>(wide_.data() + n.firstEntry) : narrow_.data() + n.firstEntry;
        const char* const begin = static_cast<const char*>(entries);
        const char* const end =
            begin + (n.entries + 1) * (isWide_ ? sizeof(wide_[0]) : sizeof(narrow_[0])); // one more is about to be written
        for (const char* line = begin; line < end; line += 64) __builtin_prefetch(line, 1);
    }
    if (!n.inside.empty()) __builtin_prefetch(n.inside.spans().data(), 1);
    if (!n.covers.empty()) __builtin_prefetch(n.covers.spans().data(), 1);
}

void TimeIndex::clear()
{
    for (Node& n : nodes_) {
        n.covers.clear();
        n.inside.clear();
        n.entries = 0;
    }
}

} // namespace stowage
