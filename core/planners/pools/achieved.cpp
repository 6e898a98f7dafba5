#include "core/planners/pools/achieved.h"

#include "core/planners/climb/hill_climb.h"
#include "core/planners/greedy/best_fit_decreasing.h"
#include "core/planners/greedy/greedy_by_breadth.h"
#include "core/planners/greedy/greedy_by_conflicts.h"
#include "core/planners/greedy/greedy_by_size.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t maxBuffers = 20'000;
constexpr std::uint64_t climbing = 200'000; ///< placements tried

} // namespace

std::vector<AchievedCapacity> achievedCapacities(const Problem& problem, const Plan& plan, const PlanContext& context)
{
    std::vector<AchievedCapacity> achieved;
    Problem lifted = problem;
    for (std::size_t p = 0; p < problem.pools.size(); ++p) {
        const Bytes size = plan.poolSize(problem, static_cast<PoolId>(p));
        if (!problem.pools[p].capacity || size <= *problem.pools[p].capacity) continue;
        achieved.push_back({static_cast<PoolId>(p), size, plan.planner});
        lifted.pools[p].capacity.reset();
    }
    if (achieved.empty() || problem.buffers.size() > maxBuffers) return achieved;
    PlanContext quick;
    quick.cancel = context.cancel;
    quick.seed = context.seed;
    for (const auto& planner : {greedyBySize(), greedyByBreadth(), bestFitDecreasing(), greedyByConflicts(), hillClimb()}) {
        if (context.cancel.stop_requested()) break;
        quick.workLimit = planner->info().anytime ? climbing : 0;
        const auto other = planner->plan(lifted, {}, quick);
        if (!other) continue;
        const bool keeps = std::none_of(other->diagnostics.begin(), other->diagnostics.end(),
                                        [](const Diagnostic& d) { return d.code == Code::overflow; });
        if (!keeps) continue;
        for (AchievedCapacity& best : achieved)
            if (const Bytes size = other->poolSize(lifted, best.pool); size < best.bytes)
                best = {best.pool, size, planner->info().name};
    }
    return achieved;
}

} // namespace stowage
