#include "core/planners/auto.h"

#include "core/planners/exact/refine.h"
#include "core/planners/greedy.h"

#include <algorithm>

namespace stowage {

namespace {

// A node costs 20 to 40 ns for each buffer; so the default stops after about two seconds whatever the size. It counts work and not
// time, so that the plan is the same on every machine.
constexpr std::uint64_t defaultWork = 60'000'000; ///< nodes times buffers
// Beyond this many buffers the search's neighbour lists would outgrow memory before the search could gain anything.
constexpr std::size_t mostBuffersForSearch = 4000;

class Auto : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options, const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        auto best = exact::bestOfHeuristics(problem, context);
        if (!best) return best;
        const std::string member = best->planner;
        best->planner = info_.name;
        best->options = options;
        best->seed = context.seed;
        const Bytes size = total(problem, *best);
        bool searched = false;
        if (problem.buffers.size() <= mostBuffersForSearch) {
            exact::RefineOptions refine;
            refine.nodes = context.workLimit ? context.workLimit
                                             : std::max<std::uint64_t>(1000, defaultWork / std::max<std::size_t>(1, problem.buffers.size()));
            // What fits stays in the pools that its buffers prefer; what does not is worth another assignment.
            refine.pools = exact::PoolChoice::untilFits;
            if (auto refined = exact::refine(problem, *best, refine, context)) {
                best = std::move(refined->plan);
                searched = true;
            }
        }
        const bool improved = total(problem, *best) < size;
        best->diagnostics.push_back({Severity::note, "auto-member",
                                     improved      ? "the exact search gave this plan, from that of " + member
                                     : searched ? member + " gave this plan, and the exact search found nothing smaller"
                                                : member + " gave this plan",
                                     {}, {}});
        return best;
    }

private:
    static Bytes total(const Problem& problem, const Plan& plan)
    {
        Bytes sum = 0;
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) sum += plan.poolSize(problem, pool);
        return sum;
    }

    PlannerInfo info_ = {
        .name = "auto",
        .summary = "The best of the quick heuristics, improved by the exact search until a proof or its work limit.",
        .source = "Stowage",
        .options = {},
        .takes = {},
        .lowering = {},
        .anytime = true,
    };
};

} // namespace

std::shared_ptr<const Planner> autoPlanner() { return std::make_shared<Auto>(); }

} // namespace stowage
