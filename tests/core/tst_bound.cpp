// No bound is above a plan that the checker calls valid.
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/plan/too_small.h"
#include "core/planners/registry.h"
#include "tests/core/random_problem.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed.h"

#include <QTest>

#include <algorithm>
#include <optional>

using namespace stowage;

namespace {

/// An outer loop over [0, 10) with three iterations, an inner one over [2, 6) with four. Buffer `inner` holds its value of the
/// iteration before over [2, 4): in every iteration of the inner loop except the first.
Problem nestedLoops()
{
    Problem problem;
    problem.pools.push_back({.name = "sram", .capacity = 150});
    problem.loops.push_back({.name = "outer", .live = {0, 10}, .tripCount = 3});
    problem.loops.push_back({.name = "inner", .parent = 0, .live = {2, 6}, .tripCount = 4});
    Buffer outer;
    outer.name = "outer";
    outer.size = 100;
    outer.loop = 0;
    Buffer inner;
    inner.name = "inner";
    inner.size = 90;
    inner.live = {{4, 6}};
    inner.loop = 1;
    inner.carried = {{.distance = 1, .live = {2, 4}}};
    problem.buffers = {outer, inner};
    return problem;
}

/// True if a plan with one offset for each buffer, of buffer `b` and later ones, is valid and ends at `end` or below.
bool anyFixedPlan(const Problem& problem, Bytes end, Plan& plan, std::size_t b)
{
    if (b == problem.buffers.size()) return check(problem, plan).valid();
    const Bytes last = problem.buffers[b].size == 0 ? 0 : end - problem.buffers[b].size;
    for (Bytes offset = 0; offset <= last; ++offset) {
        plan.placements[b].offset = offset;
        if (anyFixedPlan(problem, end, plan, b + 1)) return true;
    }
    return false;
}

} // namespace

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

    /// A carried value or an early range that holds in the first iteration of a loop does not meet the carried values of other
    /// buffers, which exist from the second iteration on. In the last iteration it does meet them.
    void aValueOfASingleIterationCountsInTheLastOneOnly_data()
    {
        QTest::addColumn<bool>("early");
        QTest::addColumn<int>("iteration");
        QTest::addColumn<int>("bound");
        QTest::newRow("carried, in the first iteration") << false << 0 << 100;
        QTest::newRow("carried, in the last iteration") << false << 3 << 190;
        QTest::newRow("early, in the first iteration") << true << 0 << 100;
        QTest::newRow("early, in the last iteration") << true << 3 << 190;
    }
    void aValueOfASingleIterationCountsInTheLastOneOnly()
    {
        QFETCH(bool, early);
        QFETCH(int, iteration);
        QFETCH(int, bound);
        Problem problem = nestedLoops();
        Buffer& outer = problem.buffers[0];
        const LoopIteration when{1, iteration};
        if (early) {
            outer.live = {{1, 4}};
            outer.early.push_back({{2, 4}, when});
            outer.carried = {{.distance = 1, .live = {0, 1}}};
        } else {
            outer.live = {{8, 10}};
            outer.carried = {{.distance = 1, .live = {0, 2}}, {.distance = 1, .live = {2, 4}, .when = when}};
        }
        QVERIFY(checkAndRepair(problem).empty());
        QCOMPARE(lowerBound(problem, 0).bytes, Bytes(bound));
        QCOMPARE(tooSmall(problem).has_value(), bound > 150);
        QCOMPARE(recheck(problem, CliqueCertificate{0, 190, 2, {0, 1}}), bound == 190);

        Plan both;
        both.placements = {{.pool = 0}, {.pool = 0}};
        QCOMPARE(check(problem, both).valid(), bound == 100);
        if (bound == 100) QCOMPARE(evaluate(problem, both).status, Status::optimal);
    }

    /// Early ranges of two buffers in different iterations are no clique, not even one without a step.
    void earlyRangesOfDifferentIterationsAreNoClique()
    {
        Problem problem = nestedLoops();
        for (std::size_t b = 0; b < 2; ++b) {
            Buffer& buffer = problem.buffers[b];
            buffer.loop = none;
            buffer.carried.clear();
            buffer.live = {{2, 6}};
            buffer.early.push_back({{2, 6}, {1, static_cast<std::int32_t>(b)}});
        }
        QVERIFY(checkAndRepair(problem).empty());
        Plan both;
        both.placements = {{.pool = 0}, {.pool = 0}};
        QVERIFY(check(problem, both).valid());
        QVERIFY(!recheck(problem, CliqueCertificate{0, 190, -1, {0, 1}}));
        for (Buffer& buffer : problem.buffers) buffer.early.clear();
        QVERIFY(recheck(problem, CliqueCertificate{0, 190, -1, {0, 1}}));
    }

    /// A pin fixes the offset of the first iteration. Buffer `a` rotates, and after the loop its last value lies elsewhere.
    void pinsOfOtherIterationsDoNotCollide()
    {
        Problem problem;
        problem.pools.push_back({.name = "sram"});
        problem.loops.push_back({.name = "L", .live = {1, 5}, .tripCount = 4});
        Buffer a;
        a.name = "a";
        a.size = 100;
        a.live = {{2, 9}};
        a.loop = 0;
        a.pin = 0;
        Buffer b;
        b.name = "b";
        b.size = 100;
        b.live = {{6, 8}};
        b.pin = 0;
        problem.buffers = {a, b};
        QVERIFY(checkAndRepair(problem).empty());
        Plan rotating;
        rotating.placements = {{.pool = 0, .offsets = {0, 100}, .rotations = {{.loop = 0, .period = 2}}}, {.pool = 0}};
        QVERIFY(check(problem, rotating).valid());
        Plan fixed;
        fixed.placements = {{.pool = 0}, {.pool = 0}};
        QCOMPARE(evaluate(problem, fixed).status, Status::invalid);

        Problem once = problem; // its only iteration is the first one; without a trip count there may be only one
        for (const std::optional<std::int64_t> trips : {std::optional<std::int64_t>(1), std::optional<std::int64_t>()}) {
            once.loops[0].tripCount = trips;
            QVERIFY(!check(once, rotating).valid());
            QCOMPARE(evaluate(once, fixed).status, Status::infeasible);
        }
        Problem inside = problem; // live together in every iteration
        inside.buffers[1].live = {{3, 8}};
        QVERIFY(!check(inside, rotating).valid());
        QCOMPARE(evaluate(inside, fixed).status, Status::infeasible);

        // A carried value collides with the next value of its buffer if the offset is the same in all iterations.
        Problem carried = problem;
        carried.buffers[0].live = {{2, 4}};
        carried.buffers[0].carried = {{.distance = 1, .live = {2, 3}}};
        QVERIFY(checkAndRepair(carried).empty());
        QVERIFY(check(carried, rotating).valid());
        QCOMPARE(evaluate(carried, fixed).status, Status::invalid);
    }

    /// Tries all fixed plans below the bound, and some that rotate, for problems in which values are in use in one iteration.
    void everyPlanBelowTheBoundCollides()
    {
        test::Generator random(testSeed());
        const int rounds = test::randomCases(2000);
        int once = 0, tried = 0;
        for (int round = 0; round < rounds; ++round) {
            test::Kind kind;
            kind.gaps = round % 2 == 0;
            kind.rotation = kind.nested = kind.once = true;
            kind.buffers = 2 + round % 3;
            kind.largest = 2;
            const Problem problem = random.problem(kind);
            once += std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& buffer) {
                return buffer.isCarried() &&
                       (buffer.hasEarly() || std::any_of(buffer.carried.begin(), buffer.carried.end(),
                                                         [](const Carried& carried) { return carried.when.loop != none; }));
            });
            const Bytes bound = lowerBound(problem, 0).bytes;
            if (bound == 0) continue;
            Plan plan;
            plan.placements.resize(problem.buffers.size(), {.pool = 0});
            QVERIFY2(!anyFixedPlan(problem, bound - 1, plan, 0), qPrintable(QString("round %1").arg(round)));
            for (int i = 0; i < 20; ++i) {
                const Plan rotating = random.plan(problem, std::max<Bytes>(bound - 1, 1));
                if (rotating.poolSize(problem, 0) >= bound) continue;
                QVERIFY2(!check(problem, rotating).valid(), qPrintable(QString("round %1, plan %2").arg(round).arg(i)));
                ++tried;
            }
        }
        QVERIFY2(once > rounds / 8 && tried > rounds / 4, qPrintable(QString("%1 problems, %2 plans").arg(once).arg(tried)));
    }
};

QTEST_GUILESS_MAIN(BoundTest)
#include "tst_bound.moc"
