// What planners compare plans by, at the limits of what 64 bits hold.
#include "core/ir/checked.h"
#include "core/plan/bound.h"
#include "core/plan/check.h"
#include "core/plan/objective.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"

#include <QTest>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace stowage;

namespace {

/// `pools` pools, in each one byte pinned at 2^62 - 1, the last address there is.
Problem pinnedAtTheEnd(int pools, std::optional<Bytes> capacity)
{
    Problem problem;
    for (int p = 0; p < pools; ++p) {
        Pool pool;
        pool.name = "p" + std::to_string(p);
        pool.capacity = capacity;
        problem.pools.push_back(pool);
        Buffer buffer;
        buffer.name = "b" + std::to_string(p);
        buffer.size = 1;
        buffer.live = {{0, 1}};
        buffer.pools = {static_cast<PoolId>(p)};
        buffer.pin = maxBytes - 1;
        problem.buffers.push_back(buffer);
    }
    return problem;
}

/// 60 buffers of a random sequence that begins with `state`, each live for up to 20 of 60 steps.
Problem sixtyBuffers(std::int64_t state)
{
    const auto draw = [&state](std::int64_t end) {
        state = state * 48271 % 2147483647;
        return state / 7 % end;
    };
    Problem problem;
    problem.pools.push_back({.name = "p"});
    for (int b = 0; b < 60; ++b) {
        Buffer buffer;
        buffer.name = "b" + std::to_string(b);
        const Step begin = draw(40);
        buffer.live = {{begin, begin + 1 + draw(20)}};
        buffer.size = 16 * (1 + draw(60));
        problem.buffers.push_back(buffer);
    }
    return problem;
}

/// Buffers that are never live together, in many explicit conflicts. Some have no bytes, and some of these are pinned.
Problem inConflict(std::uint64_t seed, std::size_t count)
{
    std::mt19937_64 random(seed);
    Problem problem;
    problem.pools.push_back({.name = "p"});
    std::vector<std::vector<BufferId>> conflicts(count);
    for (std::size_t i = 0; i < count; ++i) {
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.name = "b" + std::to_string(i);
        buffer.live = {{Step(2 * i), Step(2 * i + 1)}};
        if (random() % 3 != 0)
            buffer.size = 1 + Bytes(random() % 9);
        else if (random() % 2 == 0)
            buffer.pin = Bytes(random() % 60);
        for (std::size_t j = 0; j < i; ++j)
            if (random() % 10 < 7) {
                conflicts[i].push_back(BufferId(j));
                conflicts[j].push_back(BufferId(i));
            }
    }
    for (std::size_t i = 0; i < count; ++i) problem.buffers[i].conflicts = conflicts[i];
    return problem;
}

/// The buffers with bytes, in the same order.
Problem withoutEmpty(const Problem& problem)
{
    Problem full;
    full.pools = problem.pools;
    std::vector<BufferId> idOf(problem.buffers.size(), none);
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        if (problem.buffers[i].size == 0) continue;
        idOf[i] = BufferId(full.buffers.size());
        full.buffers.push_back(problem.buffers[i]);
    }
    for (Buffer& buffer : full.buffers) {
        std::vector<BufferId> kept;
        for (const BufferId other : buffer.conflicts)
            if (idOf[at(other)] != none) kept.push_back(idOf[at(other)]);
        buffer.conflicts = kept;
    }
    return full;
}

} // namespace

class ObjectiveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void excessCountsBeforeTheTotal()
    {
        QVERIFY((Objective{0, 900} < Objective{1, 2}));
        QVERIFY((Objective{1, 1} < Objective{1, 2}));
        QVERIFY((Objective{7, 7} < Objective::worst()));
    }

    void sumsStopWhereSixtyFourBitsEnd()
    {
        Objective two, three;
        for (int p = 0; p < 2; ++p) two.add(maxBytes, 1);
        for (int p = 0; p < 3; ++p) three.add(maxBytes, std::nullopt);
        QCOMPARE(two.total, Objective::saturated);           // 2^63 does not fit
        QCOMPARE(two.excess, maxBytes - 1 + (maxBytes - 1)); // 2^63 - 2 does
        QCOMPARE(three.total, Objective::saturated);
        QVERIFY(three.fits() && !two.fits());
        Objective one;
        one.add(maxBytes, maxBytes);
        QVERIFY(one.reaches(maxBytes) && !one.reaches(maxBytes - 1));
        QVERIFY2(!three.reaches(Objective::saturated), "a sum that does not fit proves nothing");
    }

    /// Each pool has 2^62 bytes, 2^62 - 1 of them above its capacity: the sum over two fits into 64 bits, that over three does
    /// not.
    void sumsOfAReportStopThere()
    {
        const auto planner = PlannerRegistry::builtIn().find("greedy-by-size");
        QVERIFY(planner);
        for (const int pools : {2, 3}) {
            const Problem problem = pinnedAtTheEnd(pools, 1);
            const auto plan = planner->plan(problem, {}, {});
            QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
            const Report report = evaluate(problem, *plan);
            QVERIFY(report.verdict.valid());
            QCOMPARE(report.totalSize(), Objective::saturated);
            QCOMPARE(report.totalExcess(), pools == 2 ? 2 * (maxBytes - 1) : Objective::saturated);
        }
    }

    void twoPoolsAtTheLastAddressArePlanned_data()
    {
        QTest::addColumn<QString>("planner");
        QTest::addColumn<bool>("bounded");
        const PlannerRegistry planners = PlannerRegistry::builtIn();
        for (const auto& planner : planners.all())
            for (const bool bounded : {false, true})
                QTest::addRow("%s%s", planner->info().name.c_str(), bounded ? ", capacities of 1 B" : "")
                    << QString::fromStdString(planner->info().name) << bounded;
    }
    /// An answer without a wrong sum: a valid plan, one that says what does not fit, or an error. Run under UBSan it overflows
    /// nowhere.
    void twoPoolsAtTheLastAddressArePlanned()
    {
        QFETCH(QString, planner);
        QFETCH(bool, bounded);
        const Problem problem = pinnedAtTheEnd(2, bounded ? std::optional<Bytes>(1) : std::nullopt);
        PlanContext context;
        context.workLimit = 1000;
        const auto found = PlannerRegistry::builtIn().find(planner.toStdString());
        const auto plan = found->plan(problem, {}, context);
        if (!plan) {
            QVERIFY(!plan.error().message.empty());
            return;
        }
        const Report report = evaluate(problem, *plan);
        if (!report.verdict.valid()) return;
        QCOMPARE(objectiveOf(problem, *plan).total, Objective::saturated);
        QCOMPARE(report.totalSize(), Objective::saturated);
        QVERIFY2(report.verdict.overCapacity == bounded, "each pool is larger than its capacity exactly where it has one");
    }

    /// Only the 90 bytes of `full` are in the pool, wherever `empty` is pinned; they are also its bound.
    void aBufferWithoutBytesTakesNoneOfItsPool()
    {
        Problem problem;
        problem.pools.push_back({.name = "p", .capacity = 100});
        Buffer empty, full;
        empty.name = "empty";
        empty.live = {{0, 2}};
        empty.pin = 1000;
        full.name = "full";
        full.size = 90;
        full.live = {{0, 2}};
        problem.buffers = {empty, full};
        for (const char* planner : {"greedy-by-size", "exact", "auto"}) {
            const auto plan = PlannerRegistry::builtIn().find(planner)->plan(problem, {}, {});
            QVERIFY2(plan, planner);
            QCOMPARE(plan->placements[0].offset, 1000);
            QCOMPARE(objectiveOf(problem, *plan), (Objective{0, 90}));
            for (const Diagnostic& d : plan->diagnostics) QVERIFY2(d.code != Code::overflow, d.message.c_str());
            const Report report = evaluate(problem, *plan);
            QVERIFY2(check(problem, *plan).valid() && !report.verdict.overCapacity, planner);
            QCOMPARE(report.pools[0].size, 90);
            QCOMPARE(report.status, Status::optimal);
        }
        problem.pools[0].capacity = 80; // too full by the 10 bytes of `full`, not by the address of `empty`
        const auto plan = PlannerRegistry::builtIn().find("greedy-by-size")->plan(problem, {}, {});
        QVERIFY(plan);
        QVERIFY(!plan->diagnostics.empty());
        QVERIFY2(plan->diagnostics.front().message.starts_with("p needs 90 bytes but has 80: 10 bytes short under 'full'"),
                 plan->diagnostics.front().message.c_str());
    }

    /// A buffer without bytes that is pinned above all others hides no difference between two orders from a search.
    void aPinWithoutBytesDoesNotBlindASearch()
    {
        const auto sizeBy = [](const char* planner, const Problem& problem) {
            PlanContext context;
            context.workLimit = 100'000;
            const auto plan = PlannerRegistry::builtIn().find(planner)->plan(problem, {}, context);
            return plan ? objectiveOf(problem, *plan).total : -1;
        };
        Buffer empty;
        empty.name = "empty";
        empty.live = {{0, 60}};
        empty.pin = 1'000'000;
        const auto withEmpty = [&empty](Problem problem) {
            problem.buffers.push_back(empty);
            return problem;
        };
        const Problem twoOrders = sixtyBuffers(3); // the second order of best-fit-decreasing is the better one
        QCOMPARE(sizeBy("best-fit-decreasing", withEmpty(twoOrders)), sizeBy("best-fit-decreasing", twoOrders));

        const Problem toClimb = sixtyBuffers(5);
        const Bytes bound = lowerBound(toClimb, 0).bytes;
        QVERIFY2(sizeBy("greedy-by-size", toClimb) > bound, "the first order of the search leaves something to find");
        QCOMPARE(sizeBy("hill-climb", toClimb), bound);
        QCOMPARE(sizeBy("hill-climb", withEmpty(toClimb)), bound);
    }

    void aNeighbourWithoutBytesMovesNoOther_data()
    {
        QTest::addColumn<int>("count");
        QTest::newRow("few conflicts") << 12;
        QTest::newRow("many conflicts") << 150; // placed buffers are kept in order of address
    }
    /// With and without its empty buffers, a problem has the same offsets for all others.
    void aNeighbourWithoutBytesMovesNoOther()
    {
        QFETCH(int, count);
        for (const char* planner : {"greedy-by-size", "tflm-greedy", "usmp-greedy-by-size"})
            for (std::uint64_t seed = 0; seed < 40; ++seed) {
                const QByteArray where = QByteArray(planner) + ", seed " + QByteArray::number(qulonglong(seed));
                const Problem all = inConflict(seed, std::size_t(count)), full = withoutEmpty(all);
                const auto planned = PlannerRegistry::builtIn().find(planner);
                const auto ofAll = planned->plan(all, {}, {}), ofFull = planned->plan(full, {}, {});
                QVERIFY2(ofAll && ofFull, where);
                QVERIFY2(check(all, *ofAll).valid(), where);
                std::vector<Bytes> offsets, expected;
                for (std::size_t i = 0; i < all.buffers.size(); ++i)
                    if (all.buffers[i].size > 0) offsets.push_back(ofAll->placements[i].offset);
                for (const Placement& placement : ofFull->placements) expected.push_back(placement.offset);
                QVERIFY2(offsets == expected, where);
            }
    }

    void aPinWithoutBytesLiesInsideAnotherPin_data()
    {
        QTest::addColumn<bool>("emptyFirst");
        QTest::addColumn<bool>("inConflict");
        for (const bool emptyFirst : {false, true})
            for (const bool inConflict : {false, true})
                QTest::addRow("%s%s", emptyFirst ? "empty first" : "full first", inConflict ? ", explicit conflict" : "")
                    << emptyFirst << inConflict;
    }
    /// No byte of `empty` meets one of `full`: each goes to its first candidate, and no pins collide.
    void aPinWithoutBytesLiesInsideAnotherPin()
    {
        QFETCH(bool, emptyFirst);
        QFETCH(bool, inConflict);
        Problem problem;
        for (const char* name : {"p", "q"}) problem.pools.push_back({.name = name, .capacity = 200});
        Buffer full, empty;
        full.name = "full";
        full.size = 100;
        full.live = {{0, 2}};
        full.pin = 0;
        empty.name = "empty";
        empty.live = {{0, 2}};
        empty.pin = 50;
        problem.buffers = {emptyFirst ? empty : full, emptyFirst ? full : empty};
        if (inConflict) {
            problem.buffers[0].conflicts = {1};
            problem.buffers[1].conflicts = {0};
        }
        for (const bool twoPools : {true, false}) {
            if (!twoPools) problem.pools.pop_back();
            const auto plan = PlannerRegistry::builtIn().find("greedy-by-size")->plan(problem, {}, {});
            QVERIFY(plan);
            for (const Diagnostic& d : plan->diagnostics) QVERIFY2(d.code != Code::pinsCollide, d.message.c_str());
            for (const Placement& placement : plan->placements) QCOMPARE(placement.pool, 0);
            QCOMPARE(plan->placements[emptyFirst ? 0 : 1].offset, 50);
            QCOMPARE(plan->placements[emptyFirst ? 1 : 0].offset, 0);
            QVERIFY(check(problem, *plan).valid());
        }
    }
};

QTEST_GUILESS_MAIN(ObjectiveTest)
#include "tst_objective.moc"
