#include "core/planners/greedy/tflm_greedy.h"

#include "core/planners/greedy/greedy.h"
#include "core/planners/placement/order.h"

namespace stowage {

std::shared_ptr<const Planner> tflmGreedy()
{
    PlannerInfo info{
        .name = "tflm-greedy",
        .summary = "Largest buffer first, of equals the later one, each into the lowest gap that fits.",
        .source = "TFLite Micro, GreedyMemoryPlanner",
        .options = {},
        .takes = {},
        .lowering = {},
    };
    return std::make_shared<GreedyPlanner>(
        std::move(info), [](const BufferTable& table) { return bySize(table, Ties::laterFirst); }, GapRule::first);
}

} // namespace stowage
