#include "core/planners/common/unrolling.h"

#include "core/plan/recorder.h"
#include "core/plan/unroll.h"
#include "core/planners/common/overflow.h"

#include <algorithm>

namespace stowage {

namespace {

class Unrolling : public Planner {
public:
    explicit Unrolling(std::shared_ptr<const Planner> planner) : planner_(std::move(planner)), info_(planner_->info())
    {
        info_.takes.carried = true;
    }

    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (!needsUnrolling(problem)) return planner_->plan(problem, options, context);
        if (auto error = checkCapabilities(info_, problem)) return *std::move(error);
        std::optional<Unrolled> unrolled = unroll(problem);
        if (!unrolled) return planner_->plan(problem, options, context);
        if (!info_.takes.gaps)
            for (Buffer& buffer : unrolled->problem.buffers)
                if (buffer.live.size() > 1) buffer.live = {buffer.hull()};

        PlanContext inner = context;
        StepRecorder steps;
        std::uint64_t spent = 0; // by the plans that could not be folded
        if (context.recorder) inner.recorder = &steps;
        if (context.publish)
            inner.publish = [&](const Incumbent& incumbent) {
                if (auto folded = foldPlan(*unrolled, problem, incumbent.plan))
                    context.publish({*std::move(folded), 0, spent + incumbent.work});
            };
        for (;;) {
            auto plan = planner_->plan(unrolled->problem, options, inner);
            if (!plan) return plan;
            auto folded = foldPlan(*unrolled, problem, *plan);
            if (!folded) {
                restrict(*unrolled, *plan);
                spent += plan->work;
                inner.workLimit = context.workLeft(spent);
                steps = StepRecorder();
                continue;
            }
            if (context.recorder) hand(steps, *unrolled, *context.recorder);
            folded->work += spent;
            folded->diagnostics = std::move(plan->diagnostics);
            // What is unrolled conflicts more often than the problem does: buffers that cannot fit together there may well here.
            withdrawProofs(unrolled->problem, *plan, problem, *folded, "with the loops unrolled");
            return *std::move(folded);
        }
    }

private:
    /// Where iterations of a buffer are in several pools: leaves all of them that of the pinned one, otherwise the last of these
    /// in order of preference.
    static void restrict(Unrolled& unrolled, const Plan& plan)
    {
        for (const std::vector<BufferId>& buffers : unrolled.buffersOf) {
            const auto poolOf = [&](BufferId id) { return plan.placements[at(id)].pool; };
            if (std::all_of(buffers.begin(), buffers.end(), [&](BufferId id) { return poolOf(id) == poolOf(buffers.front()); }))
                continue;
            const std::vector<PoolId> candidates = unrolled.problem.candidates(unrolled.problem.buffers[at(buffers.front())]);
            PoolId last = poolOf(buffers.front());
            for (const PoolId pool : candidates)
                if (std::any_of(buffers.begin(), buffers.end(), [&](BufferId id) { return poolOf(id) == pool; })) last = pool;
            if (unrolled.problem.buffers[at(buffers.front())].pin) last = poolOf(buffers.front()); // the first iteration's
            for (const BufferId id : buffers) unrolled.problem.buffers[at(id)].pools = {last};
        }
    }

    static void hand(const StepRecorder& steps, const Unrolled& unrolled, StepRecorder& to)
    {
        std::vector<std::uint16_t> reasons;
        for (StepReason reason : steps.reasons()) {
            renumber(reason, unrolled.origins);
            reasons.push_back(to.reason(std::move(reason)));
        }
        for (RecordedStep step : steps.steps()) {
            step.reason = reasons[step.reason];
            if (step.buffer != none) step.buffer = unrolled.origins[at(step.buffer)];
            to.add(step);
        }
    }

    std::shared_ptr<const Planner> planner_;
    PlannerInfo info_;
};

} // namespace

std::shared_ptr<const Planner> unrolling(std::shared_ptr<const Planner> planner)
{
    return std::make_shared<Unrolling>(std::move(planner));
}

} // namespace stowage
