#include "core/plan/too_small.h"

#include "core/ir/checked.h"
#include "core/plan/bound.h"

#include <algorithm>
#include <numeric>

namespace stowage {

namespace {

const std::optional<Bytes>& capacityOf(const Problem& problem, PoolId pool)
{
    return problem.pools[static_cast<std::size_t>(pool)].capacity;
}

/// The sum of the capacities of `pools`; no value if one is unbounded.
std::optional<Bytes> capacityOf(const Problem& problem, const std::vector<PoolId>& pools)
{
    Bytes sum = 0;
    for (const PoolId pool : pools) {
        const auto& capacity = capacityOf(problem, pool);
        if (!capacity) return std::nullopt;
        sum = checkedAdd(sum, *capacity).value_or(maxBytes);
    }
    return sum;
}

std::optional<TooSmall> below(const CliqueCertificate& bound, std::vector<PoolId> pools, std::optional<Bytes> capacity)
{
    if (!capacity || bound.bytes <= *capacity) return std::nullopt;
    return TooSmall{std::move(pools), bound.bytes, *capacity, none, bound.step >= 0 ? "max-live" : "clique"};
}

/// The size of all buffers end to end, which no lower bound exceeds. No value with pins, several slots or carried values, which
/// may add to the sizes.
std::optional<Bytes> allTogether(const Problem& problem)
{
    Bytes sum = 0;
    for (const Buffer& buffer : problem.buffers) {
        if (buffer.pin || buffer.slots != 1 || buffer.isCarried()) return std::nullopt;
        Bytes largest = buffer.alignment;
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool)
            largest = std::max(largest, problem.effectiveAlignment(buffer, pool));
        const auto room = checkedAdd(buffer.size, largest);
        const auto more = room ? checkedAdd(sum, *room) : std::nullopt;
        if (!more) return std::nullopt;
        sum = *more;
    }
    return sum;
}

/// A buffer that is larger than each of its candidate pools.
std::optional<TooSmall> belowOneBuffer(const Problem& problem)
{
    for (const Buffer& buffer : problem.buffers) {
        if (buffer.size == 0) continue;
        std::vector<PoolId> candidates = problem.candidates(buffer);
        const auto small = [&](PoolId pool) { return capacityOf(problem, pool) && buffer.size > *capacityOf(problem, pool); };
        if (candidates.empty() || !std::all_of(candidates.begin(), candidates.end(), small)) continue;
        Bytes largest = 0;
        for (const PoolId pool : candidates) largest = std::max(largest, *capacityOf(problem, pool));
        std::sort(candidates.begin(), candidates.end());
        const auto id = static_cast<BufferId>(&buffer - problem.buffers.data());
        return TooSmall{std::move(candidates), buffer.size, largest, id, "max-live"};
    }
    return std::nullopt;
}

} // namespace

std::optional<TooSmall> tooSmall(const Problem& problem, const std::vector<ProblemPart>& parts)
{
    // Most models fit into each pool entirely; then no bound needs to be computed.
    const std::optional<Bytes> most = allTogether(problem);
    if (std::none_of(problem.pools.begin(), problem.pools.end(),
                     [&](const Pool& pool) { return pool.capacity && (!most || *most > *pool.capacity); }))
        return std::nullopt;
    const auto count = static_cast<PoolId>(problem.pools.size());
    for (PoolId pool = 0; pool < count; ++pool)
        if (const auto& capacity = capacityOf(problem, pool))
            if (auto found = below(lowerBound(problem, pool), {pool}, capacity)) return found;
    if (count <= 1) return std::nullopt;
    if (auto found = belowOneBuffer(problem)) return found;
    std::vector<PoolId> all(problem.pools.size());
    std::iota(all.begin(), all.end(), PoolId{0});
    if (const auto capacity = capacityOf(problem, all))
        if (auto found = below(lowerBound(problem, none), std::move(all), capacity)) return found;
    for (const ProblemPart& part : parts)
        if (const auto capacity = capacityOf(problem, part.pools))
            if (auto found = below(lowerBound(part.problem, none), part.pools, capacity)) return found;
    return std::nullopt;
}

std::optional<TooSmall> tooSmall(const Problem& problem)
{
    return tooSmall(problem, problem.pools.size() > 1 ? separateParts(problem) : std::vector<ProblemPart>());
}

} // namespace stowage
