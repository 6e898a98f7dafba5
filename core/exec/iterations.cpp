#include "core/exec/iterations.h"

#include "core/ir/occupied.h"

#include <algorithm>
#include <numeric>

namespace stowage::executing {

namespace {

/// Longer cycles are not executed completely: a few periods of each rotation are executed instead.
constexpr std::int64_t longestCycle = 64;
/// Largest common multiple that is computed.
constexpr std::int64_t maxIterations = std::int64_t{1} << 20;

} // namespace

Iterations::Iterations(const Problem& problem, const Plan& plan, std::int64_t minIterations)
    : loops_(problem.loops.size(), {.usual = std::max<std::int64_t>(minIterations, 1)})
{
    std::vector<std::int64_t> repeat(loops_.size(), 0);
    std::vector<std::int64_t> distance(loops_.size(), 0);
    for (const Placement& placement : plan.placements)
        for (const Rotation& rotation : placement.rotations) {
            if (rotation.loop == none) continue;
            LoopState& loop = loops_[at(rotation.loop)];
            repeat[at(rotation.loop)] = std::max<std::int64_t>(repeat[at(rotation.loop)], rotation.extent());
            loop.cycle = std::min(std::lcm(loop.cycle, std::int64_t{rotation.period}), maxIterations);
        }
    for (const Buffer& buffer : problem.buffers)
        if (buffer.loop != none)
            forEachOccupied(buffer, [&](const Occupied& it) {
                if (it.by == Occupying::carried)
                    distance[at(it.round)] = std::max<std::int64_t>(distance[at(it.round)], it.distance);
            });
    for (std::size_t l = 0; l < loops_.size(); ++l) {
        LoopState& loop = loops_[l];
        loop.trips = problem.loops[l].tripCount;
        const std::int64_t longest = std::min(std::max(repeat[l], distance[l] > 0 ? distance[l] + 1 : 0), maxIterations);
        if (longest > 0) loop.usual = std::max(loop.usual, 3 * longest + 2);
        if (loop.cycle <= longestCycle) loop.usual = std::max(loop.usual, loop.cycle + std::min(distance[l], maxIterations) + 1);
        for (LoopId around = problem.loops[l].parent; around != none; around = problem.loops[at(around)].parent)
            loops_[at(around)].inside.push_back(static_cast<LoopId>(l));
    }
}

std::int64_t Iterations::shortened(LoopId id, std::int64_t trips) const
{
    const LoopState& loop = loops_[at(id)];
    if (trips <= loop.usual) return std::max<std::int64_t>(trips, 0);
    return std::min(trips, loop.usual + (trips - loop.usual) % loop.cycle);
}

void Iterations::begin(LoopId id, std::int64_t iteration)
{
    LoopState& loop = loops_[at(id)];
    // Accesses to values of earlier iterations need the iterations at which the loops inside ended then.
    if (iteration == 0)
        loop.before.clear();
    else
        for (const LoopId inner : loop.inside) loop.before.push_back(loops_[at(inner)].ran);
    loop.current = iteration;
    for (const LoopId inner : loop.inside) loops_[at(inner)].current = 0;
}

void Iterations::end(LoopId id, std::int64_t count)
{
    loops_[at(id)].ran = count;
    loops_[at(id)].current = std::max<std::int64_t>(count - 1, 0);
}

void Iterations::skip(LoopId id, bool itself)
{
    const auto toLast = [&](LoopId skipped) {
        if (const auto trips = loops_[at(skipped)].trips) end(skipped, shortened(skipped, *trips));
    };
    if (itself) toLast(id);
    for (const LoopId inner : loops_[at(id)].inside) toLast(inner);
}

void Iterations::reset()
{
    for (LoopState& loop : loops_) {
        loop.current = loop.ran = 0;
        loop.before.clear();
    }
}

std::size_t Iterations::index(const Placement& placement, LoopId loop, std::int64_t earlier, std::int64_t unnamed) const
{
    const auto ofLast = [&](LoopId inner) {
        return earlier >= 0 && loop != none &&
               std::find(loops_[at(loop)].inside.begin(), loops_[at(loop)].inside.end(), inner) != loops_[at(loop)].inside.end();
    };
    const auto ranThen = [&](LoopId inner) {
        const LoopState& around = loops_[at(loop)];
        const std::int64_t then = around.current - earlier;
        const auto position =
            static_cast<std::size_t>(std::find(around.inside.begin(), around.inside.end(), inner) - around.inside.begin());
        const std::size_t entry = static_cast<std::size_t>(std::max<std::int64_t>(then, 0)) * around.inside.size() + position;
        return then >= 0 && entry < around.before.size() ? around.before[entry] : ran(inner);
    };
    std::size_t index = 0;
    for (const Rotation& rotation : placement.rotations) {
        const std::int64_t iteration = rotation.loop == none   ? unnamed
                                       : rotation.loop == loop ? current(loop) - earlier
                                       : ofLast(rotation.loop) ? std::max<std::int64_t>(ranThen(rotation.loop) - 1, 0)
                                                               : current(rotation.loop);
        index = index * static_cast<std::size_t>(rotation.extent()) + static_cast<std::size_t>(rotation.index(iteration));
    }
    return index;
}

} // namespace stowage::executing
