// Programs taken from the text to the end: lowered, planned, judged and run.
#pragma once

#include "core/exec/arena.h"
#include "core/io/text.h"
#include "core/ir/verify.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/lowering_helpers.h"

namespace stowage::test {

inline const LowerOptions precise = with({{"loops", "precise"}});

inline Plan planned(const Problem& problem, std::string_view planner = "greedy-by-size")
{
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(problem, {}, {});
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    return *std::move(plan);
}

inline ExecutionResult run(const Program& program, const Lowering& lowering, const Plan& plan)
{
    auto result = execute(program, lowering, plan);
    if (!result) qFatal("%s", toText(result.error()).c_str());
    return *std::move(result);
}

struct Outcome {
    Lowering lowering;
    Plan plan;
    Bytes size = 0;
    ExecutionResult result;
};

/// What comes of a program. Anything that is wrong on the way is fatal: the program, the plan, a read of overwritten bytes, by
/// the program's order as well as by the problem's ranges.
inline Outcome outcomeOf(const Program& program, const LowerOptions& options = precise,
                         std::string_view planner = "greedy-by-size")
{
    for (const Diagnostic& diagnostic : verify(program)) qFatal("%s", toText(diagnostic).c_str());
    Outcome out{lowered(program, options), {}, 0, {}};
    Problem checked = out.lowering.problem;
    for (const Diagnostic& diagnostic : checkAndRepair(checked)) qFatal("%s", toText(diagnostic).c_str());
    out.plan = planned(checked, planner);
    out.size = out.plan.poolSize(checked, 0);
    if (const Verdict verdict = check(checked, out.plan); !verdict.valid())
        qFatal("%s", describe(checked, verdict.violations.front()).c_str());
    out.result = run(program, out.lowering, out.plan);
    if (out.result.corruption) qFatal("%s", describe(checked, *out.result.corruption).c_str());
    const auto byRanges = execute(checked, out.plan);
    if (!byRanges || byRanges->corruption)
        qFatal("%s", byRanges ? describe(checked, *byRanges->corruption).c_str() : toText(byRanges.error()).c_str());
    return out;
}

} // namespace stowage::test
