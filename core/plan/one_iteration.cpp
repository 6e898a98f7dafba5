#include "core/plan/one_iteration.h"

#include "core/ir/occupied.h"

#include <algorithm>
#include <limits>

namespace stowage {

namespace {

std::vector<Interval> without(std::span<const Interval> ranges, const Interval& cut)
{
    std::vector<Interval> rest;
    for (const Interval& range : ranges) {
        if (const Interval before{range.begin, std::min(range.end, cut.begin)}; !before.empty()) rest.push_back(before);
        if (const Interval after{std::max(range.begin, cut.end), range.end}; !after.empty()) rest.push_back(after);
    }
    return rest;
}

Step endOf(const Buffer& buffer)
{
    Step end = buffer.hull().end;
    for (const Window& window : buffer.windows) end = std::max(end, window.live.end);
    return end;
}

/// Visits the loops around a buffer, if the buffer may have another offset in each iteration.
template <typename Visit>
void forLoopsAround(const Problem& problem, const Buffer& buffer, Visit visit)
{
    if (buffer.slots > 1) return;
    for (LoopId loop = buffer.loop; loop != none; loop = problem.loops[at(loop)].parent) visit(loop);
}

/// True if the steps lie after the loop: its number of iterations then counts.
bool isAfter(const Loop& loop, const Interval& steps)
{
    return steps.begin >= loop.live.end;
}

/// False if the loop has another number of iterations, so that `when` never holds at `steps`.
bool occurs(const Problem& problem, const LoopIteration& when, const Interval& steps)
{
    const Loop& loop = problem.loops[at(when.loop)];
    if (!loop.tripCount) return true;
    const std::int64_t trips = std::max<std::int64_t>(*loop.tripCount, 1); // at least one, as the checker takes it
    return isAfter(loop, steps) ? when.iteration == trips : when.iteration < trips;
}

} // namespace

Problem ofOneIteration(Problem problem)
{
    for (Buffer& buffer : problem.buffers) {
        for (const Early& early : buffer.early)
            if (!early.live.empty()) buffer.live = without(buffer.live, early.live);
        buffer.early.clear();
    }
    if (problem.loops.empty()) return problem;
    std::vector<bool> last(problem.loops.size(), false); // by loop: the chosen iteration is the last of several
    for (const Buffer& buffer : problem.buffers)
        forLoopsAround(problem, buffer, [&](LoopId loop) {
            if (problem.loops[at(loop)].tripCount.value_or(1) > 1 && endOf(buffer) > problem.loops[at(loop)].live.end)
                last[at(loop)] = true;
        });
    for (Buffer& buffer : problem.buffers)
        forLoopsAround(problem, buffer, [&](LoopId loop) {
            if (!last[at(loop)]) return;
            buffer.pin.reset();
            const Step begin = problem.loops[at(loop)].live.begin;
            if (begin > 0) buffer.live = without(buffer.live, {0, begin});
            for (Window& window : buffer.windows) window.live.begin = std::max(window.live.begin, begin);
            eraseIf(buffer.windows, [](const Window& window) { return window.live.empty(); });
        });
    return problem;
}

bool differsByIteration(const Problem& problem)
{
    if (problem.loops.empty() &&
        std::all_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& b) { return b.early.empty(); }))
        return false;
    return !(ofOneIteration(problem) == problem);
}

Problem inIteration(Problem problem, std::int32_t iteration)
{
    std::vector<bool> turning(problem.loops.size(), false); // by loop: an early range of the iteration names it
    std::vector<bool> skipped(problem.loops.size(), false); // by loop: it has ended after 0 iterations
    for (const Buffer& buffer : problem.buffers)
        for (const Early& early : buffer.early) {
            if (early.when.iteration != iteration || !occurs(problem, early.when, early.live)) continue;
            const std::size_t loop = at(early.when.loop);
            turning[loop] = true;
            if (iteration == 0 && isAfter(problem.loops[loop], early.live)) skipped[loop] = true;
        }
    const auto turns = [&](LoopId loop) { return loop != none && turning[at(loop)]; };
    for (Buffer& buffer : problem.buffers) {
        Buffer held;
        forEachOccupied<stowage::Iterations::each>(buffer, [&](const Occupied& it) {
            if (it.by != Occupying::live) return;
            if (it.when.loop == none || (it.when.iteration == iteration && occurs(problem, it.when, it.steps)))
                held.live.push_back(it.steps);
        });
        buffer.live = occupiedSteps(held); // early ranges of several loops may overlap
        buffer.early.clear();
        for (LoopId loop = buffer.loop; loop != none; loop = problem.loops[at(loop)].parent)
            if (skipped[at(loop)])
                buffer.live = without(buffer.live, {problem.loops[at(loop)].live.end, std::numeric_limits<Step>::max()});
        eraseIf(buffer.carried, [&](const Carried& carried) {
            const LoopId round = carried.loop == none ? buffer.loop : carried.loop;
            return (turns(round) && carried.distance > iteration) ||
                   (turns(carried.when.loop) && carried.when.iteration != iteration);
        });
        for (Carried& carried : buffer.carried)
            if (turns(carried.when.loop)) carried.when = {};
    }
    return problem;
}

std::size_t earlyRanges(const Buffer& buffer)
{
    return buffer.early.size();
}

void keepFirstIteration(const Problem& problem, Buffer& buffer)
{
    Step end = buffer.hull().end;
    for (LoopId id = buffer.loop; id != none; id = problem.loops[static_cast<std::size_t>(id)].parent) {
        const Loop& loop = problem.loops[static_cast<std::size_t>(id)];
        if (loop.tripCount.value_or(1) > 1) end = std::min(end, loop.live.end);
    }
    std::vector<Interval> live;
    forEachOccupied<stowage::Iterations::each>(buffer, [&](const Occupied& it) {
        const Interval first{it.steps.begin, std::min(it.steps.end, end)};
        if (it.by == Occupying::live && it.when.loop == none && !first.empty()) live.push_back(first);
    });
    buffer.live = live;
    for (Window& window : buffer.windows) window.live.end = std::min(window.live.end, end);
    eraseIf(buffer.windows, [](const Window& window) { return window.live.empty(); });
    buffer.carried.clear();
    buffer.early.clear();
}

} // namespace stowage
