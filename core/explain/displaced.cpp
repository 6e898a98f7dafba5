#include "core/explain/displaced.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/plan/offsets.h"
#include "core/plan/traffic.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stowage {

namespace {

constexpr std::size_t maxPairs = 50'000'000;

/// True if the buffer occupies some bytes in some of its steps or iterations only.
bool varies(const Buffer& buffer)
{
    return buffer.hasWindows() || buffer.isCarried() || buffer.hasEarly();
}

/// Where a buffer would end in a pool.
struct LowestEnd {
    std::optional<Bytes> end; ///< the smallest possible offset + size; no value if the pin cannot be used
    bool exact = true;        ///< see `Displaced::exact`
};

/// The smallest possible end of `b` in `pool`, with all other buffers where they are.
LowestEnd lowestEnd(const Problem& problem, const Plan& plan, BufferId b, PoolId pool)
{
    const Buffer& buffer = problem.buffers[at(b)];
    LowestEnd found{0, !varies(buffer)};
    std::vector<std::pair<Bytes, Bytes>> taken;
    for (std::size_t other = 0; other < plan.placements.size(); ++other) {
        const Placement& placement = plan.placements[other];
        if (placement.pool != pool || !conflict(problem, b, static_cast<BufferId>(other))) continue;
        const Buffer& neighbour = problem.buffers[other];
        for (const Bytes offset : offsetsOf(placement)) taken.emplace_back(offset, offset + neighbour.size);
        if (varies(neighbour) || (neighbour.slots == 1 && placement.offsets.size() > 1)) found.exact = false;
    }
    const Bytes alignment = problem.effectiveAlignment(buffer, pool);
    std::int32_t slots = slotsNeeded(buffer);
    if (buffer.pin) { // of the first slot
        const std::pair pinned{*buffer.pin, *buffer.pin + buffer.size};
        const auto meets = [&](const auto& bytes) { return bytes.first < pinned.second && pinned.first < bytes.second; };
        if (pinned.first % alignment != 0 || std::any_of(taken.begin(), taken.end(), meets)) return {std::nullopt, found.exact};
        found.end = pinned.second;
        taken.push_back(pinned);
        --slots;
    }
    std::sort(taken.begin(), taken.end());
    Bytes end = 0;
    std::size_t next = 0;
    for (; slots > 0; --slots) {
        Bytes offset = alignUp(end, alignment);
        for (; next < taken.size() && taken[next].first < offset + buffer.size; ++next)
            offset = std::max(offset, alignUp(std::min(taken[next].second, maxBytes), alignment));
        if (offset > maxBytes - buffer.size) return {maxBytes, found.exact};
        end = offset + buffer.size;
    }
    found.end = std::max(*found.end, end);
    return found;
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
            Displaced displaced{static_cast<BufferId>(b), placement.pool, std::nullopt, std::nullopt, false};
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
            for (Displaced& displaced : pool.displaced) {
                const LowestEnd lowest = lowestEnd(problem, plan, displaced.buffer, pool.pool);
                if (lowest.end) displaced.more = std::max<Bytes>(0, *lowest.end - *problem.pools[at(pool.pool)].capacity);
                displaced.exact = lowest.exact || displaced.more == 0;
            }
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
