#include "core/planners/pools/multi_pool_goal.h"

#include "core/ir/checked.h"
#include "core/plan/traffic.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

/// The slowest workspace pool: by bandwidth where all have one, else the last.
PoolId slowest(const Problem& problem)
{
    PoolId slow = none;
    bool known = true;
    for (const Pool& pool : problem.pools)
        if (pool.kind == PoolKind::workspace) known &= pool.clockHz > 0 && pool.readBytesPerCycle > 0;
    const auto bandwidth = [&](PoolId p) {
        const Pool& pool = problem.pools[static_cast<std::size_t>(p)];
        return static_cast<double>(pool.clockHz) * pool.readBytesPerCycle;
    };
    for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
        if (problem.pools[static_cast<std::size_t>(p)].kind != PoolKind::workspace) continue;
        if (slow == none || !known || bandwidth(p) <= bandwidth(slow)) slow = p;
    }
    return slow == none ? static_cast<PoolId>(problem.pools.size()) - 1 : slow;
}

} // namespace

Expected<MultiPoolGoal> MultiPoolGoal::make(const Problem& problem, Kind kind, const std::string& slowPool)
{
    MultiPoolGoal goal;
    goal.kind_ = kind;
    goal.pools_ = problem.pools.size();
    for (const Pool& pool : problem.pools) goal.capacities_.push_back(pool.capacity.value_or(maxBytes));
    goal.slow_ = slowest(problem);
    if (!slowPool.empty()) {
        const auto found =
            std::find_if(problem.pools.begin(), problem.pools.end(), [&](const Pool& pool) { return pool.name == slowPool; });
        if (found == problem.pools.end())
            return failure(Code::unknownPool, fmt::format("option 'slow-pool': there is no pool named '{}'", slowPool));
        goal.slow_ = static_cast<PoolId>(found - problem.pools.begin());
    }
    if (kind != Kind::traffic) return goal;
    goal.times_.assign(problem.buffers.size() * goal.pools_, 0);
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        for (const PoolId p : problem.candidates(problem.buffers[b])) {
            const Pool& pool = problem.pools[static_cast<std::size_t>(p)];
            const auto time = transferTime(pool, trafficOf(problem.buffers[b]));
            if (!time)
                return failure(
                    Code::noBandwidth,
                    fmt::format("the traffic in '{}' cannot be estimated: its clock or bandwidth is not known", pool.name), {},
                    "give the pool clock_hz, read_bytes_per_cycle and write_bytes_per_cycle, or choose another goal");
            goal.times_[b * goal.pools_ + static_cast<std::size_t>(p)] = *time;
        }
    return goal;
}

GoalValue MultiPoolGoal::value(std::span<const Bytes> sizes, std::span<const PoolId> where) const
{
    GoalValue value;
    for (std::size_t p = 0; p < sizes.size(); ++p) value.objective.add(sizes[p], capacities_[p]);
    switch (kind_) {
    case Kind::total: break; // it is compared last as it is
    case Kind::slow: value.goal = static_cast<double>(sizes[static_cast<std::size_t>(slow_)]); break;
    case Kind::traffic:
        for (std::size_t b = 0; b < where.size(); ++b)
            if (where[b] != none) value.goal += time(static_cast<BufferId>(b), where[b]);
        break;
    }
    return value;
}

} // namespace stowage
