#include "app/session/robustness_study.h"

#include <utility>

namespace stowage {

namespace {

/// Hands on to another planner, and counts how often it has answered.
class CountingPlanner : public Planner {
public:
    CountingPlanner(std::shared_ptr<const Planner> inner, std::shared_ptr<std::atomic<int>> count)
        : inner_(std::move(inner)), count_(std::move(count))
    {
    }
    [[nodiscard]] const PlannerInfo& info() const override { return inner_->info(); }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        auto result = inner_->plan(problem, options, context);
        if (count_) ++*count_;
        return result;
    }

private:
    std::shared_ptr<const Planner> inner_;
    std::shared_ptr<std::atomic<int>> count_;
};

} // namespace

Expected<std::vector<RobustnessSample>> studyRobustness(const PlannerRegistry& planners, const Run& run,
                                                        const RobustnessRequest& request, const std::stop_token& cancel)
{
    const auto planner = planners.find(request.planner);
    if (!planner)
        return failure(Code::noPlanner, "the plan is not of a planner that is known here", {}, "plan it with --planner");
    PlanContext context;
    context.cancel = cancel;
    context.workLimit = request.workLimit;
    return robustness(run.problem(), CountingPlanner(planner, request.done), request.options, context, request.which);
}

} // namespace stowage
