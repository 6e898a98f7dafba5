#include "app/session/robustness_study.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace stowage {

namespace {

/// Hands on to another planner, gives each planning the same time, and counts the plannings.
class StudiedPlanner : public Planner {
public:
    StudiedPlanner(std::shared_ptr<const Planner> inner, double seconds, std::shared_ptr<std::atomic<int>> count)
        : inner_(std::move(inner)), seconds_(seconds), count_(std::move(count))
    {
    }
    [[nodiscard]] const PlannerInfo& info() const override { return inner_->info(); }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        PlanContext own = context;
        using Clock = std::chrono::steady_clock;
        if (seconds_ > 0)
            own.deadline = Clock::now() +
                           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds_, 1e9)));
        auto result = inner_->plan(problem, options, own);
        if (count_) ++*count_;
        return result;
    }

private:
    std::shared_ptr<const Planner> inner_;
    double seconds_ = 0; ///< 0: no limit
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
    context.threads = std::max(1U, request.threads);
    const StudiedPlanner studied(planner, request.timeLimitSeconds, request.done);
    return robustness(run.problem(), studied, request.options, context, request.which);
}

} // namespace stowage
