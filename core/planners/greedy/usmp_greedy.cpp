#include "core/planners/greedy/usmp_greedy.h"

#include "core/planners/greedy/greedy.h"
#include "core/planners/placement/order.h"

namespace stowage {

namespace {

std::shared_ptr<const Planner> usmpGreedy(const char* name, const char* summary, GreedyPlanner::Order order)
{
    PlannerInfo info{
        .name = name,
        .summary = summary,
        .source = "Apache TVM 0.17, unified static memory planner",
        .options = {},
        .takes = {},
        .lowering = {},
    };
    return std::make_shared<GreedyPlanner>(std::move(info), std::move(order), GapRule::above, PlacementEngine::Ends::rounded);
}

} // namespace

std::shared_ptr<const Planner> usmpGreedyBySize()
{
    return usmpGreedy("usmp-greedy-by-size", "TVM's: largest buffer first, always above what it conflicts with.",
                      [](const BufferTable& table) { return bySizeThenConflicts(table); });
}

std::shared_ptr<const Planner> usmpGreedyByConflicts()
{
    return usmpGreedy("usmp-greedy-by-conflicts", "TVM's: most conflicts first, always above what it conflicts with.",
                      [](const BufferTable& table) { return byConflictsThenSize(table); });
}

} // namespace stowage
