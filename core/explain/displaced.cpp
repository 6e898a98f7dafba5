#include "core/explain/displaced.h"

#include "core/ir/checked.h"
#include "core/plan/offsets.h"
#include "core/plan/traffic.h"

#include <algorithm>
#include <limits>

namespace stowage {

namespace {

constexpr std::size_t maxPairs = 50'000'000;

/// The smallest possible end (offset + size) of `b` in `pool`, with all other buffers where they are.
Bytes lowestEnd(const Problem& problem, const Plan& plan, BufferId b, PoolId pool)
{
    std::vector<std::pair<Bytes, Bytes>> taken;
    for (std::size_t other = 0; other < plan.placements.size(); ++other) {
        const Placement& placement = plan.placements[other];
        if (placement.pool != pool || !conflict(problem, b, static_cast<BufferId>(other))) continue;
        const Bytes size = problem.buffers[other].size;
        for (const Bytes offset : offsetsOf(placement)) taken.emplace_back(offset, offset + size);
    }
    std::sort(taken.begin(), taken.end());
    const Buffer& buffer = problem.buffers[at(b)];
    const Bytes alignment = problem.effectiveAlignment(buffer, pool);
    const std::size_t slots = std::max<std::size_t>(1, plan.placements[at(b)].offsets.size());
    Bytes end = 0;
    std::size_t next = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        Bytes offset = alignUp(end, alignment);
        for (; next < taken.size() && taken[next].first < offset + buffer.size; ++next)
            offset = std::max(offset, alignUp(std::min(taken[next].second, maxBytes), alignment));
        if (offset > maxBytes - buffer.size) return maxBytes;
        end = offset + buffer.size;
    }
    return end;
}

} // namespace

std::vector<PoolDisplacement> displacements(const Problem& problem, const Plan& plan)
{
    std::vector<PoolDisplacement> all;
    for (std::size_t p = 0; p < problem.pools.size(); ++p) all.push_back({static_cast<PoolId>(p), 0, {}});
    std::size_t count = 0;
    for (std::size_t b = 0; b < std::min(problem.buffers.size(), plan.placements.size()); ++b) {
        const Placement& placement = plan.placements[b];
        if (placement.pool < 0 || at(placement.pool) >= problem.pools.size()) continue;
        for (const PoolId wanted : problem.candidates(problem.buffers[b])) {
            if (wanted == placement.pool) break;
            if (!problem.pools[at(wanted)].capacity) continue;
            Displaced displaced{static_cast<BufferId>(b), placement.pool, std::nullopt, std::nullopt};
            const Traffic traffic = trafficOf(problem.buffers[b]);
            const auto here = transferTime(problem.pools[at(wanted)], traffic);
            const auto there = transferTime(problem.pools[at(placement.pool)], traffic);
            if (here && there) displaced.saved = *there - *here;
            all[at(wanted)].displaced.push_back(displaced);
            all[at(wanted)].bytes += problem.buffers[b].size;
            ++count;
        }
    }
    const bool looked = count <= maxPairs / std::max<std::size_t>(1, problem.buffers.size());
    for (PoolDisplacement& pool : all) {
        if (looked)
            for (Displaced& displaced : pool.displaced)
                displaced.more = std::max<Bytes>(0, lowestEnd(problem, plan, displaced.buffer, pool.pool) -
                                                        *problem.pools[at(pool.pool)].capacity);
        const auto key = [&](const Displaced& d) {
            return std::pair(d.more.value_or(std::numeric_limits<Bytes>::max()), -problem.buffers[at(d.buffer)].size);
        };
        std::stable_sort(pool.displaced.begin(), pool.displaced.end(),
                         [&](const Displaced& a, const Displaced& b) { return key(a) < key(b); });
    }
    std::erase_if(all, [](const PoolDisplacement& pool) { return pool.displaced.empty(); });
    return all;
}

} // namespace stowage
