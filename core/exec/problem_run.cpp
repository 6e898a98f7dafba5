#include "core/exec/problem_run.h"

#include "core/plan/offsets.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace stowage::executing {

namespace {

/// Maximum number of combinations of iterations for which a pair in explicit conflict is tried.
constexpr std::int64_t maxCombinations = 100'000;
constexpr std::int64_t maxUnnamed = 12;

bool lists(std::span<const BufferId> ids, BufferId id)
{
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool permits(const Problem& problem, BufferId a, BufferId b)
{
    return lists(problem.buffers[at(a)].mayShare, b) || lists(problem.buffers[at(b)].mayShare, a);
}

bool overlap(Bytes a, Bytes sizeA, Bytes b, Bytes sizeB)
{
    return a < b + sizeB && b < a + sizeA;
}

} // namespace

ProblemRun::ProblemRun(const Problem& problem, const Plan& plan, const ExecuteOptions& options, ArenaMemory& memory,
                       std::optional<Address> watch)
    : problem_(problem),
      plan_(plan),
      options_(options),
      memory_(memory),
      watch_(watch),
      iterations_(problem, plan, options.iterations)
{
    for (const Placement& placement : plan.placements)
        for (const Rotation& rotation : placement.rotations)
            if (rotation.loop == none)
                wantedRuns_ = std::max(wantedRuns_, std::min<std::int64_t>(rotation.extent() + 1, maxUnnamed));
    collectStretches();
    nestLoops();
}

void ProblemRun::collectStretches()
{
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        const Buffer& buffer = problem_.buffers[b];
        const auto id = static_cast<BufferId>(b);
        firstStretch_.push_back(stretches_.size());
        if (buffer.size == 0) continue;
        for (const Interval& range : buffer.live) {
            Step from = range.begin; // without the early ranges
            std::vector<Interval> cuts;
            for (const Early& early : buffer.early)
                if (early.live.overlaps(range)) cuts.push_back(early.live);
            std::sort(cuts.begin(), cuts.end(), [](const Interval& x, const Interval& y) { return x.begin < y.begin; });
            for (const Interval& cut : cuts) {
                if (from < cut.begin) stretches_.push_back({id, {from, cut.begin}, 0, buffer.size, 0});
                from = std::max(from, cut.end);
            }
            if (from < range.end) stretches_.push_back({id, {from, range.end}, 0, buffer.size, 0});
        }
        for (const Early& early : buffer.early) stretches_.push_back({id, early.live, 0, buffer.size, 0, none, early.when});
        for (const Window& window : buffer.windows) stretches_.push_back({id, window.live, window.low, window.high, 0});
        // Carried ranges of one value may overlap: they are united to one stretch.
        std::vector<Carried> carried = buffer.carried;
        std::sort(carried.begin(), carried.end(), [](const Carried& x, const Carried& y) {
            return std::tuple(x.distance, x.loop, x.when.loop, x.when.iteration, x.live.begin) <
                   std::tuple(y.distance, y.loop, y.when.loop, y.when.iteration, y.live.begin);
        });
        for (std::size_t i = 0; i < carried.size(); ++i) {
            Interval steps = carried[i].live;
            const auto alike = [](const Carried& x, const Carried& y) {
                return x.distance == y.distance && x.loop == y.loop && x.when == y.when;
            };
            for (; i + 1 < carried.size() && alike(carried[i + 1], carried[i]) && carried[i + 1].live.begin <= steps.end; ++i)
                steps.end = std::max(steps.end, carried[i + 1].live.end);
            const LoopId round = carried[i].loop == none ? buffer.loop : carried[i].loop;
            stretches_.push_back({id, steps, 0, buffer.size, carried[i].distance, round, carried[i].when});
        }
    }
    firstStretch_.push_back(stretches_.size());
    fillings_.resize(stretches_.size());
}

void ProblemRun::nestLoops()
{
    inner_.resize(problem_.loops.size() + 1);
    const auto& loops = problem_.loops;
    std::vector<LoopId> order;
    for (std::size_t l = 0; l < loops.size(); ++l)
        if (!loops[l].live.empty()) order.push_back(static_cast<LoopId>(l));
    std::sort(order.begin(), order.end(), [&](LoopId a, LoopId b) {
        const Interval& x = loops[at(a)].live;
        const Interval& y = loops[at(b)].live;
        if (x.begin != y.begin) return x.begin < y.begin;
        return x.end != y.end ? x.end > y.end : a < b;
    });
    // A loop that overlaps its predecessor on the same level is left out: its steps are executed once, as part of its parent.
    std::vector<Step> free(inner_.size(), 0);
    for (const LoopId loop : order) {
        const LoopId parent = loops[at(loop)].parent;
        Step& begin = free[at(parent + 1)];
        if (loops[at(loop)].live.begin < begin) continue;
        begin = loops[at(loop)].live.end;
        inner_[at(parent + 1)].push_back(loop);
    }
}

std::int64_t ProblemRun::iterationsOf(LoopId loop) const
{
    const auto& trips = problem_.loops[at(loop)].tripCount;
    if (!trips) return iterations_.usual(loop);
    return std::max<std::int64_t>(iterations_.shortened(loop, *trips), 1); // a loop without iterations is executed once
}

std::size_t ProblemRun::eventAt(Step step) const
{
    const auto found =
        std::partition_point(sorted_.begin(), sorted_.end(), [&](const Event& event) { return event.step < step; });
    return static_cast<std::size_t>(found - sorted_.begin());
}

bool ProblemRun::mayStop()
{
    cancelled_ = cancelled_ || options_.cancel.stop_requested();
    exhausted_ = exhausted_ || events_ >= options_.maxOps || memory_.bytesChecked() + memory_.bytesWritten() >= options_.maxBytes;
    return cancelled_ || exhausted_;
}

bool ProblemRun::run()
{
    // Without an order all conflicts are explicit, and the steps only illustrate.
    if (problem_.axis != Axis::dag) {
        std::vector<std::int32_t> all(stretches_.size());
        std::iota(all.begin(), all.end(), 0);
        if (!walk(all, true)) return false;
    }
    const bool done = walkSelves() && runConflicts() && runUnique();
    ++unnamed_;
    return done;
}

// --- the axis ------------------------------------------------------------------------------------------------------------

bool ProblemRun::walk(std::span<const std::int32_t> stretches, bool together)
{
    together_ = together;
    iterations_.reset();
    sorted_.clear();
    for (const std::int32_t p : stretches) {
        if (stretches_[at(p)].steps.empty()) continue;
        sorted_.push_back({stretches_[at(p)].steps.begin, false, p});
        sorted_.push_back({stretches_[at(p)].steps.end - 1, true, p});
    }
    std::sort(sorted_.begin(), sorted_.end(), [](const Event& a, const Event& b) {
        if (a.step != b.step) return a.step < b.step;
        if (a.ends != b.ends) return b.ends;
        return a.stretch < b.stretch;
    });
    std::vector<Frame> stack{{none, 0, 0, sorted_.size(), 0, 0}};
    while (!stack.empty()) {
        Frame& frame = stack.back();
        const auto& loops = inner_[at(frame.loop + 1)];
        if (frame.nextInner < loops.size()) {
            const LoopId next = loops[frame.nextInner];
            const Interval& live = problem_.loops[at(next)].live;
            if (frame.nextEvent == frame.lastEvent || sorted_[frame.nextEvent].step >= live.begin) {
                ++frame.nextInner;
                const std::size_t first = frame.nextEvent;
                frame.nextEvent = std::clamp(eventAt(live.end), first, frame.lastEvent);
                const std::size_t last = frame.nextEvent;
                stack.push_back({next, 0, first, last, first, 0});
                continue;
            }
        }
        if (frame.nextEvent < frame.lastEvent) {
            if (mayStop()) return false;
            const Event& event = sorted_[frame.nextEvent++];
            ++events_;
            if (!event.ends)
                fill(event.stretch);
            else if (!release(event.stretch, event.step))
                return false;
            continue;
        }
        if (frame.loop != none && ++frame.iteration < iterationsOf(frame.loop)) {
            if (mayStop() || !nextIteration(frame.loop, frame.iteration, stretches)) return false;
            frame.nextEvent = frame.firstEvent;
            frame.nextInner = 0;
            continue;
        }
        if (frame.loop != none) iterations_.end(frame.loop, iterationsOf(frame.loop));
        stack.pop_back();
    }
    return true;
}

/// Goes from the last step of a loop back to its first.
bool ProblemRun::nextIteration(LoopId id, std::int64_t iteration, std::span<const std::int32_t> stretches)
{
    const Interval& loop = problem_.loops[at(id)].live;
    iterations_.begin(id, iteration);
    const std::vector<std::int32_t> still = occupied_;
    for (const std::int32_t p : still) {
        const Stretch& stretch = stretches_[at(p)];
        const bool throughout = stretch.steps.begin < loop.begin && stretch.steps.end > loop.end;
        if (throughout && present(stretch) && indexNow(stretch) == fillings_[at(p)].index) continue;
        ++events_;
        if (!release(p, loop.end - 1)) return false;
        if (throughout) fill(p);
    }
    for (const std::int32_t p : stretches) {
        const Stretch& stretch = stretches_[at(p)];
        const bool entering = stretch.steps.begin < loop.begin && stretch.steps.end > loop.begin && stretch.steps.end <= loop.end;
        if (!entering) continue;
        ++events_;
        fill(p);
    }
    return true;
}

/// True when a value of the stretch's age exists, and the stretch is occupied in the current iteration.
bool ProblemRun::present(const Stretch& stretch) const
{
    if (stretch.distance > 0 && stretch.round != none && iterations_.current(stretch.round) < stretch.distance) return false;
    const LoopId turning = stretch.when.loop;
    if (turning == none) return true;
    const bool after =
        stretch.steps.begin >= problem_.loops[at(turning)].live.end; // after the loop its number of iterations counts
    return stretch.when.iteration == (after ? iterationsOf(turning) : iterations_.current(turning));
}

std::size_t ProblemRun::indexNow(const Stretch& stretch) const
{
    const Placement& placement = plan_.placements[at(stretch.buffer)];
    if (!placement.rotating()) return 0;
    return iterations_.index(placement, stretch.round, stretch.distance, unnamed_);
}

/// Calls visit(address, length, begin in the stream) for the address ranges that a stretch occupies.
template <typename Visit>
void ProblemRun::eachPlace(const Stretch& stretch, std::size_t index, Visit&& visit) const
{
    const Placement& placement = plan_.placements[at(stretch.buffer)];
    const Bytes length = stretch.high - stretch.low;
    const std::span<const Bytes> offsets = offsetsOf(placement);
    if (!together_ || problem_.buffers[at(stretch.buffer)].slots == 1) {
        visit(Address{placement.pool, offsets[index] + stretch.low}, length, Bytes{0});
        return;
    }
    for (std::size_t slot = 0; slot < offsets.size(); ++slot)
        visit(Address{placement.pool, offsets[slot] + stretch.low}, length, static_cast<Bytes>(slot) * length);
}

void ProblemRun::put(BufferId buffer, Address to, Bytes length, Stamp stamp, Bytes stream)
{
    memory_.write(to, length, stamp, stream);
    if (watch_ && memory_.covers(to, length, *watch_)) lastWriter_ = buffer;
}

void ProblemRun::fill(std::int32_t index)
{
    const Stretch& stretch = stretches_[at(index)];
    if (!present(stretch)) return;
    Filling& filling = fillings_[at(index)];
    filling = {nextStamp(), indexNow(stretch), occupied_.size(), {}};
    occupied_.push_back(index);
    const auto giveUp = [&](BufferId partner, Address to, Bytes length) {
        if (plan_.placements[at(partner)].pool != to.pool) return;
        for (std::size_t p = firstStretch_[at(partner)]; p < firstStretch_[at(partner) + 1]; ++p)
            if (p != at(index) && fillings_[p].stamp != 0) fillings_[p].givenUp.push_back({to.byte, to.byte + length});
    };
    const Buffer& buffer = problem_.buffers[at(stretch.buffer)];
    eachPlace(stretch, filling.index, [&](Address to, Bytes length, Bytes stream) {
        put(stretch.buffer, to, length, filling.stamp, stream);
        for (const BufferId partner : buffer.mayShare) giveUp(partner, to, length);
        // While all slots are occupied, it is not visible which slot holds which value; `walkSelves` checks that.
        if (together_ && buffer.slots > 1 && !buffer.carried.empty()) giveUp(stretch.buffer, to, length);
        // Ranges of one value may overlap if they belong to iterations of different loops.
        for (std::size_t p = firstStretch_[at(stretch.buffer)]; p < firstStretch_[at(stretch.buffer) + 1]; ++p)
            if (p != at(index) && fillings_[p].stamp != 0 && stretches_[p].distance == stretch.distance &&
                stretches_[p].round == stretch.round)
                fillings_[p].givenUp.push_back({to.byte, to.byte + length});
    });
}

bool ProblemRun::intact(BufferId buffer, Address from, Bytes length, Stamp stamp, Bytes stream, Step step)
{
    const auto wrong = memory_.check(from, length, stamp, stream);
    if (!wrong) return true;
    Corruption& found = corruption_.emplace();
    corruptedAt_ = {wrong->pool, wrong->low};
    found.tensor = problem_.buffers[at(buffer)].name;
    found.buffer = buffer;
    found.overwrittenBy = lastWriter_;
    found.pool = wrong->pool;
    found.low = wrong->low;
    found.high = wrong->high;
    found.step = step;
    for (std::size_t loop = 0; step >= 0 && loop < problem_.loops.size(); ++loop)
        if (problem_.loops[loop].live.contains(step)) found.iterations.push_back(iterations_.current(static_cast<LoopId>(loop)));
    return false;
}

/// Ends the occupation of a stretch, and checks its bytes except those that were given up. False when one is wrong.
bool ProblemRun::release(std::int32_t index, Step step)
{
    Filling& filling = fillings_[at(index)];
    if (filling.stamp == 0) return true;
    occupied_[filling.place] = occupied_.back();
    fillings_[at(occupied_.back())].place = filling.place;
    occupied_.pop_back();
    const Stamp stamp = std::exchange(filling.stamp, 0);
    std::vector<Interval>& gone = filling.givenUp;
    std::sort(gone.begin(), gone.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    const Stretch& stretch = stretches_[at(index)];
    bool fine = true;
    eachPlace(stretch, filling.index, [&](Address from, Bytes length, Bytes stream) {
        Bytes begin = from.byte;
        const auto check = [&](Bytes end) {
            if (fine && begin < end)
                fine = intact(stretch.buffer, {from.pool, begin}, end - begin, stamp, stream + begin - from.byte, step);
        };
        for (const Interval& hole : gone) {
            check(std::min(hole.begin, from.byte + length));
            begin = std::max(begin, hole.end);
        }
        check(from.byte + length);
    });
    return fine;
}

/// Checks that values of one buffer that are in use at the same time lie apart, as far as the walk over all buffers does not.
bool ProblemRun::walkSelves()
{
    std::vector<std::int32_t> own;
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        const Buffer& buffer = problem_.buffers[b];
        if (buffer.carried.empty() || (problem_.axis != Axis::dag && buffer.slots == 1)) continue;
        own.resize(firstStretch_[b + 1] - firstStretch_[b]);
        std::iota(own.begin(), own.end(), static_cast<std::int32_t>(firstStretch_[b]));
        if (!walk(own, false)) return false;
    }
    return true;
}

// --- conflicts that no step shows ---------------------------------------------------------------------------------------

/// Fills `a`, then `b`, and checks that `a` is unchanged.
bool ProblemRun::runPair(BufferId a, Bytes offsetOfA, BufferId b, Bytes offsetOfB)
{
    if (mayStop()) return false;
    ++events_;
    const Address first{plan_.placements[at(a)].pool, offsetOfA};
    const Stamp stamp = nextStamp();
    put(a, first, problem_.buffers[at(a)].size, stamp, 0);
    put(b, {plan_.placements[at(b)].pool, offsetOfB}, problem_.buffers[at(b)].size, nextStamp(), 0);
    return intact(a, first, problem_.buffers[at(a)].size, stamp, 0, -1);
}

bool ProblemRun::runConflicts()
{
    for (std::size_t a = 0; a < problem_.buffers.size(); ++a) {
        const auto first = static_cast<BufferId>(a);
        for (const BufferId second : problem_.buffers[a].conflicts) {
            const Bytes sizeA = problem_.buffers[a].size;
            const Bytes sizeB = problem_.buffers[at(second)].size;
            if (second <= first || sizeA == 0 || sizeB == 0 || permits(problem_, first, second)) continue;
            if (plan_.placements[a].pool != plan_.placements[at(second)].pool) continue;
            // A write to distant bytes changes nothing.
            const auto [lowA, highA] = std::ranges::minmax(offsetsOf(plan_.placements[a]));
            const auto [lowB, highB] = std::ranges::minmax(offsetsOf(plan_.placements[at(second)]));
            if (!overlap(lowA, highA - lowA + sizeA, lowB, highB - lowB + sizeB)) continue;
            if (!runConflict(first, second)) return false;
        }
    }
    return true;
}

/// An explicit conflict holds between the values of one iteration, and those that either buffer carries into it.
bool ProblemRun::runConflict(BufferId a, BufferId b)
{
    std::vector<LoopId> loops;
    for (const BufferId buffer : {a, b}) {
        for (const Rotation& rotation : plan_.placements[at(buffer)].rotations)
            if (rotation.loop != none) loops.push_back(rotation.loop);
        for (const Carried& carried : problem_.buffers[at(buffer)].carried) {
            loops.push_back(carried.loop == none ? problem_.buffers[at(buffer)].loop : carried.loop);
            if (carried.when.loop != none) loops.push_back(carried.when.loop);
        }
    }
    std::sort(loops.begin(), loops.end());
    loops.erase(std::unique(loops.begin(), loops.end()), loops.end());

    // The possible offsets of a value: those of all slots, or the one of its iteration.
    const auto offsets = [&](BufferId id, const Carried& carried) -> std::span<const Bytes> {
        const LoopId round = carried.loop == none ? problem_.buffers[at(id)].loop : carried.loop;
        const Stretch value{id, {}, 0, 0, carried.distance, carried.distance == 0 ? none : round, carried.when};
        if (!present(value)) return {};
        const std::span<const Bytes> all = offsetsOf(plan_.placements[at(id)]);
        return problem_.buffers[at(id)].slots > 1 ? all : all.subspan(indexNow(value), 1);
    };
    const Carried own{.distance = 0, .live = {}};
    const auto meet = [&](const Carried& valueOfA, const Carried& valueOfB) {
        for (const Bytes first : offsets(a, valueOfA))
            for (const Bytes second : offsets(b, valueOfB))
                if (overlap(first, problem_.buffers[at(a)].size, second, problem_.buffers[at(b)].size) &&
                    !runPair(a, first, b, second))
                    return false;
        return true;
    };
    iterations_.reset();
    for (std::int64_t combination = 0; combination < maxCombinations; ++combination) {
        if (!meet(own, own)) return false;
        for (const Carried& carried : problem_.buffers[at(a)].carried)
            if (!meet(carried, own)) return false;
        for (const Carried& carried : problem_.buffers[at(b)].carried)
            if (!meet(own, carried)) return false;
        std::size_t turning = 0;
        while (turning < loops.size() && iterations_.current(loops[turning]) + 1 >= iterationsOf(loops[turning]))
            iterations_.set(loops[turning++], 0);
        if (turning == loops.size()) return true;
        iterations_.set(loops[turning], iterations_.current(loops[turning]) + 1);
    }
    leftIterations_ = true;
    return true;
}

/// Checks unique buffers. It is enough to compare neighbours by address.
bool ProblemRun::runUnique()
{
    struct Place {
        PoolId pool;
        Bytes begin;
        Bytes end;
        BufferId buffer;
    };
    std::vector<Place> places;
    bool any = false;
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        const Buffer& buffer = problem_.buffers[b];
        if (buffer.size == 0) continue;
        any = any || buffer.unique;
        for (const Bytes offset : offsetsOf(plan_.placements[b]))
            places.push_back({plan_.placements[b].pool, offset, offset + buffer.size, static_cast<BufferId>(b)});
    }
    if (!any) return true;
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.pool != b.pool ? a.pool < b.pool : a.begin != b.begin ? a.begin < b.begin : a.buffer < b.buffer;
    });
    const Place* highest = nullptr;       // of all buffers so far in the pool
    const Place* highestUnique = nullptr; // of the unique buffers so far
    for (const Place& place : places) {
        if (highest && highest->pool != place.pool) highest = highestUnique = nullptr;
        const bool unique = problem_.buffers[at(place.buffer)].unique;
        const Place* other = unique ? highest : highestUnique;
        if (other && other->end > place.begin && other->buffer != place.buffer &&
            !permits(problem_, other->buffer, place.buffer) && !runPair(other->buffer, other->begin, place.buffer, place.begin))
            return false;
        if (!highest || place.end > highest->end) highest = &place;
        if (unique && (!highestUnique || place.end > highestUnique->end)) highestUnique = &place;
    }
    return true;
}

} // namespace stowage::executing
