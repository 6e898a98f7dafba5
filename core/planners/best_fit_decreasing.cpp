#include "core/planners/best_fit_decreasing.h"

#include "core/planners/greedy.h"
#include "core/planners/order.h"
#include "core/planners/placement_engine.h"

namespace stowage {

namespace {

class BestFitDecreasing : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        const BufferTable table(problem);
        if (table.error()) return *table.error();
        PlacementEngine engine(table, context, nullptr);
        std::vector<BufferId> order = bySizeThenDuration(table);
        engine.place(order, GapRule::smallest);
        if (!engine.stopped()) {
            const PlanSize size = engine.size();
            PlacementEngine::Layout spatial = engine.layout();
            std::vector<BufferId> temporal = byDurationThenSize(table);
            engine.reset(nullptr);
            engine.place(temporal, GapRule::smallest);
            if (!engine.stopped() && engine.size() < size)
                order.swap(temporal);
            else
                engine.restore(std::move(spatial));
        }
        // Only the better plan's steps are worth replaying, and which one that is has just become known.
        if (context.recorder) {
            PlacementEngine again(table, context, context.recorder);
            again.place(order, GapRule::smallest);
        }
        return engine.finish(info_, options);
    }

private:
    PlannerInfo info_ = {
        .name = "best-fit-decreasing",
        .summary = "By size and by lifetime, each buffer into the smallest free chunk that fits; the better of the two plans.",
        .source = "XLA, GlobalDecreasingSizeBestFitHeap",
        .options = {},
        .takes = {},
        .lowering = {},
    };
};

} // namespace

std::shared_ptr<const Planner> bestFitDecreasing()
{
    return std::make_shared<BestFitDecreasing>();
}

} // namespace stowage
