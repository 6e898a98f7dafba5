// What is called optimal, against brute force over all plans.
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/core/exhaustive.h"
#include "tests/core/random_problem.h"

#include <QTest>

using namespace stowage;

class OptimumTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two memories, one of them preferred and limited, beside one of constants: whatever a quick planner's plan is called
    /// optimal for, no plan inside the capacities takes less in total.
    void nothingIsCalledOptimalThatTakesMoreThanNeeded()
    {
        const std::uint64_t seed = 47;
        test::Generator random(seed);
        const auto dice = [&](std::int64_t least, std::int64_t most) { return least + random.below(most - least + 1); };
        int optimal = 0, feasible = 0;
        for (int round = 0; round < 120; ++round) {
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
                ++optimal;
                QVERIFY2(!test::Exhaustive(problem, report.totalSize() - 1, true).anyPlan(),
                         qPrintable(QStringLiteral("seed %1 round %2 %3").arg(seed).arg(round).arg(QLatin1String(name))));
            }
        }
        QVERIFY2(optimal > 40 && feasible > 15, qPrintable(QStringLiteral("%1 optimal, %2 feasible").arg(optimal).arg(feasible)));
    }
};

QTEST_GUILESS_MAIN(OptimumTest)
#include "tst_optimum.moc"
