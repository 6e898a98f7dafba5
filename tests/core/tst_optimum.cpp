// What is called optimal, against brute force over all plans.
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/core/exhaustive.h"
#include "tests/core/random_problem.h"
#include "tests/support/instrumented.h"

#include <QTest>

using namespace stowage;

namespace {

/// What the plan puts into `pool`, alone with it; also `further`, a buffer that lies elsewhere.
Problem inPool(const Problem& problem, const Plan& plan, PoolId pool, BufferId further = none)
{
    Problem own = problem;
    own.pools = {problem.pools[static_cast<std::size_t>(pool)]};
    own.pools[0].kind = PoolKind::workspace;
    own.buffers.clear();
    for (BufferId b = 0; b < static_cast<BufferId>(problem.buffers.size()); ++b)
        if (plan.placements[static_cast<std::size_t>(b)].pool == pool || b == further) {
            own.buffers.push_back(problem.buffers[static_cast<std::size_t>(b)]);
            own.buffers.back().pools = {0};
        }
    return own;
}

bool smallestAsChosen(const Problem& problem, const Plan& plan, const Report& report)
{
    return std::ranges::all_of(report.pools, [&](const PoolReport& pool) {
        return pool.size == 0 || !test::Exhaustive(inPool(problem, plan, pool.pool), pool.size - 1).anyPlan();
    });
}

bool noneHasRoom(const Problem& problem, const Plan& plan)
{
    for (BufferId b = 0; b < static_cast<BufferId>(problem.buffers.size()); ++b)
        for (const PoolId pool : problem.buffers[static_cast<std::size_t>(b)].pools) {
            if (pool == plan.placements[static_cast<std::size_t>(b)].pool) break;
            const auto& capacity = problem.pools[static_cast<std::size_t>(pool)].capacity;
            if (!capacity || test::Exhaustive(inPool(problem, plan, pool, b), *capacity, true).anyPlan()) return false;
        }
    return true;
}

} // namespace

class OptimumTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two memories, one of them preferred and limited, beside one of constants. Where a quick planner's plan is called optimal,
    /// no plan inside the capacities takes less in total; where it is called so for the preferred pools only, no plan with
    /// this choice of pools has a smaller one, and no plan has room for one more buffer in a pool that it prefers.
    void nothingIsCalledOptimalThatTakesMoreThanNeeded()
    {
        const std::uint64_t seed = 47;
        test::Generator random(seed);
        const auto dice = [&](std::int64_t least, std::int64_t most) { return least + random.below(most - least + 1); };
        int optimal = 0, preferred = 0, feasible = 0;
        for (int round = 0; round < test::randomCases(240); ++round) {
            Problem problem = random.problem({.alignment = round % 2 == 1, .buffers = 4, .horizon = 5, .largest = 4});
            problem.pools = {{.name = "fast", .capacity = dice(2, 8)},
                             {.name = "slow", .alignment = round % 4 == 3 ? 2 : 1},
                             {.name = "flash", .kind = PoolKind::constant}};
            for (Buffer& each : problem.buffers) {
                each.pools = {0, 1};
                each.pin.reset();
            }
            Buffer& constant = problem.buffers.emplace_back();
            constant.name = "k";
            constant.size = dice(1, 3);
            constant.live = {{0, 5}};
            constant.kind = BufferKind::constant;
            constant.pools = {2};
            for (const char* name : {"greedy-by-size", "greedy-by-breadth", "best-fit-decreasing"}) {
                const auto plan = PlannerRegistry::builtIn().find(name)->plan(problem, {}, {});
                if (!plan) continue;
                const Report report = evaluate(problem, *plan);
                feasible += report.status == Status::feasible;
                if (report.status != Status::optimal || report.totalSize() == 0) continue;
                const QString hint = QStringLiteral("seed %1 round %2 %3").arg(seed).arg(round).arg(QLatin1String(name));
                if (report.among == OptimalAmong::preferredPools) {
                    ++preferred;
                    QVERIFY2(smallestAsChosen(problem, *plan, report), qPrintable(hint));
                    QVERIFY2(noneHasRoom(problem, *plan), qPrintable(hint));
                    continue;
                }
                ++optimal;
                QVERIFY2(!test::Exhaustive(problem, report.totalSize() - 1, true).anyPlan(), qPrintable(hint));
            }
        }
        QVERIFY2(
            optimal > test::randomCases(40) && preferred > test::randomCases(8) && feasible > test::randomCases(5),
            qPrintable(QStringLiteral("%1 optimal, %2 as preferred, %3 feasible").arg(optimal).arg(preferred).arg(feasible)));
    }
};

QTEST_GUILESS_MAIN(OptimumTest)
#include "tst_optimum.moc"
