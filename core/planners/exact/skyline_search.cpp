#include "core/planners/exact/skyline_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

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
        if (pin + size(i) > capacity) return Outcome::impossible;
        for (const Index other : instance_.neighbours(i)) {
            const std::int32_t otherPin = instance_.pins[at(other)];
            if (otherPin >= 0 && pin < otherPin + size(other) && otherPin < pin + size(i)) return Outcome::impossible;
        }
    }
    if (steps_) steps_->begin(capacity);
    const bool found = solveSplit({0, lists_.size(), 0, instance_.sections});
    const Outcome outcome = found ? Outcome::found : gaveUp_ == Outcome::found ? Outcome::impossible : gaveUp_;
    if (steps_) steps_->end(outcome);
    return outcome;
}

/// Solves groups of sections that no unplaced buffer connects separately, the tightest group first. The first failure ends it.
bool SkylineSearch::solveSplit(const Subproblem& sub)
{
    if (sub.count == 0) return true;
    if (!rules_.split) return solve(sub);
    std::vector<Index> cuts; // usually empty, without an allocation
    for (Index s = sub.firstSection + 1; s < sub.lastSection; ++s)
        if (crossing_[at(s)] == 0) cuts.push_back(s);
    if (cuts.empty()) return solve(sub);
    cuts.push_back(sub.lastSection);

    struct SectionRun {
        Index first, last;
        std::vector<Index> members;
        std::int32_t slack = infinite;
    };
    std::vector<SectionRun> runs;
    std::vector<std::size_t> runOf(at(sub.lastSection - sub.firstSection));
    Index first = sub.firstSection;
    for (const Index cut : cuts) {
        for (Index s = first; s < cut; ++s) runOf[at(s - sub.firstSection)] = runs.size();
        runs.push_back({first, cut, {}, infinite});
        first = cut;
    }
    for (std::size_t k = 0; k < sub.count; ++k) {
        const Index i = lists_[sub.begin + k];
        SectionRun& run = runs[runOf[at(hull_[at(i)].begin - sub.firstSection)]];
        run.members.push_back(i);
        forSections(i, [&](std::size_t s) { run.slack = std::min(run.slack, capacity_ - unplaced_[s] - release_[at(i)]); });
    }
    std::stable_sort(runs.begin(), runs.end(), [](const SectionRun& a, const SectionRun& b) { return a.slack < b.slack; });
    const std::size_t mark = trail_.size(), listEnd = lists_.size();
    for (const SectionRun& run : runs) {
        if (run.members.empty()) continue;
        lists_.insert(lists_.end(), run.members.begin(), run.members.end());
        const std::size_t written = log_ ? log_->size() : 0;
        if (log_) {
            *log_ += '@';
            for (const Index i : run.members) *log_ += ' ' + std::to_string(i);
            *log_ += '\n';
        }
        const bool solved = solve({listEnd, run.members.size(), run.first, run.last});
        lists_.resize(listEnd);
        if (log_ && solved) log_->resize(written); // a solved group is no part of a proof
        if (!solved) {
            undo(mark);
            return false;
        }
    }
    return true;
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

bool SkylineSearch::solve(Subproblem sub)
{
    if (!rules_.remember) return search(sub);
    const SeenStates::Key entry = key(sub);
    if (seen_.contains(entry)) return false;
    if (search(sub)) return true;
    if (gaveUp_ == Outcome::found) seen_.insert(entry);
    return false;
}

bool SkylineSearch::search(Subproblem sub)
{
    const std::size_t entryMark = trail_.size();
    while (sub.count > 0) {
        ++nodes_;
        if (nodes_ > nodeLimit_) {
            gaveUp_ = Outcome::limit;
        } else if (stop_ && nodes_ >= nextStop_) {
            nextStop_ = nodes_ + stopEvery_;
            if (stop_()) gaveUp_ = Outcome::stopped;
        }
        if (gaveUp_ != Outcome::found) return false;

        if (!propagate(sub) || (!forced_.empty() && !placeForced(sub))) {
            undo(entryMark);
            return false;
        }
        if (!forced_.empty()) {
            if (!rules_.split) continue;
            const auto whole = [&] {
                for (Index s = sub.firstSection + 1; s < sub.lastSection; ++s)
                    if (crossing_[at(s)] == 0) return false;
                return true;
            };
            if (sub.count == 0 || whole()) continue;
            if (solveSplit(sub)) return true;
            if (gaveUp_ == Outcome::found) undo(entryMark);
            return false;
        }
        const Index branch = strategy_.lookAhead > 1 && rules_.sectionBound ? chooseAhead(sub) : chooseBranch(sub);
        if (branch < 0) {
            // No exposed buffer: the buffer with the lowest end is refused, and its floor was just raised. When floors do not
            // change, the buffer with the lowest end is not refused (a refused buffer begins above the end of another one), so it
            // is exposed.
            if (raised_) continue;
            undo(entryMark);
            return false;
        }
        // First branch: the buffer lies at its release.
        const std::size_t mark = trail_.size(), listEnd = lists_.size();
        for (std::size_t k = 0; k < sub.count; ++k)
            if (const Index i = lists_[sub.begin + k]; i != branch) lists_.push_back(i);
        log('?', branch);
        place(branch, StepRule::branch);
        const bool solved = solveSplit({listEnd, sub.count - 1, sub.firstSection, sub.lastSection});
        lists_.resize(listEnd);
        if (solved) return true;
        if (gaveUp_ != Outcome::found) return false;
        undo(mark);
        // Second branch: the buffer lies higher. It is not branched on again until its release rises.
        refuse(branch);
    }
    return true;
}

/// Places the forced buffers that `propagate` found, each counted as a node, and removes them from the list. Placing all at once
/// is sound: a placement only raises the releases of others, so a buffer stays forced while its own release does not change.
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
    const auto begin = lists_.begin() + static_cast<std::ptrdiff_t>(sub.begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(sub.count);
    sub.count = static_cast<std::size_t>(std::remove_if(begin, end, [&](Index i) { return placed_[at(i)] != 0; }) - begin);
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

SkylineSearch::Index SkylineSearch::chooseBranch(const Subproblem& sub) const
{
    // A filler of the most urgent section: the one with the fewest fillers, then with the most failures.
    Index section = -1;
    for (Index s = sub.firstSection; rules_.sectionBound && s < sub.lastSection; ++s) {
        if (unplaced_[at(s)] == 0 || fillers_[at(s)] > strategy_.urgentFirst) continue;
        if (risen_[at(s)] <= capacity_ - unplaced_[at(s)]) continue; // not urgent: a refused or raised buffer can fill it
        if (section < 0 ||
            std::tuple(-fillers_[at(s)], weight_[at(s)]) > std::tuple(-fillers_[at(section)], weight_[at(section)]))
            section = s;
    }
    const auto preference = [&](Index i) { return strategy_.preference[at(i)]; };
    Index best = -1;
    if (section >= 0) {
        const std::int32_t latest = capacity_ - unplaced_[at(section)];
        for (std::size_t k = 0; k < sub.count; ++k) {
            const Index i = lists_[sub.begin + k];
            if (!exposed(i) || release_[at(i)] > latest || comesAfterTwin(i) || !covers(i, section)) continue;
            if (best < 0 || preference(i) > preference(best)) best = i;
        }
        if (best >= 0) return best;
    }
    // Otherwise the lowest place, as in the canonical order.
    for (std::size_t k = 0; k < sub.count; ++k) {
        const Index i = lists_[sub.begin + k];
        if (!exposed(i) || comesAfterTwin(i)) continue;
        if (best < 0 || release_[at(i)] < release_[at(best)] ||
            (release_[at(i)] == release_[at(best)] && preference(i) > preference(best)))
            best = i;
    }
    return best;
}

} // namespace stowage::exact
