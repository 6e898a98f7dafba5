#include "core/planners/hivm/level_search.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::hivm {

namespace {

bool overlap(Bytes a, Bytes sizeA, Bytes b, Bytes sizeB)
{
    return a < b + sizeB && b < a + sizeA;
}

/// Calls visit(common steps) for each overlap of two ascending lists; ends when it returns false.
template <typename Visit>
bool eachMeeting(const std::vector<Interval>& a, const std::vector<Interval>& b, Visit visit)
{
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const Interval common = a[i].common(b[j]);
        if (!common.empty() && !visit(common)) return false;
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return true;
}

bool liveTogether(const Entry& a, const Entry& b)
{
    return !eachMeeting(a.live, b.live, [](const Interval&) { return false; });
}

} // namespace

Bytes Layout::end(std::span<const Entry> entries) const
{
    Bytes top = 0;
    for (std::size_t e = 0; e < entries.size(); ++e) {
        top = std::max(top, offsets[e] + entries[e].size);
        for (const Bytes extra : extras[e]) top = std::max(top, extra + entries[e].size);
    }
    return top;
}

LevelSearch::LevelSearch(const Problem& problem, PoolId pool, std::span<const Entry> entries, const LevelRules& rules,
                         Effort& effort, StepRecorder* recorder)
    : problem_(problem),
      pool_(pool),
      entries_(entries),
      rules_(rules),
      effort_(effort),
      recorder_(recorder),
      outline_(rules.limit, false)
{
    facts_.reserve(entries.size());
    for (const Entry& each : entries) {
        const Buffer& buffer = bufferOf(each);
        facts_.push_back(
            {each.buffer, buffer.loop, TouchedBy::of(buffer), buffer.unique, anyUnique(buffer), !buffer.conflicts.empty()});
    }
}

std::optional<Layout> LevelSearch::run()
{
    if (auto layout = attempt(false)) return layout;
    if (effort_.stopped() || !rules_.rollBack) return std::nullopt;
    note(StepKind::note, StepRule::restart, none, 0);
    const std::uint64_t rollbacks = layout_.rollbacks;
    auto layout = attempt(true);
    if (layout) layout->rollbacks += rollbacks;
    return layout;
}

std::optional<Layout> LevelSearch::attempt(bool split)
{
    // Addresses beyond the limit are there for pins only, which may lie anywhere.
    outline_ = Outline(std::max(rules_.limit, Bytes{1}), split);
    history_.clear();
    placed_.assign(entries_.size(), false);
    layout_ = {std::vector<Bytes>(entries_.size(), 0), std::vector<std::vector<Bytes>>(entries_.size()),
               std::vector<Level>(entries_.size(), Level::any), 0, split};
    top_ = rules_.top;
    resumeAt_ = 1;
    movedFrom_ = none;
    effort_.beginSearch();
    placePins();

    const auto count = static_cast<std::int32_t>(entries_.size());
    for (std::int32_t e = 0; e < count;) {
        bool done = placed_[at(e)];
        meets_.assign(outline_.bounds().size(), 0);
        for (auto level = static_cast<int>(top_); !done && level >= static_cast<int>(rules_.bottom); --level) {
            if (rules_.documentLevels && level == static_cast<int>(Level::otherLoop)) continue;
            done = place(e, static_cast<Level>(level));
        }
        if (effort_.stopped()) return std::nullopt;
        if (done) {
            if (e == resumeAt_) top_ = rules_.top;
            ++e;
            continue;
        }
        note(StepKind::reject, StepRule::noLevel, e, 0);
        if (!rules_.rollBack || effort_.searchIsLong() || !rollBack(e)) return std::nullopt;
        e = movedFrom_;
    }
    return layout_;
}

/// Pins come first, wherever they are; where they are live together with one another the checker will say so.
void LevelSearch::placePins()
{
    for (std::size_t e = 0; e < entries_.size(); ++e) {
        const auto& pin = bufferOf(entries_[e]).pin;
        if (!pin || entries_[e].slot > 0) continue;
        placed_[e] = true;
        layout_.offsets[e] = *pin;
        layout_.levels[e] = Level::pinned;
        std::size_t last = 0;
        // A pin above the limit takes no room of another buffer.
        if (const auto first = boundAt(*pin, std::min(entries_[e].size, rules_.limit - *pin), last))
            put(static_cast<std::int32_t>(e), *first, last, *pin, Level::pinned, false);
    }
    pins_ = history_.size();
}

/// The bounds that hold [offset, offset + size); nothing when that is empty or ends above the last one.
std::optional<std::size_t> LevelSearch::boundAt(Bytes offset, Bytes size, std::size_t& last) const
{
    const std::vector<Bound>& bounds = outline_.bounds();
    if (size <= 0 || offset + size > bounds.back().end()) return std::nullopt;
    const auto above = [](Bytes value, const Bound& bound) { return value < bound.end(); };
    const auto first = std::upper_bound(bounds.begin(), bounds.end(), offset, above);
    last = static_cast<std::size_t>(std::upper_bound(first, bounds.end(), offset + size - 1, above) - bounds.begin());
    return static_cast<std::size_t>(first - bounds.begin());
}

bool LevelSearch::place(std::int32_t e, Level level)
{
    const Entry& it = entry(e);
    const std::vector<Bound>& bounds = outline_.bounds();
    std::vector<Bytes> slots;
    for (std::size_t first = 0; first < bounds.size(); ++first) {
        if (effort_.spend()) return false;
        const Bytes offset = alignUp(bounds[first].offset, it.alignment);
        if (offset >= bounds[first].end() || (e == movedFrom_ && offset == movedFromOffset_)) continue;
        bool pairUsed = false;
        for (std::size_t last = first; last < bounds.size(); ++last) {
            if (livesMeetAt(it, last, level, pairUsed)) {
                first = last;
                break;
            }
            if (bounds[last].end() - offset < it.size) continue;
            if (level == Level::upgraded && (first != last || !slotsToUpgradeTo(e, bounds[first], slots))) break;
            if (refused(it, first, last, offset, level, pairUsed)) break;
            put(e, first, last, offset, level, false);
            if (level == Level::upgraded) putSlots(e, slots);
            return true;
        }
    }
    return false;
}

/// Lives of a bound ascend and are apart, and there may be thousands: only those that meet the entry's are looked at.
bool LevelSearch::livesMeet(const Entry& it, const Bound& bound, Level level, bool& pairUsed) const
{
    for (const Interval& range : it.live) {
        auto life = std::partition_point(bound.lives.begin(), bound.lives.end(),
                                         [&](const Life& each) { return each.steps.end <= range.begin; });
        for (; life != bound.lives.end() && life->steps.begin < range.end; ++life) {
            if (level != Level::any) return true;
            const Step common = std::min(range.end, life->steps.end) - std::max(range.begin, life->steps.begin);
            if (common > 1 || !namedToShare(problem_, it.buffer, life->owner)) return true;
            pairUsed = true; // joined lives have one owner only: `refused` looks at each buffer by itself
        }
    }
    return false;
}

/// Nothing changes between the levels at which one entry is tried, and whether lives meet is the same at all of them but for
/// pairs at level 0.
bool LevelSearch::livesMeetAt(const Entry& it, std::size_t bound, Level level, bool& pairUsed)
{
    std::int8_t& known = meets_[bound];
    if (known == 0) {
        bool unused = false;
        known = static_cast<std::int8_t>(livesMeet(it, outline_.bounds()[bound], Level::samePipe, unused) ? 2 : 1);
    }
    if (known == 1 || level != Level::any) return known == 2;
    return livesMeet(it, outline_.bounds()[bound], level, pairUsed);
}

bool LevelSearch::mayNotOverlap(const Facts& a, const Facts& b) const
{
    if (a.buffer == b.buffer) return true; // its slots; those of a pin have no life in common with the outline
    if (a.unique || b.anyUnique) return true;
    if (!a.conflicts) return false;
    const auto& conflicts = problem_.buffers[static_cast<std::size_t>(a.buffer)].conflicts;
    return std::binary_search(conflicts.begin(), conflicts.end(), b.buffer);
}

/// What the outline does not know: pipes, loops, explicit conflicts, uniqueness, and whose lives were joined.
bool LevelSearch::refused(const Entry& it, std::size_t first, std::size_t last, Bytes offset, Level level, bool pairUsed) const
{
    const Facts& mine = factsOf(it);
    const Bytes high = offset + it.size;
    const auto against = [&](const Held& held) {
        if (!held.overlaps(offset, high)) return false;
        const Facts& other = factsOf(held.entry);
        if (level == Level::samePipe && mine.pipes.conflicts(other.pipes)) return true;
        if (level == Level::otherLoop && mine.loop == other.loop) return true;
        if (mayNotOverlap(mine, other)) return true;
        return level == Level::any && pairUsed && !eachMeeting(it.live, entry(held.entry).live, [&](const Interval& common) {
                   return common.length() == 1 && namedToShare(problem_, it.buffer, other.buffer);
               });
    };
    const auto refuses = [&](const Bound& bound) { return std::any_of(bound.held.begin(), bound.held.end(), against); };
    const auto bounds = std::span(outline_.bounds()).subspan(first, last - first + 1);
    return std::any_of(bounds.begin(), bounds.end(), refuses);
}

/// The addresses that the entry would use in turn with the one in `bound`. False when level 1 does not apply.
bool LevelSearch::slotsToUpgradeTo(std::int32_t e, const Bound& bound, std::vector<Bytes>& offsets) const
{
    offsets.clear();
    if (bound.last == none) return false;
    const Entry& it = entry(e);
    const Entry& under = entry(bound.last);
    const Buffer& buffer = bufferOf(it);
    const Buffer& partner = bufferOf(under);
    if (under.slot > 0 || buffer.loop == none || buffer.loop != partner.loop || buffer.pin) return false;
    if (partner.slots > 1) {
        for (const std::int32_t other : under.others)
            if (placed_[at(other)] && layout_.offsets[at(other)] != 0) offsets.push_back(layout_.offsets[at(other)]);
    } else {
        offsets = layout_.extras[at(bound.last)];
        std::erase(offsets, 0);
    }
    if (offsets.empty()) return false;
    if (buffer.slots > 1) {
        // The first slot takes the others along; they cannot come later by themselves.
        if (it.slot > 0 || offsets.size() < at(buffer.slots - 1)) return false;
        if (std::any_of(it.others.begin(), it.others.end(), [&](std::int32_t other) { return placed_[at(other)]; })) return false;
    }
    const Bytes offset = alignUp(bound.offset, it.alignment);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const Bytes slot = offsets[i];
        std::size_t last = 0;
        const auto first = boundAt(slot, it.size, last);
        // The compiler, too, puts it only where a bound begins; and the addresses have to be apart.
        if (!first || outline_.bounds()[*first].offset != slot || slot % it.alignment != 0) return false;
        if (overlap(slot, it.size, offset, it.size)) return false;
        for (std::size_t j = 0; j < i; ++j)
            if (overlap(slot, it.size, offsets[j], it.size)) return false;
        for (std::size_t b = *first; b <= last; ++b)
            for (const Held& held : outline_.bounds()[b].held) {
                if (!held.overlaps(slot, slot + it.size)) continue;
                if (liveTogether(it, entry(held.entry)) || mayNotOverlap(factsOf(it), factsOf(held.entry))) return false;
            }
    }
    return true;
}

void LevelSearch::put(std::int32_t e, std::size_t first, std::size_t last, Bytes offset, Level level, bool extra)
{
    const Entry& it = entry(e);
    Record record{e, level, offset, extra, {}};
    const Bytes size = std::min(it.size, outline_.bounds().back().end() - offset); // of a pin across the limit
    record.change = outline_.put(first, last, offset, size, it.live, it.buffer, e, !extra && it.slot == 0);
    history_.push_back(std::move(record));
    if (!extra) {
        placed_[at(e)] = true;
        layout_.offsets[at(e)] = offset;
        layout_.levels[at(e)] = level;
    }
    if (recorder_) recorder_->add({StepKind::place, recorder_->reason(level), it.buffer, pool_, offset});
}

/// The further addresses of an upgrade: the entry's own other slots first, what is left becomes extra addresses.
void LevelSearch::putSlots(std::int32_t e, const std::vector<Bytes>& offsets)
{
    const Entry& it = entry(e);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        std::size_t last = 0;
        const auto first = boundAt(offsets[i], it.size, last);
        if (!first) continue; // `slotsToUpgradeTo` has found it
        if (i < it.others.size()) {
            const std::int32_t other = it.others[i];
            put(other, *first, last, offsets[i], Level::upgraded, false);
        } else {
            layout_.extras[at(e)].push_back(offsets[i]);
            put(e, *first, last, offsets[i], Level::upgraded, true);
        }
    }
}

void LevelSearch::undoLast()
{
    Record record = std::move(history_.back());
    history_.pop_back();
    outline_.undo(std::move(record.change));
    if (record.extra) {
        std::erase(layout_.extras[at(record.entry)], record.offset);
    } else {
        placed_[at(record.entry)] = false;
    }
    note(StepKind::remove, StepRule::rolledBack, record.entry, record.offset);
}

bool LevelSearch::rollBack(std::int32_t failed)
{
    ++layout_.rollbacks;
    resumeAt_ = std::max(resumeAt_, failed);
    while (history_.size() > pins_) {
        const Record& last = history_.back();
        const std::int32_t e = last.entry;
        const Level level = last.level;
        const Bytes offset = last.offset;
        const bool first = !last.extra && entry(e).slot == 0;
        undoLast();
        if (!first || level == Level::any || offset > rules_.limit - entry(failed).size) continue;
        if (e == 0) return false; // the very first one is never moved
        movedFrom_ = e;
        movedFromOffset_ = offset;
        top_ = static_cast<Level>(static_cast<int>(level) - 1);
        return true;
    }
    return false;
}

void LevelSearch::note(StepKind kind, StepRule why, std::int32_t e, Bytes offset)
{
    if (recorder_) recorder_->add({kind, recorder_->reason(why), e == none ? none : entry(e).buffer, pool_, offset});
}

} // namespace stowage::hivm
