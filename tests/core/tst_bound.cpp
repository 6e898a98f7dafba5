// No bound is above a plan that the checker calls valid.
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/core/random_problem.h"
#include "tests/support/seed.h"

#include <QTest>

using namespace stowage;

class BoundTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A plan that the checker calls valid is no smaller than the bound, whatever the buffers have: several slots beside windows
    /// and carried values once counted twice.
    void noValidPlanIsBelowTheBound()
    {
        Problem one;
        one.pools.push_back({.name = "p"});
        one.loops.push_back({.name = "outer", .live = {2, 6}, .tripCount = 2});
        Buffer twice;
        twice.name = "twice";
        twice.size = 4;
        twice.live = {{3, 4}, {7, 10}};
        twice.slots = 2;
        twice.loop = 0;
        twice.windows = {{{4, 7}, 0, 2}};
        twice.carried = {{.distance = 1, .live = {4, 6}}};
        one.buffers = {twice};
        QVERIFY(checkAndRepair(one).empty());
        Plan both;
        both.placements = {{.pool = 0, .offset = 0, .offsets = {0, 4}, .rotations = {{.loop = 0, .period = 2}}}};
        QVERIFY(check(one, both).valid());
        QCOMPARE(evaluate(one, both).totalSize(), Bytes(8));
        QCOMPARE(evaluate(one, both).totalBound(), Bytes(8));

        const PlannerRegistry planners = PlannerRegistry::builtIn();
        test::Generator random(testSeed());
        int valid = 0;
        for (int i = 0; i < 3000; ++i) {
            test::Kind kind;
            kind.gaps = kind.windows = i % 2 == 0;
            kind.slots = i % 3 != 0;
            kind.rotation = i % 4 != 0;
            kind.nested = i % 8 == 1;
            kind.explicitConflicts = i % 5 == 0;
            kind.sharing = i % 7 == 0;
            kind.unique = i % 6 == 0;
            kind.pools = i % 9 == 0;
            kind.alignment = i % 10 < 3;
            kind.pins = i % 11 == 0;
            kind.buffers = 1 + i % 6;
            const Problem problem = random.problem(kind);
            for (const char* name : {"multi-pool", "greedy-by-size"}) {
                PlanContext context;
                context.workLimit = 500;
                const auto plan = planners.find(name)->plan(problem, {}, context);
                if (!plan || !check(problem, *plan).valid()) continue;
                const Report report = evaluate(problem, *plan);
                QVERIFY2(
                    report.totalSize() >= report.totalBound(),
                    qPrintable(QString("%1 %2: %3 below %4").arg(i).arg(name).arg(report.totalSize()).arg(report.totalBound())));
                ++valid;
            }
        }
        QVERIFY2(valid > 3000, qPrintable(QString::number(valid)));
    }
};

QTEST_GUILESS_MAIN(BoundTest)
#include "tst_bound.moc"
