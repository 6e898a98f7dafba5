#include "core/planners/pools/preferred.h"

#include "core/plan/check.h"
#include "core/plan/objective.h"
#include "core/plan/preferred_pools.h"
#include "core/planners/common/one_pool.h"
#include "core/planners/exact/refine.h"

#include <algorithm>
#include <numeric>

namespace stowage {

namespace {

/// Lays the buffers of `pool` out anew, where that makes the pool smaller or `always`. False where no heuristic takes them.
bool layOut(const Problem& problem, Plan& plan, PoolId pool, bool always, const PlanContext& context)
{
    std::vector<BufferId> members;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (plan.placements[b].pool == pool) members.push_back(static_cast<BufferId>(b));
    if (members.empty()) return true;
    Pool alone = problem.pools[at(pool)];
    alone.kind = PoolKind::workspace;
    const auto laid = exact::bestOfHeuristics(inOnePool(problem, members, std::move(alone)), context);
    if (!laid) return false;
    plan.work += laid->work;
    Plan next = plan;
    for (std::size_t i = 0; i < members.size(); ++i) {
        Placement placement = laid->placements[i];
        if (placement.placed()) placement.pool = pool;
        next.placements[at(members[i])] = std::move(placement);
    }
    if (always || next.poolSize(problem, pool) < plan.poolSize(problem, pool)) plan = std::move(next);
    return true;
}

} // namespace

void moveToPreferredPools(const Problem& problem, Plan& plan, const PlanContext& context)
{
    PlanContext quiet = context;
    quiet.publish = nullptr;
    quiet.recorder = nullptr;
    std::vector<PoolId> pools(problem.pools.size());
    std::iota(pools.begin(), pools.end(), PoolId{0});
    Objective size = objectiveOf(problem, plan);
    while (!context.shouldStop(0)) {
        const auto passed = firstPassedOver(problem, plan, pools);
        if (!passed) return;
        Plan next = plan;
        Placement& placement = next.placements[at(passed->buffer)];
        const PoolId left = placement.pool;
        placement.pool = passed->pool;
        const bool laid = layOut(problem, next, passed->pool, true, quiet) && layOut(problem, next, left, false, quiet);
        plan.work = next.work;
        if (!laid) return;
        const Objective now = objectiveOf(problem, next);
        if (now > size || !check(problem, next, 1).valid()) return;
        plan.placements = std::move(next.placements);
        size = now;
    }
}

} // namespace stowage
