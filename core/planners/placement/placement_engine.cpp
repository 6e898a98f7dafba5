#include "core/planners/placement/placement_engine.h"

#include "core/ir/checked.h"
#include "core/planners/common/overflow.h"
#include "core/planners/placement/order.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t batch = 64;     ///< number of placements that are prefetched together
constexpr std::size_t listsAhead = 6; ///< number of placements ahead for which lists are prefetched
constexpr std::uint64_t workBetweenStops = 512;
/// A list of placed buffers in order of address takes O(placed) for each placement and each query. It is worth that for up to
/// `maxByAddress` buffers with at least `manyConflicts` conflicts each.
constexpr std::int32_t maxByAddress = 16'384;
constexpr std::size_t manyConflicts = 64;
constexpr std::size_t readsForSort = 8; ///< number of entries read in the time that sorting takes for one entry
/// Cells replace the index when queries have read `manySpans` spans on average. They are given up when examining them takes
/// longer than reading the spans; one cell takes the time of `spansInTimeOfCell` spans.
constexpr std::uint64_t questionsToCount = 1024, manySpans = 1000, manyQuestions = 4096;
constexpr double spansInTimeOfCell = 32;

} // namespace

PlacementEngine::PlacementEngine(const BufferTable& table, const PlanContext& context, StepRecorder* recorder, Use use, Ends ends)
    : table_(table), context_(context), ends_(ends)
{
    recorder_ = recorder;
    const auto n = static_cast<std::size_t>(table.size());
    layout_ = {LargeVector<PoolId>(n, none), LargeVector<Bytes>(n), {}, std::vector<Bytes>(table.problem().pools.size())};
    if (table.anyMayShare()) shared_.assign(n, false);
    std::size_t conflicts = 0;
    for (const Buffer& buffer : table.problem().buffers) conflicts += buffer.conflicts.size();
    dense_ = use == Use::gaps && table.size() <= maxByAddress && conflicts >= manyConflicts * n;
    if (dense_) marks_.assign(n, 0);
    for (const Pool& p : table.problem().pools) {
        pools_.emplace_back(table.grid());
        pools_.back().limit = p.capacity.value_or(maxBytes);
    }
    if (use == Use::gaps)
        for (BufferId b = 0; b < table.size(); ++b) announce(b);
    else
        for (const BufferId b : table.pinned()) announce(b);
    for (PoolState& p : pools_) {
        if (table_.anyMayShare()) p.index.announceAll(); // placeInPlace queries parts of stretches
        p.index.ready();
    }
    placePins();
}

void PlacementEngine::announce(BufferId b)
{
    const Item& item = table_.item(b);
    for (const PoolId p : table_.candidates(b))
        for (std::int32_t slot = 0; slot < item.slots; ++slot)
            table_.forEachStretch(item, [&](const RankStretch& stretch) { pool(p).index.announce(stretch.ranks); });
}

void PlacementEngine::reset(StepRecorder* recorder)
{
    recorder_ = recorder;
    for (PoolState& p : pools_) {
        p.index.clear();
        p.cells.reset();
        p.placed = 0;
        p.unique.clear();
        p.timeless.clear();
        p.pins.clear();
        p.byAddress.clear();
        p.cursor = 0;
        p.pinsPassed = 0;
    }
    std::fill(layout_.pools.begin(), layout_.pools.end(), none);
    std::fill(layout_.tops.begin(), layout_.tops.end(), 0);
    layout_.slots.clear();
    shared_.assign(shared_.size(), false);
    diagnostics_.clear();
    placePins();
}

void PlacementEngine::place(std::span<const BufferId> order, GapRule rule)
{
    std::uint64_t next = work_;
    cellsApply_ = cellsApply(rule);
    for (PoolId p = 0; p < static_cast<PoolId>(pools_.size()) && !cellsApply_; ++p)
        if (pool(p).cells) giveUpCells(p);
    for (; !order.empty(); order = order.subspan(std::min(batch, order.size()))) {
        const std::span<const BufferId> now = order.first(std::min(batch, order.size()));
        // The order jumps in time, so each placement would begin with a chain of cache misses: the buffer, its blocks, their
        // lists. A batch prefetches each link of the chain for all its buffers at once, so that the misses overlap. This halves
        // the time for a million buffers.
        std::array<TimeIndex::Ends, batch> ends;
        std::array<Ranks, batch> ranks;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const Item& item = table_.item(now[i]);
            ranks[i] = item.timeless || placed(now[i]) ? Ranks{} : item.ranks;
        }
        for (std::size_t i = 0; i < now.size(); ++i)
            ends[i] = ranks[i] == Ranks{} ? TimeIndex::Ends() : pools_.front().index.fetchHeads(ranks[i]);
        for (std::size_t i = 0; i < std::min(listsAhead, now.size()); ++i) pools_.front().index.fetchLists(ends[i]);
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (i + listsAhead < now.size()) pools_.front().index.fetchLists(ends[i + listsAhead]);
            if (work_ >= next) {
                if (const auto stop = context_.shouldStop(work_)) stoppedBy_ = *stop;
                next = work_ + workBetweenStops;
                if (context_.workLimit > work_) next = std::min(next, context_.workLimit);
            }
            if (stopped() || beyondAddresses_) return;
            if (!placed(now[i])) placeOne(now[i], rule);
        }
    }
}

void PlacementEngine::placePins()
{
    std::span<const BufferId> ahead = table_.pinned();
    bool overlapped = false;
    for (const BufferId b : table_.pinned()) {
        ahead = ahead.subspan(1);
        const Item& item = table_.item(b);
        const Buffer& buffer = table_.buffer(b);
        const Span bytes{*buffer.pin, *buffer.pin + item.size};
        PoolId chosen = none;
        PoolId aligned = table_.candidates(b).back();
        for (const PoolId p : table_.candidates(b)) {
            if (bytes.low % table_.alignmentIn(b, p) != 0) continue;
            aligned = p;
            found_.clear();
            collect(b, p);
            ++work_;
            if (!isFree(bytes)) continue;
            if (chosen == none || (bytes.high <= pool(p).limit && pool(chosen).limit < bytes.high)) chosen = p;
        }
        if (chosen == none) {
            chosen = aligned;
            // Where pins overlap, nothing else may lie in place of them (see `placeInPlace`).
            if (!overlapped && table_.anyMayShare())
                for (const BufferId pin : table_.pinned()) shared_[static_cast<std::size_t>(pin)] = true;
            overlapped = true;
            if (buffer.mayShare.empty()) {
                const Pool& in = table_.problem().pools[static_cast<std::size_t>(chosen)];
                std::string message =
                    fmt::format("'{}' is pinned at {:#x} in {}, where it is misaligned or meets another pinned buffer",
                                buffer.name, bytes.low, in.name);
                diagnostics_.push_back(
                    failure(Code::pinsCollide, std::move(message), Position(), "move or remove one of the pins"));
            } else { // possibly pinned onto a partner
                for (const BufferId partner : buffer.mayShare) shared_[static_cast<std::size_t>(partner)] = true;
            }
        }
        found_.assign(1, bytes.low);
        pinsAhead_ = ahead;
        if (item.slots > 1 && !findPlaces(b, chosen, pool(chosen).limit, GapRule::smallest) &&
            !findPlaces(b, chosen, maxBytes, GapRule::smallest)) {
            beyondAddresses_ = true;
            return;
        }
        pinsAhead_ = {};
        why_ = StepRule::pinned;
        commit(b, chosen);
        for (const Bytes at : found_) pool(chosen).pins.add({at, at + item.size});
    }
}

/// True if none of `bytes` is occupied. Buffers of 0 bytes occupy none, and are free everywhere.
bool PlacementEngine::isFree(Span bytes)
{
    const std::span<const Span> occupied = runs_.spans();
    return std::none_of(occupied.begin(), occupied.end(),
                        [&](const Span& s) { return std::max(s.low, bytes.low) < std::min(s.high, bytes.high); });
}

void PlacementEngine::placeOne(BufferId b, GapRule rule)
{
    if (table_.anyMayShare() && placeInPlace(b)) return;
    const std::span<const PoolId> candidates = table_.candidates(b);
    for (const PoolId p : candidates) {
        found_.clear();
        if (findPlaces(b, p, pool(p).limit, rule)) return commit(b, p);
        if (recorder_) why_ = StepRule::poolFull, note(StepKind::reject, b, p, 0);
    }
    const PoolId last = candidates.back();
    found_.clear();
    if (!findPlaces(b, last, maxBytes, rule)) {
        beyondAddresses_ = true;
        return;
    }
    why_ = StepRule::overCapacity;
    commit(b, last);
}

bool PlacementEngine::findPlaces(BufferId b, PoolId p, Bytes limit, GapRule rule)
{
    const Item& item = table_.item(b);
    const GapQuery query{item.size, table_.alignmentIn(b, p), limit, rule};
    while (found_.size() < static_cast<std::size_t>(item.slots)) {
        ++work_;
        const auto answer = findGap(b, p, query);
        if (!answer) return false;
        if (found_.empty()) {
            why_ = answer->between       ? (rule == GapRule::first ? StepRule::lowestGap : StepRule::smallestGap)
                   : answer->offset == 0 ? StepRule::bottom
                                         : StepRule::above;
        }
        found_.push_back(answer->offset);
    }
    return true;
}

/// True if cells can answer queries for all buffers: each has one stretch, with all its bytes, and all use multiples of one
/// alignment.
bool PlacementEngine::cellsApply(GapRule rule) const
{
    if (rule != GapRule::smallest || ends_ != Ends::exact || table_.size() == 0) return false;
    const Bytes alignment = table_.item(0).alignment;
    for (const Pool& pool : table_.problem().pools)
        if (alignment % pool.alignment != 0) return false;
    for (BufferId b = 0; b < table_.size(); ++b) {
        const Item& item = table_.item(b);
        if (item.special || item.size == 0 || item.stretches > 0 || item.alignment != alignment || item.size % alignment != 0)
            return false;
    }
    return true;
}

std::vector<BufferId> PlacementEngine::lowestFirst(PoolId p) const
{
    std::vector<BufferId> placed;
    for (BufferId b = 0; b < table_.size(); ++b)
        if (poolOf(b) == p) placed.push_back(b);
    std::sort(placed.begin(), placed.end(), [this](BufferId a, BufferId b) { return offsetOf(a) < offsetOf(b); });
    return placed;
}

void PlacementEngine::keepCells(PoolId p)
{
    PoolState& state = pool(p);
    state.cells = std::make_unique<FreeCells>(table_.grid());
    for (const BufferId b : lowestFirst(p))
        state.cells->insert(table_.item(b).ranks, {offsetOf(b), offsetOf(b) + table_.item(b).size});
    // The work of building the cells does not count against them, and they get some initial credit.
    state.spansSaved = static_cast<double>(state.cells->work()) * spansInTimeOfCell +
                       static_cast<double>(manyQuestions * state.placed) * state.spansToPlaced;
    state.index.dropUnions();
    if (!live_) live_.emplace(liveBytes(table_));
}

/// Returns to the index, and inserts all placed buffers into it again.
void PlacementEngine::giveUpCells(PoolId p)
{
    PoolState& state = pool(p);
    state.cells.reset();
    state.index.clear();
    for (const BufferId b : lowestFirst(p))
        state.index.insert(table_.item(b).ranks, {offsetOf(b), offsetOf(b) + table_.item(b).size});
    cellsApply_ = false;
}

std::optional<GapAnswer> PlacementEngine::findGap(BufferId b, PoolId p, const GapQuery& query)
{
    PoolState& state = pool(p);
    const Ranks ranks = table_.item(b).ranks;
    if (state.cells && static_cast<double>(state.cells->work()) * spansInTimeOfCell > state.spansSaved) giveUpCells(p);
    if (state.cells) {
        state.spansSaved += state.spansToPlaced * static_cast<double>(state.placed);
        if (table_.grid().blockOf(ranks.begin) == table_.grid().blockOf(ranks.end - 1))
            return state.cells->findGap(ranks, query, state.index.begunIn(ranks, begun_));
        // At the fullest rank the fewest cells are free.
        const std::size_t fullest = (*live_)(static_cast<std::size_t>(ranks.begin), static_cast<std::size_t>(ranks.end));
        return state.cells->findGapFrom(static_cast<std::int32_t>(fullest), ranks, query);
    }

    collect(b, p);
    if (cellsApply_) {
        spansRead_ += runs_.size();
        if (++questions_ == questionsToCount) {
            if (spansRead_ >= questionsToCount * manySpans) {
                state.spansToPlaced = static_cast<double>(spansRead_) / static_cast<double>(questionsToCount * state.placed);
                keepCells(p);
            }
            questions_ = spansRead_ = 0;
        }
    }
    return runs_.findGap(query);
}

void PlacementEngine::collectStretch(const Item& item, const RankStretch& stretch, PoolId p)
{
    const std::size_t from = runs_.size();
    pool(p).index.collect(stretch.ranks, runs_);
    // A window may lie closer to a neighbour than the whole buffer may. So the spans of neighbours are shifted by the difference.
    if (stretch.low != 0 || stretch.high != item.size) runs_.shift(from, item.size - stretch.high, -stretch.low);
}

void PlacementEngine::collect(BufferId b, PoolId p)
{
    const Item& item = table_.item(b);
    runs_.clear();
    table_.forEachStretch(item, [&](const RankStretch& stretch) { collectStretch(item, stretch, p); });
    if (!item.special) return;

    if (item.timeless) runs_.add(pool(p).unique.spans());
    if (table_.anyUnique() && table_.buffer(b).unique) runs_.add(pool(p).timeless.spans());
    collectExplicit(b, p, none);
}

void PlacementEngine::collectExplicit(BufferId b, PoolId p, BufferId except)
{
    explicit_.clear();
    const RareList<BufferId>& conflicts = table_.buffer(b).conflicts;
    if (dense_ && conflicts.size() * readsForSort > pool(p).byAddress.size()) {
        ++query_;
        for (const BufferId other : conflicts) marks_[static_cast<std::size_t>(other)] = query_;
        for (const Placed& placed : pool(p).byAddress) {
            if (marks_[static_cast<std::size_t>(placed.buffer)] != query_ || placed.buffer == except) continue;
            if (!explicit_.empty() && placed.bytes.low < explicit_.back().high)
                explicit_.back().high = std::max(explicit_.back().high, placed.bytes.high);
            else
                explicit_.push_back(placed.bytes);
        }
        runs_.add(explicit_);
        explicit_.clear();
    } else {
        for (const BufferId other : conflicts) {
            if (poolOf(other) != p || other == except) continue;
            const Bytes size = table_.item(other).size;
            if (size == 0) continue; // without bytes, it splits no gap
            if (table_.item(other).slots > 1) {
                for (const Bytes at : layout_.slots[other]) explicit_.push_back({at, at + size});
            } else {
                const Bytes at = offsetOf(other);
                explicit_.push_back({at, endFrom(other, at)});
            }
        }
    }
    for (const Bytes at : found_) explicit_.push_back({at, at + table_.item(b).size}); // the other slots of the buffer
    // Other slots of a pinned buffer avoid the bytes of later pins, in any pool, because these cannot move.
    for (const BufferId other : pinsAhead_) {
        const Bytes pin = *table_.buffer(other).pin, size = table_.item(other).size;
        if (size > 0) explicit_.push_back({pin, pin + size});
    }
    if (explicit_.empty()) return;
    std::sort(explicit_.begin(), explicit_.end(), [](const Span& x, const Span& y) { return x.low < y.low; });
    runs_.add(explicit_);
}

/// Like `collect`, but without the partner, and without the time in which the partner occupies all its bytes.
void PlacementEngine::collectApart(BufferId b, BufferId partner, PoolId p)
{
    const Item& item = table_.item(b);
    const Item& other = table_.item(partner);
    runs_.clear();
    std::vector<Ranks> rest;
    std::vector<Ranks> next;
    table_.forEachStretch(item, [&](const RankStretch& stretch) {
        rest.assign(1, stretch.ranks);
        table_.forEachStretch(other, [&](const RankStretch& cut) {
            if (cut.low != 0 || cut.high != other.size) return;
            next.clear();
            for (const Ranks& r : rest) {
                if (const Ranks left{r.begin, std::min(r.end, cut.ranks.begin)}; left.begin < left.end) next.push_back(left);
                if (const Ranks right{std::max(r.begin, cut.ranks.end), r.end}; right.begin < right.end) next.push_back(right);
            }
            rest.swap(next);
        });
        for (const Ranks& r : rest) collectStretch(item, {r, stretch.low, stretch.high}, p);
    });
    found_.clear();
    collectExplicit(b, p, partner);
}

Bytes PlacementEngine::endFrom(BufferId b, Bytes offset) const
{
    const Item& item = table_.item(b);
    const Bytes end = offset + item.size;
    return ends_ == Ends::exact || table_.buffer(b).pin ? end : alignUp(end, item.alignment);
}

void PlacementEngine::settle(BufferId b, PoolId p)
{
    const Item& item = table_.item(b);
    layout_.pools[static_cast<std::size_t>(b)] = p;
    layout_.offsets[static_cast<std::size_t>(b)] = found_.front();
    if (item.slots > 1) layout_.slots[b] = found_;
    for (const Bytes at : found_) {
        if (item.size > 0) top(p) = std::max(top(p), at + item.size);
        if (recorder_) note(StepKind::place, b, p, at);
    }
}

void PlacementEngine::commit(BufferId b, PoolId p)
{
    settle(b, p);
    const Item& item = table_.item(b);
    PoolState& state = pool(p);
    for (const Bytes at : found_) {
        const Bytes end = endFrom(b, at);
        ++state.placed;
        if (dense_ && item.size > 0) {
            const Placed placed{{at, item.slots > 1 ? at + item.size : end}, b};
            const auto next = std::upper_bound(state.byAddress.begin(), state.byAddress.end(), at,
                                               [](Bytes low, const Placed& other) { return low < other.bytes.low; });
            state.byAddress.insert(next, placed);
        }
        if (state.cells) {
            state.cells->insert(item.ranks, {at, end});
            state.index.insertEnds(item.ranks, {at, end});
            continue;
        }
        table_.forEachStretch(item, [&](const RankStretch& stretch) {
            state.index.insert(stretch.ranks, {at + stretch.low, stretch.high == item.size ? end : at + stretch.high});
        });
        if (item.timeless) state.timeless.add({at, at + item.size});
        if (table_.anyUnique() && table_.buffer(b).unique) state.unique.add({at, at + item.size});
    }
}

/// Finds offsets for the slots from the pool's cursor on, around the pins, into `found_`. False, without a change, if they end
/// above `limit`.
bool PlacementEngine::appendSlots(BufferId b, PoolId p, Bytes limit)
{
    const Item& item = table_.item(b);
    PoolState& state = pool(p);
    const std::span<const Span> pins = state.pins.spans();
    const Bytes alignment = table_.alignmentIn(b, p);
    Bytes cursor = state.cursor;
    std::size_t passed = state.pinsPassed;
    found_.clear();
    while (found_.size() < static_cast<std::size_t>(item.slots)) {
        if (cursor > maxBytes) return false;
        const Bytes at = alignUp(cursor, alignment);
        if (at > limit - item.size) return false;
        if (passed < pins.size() && pins[passed].low < at + item.size) {
            cursor = std::max(cursor, pins[passed++].high);
            continue;
        }
        found_.push_back(at);
        cursor = at + item.size;
    }
    state.cursor = cursor;
    state.pinsPassed = passed;
    return true;
}

void PlacementEngine::append(BufferId b)
{
    const std::span<const PoolId> candidates = table_.candidates(b);
    for (const PoolId p : candidates) {
        ++work_;
        if (appendSlots(b, p, pool(p).limit)) return settle(b, p);
    }
    if (appendSlots(b, candidates.back(), maxBytes)) return settle(b, candidates.back());
    beyondAddresses_ = true;
}

void PlacementEngine::placeEndToEnd()
{
    why_ = StepRule::endToEnd;
    for (BufferId b = 0; b < table_.size() && !beyondAddresses_; ++b)
        if (!placed(b)) append(b);
}

void PlacementEngine::note(StepKind kind, BufferId b, PoolId p, Bytes offset)
{
    recorder_->add({kind, recorder_->reason(why_), b, p, offset});
}

Objective PlacementEngine::size() const
{
    Objective size;
    for (std::size_t p = 0; p < pools_.size(); ++p) size.add(layout_.tops[p], pools_[p].limit);
    return size;
}

/// Places the buffer at the offset of a partner, if the buffer is not larger and no other buffer prevents it. During the live
/// ranges of the partner none can: no buffer live together with the partner occupies its bytes. So only the rest of the buffer's
/// live ranges is checked. This requires a partner that does not share its bytes yet.
bool PlacementEngine::placeInPlace(BufferId b)
{
    const Buffer& buffer = table_.buffer(b);
    const Item& item = table_.item(b);
    if (buffer.mayShare.empty() || buffer.unique || item.slots > 1 || item.timeless || shared_[static_cast<std::size_t>(b)])
        return false;
    const std::span<const PoolId> candidates = table_.candidates(b);
    for (const BufferId other : buffer.mayShare) {
        const Item& partner = table_.item(other);
        const PoolId p = poolOf(other);
        if (p == none || other == b || partner.slots > 1 || partner.timeless || partner.size < item.size) continue;
        if (table_.buffer(other).unique || shared_[static_cast<std::size_t>(other)]) continue;
        const Bytes at = offsetOf(other);
        if (std::find(candidates.begin(), candidates.end(), p) == candidates.end() || at % table_.alignmentIn(b, p) != 0)
            continue;

        collectApart(b, other, p);
        ++work_;
        if (!isFree({at, at + item.size})) continue;
        found_.assign(1, at);
        why_ = StepRule::inPlace;
        shared_[static_cast<std::size_t>(b)] = shared_[static_cast<std::size_t>(other)] = true;
        commit(b, p);
        return true;
    }
    return false;
}

Expected<Plan> PlacementEngine::finish(const PlannerInfo& info, const OptionValues& options)
{
    why_ = StepRule::stoppedEarly;
    for (std::size_t p = 0; p < pools_.size(); ++p) pools_[p].cursor = std::max(pools_[p].cursor, layout_.tops[p]);
    for (BufferId b = 0; b < table_.size() && !beyondAddresses_; ++b)
        if (!placed(b)) append(b);
    if (beyondAddresses_)
        return failure(Code::addressOverflow, "the buffers and their alignments need addresses beyond 2^62 bytes", {},
                       "lower the alignments");

    const std::vector<Buffer>& buffers = table_.problem().buffers;
    Plan plan;
    plan.planner = info.name;
    plan.options = options;
    plan.seed = context_.seed;
    plan.stoppedBy = stoppedBy_;
    plan.work = work_;
    plan.diagnostics = std::move(diagnostics_);
    plan.placements.resize(buffers.size());
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        Placement& to = plan.placements[b];
        to.pool = layout_.pools[b];
        to.offset = layout_.offsets[b];
        if (const Item& item = table_.item(static_cast<BufferId>(b)); item.slots > 1) {
            to.offsets = layout_.slots[static_cast<BufferId>(b)];
            to.rotations.push_back({buffers[b].loop, item.slots, false});
        }
    }
    for (PoolId p = 0; p < static_cast<PoolId>(pools_.size()); ++p)
        if (top(p) > pool(p).limit) plan.diagnostics.push_back(describeOverflow(table_.problem(), plan, p));
    return plan;
}

} // namespace stowage
