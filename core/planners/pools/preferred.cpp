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

constexpr int maxMoves = 32;
constexpr std::uint64_t nodesOfMove = 1500; ///< of the exact search, where the heuristics need more than before: some 1.5 ms

/// Lays the buffers of `pool` out anew, which took `before` bytes. `arrived`: there is one more of them than before; else the old
/// layout stays where the new one is no smaller. False where no planner takes them.
bool layOut(const Problem& problem, Plan& plan, PoolId pool, Bytes before, bool arrived, const PlanContext& context)
{
    std::vector<BufferId> members;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (plan.placements[b].pool == pool) members.push_back(static_cast<BufferId>(b));
    if (members.empty()) return true;
    Pool alone = problem.pools[at(pool)];
    alone.kind = PoolKind::workspace;
    const Problem part = inOnePool(problem, members, std::move(alone));
    auto laid = exact::bestOfHeuristics(part, context);
    if (!laid) return false;
    if (arrived && laid->poolSize(part, 0) > before) {
        exact::RefineOptions options;
        options.nodes = context.workLimit > 0 ? std::min(nodesOfMove, context.workLimit) : nodesOfMove;
        auto refined = exact::refine(part, *std::move(laid), options, context);
        if (!refined) return false;
        laid = std::move(refined->plan);
    }
    plan.work += laid->work;
    Plan next = plan;
    for (std::size_t i = 0; i < members.size(); ++i) {
        Placement placement = laid->placements[i];
        if (placement.placed()) placement.pool = pool;
        next.placements[at(members[i])] = std::move(placement);
    }
    if (arrived || next.poolSize(problem, pool) < before) plan = std::move(next);
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
    for (int moves = 0; moves < maxMoves && !context.shouldStop(0); ++moves) {
        const auto passed = firstPassedOver(problem, plan, pools);
        if (!passed) return;
        Plan next = plan;
        Placement& placement = next.placements[at(passed->buffer)];
        const PoolId left = placement.pool;
        placement.pool = passed->pool;
        const bool laid = layOut(problem, next, passed->pool, plan.poolSize(problem, passed->pool), true, quiet) &&
                          layOut(problem, next, left, plan.poolSize(problem, left), false, quiet);
        plan.work = next.work;
        if (!laid) return;
        const Objective now = objectiveOf(problem, next);
        if (now > size || !check(problem, next, 1).valid()) return;
        plan.placements = std::move(next.placements);
        size = now;
    }
}

} // namespace stowage
