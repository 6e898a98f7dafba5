#include "core/planners/greedy/naive.h"

#include "core/planners/common/table_planner.h"
#include "core/planners/placement/placement_engine.h"

namespace stowage {

namespace {

class Naive : public TablePlanner {
public:
    Naive()
        : TablePlanner({
              .name = "naive",
              .summary = "Buffers end to end in order of index; nothing is shared.",
              .source = "baseline",
              .options = {},
              .takes = {},
              .lowering = {},
          })
    {
    }

private:
    [[nodiscard]] Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                       const PlanContext& context) const override
    {
        PlacementEngine engine(table, context, context.recorder, PlacementEngine::Use::endToEnd);
        engine.placeEndToEnd();
        return engine.finish(info(), options);
    }
};

} // namespace

std::shared_ptr<const Planner> naive()
{
    return std::make_shared<Naive>();
}

} // namespace stowage
