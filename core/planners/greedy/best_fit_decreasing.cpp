#include "core/planners/greedy/best_fit_decreasing.h"

#include "core/planners/common/table_planner.h"
#include "core/planners/placement/order.h"
#include "core/planners/placement/placement_engine.h"

#include <future>
#include <optional>

namespace stowage {

namespace {

constexpr std::int32_t worthAThread = 4096; ///< buffers

class BestFitDecreasing : public TablePlanner {
public:
    BestFitDecreasing()
        : TablePlanner({
              .name = "best-fit-decreasing",
              .summary =
                  "By size and by lifetime, each buffer into the smallest free chunk that fits; the better of the two plans.",
              .source = "XLA, GlobalDecreasingSizeBestFitHeap",
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
        PlacementEngine spatial(table, context, nullptr);
        PlanContext rest = context;
        std::optional<PlacementEngine> temporal;
        const auto tryTemporal = [&] {
            temporal.emplace(table, rest, nullptr);
            temporal->place(byDurationThenSize(table), GapRule::smallest);
        };
        // The two orders know nothing of each other. With a work limit the second has what the first leaves, so it comes after
        // it.
        if (context.threads > 1 && context.workLimit == 0 && table.size() >= worthAThread) {
            std::future<void> other = std::async(std::launch::async, tryTemporal);
            spatial.place(bySizeThenDuration(table), GapRule::smallest);
            other.get();
        } else {
            spatial.place(bySizeThenDuration(table), GapRule::smallest);
            rest.workLimit = context.workLeft(spatial.work());
            if (!spatial.stopped()) tryTemporal();
        }
        const bool lasting = temporal && !spatial.stopped() && !temporal->stopped() && temporal->size() < spatial.size();
        // Only the better plan's steps are worth replaying, and which one that is has just become known.
        if (context.recorder) {
            PlacementEngine again(table, context, context.recorder);
            again.place(lasting ? byDurationThenSize(table) : bySizeThenDuration(table), GapRule::smallest);
        }
        Expected<Plan> plan = (lasting ? *temporal : spatial).finish(info(), options);
        if (plan && temporal) {
            plan->work = spatial.work() + temporal->work();
            if (!spatial.stopped()) plan->stoppedBy = temporal->stoppedBy();
        }
        return plan;
    }
};

} // namespace

std::shared_ptr<const Planner> bestFitDecreasing()
{
    return std::make_shared<BestFitDecreasing>();
}

} // namespace stowage
