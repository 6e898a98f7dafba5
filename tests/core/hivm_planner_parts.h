// What tst_hivm_planner.cpp, which alone includes this, plans and compares with.
#pragma once

#include "core/exec/arena.h"
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/hivm/advice.h"
#include "core/planners/hivm/hivm.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_problems.h"
#include "tests/support/brute_check.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using hivm::Level;
using test::Row;

namespace {

constexpr Bytes KB = 1024;

Plan planned(const Problem& problem, const OptionValues& options = {}, std::uint64_t seed = 0, StepRecorder* recorder = nullptr)
{
    PlanContext context;
    context.seed = seed;
    context.recorder = recorder;
    Expected<Plan> plan = hivmPlanner()->plan(problem, options, context);
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    return *std::move(plan);
}

std::vector<Bytes> offsetsOf(const Plan& plan, std::size_t b)
{
    const Placement& placement = plan.placements[b];
    return placement.rotating() ? std::vector<Bytes>(placement.offsets) : std::vector<Bytes>{placement.offset};
}

std::vector<std::vector<Bytes>> offsetsOf(const Plan& plan)
{
    std::vector<std::vector<Bytes>> all;
    for (std::size_t b = 0; b < plan.placements.size(); ++b) all.push_back(offsetsOf(plan, b));
    return all;
}

/// Empty, or the first buffer that lies elsewhere than the row says.
QString difference(const std::vector<Row>& rows, const Plan& plan)
{
    for (std::size_t b = 0; b < rows.size(); ++b)
        if (offsetsOf(plan, b) != rows[b].offsets) {
            QString text = QString::fromStdString(rows[b].name) + " is at";
            for (const Bytes offset : offsetsOf(plan, b)) text += QString(" %1").arg(offset);
            text += ", the compiler puts it at";
            for (const Bytes offset : rows[b].offsets) text += QString(" %1").arg(offset);
            return text;
        }
    return {};
}

std::string messageOf(const Plan& plan, std::string_view code)
{
    for (const Diagnostic& d : plan.diagnostics)
        if (codeText(d) == code) return d.message;
    return {};
}

/// The level at which each buffer was placed last, as the recorder tells it.
std::vector<std::optional<Level>> levelsOf(const StepRecorder& recorder, std::size_t buffers)
{
    std::vector<std::optional<Level>> levels(buffers);
    for (const RecordedStep& step : recorder.steps())
        if (step.kind == StepKind::place) levels[static_cast<std::size_t>(step.buffer)] = recorder.levelOf(step.reason);
    return levels;
}

std::size_t count(const StepRecorder& recorder, StepKind kind)
{
    return static_cast<std::size_t>(
        std::count_if(recorder.steps().begin(), recorder.steps().end(), [&](const RecordedStep& s) { return s.kind == kind; }));
}

/// Whether first fit by levels `top` to `bottom` finds a place for everything inside the capacity, without rollback.
bool fitsWithLevels(const Problem& problem, Level top, Level bottom)
{
    std::vector<BufferId> ids(problem.buffers.size());
    for (std::size_t b = 0; b < ids.size(); ++b) ids[b] = static_cast<BufferId>(b);
    const auto entries = hivm::ordered(problem, hivm::entriesOf(problem, ids, 0), {});
    const PlanContext context;
    hivm::Effort effort(context, 1'000'000);
    hivm::LevelRules rules;
    rules.top = top;
    rules.bottom = bottom;
    rules.limit = *problem.pools.front().capacity;
    rules.rollBack = false;
    return hivm::LevelSearch(problem, 0, entries, rules, effort, nullptr).attempt(false).has_value();
}

/// Valid by the checker, by brute force where that is quick, and when it is run.
QString objection(const Problem& problem, const Plan& plan, bool brute = true)
{
    if (const Verdict verdict = check(problem, plan); !verdict.valid())
        return "checker: " + QString::fromStdString(describe(problem, verdict.violations.front()));
    if (brute)
        if (const std::string wrong = test::objection(problem, plan); !wrong.empty())
            return "brute force: " + QString::fromStdString(wrong);
    const auto run = execute(problem, plan, {});
    if (!run) return "execution: " + QString::fromStdString(toText(run.error()));
    if (run->corruption) return "execution: " + QString::fromStdString(describe(problem, *run->corruption));
    return {};
}

/// Loops, one inside the other or side by side, with buffers of every kind that a kernel has.
Problem randomKernel(std::uint64_t seed)
{
    test::Random random(seed + stowage::test::seedShift());
    Problem problem;
    problem.axis = Axis::hivm;
    problem.pools.push_back(test::scope("ub", random(6, 20) * 32));
    if (random.chance(40)) problem.pools.push_back(test::scope("cbuf", random(4, 24) * 32));
    const Step length = random(8, 24);
    problem.loops.push_back(
        {"outer", none, {1, length - 1}, random.chance(50) ? std::optional<std::int64_t>(random(0, 6)) : std::nullopt});
    if (length > 12) {
        problem.loops.push_back({"first", 0, {2, length / 2}, random(1, 5)});
        problem.loops.push_back({"second", 0, {length / 2, length - 2}, std::nullopt});
    }
    const int buffers = static_cast<int>(random(4, 18));
    for (int b = 0; b < buffers; ++b) {
        Buffer buffer;
        buffer.name = "b" + std::to_string(b);
        buffer.size = random(1, 4) * 32;
        buffer.alignment = 32;
        buffer.loop = static_cast<LoopId>(random(-1, static_cast<std::int64_t>(problem.loops.size()) - 1));
        Interval inside{0, length};
        if (buffer.loop != none) inside = problem.loops[static_cast<std::size_t>(buffer.loop)].live;
        const Step begin = random(inside.begin, inside.end - 1);
        buffer.live = {{begin, random(begin + 1, std::min(inside.end, begin + 4))}};
        buffer.slots = buffer.loop != none && random.chance(35) ? static_cast<std::int32_t>(random(2, 3)) : 1;
        buffer.dma = random.chance(buffer.slots > 1 ? 80 : 20);
        buffer.scalar = random.chance(15);
        buffer.unique = random.chance(4);
        buffer.pools = {static_cast<PoolId>(random(0, static_cast<std::int64_t>(problem.pools.size()) - 1))};
        problem.buffers.push_back(std::move(buffer));
    }
    // In-place pairs that were remembered: one ends in the step in which the other begins.
    for (std::size_t a = 0; a < problem.buffers.size(); ++a)
        for (std::size_t b = 0; b < problem.buffers.size(); ++b)
            if (a != b && problem.buffers[a].live.front().end - 1 == problem.buffers[b].live.front().begin && random.chance(60) &&
                !problem.buffers[a].unique && !problem.buffers[b].unique)
                problem.buffers[a].mayShare.push_back(static_cast<BufferId>(b));
    checkAndRepair(problem);
    return problem;
}

} // namespace
