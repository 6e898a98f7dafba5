#include "core/planners/improve/beam.h"

#include "core/ir/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace stowage::improve {

namespace {

/// A change of price with jitter: adds `share`, a random number between -1/2 and 1/2, of the change and of a fifth of the price
/// of slack 0. Monotone in `by`.
std::int64_t jittered(std::int64_t by, double share)
{
    return by + static_cast<std::int64_t>(share * (0.2 * SlackScore::one + std::abs(static_cast<double>(by))));
}

/// The largest change of price that is at most `limit` with jitter.
std::int64_t limitBefore(std::int64_t limit, double share)
{
    return static_cast<std::int64_t>((static_cast<double>(limit) - share * 0.2 * SlackScore::one) / (1 + share)) + 2;
}

} // namespace

Beam::Beam(const Instance& instance, std::vector<std::int32_t> floors) : instance_(instance), floors_(std::move(floors))
{
    listCovers();
    findReach();
    findPins();
}

void Beam::listCovers()
{
    const std::int32_t n = instance_.count();
    loads_.assign(at(instance_.sections), 0);
    coverBegin_.assign(at(instance_.sections) + 1, 0);
    areas_.resize(at(n));
    std::vector<std::int32_t> lengths(at(n), 0);
    for (std::int32_t i = 0; i < n; ++i) {
        for (const SectionRange& range : instance_.rangesOf(i)) {
            lengths[at(i)] += range.end - range.begin;
            for (std::int32_t s = range.begin; s < range.end; ++s) {
                ++coverBegin_[at(s) + 1];
                loads_[at(s)] += instance_.loads[at(i)];
            }
        }
        if (lengths[at(i)] == 0) withoutSection_.push_back(i);
        areas_[at(i)] = std::max<std::int64_t>(1, std::int64_t{instance_.sizes[at(i)]} * lengths[at(i)]);
        area_ += areas_[at(i)];
    }
    std::partial_sum(coverBegin_.begin(), coverBegin_.end(), coverBegin_.begin());

    struct Cover {
        std::int32_t key, buffer;
        SectionRange range;
    };
    std::vector<Cover> order;
    std::vector<std::int32_t> end;
    const auto list = [&](std::vector<std::int32_t>& lists, const auto& key) {
        order.clear();
        for (std::int32_t i = 0; i < n; ++i)
            for (const SectionRange& range : instance_.rangesOf(i)) order.push_back({key(i, range), i, range});
        std::stable_sort(order.begin(), order.end(), [](const Cover& a, const Cover& b) { return a.key < b.key; });
        lists.resize(at(coverBegin_.back()));
        end.assign(coverBegin_.begin(), coverBegin_.end());
        for (const Cover& cover : order)
            for (std::int32_t s = cover.range.begin; s < cover.range.end; ++s) lists[at(end[at(s)]++)] = cover.buffer;
    };
    list(byLength_, [&](std::int32_t i, SectionRange) { return lengths[at(i)]; });
    list(byEnd_, [](std::int32_t, SectionRange range) { return range.end; });
    list(byBegin_, [](std::int32_t, SectionRange range) { return -range.begin; });
    if (!instance_.plain) return;
    for (const std::int32_t id : byEnd_) endsByEnd_.push_back(instance_.ranges[at(id)].end);
    for (const std::int32_t id : byBegin_) beginsByBegin_.push_back(instance_.ranges[at(id)].begin);
}

void Beam::findReach()
{
    const std::int32_t n = instance_.count();
    std::vector<SectionRange> own(at(n), SectionRange{instance_.sections, 0});
    for (std::int32_t i = 0; i < n; ++i)
        if (const auto ranges = instance_.rangesOf(i); !ranges.empty()) own[at(i)] = {ranges.front().begin, ranges.back().end};
    reach_ = own;
    for (std::int32_t i = 0; i < n; ++i) {
        SectionRange& reach = reach_[at(i)];
        for (const std::int32_t other : instance_.neighboursOf(i)) {
            reach.begin = std::min(reach.begin, own[at(other)].begin);
            reach.end = std::max(reach.end, own[at(other)].end);
        }
    }
}

void Beam::findPins()
{
    const auto& pins = instance_.pins;
    if (std::all_of(pins.begin(), pins.end(), [](std::int32_t pin) { return pin < 0; })) return;
    pinnedNear_.resize(pins.size());
    for (std::int32_t i = 0; i < instance_.count(); ++i) {
        auto& near = pinnedNear_[at(i)];
        for (const std::int32_t other : instance_.neighboursOf(i))
            if (pins[at(other)] >= 0) near.push_back(other);
        std::sort(near.begin(), near.end(), [&](std::int32_t a, std::int32_t b) { return pins[at(a)] < pins[at(b)]; });
    }
}

std::int32_t Beam::lowestPlace(std::int32_t buffer, std::int32_t from) const
{
    const std::int32_t alignment = instance_.alignments[at(buffer)];
    if (pinnedNear_.empty()) return alignedUp(from, alignment);
    if (instance_.pins[at(buffer)] >= 0) return instance_.pins[at(buffer)];
    std::int32_t offset = alignedUp(from, alignment);
    for (const std::int32_t other : pinnedNear_[at(buffer)]) {
        const std::int32_t pin = instance_.pins[at(other)], end = pin + instance_.sizes[at(other)];
        if (pin < offset + instance_.sizes[at(buffer)] && end > offset) offset = alignedUp(end, alignment);
    }
    return offset;
}

bool Beam::meetInSomeRange(std::int32_t a, std::int32_t b) const
{
    for (const SectionRange& x : instance_.rangesOf(a))
        for (const SectionRange& y : instance_.rangesOf(b))
            if (x.begin < y.end && y.begin < x.end) return true;
    return false;
}

std::span<const std::int32_t> Beam::covers(const std::vector<std::int32_t>& lists, std::int32_t section) const
{
    const auto begin = at(coverBegin_[at(section)]), end = at(coverBegin_[at(section) + 1]);
    return std::span(lists).subspan(begin, end - begin);
}

Beam::State* Beam::take()
{
    if (unused_.empty()) {
        states_.push_back(std::make_unique<State>());
        return states_.back().get();
    }
    State* state = unused_.back();
    unused_.pop_back();
    return state;
}

void Beam::release(State* state)
{
    if (--state->users == 0) unused_.push_back(state);
}

void Beam::cut(Level& level, std::size_t keep)
{
    std::stable_sort(level.begin(), level.end(), [](const Child& a, const Child& b) { return a.price < b.price; });
    for (; level.size() > keep; level.pop_back()) release(level.back().parent);
}

void Beam::begin(State& state, const SlackScore& price)
{
    state.release.resize(instance_.sizes.size());
    for (std::int32_t i = 0; i < instance_.count(); ++i) state.release[at(i)] = lowestPlace(i, floors_[at(i)]);
    state.remaining = loads_;
    state.lowest.resize(at(instance_.sections));
    state.price = state.area = 0;
    state.hash = 0;
    state.left = instance_.count();
    state.height = state.needed = 0;
    state.step = -1;
    for (std::int32_t s = 0; s < instance_.sections; ++s) {
        scan(state, s, -1, state.lowest[at(s)]);
        const std::int32_t needed = state.remaining[at(s)] + state.lowest[at(s)].release;
        state.price += price(price.target() - needed);
        state.needed = std::max(state.needed, needed);
    }
}

/// Finds the two lowest releases in a section. `bound`: lower bound of the releases; two buffers at the bound end the search.
void Beam::scan(const State& state, std::int32_t section, std::int32_t bound, Lowest& lowest)
{
    lowest = {placed, none, placed, none};
    const std::span<const std::int32_t> covering = covers(byLength_, section); // short buffers tend to have low releases
    std::size_t read = 0;
    while (read < covering.size()) {
        const std::int32_t id = covering[read++], release = state.release[at(id)];
        if (release >= lowest.secondRelease) continue;
        if (release < lowest.release) {
            lowest.secondRelease = lowest.release;
            lowest.second = lowest.id;
            lowest.release = release;
            lowest.id = id;
        } else {
            lowest.secondRelease = release;
            lowest.second = id;
        }
        if (lowest.secondRelease <= bound) break;
    }
    work_ += read + 4;
}

/// Finds the second lowest release of a section. The search uses the known lower bound of the second release and skips the lowest
/// buffer.
void Beam::findSecond(State& state, std::int32_t section)
{
    Lowest& lowest = state.lowest[at(section)];
    if (lowest.second != unknown) return;
    const std::int32_t bound = lowest.secondRelease;
    lowest.secondRelease = placed;
    lowest.second = none;
    const std::span<const std::int32_t> covering = covers(byLength_, section);
    std::size_t read = 0;
    while (read < covering.size() && lowest.secondRelease > bound) {
        const std::int32_t id = covering[read++], release = state.release[at(id)];
        if (release >= lowest.secondRelease || id == lowest.id) continue;
        lowest.secondRelease = release;
        lowest.second = id;
    }
    work_ += read + 4;
}

/// The change of price in the sections that the placed buffer covers: all other buffers there lie above it now.
std::int64_t Beam::changeInside(State& state, std::int32_t buffer, std::int32_t top, const SlackScore& price)
{
    std::int64_t sum = 0;
    const std::int32_t load = instance_.loads[at(buffer)];
    for (const SectionRange& range : instance_.rangesOf(buffer)) {
        for (std::int32_t s = range.begin; s < range.end; ++s) {
            const Lowest& lowest = state.lowest[at(s)];
            const std::int32_t before = lowest.release;
            if (lowest.id == buffer) findSecond(state, s);
            const std::int32_t others = lowest.id == buffer ? lowest.secondRelease : lowest.release;
            const std::int32_t after = others >= placed ? top : std::max(others, top);
            const std::int32_t room = price.target() - state.remaining[at(s)];
            sum += price(room + load - after) - price(room - before);
        }
        work_ += 2 * static_cast<std::uint64_t>(range.end - range.begin);
    }
    return sum;
}

/// The lowest release of the buffers in a section that are no neighbours of `buffer`; `lowest` if none is lower.
std::int32_t Beam::lowestApart(const State& state, std::int32_t buffer, std::int32_t section, std::int32_t lowest)
{
    const std::int32_t bound = state.lowest[at(section)].secondRelease;
    const bool after = !instance_.plain || section >= instance_.ranges[at(buffer)].end;
    const std::span<const std::int32_t> covering = covers(after ? byBegin_ : byEnd_, section);
    std::size_t read = 0;
    if (instance_.plain) { // the buffers that are no neighbours of `buffer` come first in the list: they begin after it, or end
                           // before it
        const std::span<const std::int32_t> edges = covers(after ? beginsByBegin_ : endsByEnd_, section);
        const SectionRange own = instance_.ranges[at(buffer)];
        const std::int32_t* const release = state.release.data();
        while (read < covering.size() && lowest > bound && (after ? edges[read] >= own.end : edges[read] <= own.begin))
            lowest = std::min(lowest, release[covering[read++]]);
    } else {
        for (; read < covering.size() && lowest > bound; ++read)
            if (!meet(buffer, covering[read])) lowest = std::min(lowest, state.release[at(covering[read])]);
    }
    work_ += read;
    return lowest;
}

/// The change of price in a section that the placed buffer does not cover: neighbours of the buffer below its top rise to the
/// top.
std::int64_t Beam::changeIn(State& state, std::int32_t buffer, std::int32_t section, std::int32_t top, const SlackScore& price)
{
    const Lowest& lowest = state.lowest[at(section)];
    const std::int32_t before = lowest.release;
    if (before >= top || !meet(buffer, lowest.id)) return 0;
    findSecond(state, section);
    if (!meet(buffer, lowest.id)) return 0; // another buffer has the same release
    std::int32_t after = top;
    if (lowest.secondRelease < top)
        after = meet(buffer, lowest.second) ? lowestApart(state, buffer, section, top) : lowest.secondRelease;
    if (after == before) return 0;
    const std::int32_t room = price.target() - state.remaining[at(section)];
    return price(room - after) - price(room - before);
}

/// The change of price in all sections that the placed buffer does not cover. Approximate: ignores alignments and explicit
/// conflicts of other buffers. No price of a section falls, so the summation ends when the sum exceeds `maxChange`.
std::int64_t Beam::changeBeside(State& state, std::int32_t buffer, std::int32_t top, const SlackScore& price,
                                std::int64_t maxChange)
{
    std::int64_t sum = 0;
    std::uint64_t read = 0;
    const SectionRange reach = reach_[at(buffer)];
    const std::span<const SectionRange> own = instance_.rangesOf(buffer);
    // The nearest sections first, where the price changes most.
    for (std::int32_t s = own.empty() ? reach.begin : own.front().begin; s-- > reach.begin && sum <= maxChange; ++read)
        sum += changeIn(state, buffer, s, top, price);
    for (std::size_t k = 0; k < own.size(); ++k) {
        const std::int32_t end = k + 1 < own.size() ? own[k + 1].begin : reach.end;
        for (std::int32_t s = own[k].end; s < end && sum <= maxChange; ++s, ++read) sum += changeIn(state, buffer, s, top, price);
    }
    work_ += read;
    return sum;
}

/// Updates the two lowest releases of a section after releases rose. `inside`: all releases are at `top` or above.
void Beam::renew(State& state, std::int32_t section, std::int32_t top, bool inside)
{
    Lowest& lowest = state.lowest[at(section)];
    const bool secondStale =
        lowest.second == unknown || (lowest.second >= 0 && state.release[at(lowest.second)] != lowest.secondRelease);
    const std::int32_t now = state.release[at(lowest.id)];
    if (now == lowest.release || (now < placed && now <= lowest.secondRelease)) {
        lowest.release = now;
        if (secondStale) lowest.second = unknown; // its old release stays a lower bound
    } else if (secondStale) {
        scan(state, section, inside ? top : lowest.release, lowest);
    } else {
        lowest.release = lowest.secondRelease;
        lowest.id = lowest.second;
        if (lowest.id != none) lowest.second = unknown;
    }
}

void Beam::place(State& state, std::int32_t buffer, std::int32_t offset, const SlackScore& price)
{
    const std::int32_t top = offset + instance_.sizes[at(buffer)];
    const bool pinned = instance_.pins[at(buffer)] >= 0;
    steps_.push_back({state.step, buffer, offset});
    state.step = static_cast<std::int32_t>(steps_.size()) - 1;
    state.release[at(buffer)] = placed;
    state.area += areas_[at(buffer)];
    state.hash ^= mix64(static_cast<std::uint64_t>(buffer) + 1);
    --state.left;
    state.height = std::max(state.height, top);
    const std::span<const std::int32_t> neighbours = instance_.neighboursOf(buffer);
    if (!pinned) // space for pinned buffers is reserved from the start, below and above them
        for (const std::int32_t other : neighbours)
            if (state.release[at(other)] < top) state.release[at(other)] = lowestPlace(other, top);

    // All other buffers in its sections lie above it now, except pinned ones and those that may share.
    const bool rises = pinnedNear_.empty() && !instance_.sharing;
    const SectionRange reach = reach_[at(buffer)];
    const std::span<const SectionRange> own = instance_.rangesOf(buffer);
    std::size_t next = 0;
    for (std::int32_t s = reach.begin; s < reach.end; ++s) {
        while (next < own.size() && s >= own[next].end) ++next;
        const bool inside = next < own.size() && s >= own[next].begin;
        const std::int32_t before = state.lowest[at(s)].release;
        if (before >= placed) continue;
        renew(state, s, top, inside && rises);
        const std::int32_t now = state.lowest[at(s)].release;
        if (now == before && !inside) continue;
        const std::int32_t loadBefore = state.remaining[at(s)];
        if (inside) state.remaining[at(s)] -= instance_.loads[at(buffer)];
        const std::int32_t needed = state.remaining[at(s)] + (now >= placed ? std::max(top, before) : now);
        state.price += price(price.target() - needed) - price(price.target() - loadBefore - before);
        state.needed = std::max(state.needed, needed);
    }
    work_ += neighbours.size() + static_cast<std::uint64_t>(std::max(0, reach.end - reach.begin));
}

/// The buffers of the section to be filled next; those without a section when all others are placed.
std::span<const std::int32_t> Beam::nextBuffers(const State& state)
{
    std::int32_t section = none, lowest = placed, remaining = -1;
    for (std::int32_t s = 0; s < instance_.sections; ++s) {
        const std::int32_t release = state.lowest[at(s)].release;
        if (release > lowest || release == placed || (release == lowest && state.remaining[at(s)] <= remaining)) continue;
        lowest = release;
        remaining = state.remaining[at(s)];
        section = s;
    }
    work_ += at(instance_.sections) / 4;
    return section == none ? std::span<const std::int32_t>(withoutSection_) : covers(byLength_, section);
}

/// Lists the buffers that may be placed next, with the change of price in their own sections.
void Beam::listDrafts(State& state, const BeamOptions& options, std::int32_t below, const SlackScore& price, std::uint64_t& dice)
{
    drafts_.clear();
    const std::span<const std::int32_t> here = nextBuffers(state);
    std::int32_t firstEnd = placed;
    for (const std::int32_t id : here)
        if (state.release[at(id)] < placed) firstEnd = std::min(firstEnd, state.release[at(id)] + instance_.sizes[at(id)]);
    work_ += 2 * here.size();
    for (const std::int32_t id : here) {
        const std::int32_t offset = state.release[at(id)], top = offset + instance_.sizes[at(id)];
        if (offset >= firstEnd || top >= below) continue;
        double jitter = 0;
        if (options.jitter > 0) {
            const double random = static_cast<double>(mix64(dice += 0x9e3779b97f4a7c15U) >> 11) * 0x1p-53 - 0.5;
            jitter = options.jitter * random;
        }
        const std::int64_t inside = changeInside(state, id, top, price);
        drafts_.push_back({inside, jittered(inside, jitter), jitter, id, top});
    }
    std::sort(drafts_.begin(), drafts_.end(), [](const Draft& a, const Draft& b) {
        return a.minChange != b.minChange ? a.minChange < b.minChange : a.buffer < b.buffer;
    });
}

/// Finds the best children of a state. The price of a candidate is computed only until it exceeds that of the worst child kept.
void Beam::candidatesOf(State& state, const BeamOptions& options, std::int32_t below, const SlackScore& price,
                        std::uint64_t& dice)
{
    const auto lower = [](const Child& a, const Child& b) {
        return a.price != b.price ? a.price < b.price : a.buffer < b.buffer;
    };
    listDrafts(state, options, below, price, dice);
    candidates_.clear();
    for (const Draft& draft : drafts_) {
        std::int64_t maxChange = std::numeric_limits<std::int64_t>::max();
        if (candidates_.size() == at(options.branches)) {
            const std::int64_t last = candidates_.back().price - state.price;
            if (draft.minChange > last) break;
            maxChange = limitBefore(last, draft.jitter) - draft.inside;
        }
        const std::int64_t beside = changeBeside(state, draft.buffer, draft.top, price, maxChange);
        if (beside > maxChange) continue;
        const Child child{state.price + jittered(draft.inside + beside, draft.jitter),
                          &state,
                          draft.buffer,
                          draft.top,
                          state.area + areas_[at(draft.buffer)],
                          state.hash ^ mix64(static_cast<std::uint64_t>(draft.buffer) + 1)};
        candidates_.insert(std::upper_bound(candidates_.begin(), candidates_.end(), child, lower), child);
        if (candidates_.size() > at(options.branches)) candidates_.pop_back();
    }
}

std::vector<std::int32_t> Beam::offsetsOf(const State& state) const
{
    std::vector<std::int32_t> offsets(instance_.sizes.size(), 0);
    for (std::int32_t k = state.step; k >= 0; k = steps_[at(k)].before) offsets[at(steps_[at(k)].buffer)] = steps_[at(k)].offset;
    return offsets;
}

std::optional<std::vector<std::int32_t>> Beam::run(const BeamOptions& options)
{
    const SlackScore price(options.target, options.softness);
    std::uint64_t dice = options.seed;
    steps_.clear();
    // Levels of equal area, and more levels after them, because a child that would be in the level of its parent goes to the next
    // one.
    const auto width = at(options.width);
    const std::size_t levels = 2 * instance_.sizes.size(), last = levels + instance_.sizes.size();
    std::vector<Level> level(last + 1);
    std::int32_t below = options.below;
    std::optional<std::vector<std::int32_t>> best;
    const auto expand = [&](State& state, std::size_t from) {
        candidatesOf(state, options, below, price, dice);
        for (const Child& child : candidates_) {
            const auto share = static_cast<double>(child.area) / static_cast<double>(area_);
            std::size_t to = std::max(from, static_cast<std::size_t>(share * static_cast<double>(levels)));
            if (child.area == area_) to = last;
            level[to].push_back(child);
            ++state.users;
            if (level[to].size() >= 4 * width + 4) cut(level[to], 2 * width);
        }
    };

    State* root = take();
    begin(*root, price);
    root->users = 1;
    if (root->needed < below) expand(*root, 0);
    release(root);
    bool stopped = false;
    for (std::size_t l = 0; l <= last; ++l) {
        Level& now = level[l];
        if (now.empty()) continue;
        stopped = stopped || (options.stop && options.stop());
        cut(now, stopped ? 0 : 2 * width);
        std::size_t gone = 0;
        for (std::size_t k = 0; k < now.size(); ++k) {
            const Child child = now[k];
            const bool seen = std::any_of(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(k), [&](const Child& other) {
                return other.hash == child.hash && other.price == child.price;
            });
            if (seen || gone >= width) {
                release(child.parent);
                continue;
            }
            State* state = child.parent;
            if (state->users > 1) { // other children still need the parent
                state = take();
                *state = *child.parent;
                state->users = 1;
                release(child.parent);
                work_ += instance_.sizes.size() / 4 + at(instance_.sections);
            }
            place(*state, child.buffer, child.top - instance_.sizes[at(child.buffer)], price);
            if (state->left == 0 && state->height < below) {
                below = state->height;
                best = offsetsOf(*state);
            } else if (state->left > 0 && state->needed < below) {
                expand(*state, l + 1);
                ++gone;
            }
            release(state);
        }
        Level().swap(now);
    }
    return best;
}

} // namespace stowage::improve
