#include "core/planners/exact/exact.h"

#include "core/planners/common/can_plan.h"
#include "core/planners/exact/refine.h"

namespace stowage {

namespace {

class Exact : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        auto start = exact::bestOfHeuristics(problem, context);
        if (!start) return start;
        start->planner = info_.name;
        start->options = options;
        start->seed = context.seed;
        exact::RefineOptions refine;
        refine.nodes = context.workLimit;
        refine.fitOnly = optionValue(info_, options, "goal") == "fit";
        refine.pools = optionValue(info_, options, "pools") == "joint" ? exact::PoolChoice::joint : exact::PoolChoice::kept;
        auto refined = exact::refine(problem, *std::move(start), refine, context);
        if (!refined) return refined.error();
        return std::move(refined->plan);
    }

private:
    PlannerInfo info_ = {
        .name = "exact",
        .summary = "Complete search: the smallest size with a proof, or the proof that nothing fits.",
        .source = "Stowage; sections and canonical placement after MiniMalloc (Moffitt 2023)",
        .options =
            {{.name = "goal",
              .type = OptionType::choice,
              .defaultValue = "minimise",
              .description =
                  "minimise: the smallest size; fit: the first plan within the capacities, or the proof that there is none.",
              .choices = {"minimise", "fit"}},
             {.name = "pools",
              .type = OptionType::choice,
              .defaultValue = "joint",
              .description =
                  "joint: the fewest bytes above the capacities, then in total, over all candidate pools; kept: each buffer "
                  "stays in the pool where the best heuristic put it.",
              .choices = {"joint", "kept"}}},
        .takes = {.carried = false},
        .lowering = {},
        .anytime = true,
    };
};

} // namespace

std::shared_ptr<const Planner> exactPlanner()
{
    return std::make_shared<Exact>();
}

} // namespace stowage
