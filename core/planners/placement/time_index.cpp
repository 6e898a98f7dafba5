#include "core/planners/placement/time_index.h"

#include <algorithm>
#include <limits>

namespace stowage {

namespace {

constexpr std::size_t mergeBelow = 512; ///< spans

} // namespace

void SpanRuns::clear()
{
    size_ = 0;
    ends_.clear();
    disjoint_.clear();
}

Span* SpanRuns::beginRun(std::size_t n)
{
    if (spans_.size() < size_ + n) spans_.resize(std::max(spans_.size() * 2, size_ + n));
    return spans_.data() + size_;
}

void SpanRuns::endRun(const Span* end, bool disjoint)
{
    const auto size = static_cast<std::size_t>(end - spans_.data());
    if (size == size_) return;
    size_ = size;
    ends_.push_back(size);
    disjoint_.push_back(disjoint);
}

void SpanRuns::add(std::span<const Span> ascending, bool disjoint)
{
    if (ascending.empty()) return;
    endRun(std::copy(ascending.begin(), ascending.end(), beginRun(ascending.size())), disjoint);
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
            // The next side is unpredictable, so it is selected by a conditional move instead of a branch: half the time of
            // std::merge here.
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

namespace {

/// The first span from `at` on that ends above `end`. Requires ascending ends. O(log distance).
const Span* passOver(const Span* at, const Span* last, Bytes end)
{
    std::ptrdiff_t step = 1;
    while (last - at > step && at[step].high <= end) {
        at += step;
        step *= 2;
    }
    return std::partition_point(at, at + std::min(step + 1, last - at), [end](const Span& s) { return s.high <= end; });
}

} // namespace

std::optional<GapAnswer> SpanRuns::findGap(const GapQuery& query)
{
    // For short lists, merging is faster than searching run by run.
    return size_ < mergeBelow || query.rule == GapRule::above ? stowage::findGap(merged(), query) : findGapBetweenRuns(query);
}

/// Goes from gap to gap: in each run, skips the spans that begin at or below the current end and moves the end above them, until
/// no span touches it.
std::optional<GapAnswer> SpanRuns::findGapBetweenRuns(const GapQuery& query)
{
    runs_.clear();
    for (std::size_t r = 0, begin = 0; r < ends_.size(); begin = ends_[r++])
        runs_.push_back({spans_.data() + begin, spans_.data() + ends_[r], disjoint_[r]});

    GapSearch search(query);
    for (;;) {
        Bytes next = std::numeric_limits<Bytes>::max();
        for (std::size_t r = 0; r < runs_.size();) {
            Run& run = runs_[r];
            if (run.disjoint) {
                if (run.at->high <= search.end()) run.at = passOver(run.at, run.end, search.end());
                if (run.at != run.end && run.at->low <= search.end()) search.raise((run.at++)->high);
            } else {
                for (; run.at != run.end && run.at->low <= search.end(); ++run.at) search.raise(run.at->high);
            }
            if (run.at == run.end) {
                run = runs_.back();
                runs_.pop_back();
                continue;
            }
            next = std::min(next, run.at->low);
            ++r;
        }
        if (runs_.empty()) return search.answer();
        if (next <= search.end()) continue; // a later run has moved the end above it
        if (search.gapBefore(next)) return search.answer();
        search.raise(next);
    }
}

TimeIndex::TimeIndex(const TimeGrid& grid) : tree_(grid), nodes_(tree_.nodes()) {}

void TimeIndex::announce(Ranks stretch)
{
    const TimeTree::BlockRange parts = tree_.takeApart(stretch);
    if (parts.firstIsPartial()) ++nodes_[TimeTree::nodeOf(parts.first)].firstEntry;
    if (parts.lastIsPartial()) ++nodes_[TimeTree::nodeOf(parts.last)].firstEntry;
    tree_.forEachWhole(parts, [this](std::size_t i) { nodes_[i].asked = true; });
}

void TimeIndex::announceAll()
{
    for (Node& n : nodes_) n.asked = true;
}

void TimeIndex::ready()
{
    std::uint32_t total = 0; // converts counts to positions
    for (std::int32_t b = 0; b < tree_.grid().blocks(); ++b) {
        Node& n = nodes_[TimeTree::nodeOf(b)];
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
    Node& n = nodes_[TimeTree::nodeOf(block)];
    const std::int32_t zero = tree_.grid().blockBegin(block) - 1;
    const auto begin = static_cast<std::uint16_t>(std::max(stretch.begin - zero, 0));
    const auto end = static_cast<std::uint16_t>(std::min(stretch.end, tree_.grid().blockBegin(block + 1)) - zero);
    if (!isWide_ && span.high > std::numeric_limits<std::uint32_t>::max()) widen();
    if (isWide_)
        insertEntry(wide_, n, {begin, end, span.low, span.high});
    else
        insertEntry(narrow_, n, {begin, end, static_cast<std::uint32_t>(span.low), static_cast<std::uint32_t>(span.high)});
}

void TimeIndex::insert(Ranks stretch, Span span)
{
    if (span.high <= span.low) return;
    const TimeTree::BlockRange parts = tree_.takeApart(stretch);
    if (parts.firstIsPartial()) insertPartial(parts.first, stretch, span);
    if (parts.lastIsPartial()) insertPartial(parts.last, stretch, span);
    tree_.forEachWhole(parts, [&](std::size_t i) {
        Node& n = nodes_[i];
        n.covers.add(span);
        if (n.asked) n.inside.add(span);
    });
    // A query of a node also reads the spans below it. The ancestors of the covered nodes lie on the paths from both ends to the
    // root.
    tree_.forEachAbove(parts.first, parts.last, [&](std::size_t i) {
        if (Node& n = nodes_[i]; n.asked) n.inside.add(span);
    });
}

void TimeIndex::insertEnds(Ranks stretch, Span span)
{
    if (span.high <= span.low) return;
    const TimeTree::BlockRange parts = tree_.takeApart(stretch);
    if (parts.firstIsPartial()) insertPartial(parts.first, stretch, span);
    if (parts.lastIsPartial()) insertPartial(parts.last, stretch, span);
}

void TimeIndex::dropUnions()
{
    for (Node& n : nodes_) n.covers = n.inside = {};
}

template <typename Address>
void TimeIndex::filter(const Entries<Address>& entries, const Node& n, std::uint16_t begin, std::uint16_t end, bool onlyNew,
                       SpanRuns& runs)
{
    const Entry<Address>* const last = entries.data() + n.firstEntry + n.entries;
    Span* out = runs.beginRun(n.entries);
    // Writes every entry, and advances the output only for matches: matches are unpredictable, so a branch would be mispredicted.
    const std::uint16_t notBefore = onlyNew ? 1 : 0;
    for (const Entry<Address>* e = last - n.entries; e != last; ++e) {
        *out = {static_cast<Bytes>(e->low), static_cast<Bytes>(e->high)};
        out += (e->begin < end) & (e->end > begin) & (e->begin >= notBefore);
    }
    runs.endRun(out);
}

std::span<const Span> TimeIndex::begunIn(Ranks stretch, std::vector<Span>& spans) const
{
    spans.clear();
    const std::int32_t block = tree_.grid().blockOf(stretch.begin);
    const Node& n = nodes_[TimeTree::nodeOf(block)];
    const std::int32_t zero = tree_.grid().blockBegin(block) - 1;
    const auto each = [&](const auto& entries) {
        for (std::uint32_t i = n.firstEntry; i < n.firstEntry + n.entries; ++i)
            if (const auto& e = entries[i]; e.begin > stretch.begin - zero && e.begin < stretch.end - zero)
                spans.push_back({static_cast<Bytes>(e.low), static_cast<Bytes>(e.high)});
    };
    isWide_ ? each(wide_) : each(narrow_);
    return spans;
}

/// Appends the entries of a block. With `onlyNew`, without those that begin before this block.
void TimeIndex::collectPartial(std::int32_t block, Ranks stretch, bool onlyNew, SpanRuns& runs) const
{
    const Node& n = nodes_[TimeTree::nodeOf(block)];
    const std::int32_t zero = tree_.grid().blockBegin(block) - 1;
    const auto begin = static_cast<std::uint16_t>(std::max(stretch.begin - zero, 1));
    const auto end = static_cast<std::uint16_t>(std::min(stretch.end, tree_.grid().blockBegin(block + 1)) - zero);
    if (isWide_)
        filter<Bytes>(wide_, n, begin, end, onlyNew, runs);
    else
        filter<std::uint32_t>(narrow_, n, begin, end, onlyNew, runs);
}

void TimeIndex::collect(Ranks stretch, SpanRuns& runs) const
{
    const TimeTree::BlockRange parts = tree_.takeApart(stretch);
    if (parts.firstIsPartial()) collectPartial(parts.first, stretch, false, runs);
    if (parts.lastIsPartial()) collectPartial(parts.last, stretch, parts.firstIsPartial() && parts.first != parts.last, runs);
    tree_.forEachWhole(parts, [&](std::size_t i) { runs.add(nodes_[i].inside.spans(), true); });
    tree_.forEachAbove(parts.first, parts.last, [&](std::size_t i) { runs.add(nodes_[i].covers.spans(), true); });
}

TimeIndex::Ends TimeIndex::fetchHeads(Ranks stretch) const
{
    const Ends ends{tree_.grid().blockOf(stretch.begin), tree_.grid().blockOf(stretch.end - 1)};
    __builtin_prefetch(&nodes_[TimeTree::nodeOf(ends.first)]);
    __builtin_prefetch(&nodes_[TimeTree::nodeOf(ends.last)]);
    return ends;
}

void TimeIndex::fetchLists(const Ends& ends) const
{
    if (ends.first == none) return;
    fetchLists(nodes_[TimeTree::nodeOf(ends.first)]);
    if (ends.last != ends.first) fetchLists(nodes_[TimeTree::nodeOf(ends.last)]);
}

void TimeIndex::fetchLists(const Node& n) const
{
    asm volatile(""); // otherwise GCC treats a function that only prefetches as free of effects, and removes the calls
    if (!wide_.empty() || !narrow_.empty()) { // empty if every stretch covers its blocks entirely
        const void* const entries =
            isWide_ ? static_cast<const void*>(wide_.data() + n.firstEntry) : narrow_.data() + n.firstEntry;
        const char* const begin = static_cast<const char*>(entries);
        const char* const end =
            begin + (n.entries + 1) * (isWide_ ? sizeof(wide_[0]) : sizeof(narrow_[0])); // one more entry will be written
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
