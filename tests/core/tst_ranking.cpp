// Which runs may be ranked together, and which is best: nothing that does not fit, nothing of another problem.
#include "core/explain/ranking.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <set>

using namespace stowage;

namespace {

std::shared_ptr<const Run> made(Bytes size, Status status, const char* planner, const char* lowering = "order=linear",
                                const char* target = "")
{
    auto run = std::make_shared<Run>();
    auto lowered = std::make_shared<Lowering>();
    lowered->fingerprint.pins = {{lowering, "ram", 0}}; // runs with other pins are of another problem
    run->lowering = lowered;
    run->plan.planner = planner;
    run->targetName = target;
    run->report.status = status;
    PoolReport pool;
    pool.pool = 0;
    pool.size = size;
    run->report.pools.push_back(pool);
    run->report.verdict.overCapacity = status == Status::doesNotFit || status == Status::infeasible;
    if (status == Status::invalid) run->report.verdict.violations.emplace_back();
    return run;
}

} // namespace

class TestRanking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSmallestThatFitsIsBest()
    {
        const std::vector<std::shared_ptr<const Run>> runs{made(100, Status::doesNotFit, "a"), made(300, Status::feasible, "b"),
                                                           made(200, Status::optimal, "c"), made(50, Status::invalid, "d"),
                                                           made(200, Status::feasible, "a")};
        const auto groups = groupRuns(runs);
        QCOMPARE(groups.size(), std::size_t(1));
        QCOMPARE(groups[0].best, std::optional<Bytes>(200));
        QCOMPARE(groups[0].runs, (std::vector<std::size_t>{4, 2, 1, 0, 3}));
    }

    void withoutAPlanThatFitsNothingIsBest()
    {
        const std::vector<std::shared_ptr<const Run>> runs{made(100, Status::doesNotFit, "a"), made(90, Status::infeasible, "b"),
                                                           made(1, Status::invalid, "c"), made(0, Status::undecided, "d")};
        const auto groups = groupRuns(runs);
        QVERIFY(!groups[0].best);
        for (const auto& run : runs) QVERIFY(!isGood(*run));
    }

    void otherLoweringsAndMemoriesAreOtherGroups()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        const char* lowerings[] = {"order=linear", "order=dag", "order=linear inplace=off"};
        const char* targets[] = {"", "m7"};
        const char* planners[] = {"a", "b", "c", "d"};
        const Status statuses[] = {Status::optimal, Status::feasible, Status::doesNotFit, Status::invalid, Status::infeasible};
        for (int round = 0; round < 100; ++round) {
            std::vector<std::shared_ptr<const Run>> runs;
            for (int i = random.bounded(1, 20); i > 0; --i)
                runs.push_back(made(random.bounded(1, 9), statuses[random.bounded(5)], planners[random.bounded(4)],
                                    lowerings[random.bounded(3)], targets[random.bounded(2)]));
            std::set<std::size_t> seen;
            std::set<std::pair<std::string, std::string>> problems;
            for (const RunGroup& group : groupRuns(runs)) {
                QVERIFY(problems.insert({group.lowering.text(), group.target}).second);
                std::optional<Bytes> best;
                for (const std::size_t i : group.runs) {
                    QVERIFY(seen.insert(i).second);
                    QVERIFY(runs[i]->lowering->fingerprint == group.lowering);
                    QCOMPARE(runs[i]->targetName, group.target);
                    const Status status = runs[i]->report.status;
                    if (status == Status::optimal || status == Status::feasible)
                        best = std::min(best.value_or(1000), runs[i]->report.totalSize());
                }
                QCOMPARE(group.best, best);
                for (std::size_t i = 1; i < group.runs.size(); ++i)
                    QVERIFY(!ranksBefore(*runs[group.runs[i]], *runs[group.runs[i - 1]]));
                if (best) QCOMPARE(runs[group.runs.front()]->report.totalSize(), *best); // the best one leads
            }
            QCOMPARE(seen.size(), runs.size());
        }
    }
};

QTEST_APPLESS_MAIN(TestRanking)
#include "tst_ranking.moc"
