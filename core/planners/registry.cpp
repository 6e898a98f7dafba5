#include "core/planners/registry.h"

#include "core/ir/neighbours.h"
#include "core/planners/auto.h"
#include "core/planners/climb/hill_climb.h"
#include "core/planners/climb/vela_hill_climb.h"
#include "core/planners/common/unrolling.h"
#include "core/planners/exact/exact.h"
#include "core/planners/greedy/best_fit_decreasing.h"
#include "core/planners/greedy/boxing.h"
#include "core/planners/greedy/graph_plan_memory.h"
#include "core/planners/greedy/greedy_by_breadth.h"
#include "core/planners/greedy/greedy_by_conflicts.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "core/planners/greedy/local_first.h"
#include "core/planners/greedy/naive.h"
#include "core/planners/greedy/tflm_greedy.h"
#include "core/planners/greedy/usmp_greedy.h"
#include "core/planners/hivm/hivm.h"
#include "core/planners/hivm/pipe_aware.h"
#include "core/planners/nnc/graph_planners.h"
#include "core/planners/nnc/merge.h"
#include "core/planners/pools/multi_pool.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

PlannerRegistry PlannerRegistry::builtIn()
{
    PlannerRegistry registry;
    // One line each. Two of one name are a mistake in this list, which a test of the registry finds.
    for (auto&& planner : {
             pipeAware(autoPlanner()),
             pipeAware(exactPlanner()),
             naive(),
             pipeAware(greedyBySize()),
             pipeAware(greedyByBreadth()),
             pipeAware(tflmGreedy()),
             pipeAware(bestFitDecreasing()),
             pipeAware(boxing()),
             pipeAware(greedyByConflicts()),
             pipeAware(hillClimb()),
             multiPool(),
             velaHillClimb(),
             usmpGreedyBySize(),
             usmpGreedyByConflicts(),
             graphPlanMemory(),
             localFirst(),
             nncDocument(),
             nncSizeFirst(),
             nncMerge(),
             hivmPlanner(),
         })
        registry.add(unrolling(planner));
    return registry;
}

std::optional<Error> PlannerRegistry::add(std::shared_ptr<const Planner> planner)
{
    if (find(planner->info().name))
        return failure(Code::duplicatePlanner, fmt::format("there is a planner named '{}' already", planner->info().name));
    planners_.push_back(std::move(planner));
    return std::nullopt;
}

std::shared_ptr<const Planner> PlannerRegistry::find(std::string_view name) const
{
    for (const auto& planner : planners_)
        if (planner->info().name == name) return planner;
    return nullptr;
}

Expected<std::shared_ptr<const Planner>> PlannerRegistry::require(std::string_view name) const
{
    if (auto planner = find(name)) return planner;
    std::vector<std::string> names;
    for (const auto& planner : planners_) names.push_back(planner->info().name);
    return failure(Code::unknownPlanner, fmt::format("there is no planner named '{}'", name), {},
                   suggestion(name, names, "planners"));
}

} // namespace stowage
