#include "core/planners/exact/skyline_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace stowage::exact {

namespace {
// Larger than every offset and end (at most 2^30 units), and small enough to add a size without overflow.
constexpr std::int32_t infinite = std::numeric_limits<std::int32_t>::max() / 2;

std::int32_t roundUp(std::int32_t value, std::int32_t alignment)
{
    if (alignment <= 1 || value >= infinite) return value;
    const std::int32_t rest = value % alignment;
    return rest == 0 ? value : value + (alignment - rest);
}
} // namespace

SkylineSearch::SkylineSearch(const Instance& instance, const Rules& rules) : instance_(instance), rules_(rules)
{
    const std::size_t n = at(instance.count()), sections = at(instance.sections);
    for (auto* byBuffer : {&release_, &floor_, &lowest_, &topAround_, &beginAround_, &offset_}) byBuffer->resize(n);
    placed_.resize(n);
    refused_.resize(n);
    hull_.resize(n);
    joins_.resize(n);
    twin_.assign(n, -1);
    for (auto* bySection : {&unplaced_, &top1_, &top2_, &begin1_, &begin2_, &risen_, &fillers_}) bySection->resize(sections);
    crossing_.resize(sections + 1);
    weight_.assign(sections, 1.0);
    arrays_ = {instance.allRanges().data(),
               instance.rangeStarts().data(),
               instance.sizes.data(),
               lowest_.data(),
               topAround_.data(),
               beginAround_.data(),
               top1_.data(),
               top2_.data(),
               begin1_.data(),
               begin2_.data(),
               risen_.data(),
               fillers_.data(),
               unplaced_.data()};
    sweeps_ = &sectionSweeps();

    std::map<std::tuple<std::int32_t, std::int32_t, std::vector<Index>>, Index> first;
    for (Index i = 0; i < instance.count(); ++i) {
        SectionRange hull{infinite, 0};
        const auto widen = [&](Index j) {
            for (const SectionRange& range : instance_.ranges(j)) {
                hull.begin = std::min(hull.begin, range.begin);
                hull.end = std::max(hull.end, range.end);
            }
        };
        widen(i);
        for (const Index other : instance_.explicitOnly(i)) widen(other);
        joins_[at(i)] = !instance_.explicitOnly(i).empty();
        hull_[at(i)] = hull.begin < hull.end ? hull : SectionRange{0, 0};
        // Buffers in conflict must be in the same group of sections, so the hull of a buffer includes the sections of its
        // explicit neighbours. If neither has sections, this rule connects them.
        const auto nowhere = [&](Index j) { return instance_.ranges(j).empty(); };
        if (nowhere(i) && std::any_of(instance_.explicitOnly(i).begin(), instance_.explicitOnly(i).end(), nowhere))
            hull_[at(i)] = {0, instance.sections};
        if (instance_.pins[at(i)] >= 0) {
            hasPins_ = true;
            continue;
        }
        // Twins are interchangeable in every layout: they have the same size, alignment and neighbours (except each other).
        std::vector<Index> around(instance_.neighbours(i).begin(), instance_.neighbours(i).end());
        around.insert(std::lower_bound(around.begin(), around.end(), i), i);
        const auto [it, isNew] = first.try_emplace({size(i), instance_.alignments[at(i)], std::move(around)}, i);
        if (!isNew) {
            twin_[at(i)] = it->second;
            it->second = i;
        }
    }
}

void SkylineSearch::reset()
{
    std::fill(placed_.begin(), placed_.end(), std::uint8_t{0});
    std::fill(refused_.begin(), refused_.end(), std::uint8_t{0});
    std::fill(unplaced_.begin(), unplaced_.end(), 0);
    std::fill(crossing_.begin(), crossing_.end(), 0);
    trail_.clear();
    lists_.clear();
    nodes_ = nextStop_ = 0;
    gaveUp_ = Outcome::found;
    for (Index i = 0; i < instance_.count(); ++i) {
        offset_[at(i)] = -1;
        if (instance_.pins[at(i)] >= 0) { // placed from the start
            placed_[at(i)] = 1;
            offset_[at(i)] = instance_.pins[at(i)];
            continue;
        }
        lists_.push_back(i);
        forSections(i, [&](std::size_t s) { unplaced_[s] += instance_.loads[at(i)]; });
        for (Index s = hull_[at(i)].begin + 1; s < hull_[at(i)].end; ++s) ++crossing_[at(s)];
    }
    for (const Index i : lists_) release_[at(i)] = lift(i, 0);
}

/// The lowest aligned offset at `release` or above without an overlap with a pinned neighbour. O(neighbours) with pins, otherwise
/// O(1).
std::int32_t SkylineSearch::lift(Index i, std::int32_t release) const
{
    std::int32_t offset = roundUp(release, instance_.alignments[at(i)]);
    for (bool moved = hasPins_; moved;) {
        moved = false;
        for (const Index other : instance_.neighbours(i)) {
            const std::int32_t pin = instance_.pins[at(other)];
            if (pin < 0 || offset >= pin + size(other) || pin >= offset + size(i)) continue;
            offset = roundUp(pin + size(other), instance_.alignments[at(i)]);
            moved = true;
        }
    }
    return offset;
}

void SkylineSearch::place(Index i, StepRule why)
{
    placed_[at(i)] = 1;
    offset_[at(i)] = release_[at(i)];
    if (steps_) steps_->place(i, offset_[at(i)], why);
    const std::int32_t top = offset_[at(i)] + size(i);
    forSections(i, [&](std::size_t s) { unplaced_[s] -= instance_.loads[at(i)]; });
    for (Index s = hull_[at(i)].begin + 1; s < hull_[at(i)].end; ++s) --crossing_[at(s)];
    for (const Index other : instance_.neighbours(i)) {
        if (placed_[at(other)] || release_[at(other)] >= top) continue;
        trail_.push_back({Change::release, other, release_[at(other)]});
        release_[at(other)] = lift(other, top);
        if (refused_[at(other)]) { // its refused place is occupied now
            refused_[at(other)] = 0;
            trail_.push_back({Change::refusal, other, 1});
        }
    }
    trail_.push_back({Change::placement, i, 0});
}

void SkylineSearch::refuse(Index i)
{
    refused_[at(i)] = 1;
    if (steps_) steps_->refuse(i);
    trail_.push_back({Change::refusal, i, 0});
    trail_.push_back({Change::floor, i, floor_[at(i)]});
    floor_[at(i)] = lift(i, release_[at(i)] + 1);
}

void SkylineSearch::undo(std::size_t mark)
{
    while (trail_.size() > mark) {
        const TrailEntry entry = trail_.back();
        trail_.pop_back();
        const Index i = entry.buffer;
        switch (entry.change) {
        case Change::release: release_[at(i)] = entry.old; break;
        case Change::floor: floor_[at(i)] = entry.old; break;
        case Change::refusal: refused_[at(i)] = static_cast<std::uint8_t>(entry.old); break;
        case Change::placement:
            placed_[at(i)] = 0;
            offset_[at(i)] = -1;
            if (steps_) steps_->remove(i);
            forSections(i, [&](std::size_t s) { unplaced_[s] += instance_.loads[at(i)]; });
            for (Index s = hull_[at(i)].begin + 1; s < hull_[at(i)].end; ++s) ++crossing_[at(s)];
            break;
        }
    }
}

Outcome SkylineSearch::run(std::int32_t capacity, const Strategy& strategy, std::uint64_t nodeLimit,
                           const std::function<bool()>& stop)
{
    // A state refuted at one capacity is refuted at every smaller one.
    if (capacity > seenCapacity_) seen_.clear();
    seenCapacity_ = capacity;
    capacity_ = capacity;
    strategy_ = strategy;
    std::fill(weight_.begin(), weight_.end(), 1.0);
    nodeLimit_ = nodeLimit;
    stop_ = stop;
    stopEvery_ = static_cast<std::uint64_t>(std::clamp<std::int64_t>(500'000 / std::max<std::int64_t>(1, instance_.count()), 1,
                                                                     256)); // the time of a node grows with the buffers
    reset();
    for (Index i = 0; hasPins_ && i < instance_.count(); ++i) {
        const std::int32_t pin = instance_.pins[at(i)];
        if (pin < 0) continue;
        if (pin + size(i) > capacity || pin % instance_.alignments[at(i)] != 0) return Outcome::impossible;
        for (const Index other : instance_.neighbours(i)) {
            const std::int32_t otherPin = instance_.pins[at(other)];
            if (otherPin >= 0 && pin < otherPin + size(other) && otherPin < pin + size(i)) return Outcome::impossible;
        }
    }
    if (steps_) steps_->begin(capacity);
    const bool found = solve();
    const Outcome outcome = found ? Outcome::found : gaveUp_ == Outcome::found ? Outcome::impossible : gaveUp_;
    if (steps_) steps_->end(outcome);
    return outcome;
}

/// Solves all sections. Each step of the loop works on the innermost frame; its argument and its result are the answer of the
/// frame that ended before: whether its subproblem was solved. No value: a frame has just begun.
bool SkylineSearch::solve()
{
    frames_.clear();
    std::optional<bool> solved = enter({0, lists_.size(), 0, instance_.sections});
    while (!frames_.empty()) solved = frames_.back().split ? solveGroups(solved) : search(solved);
    return solved.value_or(false);
}

/// True if unplaced buffers connect all sections of the subproblem.
bool SkylineSearch::connected(const Subproblem& sub) const
{
    for (Index s = sub.firstSection + 1; s < sub.lastSection; ++s)
        if (crossing_[at(s)] == 0) return false;
    return true;
}

/// Begins a subproblem: a frame for it, or the answer at once. Groups of sections that no unplaced buffer connects are solved
/// separately, the tightest group first. The buffers of each group are made adjacent in `lists_`.
std::optional<bool> SkylineSearch::enter(Subproblem sub)
{
    if (sub.count == 0) return true;
    if (!rules_.split || connected(sub)) return enterGroup(sub);
    struct SectionRun {
        Subproblem part;
        std::int32_t slack = infinite;
    };
    std::vector<SectionRun> runs;
    std::vector<std::size_t> runOf(at(sub.lastSection - sub.firstSection));
    for (Index s = sub.firstSection; s < sub.lastSection; ++s) {
        if (s == sub.firstSection || crossing_[at(s)] == 0) runs.push_back({{0, 0, s, s}, infinite});
        runs.back().part.lastSection = s + 1;
        runOf[at(s - sub.firstSection)] = runs.size() - 1;
    }
    const auto runOfBuffer = [&](Index i) -> SectionRun& { return runs[runOf[at(hull_[at(i)].begin - sub.firstSection)]]; };
    const std::span<const Index> all = members(sub);
    for (const Index i : all) {
        SectionRun& run = runOfBuffer(i);
        ++run.part.count;
        forSections(i, [&](std::size_t s) { run.slack = std::min(run.slack, capacity_ - unplaced_[s] - release_[at(i)]); });
    }
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return runs[a].slack < runs[b].slack; });

    Frame frame{.sub = sub, .count = sub.count, .mark = trail_.size(), .split = true};
    std::size_t end = sub.begin;
    for (const std::size_t run : order) {
        Subproblem& part = runs[run].part;
        part.begin = end;
        end += part.count;
        if (part.count > 0) frame.groups.push_back(part);
    }
    moved_.assign(all.begin(), all.end());
    for (const Index i : moved_) lists_[runOfBuffer(i).part.begin++] = i;
    frames_.push_back(std::move(frame));
    return std::nullopt;
}

/// Begins a subproblem that is searched as a whole, unless its state is known to have no solution.
std::optional<bool> SkylineSearch::enterGroup(const Subproblem& sub)
{
    Frame frame{.sub = sub, .count = sub.count, .mark = trail_.size()};
    if (rules_.remember) {
        frame.key = key(sub);
        if (seen_.contains(frame.key)) return false;
    }
    frames_.push_back(std::move(frame));
    return std::nullopt;
}

/// Solves the next groups of the innermost frame. The first group without a solution ends it.
std::optional<bool> SkylineSearch::solveGroups(std::optional<bool> nested)
{
    for (;;) {
        Frame& frame = frames_.back();
        if (nested) {
            if (!*nested) {
                undo(frame.mark);
                const auto begin = lists_.begin() + static_cast<std::ptrdiff_t>(frame.sub.begin);
                std::sort(begin, begin + static_cast<std::ptrdiff_t>(frame.count));
                frames_.pop_back();
                return false;
            }
            if (log_) log_->resize(frame.written); // a solved group is no part of a proof
        }
        if (frame.nextGroup == frame.groups.size()) {
            frames_.pop_back();
            return true;
        }
        const Subproblem group = frame.groups[frame.nextGroup++];
        frame.written = log_ ? log_->size() : 0;
        if (log_) {
            *log_ += '@';
            for (const Index i : members(group)) *log_ += ' ' + std::to_string(i);
            *log_ += '\n';
        }
        nested = enterGroup(group);
        if (!nested) return std::nullopt;
    }
}

/// Moves `i` to the end of the subproblem's buffers.
void SkylineSearch::takeOut(const Subproblem& sub, Index i)
{
    const auto begin = lists_.begin() + static_cast<std::ptrdiff_t>(sub.begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(sub.count);
    const auto found = std::lower_bound(begin, end, i);
    std::rotate(found, found + 1, end);
}

/// Moves `i`, which follows the other buffers of the subproblem, back to its place.
void SkylineSearch::putBack(const Subproblem& sub, Index i)
{
    const auto begin = lists_.begin() + static_cast<std::ptrdiff_t>(sub.begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(sub.count);
    std::rotate(std::lower_bound(begin, end - 1, i), end - 1, end);
}

/// Moves the buffers that `placeForced` has moved to the end back to their places. Merges from the back, so that the
/// buffers before the first of them do not move.
void SkylineSearch::putBackPlaced(const Frame& frame)
{
    std::size_t from = frame.sub.begin + frame.sub.count, to = frame.sub.begin + frame.count;
    moved_.assign(lists_.begin() + static_cast<std::ptrdiff_t>(from), lists_.begin() + static_cast<std::ptrdiff_t>(to));
    std::sort(moved_.begin(), moved_.end());
    while (!moved_.empty())
        if (from > frame.sub.begin && lists_[from - 1] > moved_.back()) {
            lists_[--to] = lists_[--from];
        } else {
            lists_[--to] = moved_.back();
            moved_.pop_back();
        }
}

/// The key of a subproblem's state: its unplaced buffers with their releases and refusals. They determine whether it can be
/// solved.
SeenStates::Key SkylineSearch::key(const Subproblem& sub) const
{
    SeenStates::Key key;
    for (std::size_t k = 0; k < sub.count; ++k) {
        const Index i = lists_[sub.begin + k];
        key.add((static_cast<std::uint64_t>(i) << 33) | (static_cast<std::uint64_t>(refused_[at(i)]) << 32) |
                static_cast<std::uint32_t>(release_[at(i)]));
    }
    return key;
}

/// Ends the innermost frame, a search, and returns its answer. Remembers a state without a solution. After a limit neither the
/// placements nor the list are restored: all frames end.
bool SkylineSearch::leave(bool solved)
{
    const Frame& frame = frames_.back();
    if (!solved && gaveUp_ == Outcome::found) {
        if (rules_.remember) seen_.insert(frame.key);
        putBackPlaced(frame);
    }
    frames_.pop_back();
    return solved;
}

/// Searches the subproblem of the innermost frame, until it ends or a nested frame begins.
std::optional<bool> SkylineSearch::search(std::optional<bool> nested)
{
    for (;;) {
        Frame& frame = frames_.back();
        if (nested) {
            const bool solved = nested.value_or(false); // GCC 12 takes *nested for uninitialised
            if (solved || gaveUp_ != Outcome::found) return leave(solved);
            if (frame.branch < 0) {
                undo(frame.mark);
                return leave(false);
            }
            // Second branch: the buffer lies higher. It is not branched on again until its release rises.
            undo(frame.branchMark);
            putBack(frame.sub, frame.branch);
            refuse(frame.branch);
            nested.reset();
        }
        if (frame.sub.count == 0) return leave(true);
        ++nodes_;
        if (nodes_ > nodeLimit_) {
            gaveUp_ = Outcome::limit;
        } else if (stop_ && nodes_ >= nextStop_) {
            nextStop_ = nodes_ + stopEvery_;
            if (stop_()) gaveUp_ = Outcome::stopped;
        }
        if (gaveUp_ != Outcome::found) return leave(false);

        if (!propagate(frame.sub) || (!forced_.empty() && !placeForced(frame.sub))) {
            undo(frame.mark);
            return leave(false);
        }
        if (!forced_.empty()) {
            if (!rules_.split || frame.sub.count == 0 || connected(frame.sub)) continue;
            frame.branch = -1;
            nested = enter(frame.sub);
            if (!nested) return std::nullopt;
            continue;
        }
        const Index branch = strategy_.lookAhead > 1 && rules_.sectionBound ? chooseAhead(frame.sub) : chooseBranch(frame.sub);
        if (branch < 0) {
            // No exposed buffer: the buffer with the lowest end is refused, and its floor was just raised. When floors do not
            // change, the buffer with the lowest end is not refused (a refused buffer begins above the end of another one), so it
            // is exposed.
            if (raised_) continue;
            undo(frame.mark);
            return leave(false);
        }
        // First branch: the buffer lies at its release.
        frame.branch = branch;
        frame.branchMark = trail_.size();
        takeOut(frame.sub, branch);
        log('?', branch);
        place(branch, StepRule::branch);
        nested = enter({frame.sub.begin, frame.sub.count - 1, frame.sub.firstSection, frame.sub.lastSection});
        if (!nested) return std::nullopt;
    }
}

/// Places the forced buffers that `propagate` found, each counted as a node, and moves them to the end. Placing all at
/// once is sound: a placement only raises the releases of others, so a buffer stays forced while its own release does not change.
/// False if the release of a forced buffer has risen, because then two forced buffers exclude each other.
bool SkylineSearch::placeForced(Subproblem& sub)
{
    nodes_ += forced_.size() - 1;
    for (const Forced& forced : forced_) {
        if (placed_[at(forced.buffer)]) continue;
        if (release_[at(forced.buffer)] != forced.release) {
            logSection('#', forced.section);
            return false;
        }
        if (forced.section < 0)
            log('=', forced.buffer);
        else
            logSection('!', forced.section, forced.buffer);
        place(forced.buffer, forced.section < 0 ? StepRule::unblocked : StepRule::onlyFiller);
    }
    moved_.clear();
    std::size_t kept = sub.begin;
    for (std::size_t k = sub.begin; k < sub.begin + sub.count; ++k) {
        const Index i = lists_[k];
        if (placed_[at(i)])
            moved_.push_back(i);
        else
            lists_[kept++] = i;
    }
    std::copy(moved_.begin(), moved_.end(), lists_.begin() + static_cast<std::ptrdiff_t>(kept));
    sub.count = kept - sub.begin;
    return true;
}

bool SkylineSearch::comesAfterTwin(Index i) const
{
    const Index twin = twin_[at(i)];
    return rules_.twins && twin >= 0 && !placed_[at(twin)] && !refused_[at(twin)] && release_[at(twin)] == release_[at(i)];
}

bool SkylineSearch::covers(Index i, Index section) const
{
    for (const SectionRange& range : instance_.ranges(i))
        if (range.begin <= section && section < range.end) return true;
    return false;
}

/// Computes the lowest and second lowest end and offset in every section, then those around each buffer (without itself), and
/// from these the floors of refused buffers. A raised buffer may raise others; the next nodes do that, and keep the floors (they
/// stay valid, because nothing below the release of a refused buffer can change). The floors follow from the state, so they are
/// not part of its key. False if no buffer can block the place of a refused buffer, or if a refused buffer does not fit any more.
bool SkylineSearch::raiseRefused(const Subproblem& sub)
{
    raised_ = false;
    bool allRefused = true;
    sweeps_->lowestTwo(arrays_, members(sub), sub.firstSection, sub.lastSection);
    sweeps_->around(arrays_, members(sub));
    for (std::size_t k = 0; k < sub.count; ++k) {
        const Index i = lists_[sub.begin + k];
        std::int32_t& topAround = topAround_[at(i)];
        std::int32_t& beginAround = beginAround_[at(i)];
        if (joins_[at(i)])
            for (const Index other : instance_.explicitOnly(i))
                if (!placed_[at(other)]) {
                    topAround = std::min(topAround, lowest_[at(other)] + size(other));
                    beginAround = std::min(beginAround, lowest_[at(other)]);
                }
        if (!refused_[at(i)]) {
            allRefused = false;
            continue;
        }
        // An unplaced buffer must overlap its place at the release, so begin below the end of that place, and the refused buffer
        // must lie above its end.
        if (beginAround >= release_[at(i)] + size(i)) {
            log('-', i);
            return false;
        }
        if (topAround > floor_[at(i)]) {
            raised_ = true;
            trail_.push_back({Change::floor, i, floor_[at(i)]});
            lowest_[at(i)] = floor_[at(i)] = lift(i, topAround);
            if (floor_[at(i)] + size(i) > capacity_) {
                log('^', i);
                return false;
            }
        }
    }
    // Impossible: each buffer would lie above another one.
    if (allRefused && log_) *log_ += "*\n";
    return !allRefused;
}

/// Propagates at a node; false if it has no solution. Afterwards `forced_` contains the buffers that must lie at their release.
bool SkylineSearch::propagate(const Subproblem& sub)
{
    forced_.clear();
    for (std::size_t k = 0; k < sub.count; ++k) {
        const Index i = lists_[sub.begin + k];
        lowest_[at(i)] = refused_[at(i)] ? floor_[at(i)] : release_[at(i)];
        if (lowest_[at(i)] + size(i) > capacity_) {
            forSections(i, [&](std::size_t s) { weight_[s] += 1.0; });
            log('^', i);
            return false;
        }
    }
    if (!raiseRefused(sub)) return false;

    if (rules_.unblocked) {
        for (std::size_t k = 0; k < sub.count; ++k) {
            const Index i = lists_[sub.begin + k];
            if (!refused_[at(i)] && beginAround_[at(i)] >= release_[at(i)] + size(i)) forced_.push_back({i, release_[at(i)], -1});
        }
        if (!forced_.empty()) return true;
    }
    if (!rules_.sectionBound) return true;
    // Fillers: buffers that can begin at D = capacity - unplaced bytes of the section, or below.
    sweeps_->measure(arrays_, members(sub), sub.firstSection, sub.lastSection, capacity_);
    bool single = false;
    for (Index s = sub.firstSection; s < sub.lastSection; ++s) {
        if (unplaced_[at(s)] == 0) continue;
        if (fillers_[at(s)] == 0) {
            weight_[at(s)] += 1.0;
            logSection('#', s);
            return false;
        }
        single |= fillers_[at(s)] == 1 && risen_[at(s)] > capacity_ - unplaced_[at(s)];
    }
    if (single && rules_.onlyFiller) forceOnlyFillers(sub);
    return true;
}

void SkylineSearch::logSection(char kind, Index section, Index i)
{
    if (!log_) return;
    *log_ += kind;
    if (i >= 0) *log_ += ' ' + std::to_string(i);
    *log_ += ' ' + std::to_string(section < 0 ? -1 : instance_.steps[at(section)]) + '\n';
}

/// Finds the buffers that are the only fillers of urgent sections. Adjacent sections usually have the same filler, so a filler
/// found is tested for the following sections before a search of the list.
void SkylineSearch::forceOnlyFillers(const Subproblem& sub)
{
    for (Index s = sub.firstSection; s < sub.lastSection; ++s) {
        const std::int32_t latest = capacity_ - unplaced_[at(s)];
        if (unplaced_[at(s)] == 0 || fillers_[at(s)] != 1 || risen_[at(s)] <= latest) continue;
        const auto fills = [&](Index i) { return release_[at(i)] <= latest && exposed(i) && covers(i, s); };
        if (!forced_.empty() && fills(forced_.back().buffer)) continue;
        for (std::size_t k = 0; k < sub.count; ++k)
            if (const Index i = lists_[sub.begin + k]; fills(i)) {
                forced_.push_back({i, release_[at(i)], s});
                break;
            }
    }
}

} // namespace stowage::exact
