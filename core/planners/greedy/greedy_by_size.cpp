#include "core/planners/greedy/greedy_by_size.h"

#include "core/planners/greedy/greedy.h"
#include "core/planners/placement/order.h"

namespace stowage {

std::shared_ptr<const Planner> greedyBySize()
{
    PlannerInfo info{
        .name = "greedy-by-size",
        .summary = "Largest buffer first, each into the smallest gap that fits.",
        .source = "Pisarchyk & Lee 2020, algorithm 3; TFLite",
        .options = {},
        .takes = {},
        .lowering = {},
    };
    return std::make_shared<GreedyPlanner>(
        std::move(info), [](const BufferTable& table) { return bySize(table); }, GapRule::smallest);
}

} // namespace stowage
