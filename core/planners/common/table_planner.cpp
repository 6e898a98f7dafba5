#include "core/planners/common/table_planner.h"

#include "core/plan/pins.h"
#include "core/planners/common/can_plan.h"

namespace stowage {

Expected<Plan> TablePlanner::plan(const Problem& problem, const OptionValues& options, const PlanContext& context) const
{
    if (auto error = cannotPlan(info_, problem, options)) return *error;
    const auto confined = withPinsConfined(problem);
    const BufferTable table(confined ? *confined : problem);
    if (table.error()) return *table.error();
    return place(table, options, context);
}

} // namespace stowage
