#include "core/planners/greedy/naive.h"

#include "core/planners/common/can_plan.h"
#include "core/planners/common/pin_pools.h"
#include "core/planners/placement/placement_engine.h"

namespace stowage {

namespace {

class Naive : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        if (const auto confined = withPinsConfined(problem)) return plan(*confined, options, context);
        const BufferTable table(problem);
        if (table.error()) return *table.error();
        PlacementEngine engine(table, context, context.recorder, PlacementEngine::Use::endToEnd);
        engine.placeEndToEnd();
        return engine.finish(info_, options);
    }

private:
    PlannerInfo info_ = {
        .name = "naive",
        .summary = "Buffers end to end in order of index; nothing is shared.",
        .source = "baseline",
        .options = {},
        .takes = {},
        .lowering = {},
    };
};

} // namespace

std::shared_ptr<const Planner> naive()
{
    return std::make_shared<Naive>();
}

} // namespace stowage
