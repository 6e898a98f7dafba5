#include "core/planners/refusal.h"

#include "core/ir/digits.h"
#include "core/plan/too_small.h"
#include "core/planners/common/overflow.h"
#include "core/planners/exact/refine.h"
#include "core/planners/portfolio.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::uint64_t briefWork = 300'000; ///< nodes times buffers: some 10 ms

/// What is wrong before anything is placed.
std::string refusal(const Problem& problem, const TooSmall& small)
{
    std::string names;
    for (std::size_t i = 0; i < small.pools.size(); ++i)
        names += (i == 0 ? "" : i + 1 == small.pools.size() ? " and " : ", ") + problem.pools[at(small.pools[i])].name;
    const bool several = small.pools.size() > 1;
    if (small.buffer != none)
        return fmt::format("refused before planning: '{}' takes {} bytes, more than any of {} has (at most {})",
                           problem.buffers[at(small.buffer)].name, grouped(small.bound), names, grouped(small.capacity));
    return fmt::format("refused before planning: at least {} bytes lie in {}{} ({}), and {} {}", grouped(small.bound), names,
                       several ? " together" : "", small.provedBy, grouped(small.capacity),
                       several ? "are there" : "is its capacity");
}

/// Each part by the quick heuristic that is best there.
Expected<Plan> planInParts(const Problem& problem, const std::vector<ProblemPart>& parts, const PlanContext& context)
{
    PlanContext quiet = context;
    quiet.publish = nullptr;
    quiet.recorder = nullptr;
    Plan whole;
    whole.placements.resize(problem.buffers.size());
    for (const ProblemPart& part : parts) {
        auto plan = exact::bestOfHeuristics(part.problem, quiet);
        if (!plan) return plan;
        whole.work += plan->work;
        for (std::size_t i = 0; i < part.buffers.size(); ++i) {
            Placement& placement = whole.placements[at(part.buffers[i])] = std::move(plan->placements[i]);
            if (placement.placed()) placement.pool = part.pools[at(placement.pool)];
        }
    }
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool)
        if (const auto& capacity = problem.pools[at(pool)].capacity; capacity && whole.poolSize(problem, pool) > *capacity)
            whole.diagnostics.push_back(describeOverflow(problem, whole, pool));
    return whole;
}

} // namespace

std::optional<Expected<Plan>> refusedBeforePlanning(const Problem& problem, const std::vector<ProblemPart>& parts,
                                                    const PlannerInfo& info, const OptionValues& options,
                                                    const PlanContext& context)
{
    const auto small = tooSmall(problem, parts);
    if (!small) return std::nullopt;
    auto plan = parts.empty() ? exact::bestOfHeuristics(problem, context) : planInParts(problem, parts, context);
    if (!plan) return plan;
    std::string told = refusal(problem, *small);
    // With what capacity it would fit: found within milliseconds, or the heuristics' answer stands.
    const std::size_t n = problem.buffers.size();
    if (problem.pools.size() == 1 && n > 0 && n <= maxBuffersForSearch) {
        exact::RefineOptions brief;
        brief.nodes = std::max<std::uint64_t>(1, briefWork / n);
        if (auto refined = exact::refine(problem, *plan, brief, context)) plan = std::move(refined->plan);
        plan->stoppedBy = StoppedBy::complete; // what was asked is answered: nothing fits
    }
    plan->planner = info.name;
    plan->options = options;
    plan->seed = context.seed;
    tellThatNothingFits(problem, *plan);
    plan->diagnostics.push_back(memberNote(std::move(told)));
    return plan;
}

} // namespace stowage
