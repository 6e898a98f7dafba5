#include "app/canvas/axis/map_data.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/plan/offsets.h"

#include <algorithm>
#include <numeric>

namespace stowage {

namespace {

/// Buffers in which several tensors lie, or which are the scratch of an op.
std::vector<std::uint8_t> sharedBuffers(const Run& run)
{
    const Lowering& lowering = *run.lowering;
    std::vector<std::uint8_t> shared(lowering.problem.buffers.size(), 0);
    if (!run.program || lowering.origins.size() != shared.size()) return shared;
    std::vector<std::vector<bool>> temps;
    for (const Function& function : run.program->functions) {
        temps.emplace_back(function.tensors.size(), false);
        for (const Op& op : function.ops)
            for (const TensorId temp : op.temps) temps.back()[std::size_t(temp)] = true;
    }
    for (std::size_t i = 0; i < shared.size(); ++i) {
        const BufferOrigin& origin = lowering.origins[i];
        const bool known = origin.function != none && origin.tensor != none;
        shared[i] = origin.members.size() > 1 || (known && temps[std::size_t(origin.function)][std::size_t(origin.tensor)]);
    }
    return shared;
}

} // namespace

std::span<const std::uint32_t> MapData::rectsOf(BufferId id) const
{
    if (id < 0 || std::size_t(id) + 1 >= firstOf.size()) return {};
    const auto first = firstOf[std::size_t(id)];
    return std::span(ofBuffer).subspan(first, firstOf[std::size_t(id) + 1] - first);
}

Bytes MapData::paddedHigh(std::size_t rect) const
{
    return (flags[rect] & rectTop) ? alignUp(rects[rect].high, grain) : rects[rect].high;
}

bool isFallback(const Problem& problem, const Buffer& buffer, const Placement& placement)
{
    if (!placement.placed()) return false;
    if (!buffer.pools.empty()) return buffer.pools.front() != placement.pool;
    const auto first = std::find_if(problem.pools.begin(), problem.pools.end(),
                                    [](const Pool& pool) { return pool.kind == PoolKind::workspace; });
    return first != problem.pools.end() && first - problem.pools.begin() != placement.pool;
}

MapData makeMapData(const Run& run, PoolId pool)
{
    const Problem& problem = run.problem();
    const Pool& memory = problem.pools[std::size_t(pool)];
    MapData data;
    data.pool = pool;
    data.poolName = memory.name;
    data.kind = memory.kind;
    data.capacity = memory.capacity;
    if (std::size_t(pool) < run.report.pools.size()) data.bound = run.report.pools[std::size_t(pool)].lowerBound;

    std::vector<StepBytes> rects;
    std::vector<BufferId> owner;
    std::vector<std::uint8_t> flags;
    std::vector<std::uint16_t> slots;
    const std::vector<std::uint8_t> shared = sharedBuffers(run);
    std::vector<Bytes> offsets;
    Bytes grain = 0;
    const auto count = std::min(problem.buffers.size(), run.plan.placements.size());
    data.steps = std::max<Step>({1, problem.horizon(), Step(run.lowering->steps.size())});
    // Most buffers have one rectangle: growing step by step, the lists would take up to three times the memory for a while.
    const auto expected = static_cast<std::size_t>(std::count_if(run.plan.placements.begin(), run.plan.placements.end(),
                                                                 [&](const Placement& p) { return p.pool == pool; }));
    rects.reserve(expected);
    owner.reserve(expected);
    flags.reserve(expected);
    slots.reserve(expected);
    for (std::size_t id = 0; id < count; ++id) {
        const Placement& placement = run.plan.placements[id];
        const Buffer& buffer = problem.buffers[id];
        if (placement.pool != pool || buffer.size <= 0) continue;
        ++data.bufferCount;
        const bool fallback = isFallback(problem, buffer, placement);
        if (fallback) ++data.fallbackCount;
        grain = std::gcd(grain, checkedLcm(buffer.alignment, memory.alignment).value_or(memory.alignment));
        distinctOffsets(placement, offsets);
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            const Bytes offset = offsets[k];
            data.top = std::max(data.top, offset + buffer.size);
            const std::uint8_t own = std::uint8_t((shared[id] ? rectShared : 0) | (fallback ? rectFallback : 0) |
                                                  (memory.capacity && offset + buffer.size > *memory.capacity ? rectOver : 0));
            const auto add = [&](Interval live, Bytes low, Bytes high, int more) {
                if (live.empty() || high <= low) return;
                rects.push_back({live.begin, live.end, offset + low, offset + high});
                owner.push_back(BufferId(id));
                flags.push_back(std::uint8_t(own | more | (high == buffer.size ? rectTop : 0)));
                slots.push_back(std::uint16_t(std::min<std::size_t>(k, 0xFFFF)));
            };
            forEachOccupied(buffer, [&](const Occupied& it) {
                if (it.by != Occupying::carried)
                    return add(it.steps, it.low, it.high, it.by == Occupying::window ? rectWindow : 0);
                for (const Interval& held : besideLive(buffer, it.steps)) add(held, 0, buffer.size, rectCarried);
            });
            // Without an order of steps a buffer conflicts as it says, and has no time of its own.
            if (buffer.live.empty()) add({0, data.steps}, 0, buffer.size, 0);
        }
    }
    data.grain = std::max<Bytes>(grain, 1);

    data.rects = RectIndex(rects);
    const std::size_t rectCount = rects.size();
    rects = std::vector<StepBytes>(); // the index has its own
    data.buffer.reserve(rectCount);
    data.flags.reserve(rectCount);
    data.slot.reserve(rectCount);
    data.firstOf.assign(problem.buffers.size() + 1, 0);
    for (const std::uint32_t i : data.rects.order()) {
        data.buffer.push_back(owner[i]);
        data.flags.push_back(flags[i]);
        data.slot.push_back(slots[i]);
        ++data.firstOf[std::size_t(owner[i]) + 1];
    }
    std::partial_sum(data.firstOf.begin(), data.firstOf.end(), data.firstOf.begin());
    data.ofBuffer.resize(rectCount);
    std::vector<std::uint32_t> next(data.firstOf.begin(), data.firstOf.end() - 1);
    for (std::size_t i = 0; i < data.buffer.size(); ++i) data.ofBuffer[next[std::size_t(data.buffer[i])]++] = std::uint32_t(i);
    return data;
}

std::vector<PoolId> usedPools(const Run& run)
{
    std::vector<bool> used(run.problem().pools.size(), false);
    for (std::size_t i = 0; i < std::min(run.plan.placements.size(), run.problem().buffers.size()); ++i) {
        const PoolId pool = run.plan.placements[i].pool;
        if (pool >= 0 && std::size_t(pool) < used.size() && run.problem().buffers[i].size > 0) used[std::size_t(pool)] = true;
    }
    std::vector<PoolId> pools;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) pools.push_back(PoolId(i));
    return pools;
}

} // namespace stowage
