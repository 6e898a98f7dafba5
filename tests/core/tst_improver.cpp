// The improver: against brute force on small problems of every kind, and against known optima on large ones.
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/plan/objective.h"
#include "core/plan/report.h"
#include "core/planners/exact/refine.h"
#include "core/planners/greedy/naive.h"
#include "core/planners/improve/improver.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"
#include "tests/support/seed.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QtTest/QTest>

#include <algorithm>
#include <numeric>

using namespace stowage;
using improve::Improver;

namespace {

const auto never = [] { return false; };
const auto nothing = [] {};

Plan improved(const Problem& problem, const Plan& start, std::uint64_t work, std::uint64_t seed)
{
    Improver improver(problem, start, seed);
    improver.run(work, 1, never, nothing);
    return improver.plan();
}

/// The quick heuristics' plan, valid or not.
Plan heuristic(const Problem& problem)
{
    return *exact::bestOfHeuristics(problem, {});
}

/// The lowest pool size over all orders in which each buffer is put above those before it that it conflicts with, or between
/// pins. Some order gives the optimum: that of the offsets of an optimal layout. One pool, one slot each.
Bytes lowestByBruteForce(const Problem& problem)
{
    const std::size_t n = problem.buffers.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    Bytes best = maxBytes;
    do {
        std::vector<Bytes> offsets(n, -1);
        Bytes height = 0;
        for (const std::size_t i : order) {
            const Buffer& buffer = problem.buffers[i];
            const Bytes alignment = problem.effectiveAlignment(buffer, 0);
            Bytes offset = 0;
            for (std::size_t j = 0; j < n; ++j)
                if (offsets[j] >= 0 && !problem.buffers[j].pin &&
                    conflict(problem, static_cast<BufferId>(i), static_cast<BufferId>(j)))
                    offset = std::max(offset, offsets[j] + problem.buffers[j].size);
            const auto hitsPin = [&](Bytes at) {
                for (std::size_t j = 0; j < n; ++j) {
                    const Buffer& other = problem.buffers[j];
                    if (j != i && other.pin && conflict(problem, static_cast<BufferId>(i), static_cast<BufferId>(j)) &&
                        at < *other.pin + other.size && *other.pin < at + buffer.size)
                        return true;
                }
                return false;
            };
            offset = (offset + alignment - 1) / alignment * alignment;
            while (hitsPin(offset)) offset += alignment;
            offsets[i] = buffer.pin.value_or(offset);
            height = std::max(height, offsets[i] + buffer.size);
        }
        best = std::min(best, height);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

Problem tight(const char* name)
{
    QFile file(test::sharedFile("bench/tight/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto problem = io::readProblemCsv(file.readAll().toStdString(), name);
    return problem ? std::move(problem->value) : Problem{};
}

} // namespace

class TestImprover : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plansStayValidWhateverTheProblemHas_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = test::allFeatures();
        for (std::size_t k = 0; k < kinds.size(); ++k) QTest::addRow("%s", kinds[k].name.c_str()) << static_cast<int>(k);
    }
    void plansStayValidWhateverTheProblemHas()
    {
        QFETCH(int, kind);
        const quint32 seed = testSeed();
        for (unsigned round = 0; round < static_cast<unsigned>(test::randomCases(60)); ++round) {
            const Problem problem = test::randomProblem(test::allFeatures()[static_cast<std::size_t>(kind)], seed + round, 24);
            const Plan start = heuristic(problem);
            if (!check(problem, start).valid()) continue;
            const Plan plan = improved(problem, start, 20'000, round);
            QVERIFY2(check(problem, plan).valid(), qPrintable(QString::number(round)));
            QVERIFY(!(objectiveOf(problem, start) < objectiveOf(problem, plan)));
            for (std::size_t i = 0; i < plan.placements.size(); ++i) QCOMPARE(plan.placements[i].pool, start.placements[i].pool);
        }
    }

    void smallProblemsReachTheOptimum_data()
    {
        QTest::addColumn<bool>("alignment");
        QTest::addColumn<bool>("gaps");
        QTest::addColumn<bool>("windows");
        QTest::addColumn<bool>("pins");
        QTest::addColumn<bool>("conflicts");
        QTest::addColumn<bool>("share");
        QTest::newRow("plain") << false << false << false << false << false << false;
        QTest::newRow("alignment") << true << false << false << false << false << false;
        QTest::newRow("gaps") << false << true << false << false << false << false;
        QTest::newRow("pins") << false << false << false << true << false << false;
        QTest::newRow("conflicts") << false << false << false << false << true << false;
        QTest::newRow("all but windows") << true << true << false << true << true << true;
        QTest::newRow("all") << true << true << true << true << true << true;
    }
    void smallProblemsReachTheOptimum()
    {
        QFETCH(bool, alignment);
        QFETCH(bool, gaps);
        QFETCH(bool, windows);
        QFETCH(bool, pins);
        QFETCH(bool, conflicts);
        QFETCH(bool, share);
        test::Features features;
        features.alignment = alignment;
        features.gaps = gaps;
        features.windows = windows;
        features.pins = pins;
        features.conflicts = conflicts;
        features.share = share;
        const quint32 seed = testSeed();
        int tried = 0, reached = 0;
        for (unsigned round = 0; round < static_cast<unsigned>(test::randomCases(100)); ++round) {
            const Problem problem = test::randomProblem(features, seed + round, 7);
            const auto start = naive()->plan(problem, {}, {}); // end to end: as far from the optimum as can be
            if (!start || !check(problem, *start).valid()) continue;
            const Plan plan = improved(problem, *start, 300'000, round);
            QVERIFY(check(problem, plan).valid());
            const Bytes size = plan.poolSize(problem, 0), optimum = lowestByBruteForce(problem);
            if (!windows) QVERIFY2(size >= optimum, qPrintable(QString::number(round))); // windows take whole buffers apart
            ++tried;
            reached += size <= optimum ? 1 : 0;
        }
        qInfo("%d of %d", reached, tried);
        QVERIFY(tried >= 20 || test::instrumented);
        // The beam fills the lowest section first, so it misses layouts that leave a hole at the bottom; with many kinds of
        // constraints at once some optima do.
        QVERIFY(reached * 100 >= tried * (alignment && pins ? 90 : 97));
    }

    void everyPoolGetsSmaller()
    {
        // Two copies of a problem in two pools, end to end at first.
        const Problem one = test::synthetic(150, 20, testSeed());
        Problem problem = one;
        problem.pools.push_back(problem.pools.front());
        problem.pools.back().name = "second";
        for (Buffer& buffer : problem.buffers) buffer.pools = {0};
        for (Buffer buffer : one.buffers) {
            buffer.name += "'";
            buffer.pools = {1};
            problem.buffers.push_back(std::move(buffer));
        }
        Plan start;
        start.placements.resize(problem.buffers.size());
        Bytes end[2] = {};
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            const PoolId pool = problem.buffers[i].pools.front();
            const Bytes alignment = problem.effectiveAlignment(problem.buffers[i], pool);
            start.placements[i].pool = pool;
            start.placements[i].offset = (end[pool] + alignment - 1) / alignment * alignment;
            end[pool] = start.placements[i].offset + problem.buffers[i].size;
        }
        QVERIFY(check(problem, start).valid());
        int better = 0;
        Improver improver(problem, start, 1);
        improver.run(20'000'000, 1, never, [&] { ++better; });
        const Plan plan = improver.plan();
        QVERIFY(check(problem, plan).valid());
        QVERIFY(better > 0);
        for (const PoolId pool : {0, 1}) {
            const Bytes bound = lowerBound(problem, plan, pool).bytes;
            QVERIFY(plan.poolSize(problem, pool) >= bound);
            QVERIFY(plan.poolSize(problem, pool) < start.poolSize(problem, pool) / 2); // 150 buffers, 20 of which are live
        }
    }

    void equalWorkGivesEqualPlans()
    {
        const Problem problem = test::synthetic(300, 40, testSeed());
        const Plan start = heuristic(problem);
        const Plan plan = improved(problem, start, 30'000'000, 5);
        QCOMPARE(improved(problem, start, 30'000'000, 5).placements, plan.placements);
        // More work goes on from there.
        Improver improver(problem, start, 5);
        Bytes before = start.poolSize(problem, 0);
        for (int k = 0; k < 5; ++k) {
            improver.run(6'000'000, 1, never, nothing);
            const Bytes size = improver.plan().poolSize(problem, 0);
            QVERIFY(size <= before);
            before = size;
        }
    }

    void threadsDoNotChangeThePlan()
    {
        const Problem problem = test::synthetic(300, 40, testSeed());
        const Plan start = heuristic(problem);
        std::vector<Plan> plans;
        std::vector<std::uint64_t> works;
        for (const unsigned threads : {1U, 2U, 5U}) {
            Improver improver(problem, start, 5);
            improver.run(40'000'000, threads, never, nothing);
            plans.push_back(improver.plan());
            works.push_back(improver.work());
        }
        QVERIFY(check(problem, plans[0]).valid());
        for (std::size_t k = 1; k < plans.size(); ++k) {
            QCOMPARE(plans[k].placements, plans[0].placements);
            QCOMPARE(works[k], works[0]);
        }
    }

    void partialOrdersAndCarriedValuesGetSmaller_data()
    {
        QTest::addColumn<bool>("dag");
        QTest::newRow("dag") << true;
        QTest::newRow("carried") << false;
    }
    void partialOrdersAndCarriedValuesGetSmaller()
    {
        QFETCH(bool, dag);
        Problem problem = test::synthetic(150, 20, testSeed());
        if (dag) { // the same conflicts, but explicit
            for (std::size_t a = 0; a < problem.buffers.size(); ++a)
                for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                    if (a != b && conflict(problem, static_cast<BufferId>(a), static_cast<BufferId>(b)))
                        problem.buffers[a].conflicts.push_back(static_cast<BufferId>(b));
            problem.axis = Axis::dag;
        } else { // one value is held through the next iteration
            Buffer& buffer = problem.buffers.front();
            problem.loops.push_back({.name = "loop", .live = {0, problem.horizon()}});
            buffer.loop = 0;
            buffer.carried.push_back({.distance = 1, .live = {0, buffer.live.front().begin + 1}});
        }
        const auto start = naive()->plan(problem, {}, {}); // end to end
        QVERIFY(start && check(problem, *start).valid());
        const Plan plan = improved(problem, *start, 20'000'000, 1);
        QVERIFY(check(problem, plan).valid());
        QVERIFY(plan.poolSize(problem, 0) < start->poolSize(problem, 0) / 2);
    }

    void aStopLeavesTheBestPlan()
    {
        const Problem problem = test::synthetic(2'000, 200, testSeed());
        const Plan start = heuristic(problem);
        Improver improver(problem, start, 1);
        improver.run(
            1'000'000'000, 1, [] { return true; }, nothing);
        QCOMPARE(improver.plan().placements, start.placements);
        // It asks often, and goes soon after it was told to: a table entry takes 1 to 3 ns, and 100 ms are allowed (DESIGN.md).
        std::uint64_t calls = 0;
        const std::uint64_t before = improver.work();
        improver.run(
            std::uint64_t{1} << 60, 1, [&] { return ++calls >= 200; }, nothing);
        QVERIFY(check(problem, improver.plan()).valid());
        QVERIFY2(calls < 220, qPrintable(QString::number(calls)));
        QVERIFY2((improver.work() - before) / calls < 20'000'000, qPrintable(QString::number(improver.work() - before)));
    }

    // The ratio to the proven optimum; the work is what a few seconds allow.
    void tightInstancesComeNearTheirOptimum_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("goal");
        QTest::addColumn<quint64>("work"); // most; it ends at the optimum
        const quint64 work = 1'200'000'000;
        QTest::newRow("slack 200") << "slack_n200_s11.opt1048576.csv" << 1.01 << work;
        QTest::newRow("aligned 178") << "aln_n178_s11.opt1048576.csv" << 1.002 << work;
        QTest::newRow("aligned 349") << "aln_n349_s11.opt1048576.csv" << 1.002 << work;
        QTest::newRow("double-buffered 838") << "dbl_n838_s11.opt262144.csv" << 1.02 << work;
        QTest::newRow("pinwheels 401, without waste") << "pin_n401_s11.opt1048576.csv" << 1.0 << work / 2 * 5;
    }
    void tightInstancesComeNearTheirOptimum()
    {
        STOWAGE_NEEDS_SHARED();
        if (test::instrumented) QSKIP("takes minutes in an instrumented build");
        QFETCH(QString, name);
        QFETCH(double, goal);
        QFETCH(quint64, work);
        const Problem problem = tight(qPrintable(name));
        QVERIFY(!problem.buffers.empty());
        const Plan plan = improved(problem, heuristic(problem), work, 0);
        QVERIFY(check(problem, plan).valid());
        const QString optimum = name.section(QLatin1String(".opt"), 1).section(QLatin1Char('.'), 0, 0);
        const double ratio = static_cast<double>(plan.poolSize(problem, 0)) / optimum.toDouble();
        qInfo("%.4f", ratio);
        QVERIFY(ratio >= 1);
        QVERIFY(ratio <= goal);
    }
};

QTEST_GUILESS_MAIN(TestImprover)
#include "tst_improver.moc"
