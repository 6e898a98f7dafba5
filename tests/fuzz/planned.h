// What every reader's result has to stand, besides being read: planning and judging it.
#pragma once

#include "core/plan/report.h"
#include "core/planners/registry.h"

#include <cstdlib>

namespace stowage::test {

/// Plans a small problem with the simple planners; aborts where a plan is not what the planner promises.
inline void planSafely(const Problem& problem)
{
    constexpr std::size_t largest = 200; // planners are not what is fuzzed here
    if (problem.buffers.size() > largest) return;
    static const PlannerRegistry planners = PlannerRegistry::builtIn();
    for (const char* name : {"naive", "greedy-by-size"}) {
        const auto plan = planners.find(name)->plan(problem, {}, {});
        if (!plan) {
            if (codeText(plan.error()).empty() || plan.error().message.empty()) std::abort();
            continue;
        }
        const Report report = evaluate(problem, *plan);
        bool explained = false; // pins that collide are the problem's fault, and said
        for (const Diagnostic& diagnostic : plan->diagnostics) explained |= diagnostic.severity == Severity::error;
        if (report.status == Status::invalid && !explained) std::abort();
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) (void)usage(problem, *plan, pool);
    }
}

} // namespace stowage::test
