#include "core/planners/greedy/greedy_by_conflicts.h"

#include "core/planners/greedy/greedy.h"
#include "core/planners/placement/order.h"

namespace stowage {

std::shared_ptr<const Planner> greedyByConflicts()
{
    PlannerInfo info{
        .name = "greedy-by-conflicts",
        .summary = "The buffer with most conflicts first, each into the lowest gap that fits.",
        .source = "Apache TVM's order, with gaps filled",
        .options = {},
        .takes = {},
        .lowering = {},
    };
    return std::make_shared<GreedyPlanner>(
        std::move(info), [](const BufferTable& table) { return byConflictsThenSize(table); }, GapRule::first);
}

} // namespace stowage
