// Finds overlaps by a sweep over time, block by block (TimeBlocks): a set ordered by address contains the ranges of bytes in use,
// and each range that begins is looked up in it. Pairs that overlap in bytes and time are then judged: permitted pairs, slots,
// and values of different iterations are no violations.
#include "core/plan/check.h"

#include "core/ir/checked.h"
#include "core/plan/active_spans.h"
#include "core/plan/meeting.h"
#include "core/plan/offsets.h"
#include "core/plan/time_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace stowage {

namespace {

/// Bytes held over a range of steps by one value of a buffer.
struct Hold {
    Bytes low = 0;
    Bytes high = 0;
    Interval live;
    BufferId buffer = none;
    std::uint32_t index = 0; ///< into the placement's offsets
    std::int32_t distance = 0;
    LoopId round = none;
    LoopIteration when = {};
};

class Checker {
public:
    Checker(const Problem& problem, const Plan& plan, std::size_t limit)
        : problem_(problem),
          plan_(plan),
          limit_(std::clamp<std::size_t>(limit, 1, std::size_t{1} << 40)),
          usable_(problem.buffers.size())
    {
        for (std::size_t pool = 0; pool < problem.pools.size(); ++pool)
            if (problem.pools[pool].kind == PoolKind::workspace) workspaces_.push_back(static_cast<PoolId>(pool));
    }

    Verdict run()
    {
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) judgePlacement(static_cast<BufferId>(b));
        byPool_.resize(problem_.pools.size());
        for (BufferId b = 0; b < static_cast<BufferId>(problem_.buffers.size()); ++b)
            if (usable(b)) byPool_[static_cast<std::size_t>(placement(b).pool)].push_back(b);
        judgeCapacities();
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool) {
            judgeTime(pool);
            if (anyUnique_) judgeUnique(pool);
        }
        if (anyConflicts_) judgeExplicit();

        std::stable_sort(overlaps_.begin(), overlaps_.end(),
                         [](const Violation& a, const Violation& b) { return earlier(a.step, b.step); });
        verdict_.violations = std::move(overlaps_);
        for (std::vector<Violation>* more : {&others_, &capacities_})
            verdict_.violations.insert(verdict_.violations.end(), more->begin(), more->end());
        if (verdict_.violations.size() > limit_) verdict_.violations.resize(limit_);
        return std::move(verdict_);
    }

private:
    /// Compares steps; -1 (no step) is later than all others.
    static bool earlier(Step a, Step b) { return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b); }
    const Buffer& buffer(BufferId b) const { return problem_.buffers[static_cast<std::size_t>(b)]; }
    const Placement& placement(BufferId b) const { return plan_.placements[static_cast<std::size_t>(b)]; }
    bool usable(BufferId b) const { return usable_[static_cast<std::size_t>(b)]; }
    /// A value of a buffer at one offset. A rotating buffer with one slot holds one offset at a time; with several slots it holds
    /// all at once.
    PlacedValue value(BufferId b, std::size_t index, std::int32_t distance, LoopId round = none, LoopIteration when = {}) const
    {
        return {&buffer(b), &placement(b), index, distance, round, when, placement(b).rotating() && buffer(b).slots == 1};
    }
    PlacedValue value(BufferId b, std::size_t index, const Carried& carried) const
    {
        return value(b, index, carried.distance, carried.loop, carried.when);
    }

    void judgePlacement(BufferId b);
    void judgeSlots(BufferId b);
    void judgeCapacities();
    void judgeTime(PoolId pool);
    std::size_t judgeBlock(const std::vector<Hold>& held, const TimeBlocks& blocks, std::size_t inUse,
                           std::vector<std::uint32_t>& ranks, std::size_t enough);
    void judgeUnique(PoolId pool);
    void judgeExplicit();
    void judgeExplicit(BufferId a, BufferId b);
    std::vector<Hold> holds(PoolId pool) const;
    void addRange(Hold hold, Interval live, std::vector<Hold>& to) const;
    void judge(const Hold& older, const Hold& newer);
    bool mayShare(BufferId a, BufferId b) const;
    Step firstCommonStep(BufferId a, BufferId b) const;

    void report(ViolationKind kind, BufferId b, Bytes low, Bytes high)
    {
        if (others_.size() >= limit_) return;
        const Bytes offset = static_cast<std::size_t>(b) < plan_.placements.size() ? placement(b).offset : 0;
        const PoolId pool = static_cast<std::size_t>(b) < plan_.placements.size() ? placement(b).pool : none;
        others_.push_back({.kind = kind, .first = b, .pool = pool, .low = low, .high = high, .firstOffset = offset});
    }
    /// Keeps one overlap for each pair: the earliest; without steps, the first one reported.
    void reportOverlap(BufferId a, BufferId b, Bytes offsetA, Bytes offsetB, Bytes low, Bytes high, Meeting when, bool timed)
    {
        if (a > b) {
            std::swap(a, b);
            std::swap(offsetA, offsetB);
        }
        const auto [known, added] = reported_.emplace(std::pair(a, b), overlaps_.size());
        if (!added) {
            Violation& kept = overlaps_[known->second];
            if (!timed || !(earlier(when.step, kept.step) || (when.step == kept.step && when.iteration < kept.iteration))) return;
            kept.step = when.step;
            kept.iteration = when.iteration;
            kept.low = low;
            kept.high = high;
            kept.firstOffset = offsetA;
            kept.secondOffset = offsetB;
            return;
        }
        overlaps_.push_back({.kind = ViolationKind::overlap,
                             .first = a,
                             .second = b,
                             .pool = placement(a).pool,
                             .step = when.step,
                             .low = low,
                             .high = high,
                             .firstOffset = offsetA,
                             .secondOffset = offsetB,
                             .iteration = when.iteration});
    }

    const Problem& problem_;
    const Plan& plan_;
    const std::size_t limit_;
    std::vector<bool> usable_;                  ///< by buffer: its placement is well-formed, so its bytes can be compared
    std::vector<std::vector<BufferId>> byPool_; ///< usable buffers by pool
    std::vector<PoolId> workspaces_;
    bool anyUnique_ = false;
    bool anyConflicts_ = false;
    std::map<std::pair<BufferId, BufferId>, std::size_t> reported_; ///< into `overlaps_`
    std::vector<Violation> overlaps_, others_, capacities_;
    Verdict verdict_;
};

void Checker::judgePlacement(BufferId b)
{
    const Buffer& it = buffer(b);
    anyUnique_ |= it.unique;
    anyConflicts_ |= !it.conflicts.empty();
    if (static_cast<std::size_t>(b) >= plan_.placements.size() || !placement(b).placed()) {
        if (it.size > 0) report(ViolationKind::notPlaced, b, 0, 0);
        return;
    }
    const Placement& at = placement(b);
    const std::span<const PoolId> candidates = it.pools.empty() ? std::span<const PoolId>(workspaces_) : it.pools;
    if (std::find(candidates.begin(), candidates.end(), at.pool) == candidates.end()) {
        report(ViolationKind::wrongPool, b, at.offset, at.offset);
        return;
    }
    if (!wellFormed(problem_, it, at)) {
        report(ViolationKind::badRotation, b, at.offset, at.offset);
        return;
    }
    const Bytes alignment = problem_.effectiveAlignment(it, at.pool);
    bool inside = true, aligned = true;
    for (const Bytes offset : offsetsOf(at)) {
        if (offset < 0 || offset > maxBytes - it.size) {
            if (inside) report(ViolationKind::negativeOffset, b, offset, offset);
            inside = false;
        } else if (offset % alignment != 0) {
            if (aligned) report(ViolationKind::misaligned, b, offset, offset + it.size);
            aligned = false;
        }
    }
    if (!inside) return;
    if (it.pin && at.offset != *it.pin) report(ViolationKind::offPin, b, at.offset, at.offset + it.size);
    usable_[static_cast<std::size_t>(b)] = it.size > 0;
    if (it.size > 0 && it.slots > 1) judgeSlots(b);
}

/// Checks that the slots of a buffer, which are in use together, are disjoint.
void Checker::judgeSlots(BufferId b)
{
    std::vector<Bytes> offsets = placement(b).offsets;
    std::sort(offsets.begin(), offsets.end());
    const Bytes size = buffer(b).size;
    verdict_.pairsChecked += offsets.size() * (offsets.size() - 1) / 2;
    for (std::size_t i = 1; i < offsets.size(); ++i)
        if (offsets[i] < offsets[i - 1] + size) {
            const Interval hull = buffer(b).hull();
            reportOverlap(b, b, offsets[i - 1], offsets[i], offsets[i], offsets[i - 1] + size,
                          {hull.empty() ? -1 : hull.begin, -1}, false);
            return;
        }
}

void Checker::judgeCapacities()
{
    for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool) {
        if (!problem_.pools[pool].capacity) continue;
        const Bytes capacity = *problem_.pools[pool].capacity;
        Bytes top = capacity;
        BufferId highest = none;
        for (const BufferId b : byPool_[pool])
            for (const Bytes offset : offsetsOf(placement(b)))
                if (offset + buffer(b).size > top) {
                    top = offset + buffer(b).size;
                    highest = b;
                }
        if (highest == none) continue;
        verdict_.overCapacity = true;
        capacities_.push_back({.kind = ViolationKind::overCapacity,
                               .first = highest,
                               .pool = static_cast<PoolId>(pool),
                               .low = capacity,
                               .high = top,
                               .firstOffset = placement(highest).offset});
    }
}

/// Adds the holds of a live range without its early ranges.
void Checker::addRange(Hold hold, Interval live, std::vector<Hold>& to) const
{
    while (!live.empty()) {
        const Early* next = nullptr; // the first early range in the rest
        for (const Early& early : buffer(hold.buffer).early)
            if (early.live.overlaps(live) && (!next || early.live.begin < next->live.begin)) next = &early;
        if (!next) break;
        if (live.begin < next->live.begin) {
            hold.live = {live.begin, next->live.begin};
            to.push_back(hold);
        }
        live.begin = next->live.end;
    }
    if (live.empty()) return;
    hold.live = live;
    to.push_back(hold);
}

/// All ranges of bytes that buffers hold in `pool`, by buffer: live ranges, windows, carried values.
std::vector<Hold> Checker::holds(PoolId pool) const
{
    std::vector<Hold> result;
    result.reserve(byPool_[static_cast<std::size_t>(pool)].size());
    for (const BufferId b : byPool_[static_cast<std::size_t>(pool)]) {
        const Buffer& it = buffer(b);
        if (problem_.axis == Axis::dag && it.carried.empty()) continue;
        const std::span<const Bytes> offsets = offsetsOf(placement(b));
        for (std::uint32_t i = 0; i < offsets.size(); ++i) {
            const Bytes offset = offsets[i];
            const Hold whole{offset, offset + it.size, {}, b, i};
            for (const Interval& live : it.live) addRange(whole, live, result);
            for (const Early& early : it.early) {
                result.push_back(whole);
                result.back().live = early.live;
                result.back().when = early.when;
            }
            for (const Window& window : it.windows)
                result.push_back({offset + window.low, offset + window.high, window.live, b, i});
            for (const Carried& carried : it.carried)
                result.push_back({offset, offset + it.size, carried.live, b, i, carried.distance, carried.loop, carried.when});
        }
    }
    return result;
}

void Checker::judgeTime(PoolId pool)
{
    const std::vector<Hold> held = holds(pool);
    if (held.size() < 2) return;
    const std::size_t enough = overlaps_.size() + limit_;
    TimeBlocks blocks(held.size(), [&](std::size_t i) { return held[i].live; });
    std::vector<std::uint32_t> ranks(held.size()); // of the members of the current block
    std::size_t inUse = 0;
    while (overlaps_.size() < enough && blocks.next()) inUse = judgeBlock(held, blocks, inUse, ranks, enough);
}

/// `inUse`: number of holds that begin before the block and do not end before it. Returns this number for the next block.
std::size_t Checker::judgeBlock(const std::vector<Hold>& held, const TimeBlocks& blocks, std::size_t inUse,
                                std::vector<std::uint32_t>& ranks, std::size_t enough)
{
    const std::span<const std::uint32_t> members = blocks.members();
    const std::vector<std::uint32_t> byLow = sortedBy(members.size(), [&](std::size_t i) { return held[members[i]].low; });
    std::vector<Bytes> lows(members.size());
    for (std::uint32_t r = 0; r < byLow.size(); ++r) {
        lows[r] = held[members[byLow[r]]].low;
        ranks[members[byLow[r]]] = r;
    }

    ActiveSpans active(members.size());
    for (const std::uint32_t hold : members.first(blocks.carried())) active.insert(ranks[hold], held[hold].high);
    std::span<const std::uint32_t> ending = blocks.ending();
    for (const std::uint32_t now : members.subspan(blocks.carried())) {
        for (; !ending.empty() && held[ending.front()].live.end <= held[now].live.begin; ending = ending.subspan(1)) {
            active.erase(ranks[ending.front()]);
            --inUse;
        }
        if (problem_.axis != Axis::dag) verdict_.pairsChecked += inUse;
        // Only ranges that begin below the end of `now` can overlap it.
        const auto below = static_cast<std::size_t>(std::lower_bound(lows.begin(), lows.end(), held[now].high) - lows.begin());
        active.above(held[now].low, 0, below, [&](std::size_t r) {
            judge(held[members[byLow[r]]], held[now]);
            return overlaps_.size() < enough;
        });
        if (overlaps_.size() >= enough) break;
        active.insert(ranks[now], held[now].high);
        ++inUse;
    }
    return inUse - ending.size();
}

/// Judges two holds that overlap in bytes and steps.
void Checker::judge(const Hold& older, const Hold& newer)
{
    PlacedValue first = value(older.buffer, older.index, older.distance, older.round, older.when);
    PlacedValue second = value(newer.buffer, newer.index, newer.distance, newer.round, newer.when);
    if (older.buffer == newer.buffer) {
        // The same value at different times or addresses, or two slots; `judgeSlots` checks slots.
        if (older.distance == newer.distance && (older.distance == 0 || older.round == newer.round)) return;
        first.alternates = second.alternates =
            placement(newer.buffer).rotating(); // the slot of a value matters for the other values
    } else if (problem_.axis == Axis::dag || mayShare(older.buffer, newer.buffer)) {
        return;
    }
    const Interval steps{std::max(older.live.begin, newer.live.begin), std::min(older.live.end, newer.live.end)};
    const auto meeting = firstMeeting(problem_, first, second, steps);
    if (!meeting) return;
    reportOverlap(older.buffer, newer.buffer, first.offset(), second.offset(), std::max(older.low, newer.low),
                  std::min(older.high, newer.high), *meeting, true);
}

/// Checks by a sweep over addresses that unique buffers share no byte with any other buffer at any step.
void Checker::judgeUnique(PoolId pool)
{
    std::vector<Hold> unique, others;
    for (const BufferId b : byPool_[static_cast<std::size_t>(pool)]) {
        const std::span<const Bytes> offsets = offsetsOf(placement(b));
        for (std::uint32_t i = 0; i < offsets.size(); ++i)
            (buffer(b).unique ? unique : others).push_back({offsets[i], offsets[i] + buffer(b).size, {}, b, i});
    }
    if (unique.empty()) return;
    const auto lower = [](const Hold& a, const Hold& b) { return a.low < b.low; };
    std::sort(unique.begin(), unique.end(), lower);
    ActiveSpans spans(unique.size());
    for (std::size_t r = 0; r < unique.size(); ++r) spans.insert(r, unique[r].high);
    const std::size_t enough = overlaps_.size() + limit_;
    const auto meet = [&](const Hold& other, std::size_t from) {
        const auto below = static_cast<std::size_t>(
            std::lower_bound(unique.begin(), unique.end(), Hold{.low = other.high}, lower) - unique.begin());
        spans.above(other.low, from, below, [&](std::size_t r) {
            const Hold& it = unique[r];
            if (it.buffer == other.buffer || mayShare(it.buffer, other.buffer)) return true;
            reportOverlap(it.buffer, other.buffer, it.low, other.low, std::max(it.low, other.low), std::min(it.high, other.high),
                          {firstCommonStep(it.buffer, other.buffer), -1}, false);
            return overlaps_.size() < enough;
        });
    };
    for (const Hold& other : others) meet(other, 0);
    for (std::size_t r = 0; r < unique.size(); ++r) meet(unique[r], r + 1);
    verdict_.pairsChecked += unique.size() * others.size() + unique.size() * (unique.size() - 1) / 2;
}

void Checker::judgeExplicit()
{
    const std::size_t enough = overlaps_.size() + limit_;
    for (BufferId a = 0; a < static_cast<BufferId>(problem_.buffers.size()); ++a) {
        if (!usable(a)) continue;
        for (const BufferId b : buffer(a).conflicts) {
            if (overlaps_.size() >= enough) return;
            if (b == a || b < 0 || static_cast<std::size_t>(b) >= problem_.buffers.size() || !usable(b)) continue;
            // Once for each pair, also if only one side names it.
            const RareList<BufferId>& back = buffer(b).conflicts;
            if (b < a && std::binary_search(back.begin(), back.end(), a)) continue;
            if (placement(a).pool == placement(b).pool && !mayShare(a, b)) judgeExplicit(a, b);
        }
    }
}

void Checker::judgeExplicit(BufferId a, BufferId b)
{
    ++verdict_.pairsChecked;
    const Bytes sizeA = buffer(a).size;
    const Bytes sizeB = buffer(b).size;
    const std::span<const Bytes> offsetsA = offsetsOf(placement(a));
    const std::span<const Bytes> offsetsB = offsetsOf(placement(b));
    for (std::size_t i = 0; i < offsetsA.size(); ++i)
        for (std::size_t j = 0; j < offsetsB.size(); ++j) {
            if (offsetsA[i] >= offsetsB[j] + sizeB || offsetsB[j] >= offsetsA[i] + sizeA) continue;
            auto meeting = firstMeeting(problem_, value(a, i, 0), value(b, j, 0));
            for (const Carried& carried : buffer(a).carried)
                if (!meeting) meeting = firstMeeting(problem_, value(a, i, carried), value(b, j, 0));
            for (const Carried& carried : buffer(b).carried)
                if (!meeting) meeting = firstMeeting(problem_, value(a, i, 0), value(b, j, carried));
            if (!meeting) continue;
            meeting->step = firstCommonStep(a, b);
            reportOverlap(a, b, offsetsA[i], offsetsB[j], std::max(offsetsA[i], offsetsB[j]),
                          std::min(offsetsA[i] + sizeA, offsetsB[j] + sizeB), *meeting, false);
            return;
        }
}

bool Checker::mayShare(BufferId a, BufferId b) const
{
    const auto lists = [](std::span<const BufferId> ids, BufferId id) { return std::binary_search(ids.begin(), ids.end(), id); };
    return lists(buffer(a).mayShare, b) || lists(buffer(b).mayShare, a);
}

/// First common step of the live ranges; -1 if there is none.
Step Checker::firstCommonStep(BufferId a, BufferId b) const
{
    const ShortList<Interval>& x = buffer(a).live;
    const ShortList<Interval>& y = buffer(b).live;
    for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
        if (x[i].overlaps(y[j])) return std::max(x[i].begin, y[j].begin);
        if (x[i].end <= y[j].end)
            ++i;
        else
            ++j;
    }
    return -1;
}

} // namespace

bool Verdict::valid() const
{
    return std::all_of(violations.begin(), violations.end(),
                       [](const Violation& v) { return v.kind == ViolationKind::overCapacity; });
}

Verdict check(const Problem& problem, const Plan& plan, std::size_t limit)
{
    return Checker(problem, plan, limit).run();
}

std::string describe(const Problem& problem, const Violation& violation)
{
    const auto name = [&](BufferId b) {
        return b >= 0 && static_cast<std::size_t>(b) < problem.buffers.size() ? problem.buffers[static_cast<std::size_t>(b)].name
                                                                              : fmt::format("buffer {}", b);
    };
    const auto span = [](Bytes low, Bytes high) {
        return low < 0 ? fmt::format("[{}, {})", low, high) : fmt::format("[0x{:x}, 0x{:x})", low, high);
    };
    const auto place = [&](BufferId b, Bytes offset) {
        return fmt::format("{} {}", name(b), span(offset, offset + problem.buffers[static_cast<std::size_t>(b)].size));
    };
    const std::string pool = violation.pool >= 0 && static_cast<std::size_t>(violation.pool) < problem.pools.size()
                                 ? problem.pools[static_cast<std::size_t>(violation.pool)].name
                                 : fmt::format("pool {}", violation.pool);
    const std::string first = name(violation.first);
    switch (violation.kind) {
    case ViolationKind::notPlaced: return fmt::format("{} is not placed", first);
    case ViolationKind::wrongPool: return fmt::format("{} is in {}, which is not one of its candidates", first, pool);
    case ViolationKind::negativeOffset:
        return fmt::format("{} is at offset {} in {}, outside 0 to 2^62", first, violation.low, pool);
    case ViolationKind::misaligned:
        return fmt::format(
            "{} is at 0x{:x} in {}, which is not a multiple of its alignment {}", first, violation.low, pool,
            problem.effectiveAlignment(problem.buffers[static_cast<std::size_t>(violation.first)], violation.pool));
    case ViolationKind::offPin:
        return fmt::format("{} is at 0x{:x} in {}, but pinned at 0x{:x}", first, violation.low, pool,
                           problem.buffers[static_cast<std::size_t>(violation.first)].pin.value_or(0));
    case ViolationKind::overCapacity:
        return fmt::format("{} ends at 0x{:x} in {}, {} bytes over its capacity of {}", first, violation.high, pool,
                           violation.high - violation.low, violation.low);
    case ViolationKind::badRotation:
        return fmt::format("{} needs an offset for each of its {} slots and for each iteration of the loops that it rotates with",
                           first, problem.buffers[static_cast<std::size_t>(violation.first)].slots);
    case ViolationKind::mismatch: {
        const Mismatch& found = *violation.mismatch;
        switch (found.kind) {
        case MismatchKind::otherSize:
            return fmt::format("{} has {} bytes in the plan and {} in the problem", found.name, found.stated, found.actual);
        case MismatchKind::otherPoolSize:
            if (found.pool == none) return fmt::format("the plan has a pool {}, but the problem does not", found.name);
            return fmt::format("the plan says that {} takes {} bytes, but its placements take {}", found.name, found.stated,
                               found.actual);
        case MismatchKind::otherTensor: {
            if (found.buffer == none)
                return fmt::format("the plan lists tensor {}, but no tensor of that name is planned", found.name);
            if (found.stated < 0) return fmt::format("the plan lists tensors, but not {}, which is planned", found.name);
            const std::string placed = fmt::format("the placement of its buffer {} puts it at {} in {}",
                                                   problem.buffers[static_cast<std::size_t>(found.buffer)].name, found.actual,
                                                   problem.pools[static_cast<std::size_t>(found.pool)].name);
            if (found.stated != found.actual)
                return fmt::format("the plan lists tensor {} at offset {}, but {}", found.name, found.stated, placed);
            return fmt::format("the plan lists tensor {} in another buffer or pool, but {}", found.name, placed);
        }
        case MismatchKind::unknownBuffer: break;
        }
        return fmt::format("the plan places {}, which is not a buffer of the problem", found.name);
    }
    case ViolationKind::overlap: break;
    }
    const auto unique = [&](BufferId b) { return problem.buffers[static_cast<std::size_t>(b)].unique; };
    std::string when = violation.step >= 0                                   ? fmt::format(" at step {}", violation.step)
                       : unique(violation.first) || unique(violation.second) ? " (one is unique)"
                                                                             : " (they conflict explicitly)";
    if (violation.iteration >= 0) when += fmt::format(" in iteration {}", violation.iteration);
    const std::string second =
        violation.first == violation.second
            ? fmt::format("its other value at {}",
                          span(violation.secondOffset,
                               violation.secondOffset + problem.buffers[static_cast<std::size_t>(violation.second)].size))
            : place(violation.second, violation.secondOffset);
    return fmt::format("{} and {} overlap in {}{} on {}", place(violation.first, violation.firstOffset), second, pool, when,
                       span(violation.low, violation.high));
}

} // namespace stowage
