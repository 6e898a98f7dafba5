#include "core/planners/greedy/greedy.h"

#include "core/planners/common/can_plan.h"
#include "core/planners/common/pin_pools.h"

namespace stowage {

Expected<Plan> GreedyPlanner::plan(const Problem& problem, const OptionValues& options, const PlanContext& context) const
{
    if (auto error = cannotPlan(info_, problem, options)) return *error;
    if (const auto confined = withPinsConfined(problem)) return plan(*confined, options, context);
    const BufferTable table(problem);
    if (table.error()) return *table.error();
    PlacementEngine engine(table, context, context.recorder, PlacementEngine::Use::gaps, ends_);
    engine.place(order_(table), rule_);
    return engine.finish(info_, options);
}

} // namespace stowage
