#include "core/planners/greedy/greedy_by_breadth.h"

#include "core/planners/greedy/greedy.h"
#include "core/planners/placement/order.h"

namespace stowage {

std::shared_ptr<const Planner> greedyByBreadth()
{
    PlannerInfo info{
        .name = "greedy-by-breadth",
        .summary = "Fullest step first, the buffers of each step by size, each into the smallest gap that fits.",
        .source = "Pisarchyk & Lee 2020, algorithm 2; TFLite",
        .options = {},
        .takes = {},
        .lowering = {},
    };
    return std::make_shared<GreedyPlanner>(std::move(info), byBreadth, GapRule::smallest);
}

} // namespace stowage
