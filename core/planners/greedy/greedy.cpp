#include "core/planners/greedy/greedy.h"

namespace stowage {

Expected<Plan> GreedyPlanner::place(const BufferTable& table, const OptionValues& options, const PlanContext& context) const
{
    PlacementEngine engine(table, context, context.recorder, PlacementEngine::Use::gaps, ends_);
    engine.place(order_(table), rule_);
    return engine.finish(info(), options);
}

} // namespace stowage
