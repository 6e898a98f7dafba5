// Delta debugging: what is left shows, and nothing of it can go.
#include "core/explain/reduce.h"
#include "core/plan/report.h"
#include "core/planners/exact/exact.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "tests/support/problems.h"

#include <QtTest/QTest>

#include <set>

using namespace stowage;

namespace {

bool greedyOverflows(const Problem& problem)
{
    const auto plan = greedyBySize()->plan(problem, {}, {});
    return plan && evaluate(problem, *plan).verdict.valid() && evaluate(problem, *plan).verdict.overCapacity;
}

std::vector<BufferId> without(const Problem& problem, BufferId gone)
{
    std::vector<BufferId> keep;
    for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id)
        if (id != gone) keep.push_back(id);
    return keep;
}

} // namespace

class TestReduce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsExactlyWhatIsNeeded()
    {
        // Shows when the three of these names are there: nothing else may be left.
        const Problem problem = test::synthetic(500, 12, 3);
        const std::set<std::string> wanted{problem.buffers[17].name, problem.buffers[250].name, problem.buffers[499].name};
        const auto shows = [&](const Problem& p) {
            std::size_t found = 0;
            for (const Buffer& buffer : p.buffers) found += wanted.contains(buffer.name);
            return found == wanted.size();
        };
        const ReduceResult reduced = reduceProblem(problem, shows);
        QVERIFY(reduced.minimal && !reduced.stopped);
        QCOMPARE(reduced.problem.buffers.size(), 3U);
        QVERIFY(reduced.tests < 150);            // three of 500, some ten halvings each
        QVERIFY(reduced.problem.horizon() <= 6); // steps without a begin or end are gone
        QCOMPARE(reduceProblem(problem, shows).problem, reduced.problem);
    }

    void theRestOfAnOverflowIsMinimal_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = test::allFeatures();
        for (std::size_t k = 0; k < kinds.size(); ++k) QTest::addRow("%s", kinds[k].name.c_str()) << static_cast<int>(k);
    }
    void theRestOfAnOverflowIsMinimal()
    {
        QFETCH(int, kind);
        int reducedSome = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            Problem problem = test::randomProblem(test::allFeatures()[static_cast<std::size_t>(kind)], seed, 12);
            const auto plan = greedyBySize()->plan(problem, {}, {});
            if (!plan) continue;
            for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool)
                problem.pools[static_cast<std::size_t>(pool)].capacity = plan->poolSize(problem, pool) * 3 / 4;
            if (!greedyOverflows(problem)) continue;
            const ReduceResult reduced = reduceProblem(problem, greedyOverflows);
            QVERIFY(reduced.minimal);
            QVERIFY(greedyOverflows(reduced.problem));
            QVERIFY(reduced.problem.buffers.size() <= problem.buffers.size());
            for (BufferId gone = 0; gone < static_cast<BufferId>(reduced.problem.buffers.size()); ++gone) {
                Problem smaller = subproblem(reduced.problem, without(reduced.problem, gone));
                for (const Diagnostic& d : checkAndRepair(smaller)) QVERIFY(d.severity != Severity::error);
                QVERIFY(!greedyOverflows(smaller));
            }
            ++reducedSome;
        }
        QVERIFY(reducedSome > 5);
    }

    void limitsLeaveWhatStillShows()
    {
        Problem problem = test::synthetic(300, 20, 5);
        const auto plan = greedyBySize()->plan(problem, {}, {});
        QVERIFY(plan);
        problem.pools[0].capacity = plan->poolSize(problem, 0) - 1;
        QVERIFY(greedyOverflows(problem));
        ReduceOptions few;
        few.tests = 7;
        const ReduceResult reduced = reduceProblem(problem, greedyOverflows, few);
        QVERIFY(reduced.stopped && !reduced.minimal && reduced.tests == 7);
        QVERIFY(greedyOverflows(reduced.problem));
        std::uint64_t asked = 0;
        ReduceOptions cancelled;
        cancelled.stop = [&] { return asked >= 3; };
        cancelled.progress = [&](std::size_t buffers, std::uint64_t tests) {
            QVERIFY(buffers <= 300);
            asked = tests;
        };
        QVERIFY(reduceProblem(problem, greedyOverflows, cancelled).stopped);
        QCOMPARE(asked, std::uint64_t{3});
    }

    void subproblemsKeepWhatRefersToTheRest()
    {
        for (const test::Features& features : test::allFeatures())
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const Problem problem = test::randomProblem(features, seed, 10);
                std::vector<BufferId> keep;
                for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id)
                    if ((seed >> (id % 5) & 1) != 0) keep.push_back(id);
                Problem part = subproblem(problem, keep);
                QVERIFY(checkAndRepair(part).empty());
                for (std::size_t a = 0; a < keep.size(); ++a)
                    for (std::size_t b = 0; b < a; ++b)
                        QCOMPARE(conflict(part, static_cast<BufferId>(a), static_cast<BufferId>(b)),
                                 conflict(problem, keep[a], keep[b]));
            }
    }
};

QTEST_APPLESS_MAIN(TestReduce)
#include "tst_reduce.moc"
