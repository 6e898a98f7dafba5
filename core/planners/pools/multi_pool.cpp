#include "core/planners/pools/multi_pool.h"

#include "core/plan/objective.h"
#include "core/plan/one_iteration.h"
#include "core/plan/pins.h"
#include "core/plan/recorder.h"
#include "core/planners/common/can_plan.h"
#include "core/planners/common/overflow.h"
#include "core/planners/pools/multi_pool_search.h"
#include "core/planners/pools/pool_assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stowage {

namespace {

// Placements tried without a limit or a number of attempts of the caller's.
constexpr std::uint64_t defaultWork = 5'000'000;

class MultiPool : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        if (const BufferTable table(problem); table.error()) return *table.error();
        const std::string_view name = optionValue(info_, options, "minimise");
        const auto kind = name == "slow"      ? MultiPoolGoal::Kind::slow
                          : name == "traffic" ? MultiPoolGoal::Kind::traffic
                                              : MultiPoolGoal::Kind::total;
        const auto goal = MultiPoolGoal::make(problem, kind, std::string(optionValue(info_, options, "slow-pool")));
        if (!goal) return goal.error();

        // Pins stay in pools where they do not collide. What is best then need not be the best of all choices for them.
        const std::optional<Problem> confined = withPinsConfined(problem);
        const Problem& searched = confined ? *confined : problem;
        MultiPoolSearch search(searched, *goal, context);
        const bool given = std::any_of(options.begin(), options.end(), [](const auto& o) { return o.first == "attempts"; });
        const bool limited = context.workLimit > 0 || context.deadline;
        const std::int64_t attempts = limited && !given ? 0 : optionInteger(info_, options, "attempts");
        const std::uint64_t maxWork = limited || (given && attempts > 0) ? 0 : defaultWork;
        const auto tell = [&] {
            if (!context.publish) return;
            if (auto plan = search.bestPlan(info_, options)) context.publish({*std::move(plan), 0, search.work()});
        };
        search.begin(tell);
        const bool few = fewAssignments(searched); // they are all tried then: the starts give them something to beat
        if (!few) search.climb(static_cast<std::uint64_t>(attempts), maxWork);
        auto plan = search.bestPlan(info_, options);
        if (!plan || plan->stoppedBy != StoppedBy::complete || problem.buffers.empty())
            return finished(problem, std::move(plan), *goal, false, context);
        bool proved = false;
        if (few) {
            auto assigned = bestAssignment(searched, *goal, search.best(), context, search.work());
            if (!assigned) { // the exact search cannot take it
                search.climb(static_cast<std::uint64_t>(attempts), maxWork);
                plan = search.bestPlan(info_, options);
                if (!plan) return plan;
            } else {
                plan->work += assigned->work;
                proved = assigned->proved && !confined;
                if (const auto why = context.shouldStop(plan->work); why && !proved) plan->stoppedBy = *why;
                if (assigned->improved) {
                    plan->placements = std::move(assigned->plan.placements);
                    std::erase_if(plan->diagnostics, [](const Diagnostic& d) { return d.code == Code::overflow; });
                    for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
                        const auto& capacity = problem.pools[static_cast<std::size_t>(p)].capacity;
                        if (capacity && plan->poolSize(problem, p) > *capacity)
                            plan->diagnostics.push_back(describeOverflow(problem, *plan, p));
                    }
                    if (context.publish) context.publish({*plan, 0, plan->work});
                }
            }
        }
        return finished(problem, std::move(plan), *goal, proved, context);
    }

private:
    Expected<Plan> finished(const Problem& problem, Expected<Plan> plan, const MultiPoolGoal& goal, bool proved,
                            const PlanContext& context) const
    {
        if (!plan) return plan;
        if (proved && !differsByIteration(problem)) {
            const Objective reached = objectiveOf(problem, *plan);
            if (goal.kind() == MultiPoolGoal::Kind::total && reached.fits() && reached.total < Objective::saturated) {
                SearchCertificate certificate;
                certificate.bytes = reached.total;
                certificate.by = info_.name;
                certificate.nodes = plan->work;
                plan->claims.emplace_back(std::move(certificate));
            }
            plan->diagnostics.push_back({Severity::note,
                                         Code::assignmentOptimal,
                                         "all assignments were tried: " + proof(problem, goal, reached),
                                         {},
                                         {}});
        }
        if (context.recorder) {
            const std::uint16_t why = context.recorder->reason(StepRule::bestAssignment);
            for (std::size_t b = 0; b < plan->placements.size(); ++b)
                context.recorder->add(
                    {StepKind::place, why, static_cast<BufferId>(b), plan->placements[b].pool, plan->placements[b].offset});
        }
        return plan;
    }

    /// The property in which no plan is better than one that has reached `reached`. Bytes above the capacities count before the
    /// goal, so that a plan with more of them may be better by the goal.
    static std::string proof(const Problem& problem, const MultiPoolGoal& goal, const Objective& reached)
    {
        if (!reached.fits()) return "none exceeds the capacities by less";
        switch (goal.kind()) {
        case MultiPoolGoal::Kind::slow:
            return fmt::format("no plan has less in {}", problem.pools[static_cast<std::size_t>(goal.slow())].name);
        case MultiPoolGoal::Kind::traffic: return "no plan takes less time for its traffic";
        case MultiPoolGoal::Kind::total: break;
        }
        return "no plan is smaller";
    }

    PlannerInfo info_ = {
        .name = "multi-pool",
        .summary = "Chooses pools and offsets together: fewest bytes in total, fewest in the slow pool, or least traffic time.",
        .source = "Stowage",
        .options =
            {{.name = "minimise",
              .type = OptionType::choice,
              .defaultValue = "total",
              .description = "total: the bytes of all pools; slow: those of the slow pool; traffic: the estimated time of the "
                             "accesses of ops.",
              .choices = {"total", "slow", "traffic"}},
             {.name = "slow-pool",
              .type = OptionType::text,
              .defaultValue = "",
              .description =
                  "The slow pool; empty: the workspace with the lowest read bandwidth, or the last one if that is unknown."},
             {.name = "attempts",
              .type = OptionType::integer,
              .defaultValue = "3000",
              .description = "Maximum number of plans tried; 0: no maximum. A time or work limit takes the place of the default; "
                             "without one, the default and 0 also end after some seconds of work.",
              .choices = {},
              .minimum = 0,
              .maximum = 1e12}},
        .takes = {},
        .lowering = {},
        .anytime = true,
    };
};

} // namespace

std::shared_ptr<const Planner> multiPool()
{
    return std::make_shared<MultiPool>();
}

} // namespace stowage
