// Planners with the option pipe-aware: what is forbidden, what is priced, and the least price by brute force.
#include "core/explain/pipe_report.h"
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/hivm/pipe_aware.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_problems.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <optional>

using namespace stowage;

namespace {

Plan planned(const char* planner, const char* mode, const Problem& problem)
{
    PlanContext context;
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(problem, {{"pipe-aware", mode}}, context);
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    return *std::move(plan);
}

Bytes priceOf(const Problem& problem, const Plan& plan)
{
    Bytes price = 0;
    for (const PipePair& pair : sharingPairs(problem, plan, pipePairs(problem))) price += pair.price;
    return price;
}

/// One memory, few small buffers, some of them touched by DMA or by the scalar pipe.
Problem small(std::uint64_t seed, bool bounded)
{
    test::Random random(seed + stowage::test::seedShift());
    std::vector<test::Row> rows;
    const int count = static_cast<int>(random(2, 4));
    for (int i = 0; i < count; ++i) {
        const Step first = random(1, 5);
        rows.push_back({"b" + std::to_string(i),
                        first,
                        random(first, 6),
                        random(1, 3),
                        random.chance(20) ? 2 : 1,
                        random.chance(50),
                        random.chance(70),
                        {}});
    }
    Problem problem = test::fromRows(rows, {1, 7}, test::scope("ub", random(3, 8), 1));
    for (Buffer& buffer : problem.buffers) buffer.scalar = random.chance(20);
    if (!bounded) problem.pools.front().capacity.reset();
    return problem;
}

struct Worth {
    Bytes price = 0;
    Bytes size = 0;
};

/// Every place of every slot: the least sum of price and size among the layouts inside `limit`; of equal sums the least price.
class BruteForce {
public:
    BruteForce(const Problem& problem, Bytes limit) : problem_(problem), limit_(limit), pairs_(pipePairs(problem))
    {
        for (std::size_t b = 0; b < problem.buffers.size(); ++b)
            for (int slot = 0; slot < problem.buffers[b].slots; ++slot) slots_.push_back(b);
        at_.resize(slots_.size());
        place(0, 0);
    }
    std::optional<Worth> best;

private:
    [[nodiscard]] bool touch(std::size_t i, std::size_t j) const
    {
        return at_[i] < at_[j] + problem_.buffers[slots_[j]].size && at_[j] < at_[i] + problem_.buffers[slots_[i]].size;
    }
    void place(std::size_t slot, Bytes top)
    {
        if (slot == slots_.size()) return judge(top);
        const Bytes size = problem_.buffers[slots_[slot]].size;
        for (Bytes at = 0; at + size <= limit_; ++at) {
            at_[slot] = at;
            bool free = true;
            for (std::size_t other = 0; free && other < slot; ++other)
                if (touch(slot, other))
                    free = slots_[slot] != slots_[other] &&
                           !conflict(problem_, static_cast<BufferId>(slots_[slot]), static_cast<BufferId>(slots_[other]));
            if (free) place(slot + 1, std::max(top, at + size));
        }
    }
    void judge(Bytes top)
    {
        Bytes price = 0;
        for (const PipePair& pair : pairs_) {
            bool shared = false;
            for (std::size_t i = 0; i < slots_.size(); ++i)
                for (std::size_t j = 0; j < slots_.size(); ++j)
                    shared |=
                        static_cast<BufferId>(slots_[i]) == pair.a && static_cast<BufferId>(slots_[j]) == pair.b && touch(i, j);
            price += shared ? pair.price : 0;
        }
        const auto key = [](const Worth& w) { return std::pair(w.price + w.size, w.price); };
        if (!best || key({price, top}) < key(*best)) best = Worth{price, top};
    }

    const Problem& problem_;
    Bytes limit_;
    std::vector<PipePair> pairs_;
    std::vector<std::size_t> slots_;
    std::vector<Bytes> at_;
};

} // namespace

class TestPipeAware : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// DMA against all but nothing else, scalar against vector; a double buffer of the same loop counts four times.
    void pairsArePricedBySize()
    {
        Problem problem = test::fromRows({{"a", 1, 1, 100, 2, true, true, {}},
                                          {"v", 2, 2, 40, 1, false, true, {}},
                                          {"w", 3, 3, 70, 1, false, true, {}},
                                          {"s", 4, 4, 30, 1, false, false, {}},
                                          {"live", 1, 4, 50, 1, true, true, {}}},
                                         {0, 5}, test::scope("ub", 1000, 1));
        problem.buffers[3].scalar = true;
        const auto pairs = pipePairs(problem);
        using Row = std::tuple<BufferId, BufferId, bool, Bytes>;
        std::vector<Row> rows;
        for (const PipePair& pair : pairs) rows.emplace_back(pair.a, pair.b, pair.breaksDoubleBuffer, pair.price);
        QVERIFY((rows == std::vector<Row>{
                             {0, 1, true, 160}, {0, 2, true, 280}, {0, 3, false, 30}, {1, 3, false, 30}, {2, 3, false, 30}}));
    }

    /// The document's loop in 80 KB: ignoring pipes C goes on A; forbidden it has 16 KB of its own or B's.
    void forbiddenPairsNeverShare_data()
    {
        QTest::addColumn<QString>("planner");
        for (const char* name : {"exact", "auto", "greedy-by-size", "best-fit-decreasing", "hill-climb"})
            QTest::addRow("%s", name) << name;
    }
    void forbiddenPairsNeverShare()
    {
        QFETCH(QString, planner);
        const QByteArray name = planner.toLatin1();
        for (std::uint64_t seed = 0; seed < test::randomCases(150U); ++seed) {
            const Problem problem = small(seed, seed % 2 == 0);
            const Plan plan = planned(name, "forbid", problem);
            QVERIFY(check(problem, plan).valid());
            QCOMPARE(priceOf(problem, plan), 0);
            const PipeReport report = pipeReport(problem, plan, pipeModel(problem));
            // What the pairs say is what is simulated: nothing of another pipe but through vector ops that read and write both
            // kinds.
            for (const ReuseEdge& edge : report.edges) {
                const Buffer& from = problem.buffers[static_cast<std::size_t>(edge.from)];
                const Buffer& to = problem.buffers[static_cast<std::size_t>(edge.to)];
                // Two that are both scalar-touched are no conflict, even where DMA touches one of them besides.
                QVERIFY((from.scalar && to.scalar) || (!from.dma && !to.dma && !from.scalar && !to.scalar));
            }
        }
    }

    void ignoringIsWhatThePlannerDoesAnyway()
    {
        PlanContext context;
        for (std::uint64_t seed = 0; seed < test::randomCases(50U); ++seed) {
            const Problem problem = small(seed, true);
            const auto plain = PlannerRegistry::builtIn().find("exact")->plan(problem, {}, context);
            const Plan ignored = planned("exact", "ignore", problem);
            QVERIFY(plain->placements == ignored.placements);
            QCOMPARE(evaluate(problem, *plain).status, evaluate(problem, ignored).status);
        }
    }

    /// A forbidden or priced plan is not the smallest, and is not said to be.
    void nothingIsClaimedOfTheOtherProblem()
    {
        const Problem problem = test::fromRows({{"x", 1, 1, 4, 1, true, false, {}}, {"y", 2, 2, 4, 1, false, false, {}}}, {},
                                               test::scope("ub", 100, 1));
        for (const char* mode : {"forbid", "price"}) {
            const Plan plan = planned("exact", mode, problem);
            QCOMPARE(plan.poolSize(problem, 0), 8);
            QCOMPARE(evaluate(problem, plan).status, Status::feasible);
        }
        QCOMPARE(planned("exact", "ignore", problem).poolSize(problem, 0), 4);
    }

    /// Kept apart, the two do not fit into 6 bytes. That is a proof of the problem in which they conflict: in this one they fit.
    void aProofOfForbiddenPairsIsNotToldOfTheProblem()
    {
        const Problem problem = test::fromRows({{"x", 1, 1, 4, 1, true, false, {}}, {"y", 2, 2, 4, 1, false, false, {}}}, {},
                                               test::scope("ub", 6, 1));
        for (const char* planner : {"exact", "auto"}) {
            const Plan plan = planned(planner, "forbid", problem);
            QCOMPARE(plan.poolSize(problem, 0), 8);
            QCOMPARE(evaluate(problem, plan).status, Status::doesNotFit);
            bool overflow = false, told = false;
            for (const Diagnostic& d : plan.diagnostics) {
                QVERIFY2(d.code != Code::infeasibleSet, d.message.c_str());
                if (d.code == Code::autoMember) {
                    told = true;
                    QVERIFY2(d.message.starts_with("with the pairs kept apart: refused before planning"), d.message.c_str());
                } else if (d.code == Code::overflow) {
                    overflow = true;
                    QVERIFY2(d.remedy.ends_with("or try another planner"), d.remedy.c_str());
                }
            }
            QVERIFY(overflow);
            QCOMPARE(told, planner == std::string("auto"));
        }
    }

    /// Inside a capacity: size plus price, and of equal sums as few as possible share.
    void sizePlusPriceIsTheLeastThereIs()
    {
        int priced = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(600U); ++seed) {
            const Problem problem = small(seed, true);
            const Plan plan = planned("exact", "price", problem);
            QVERIFY(check(problem, plan).valid());
            const BruteForce brute(problem, *problem.pools.front().capacity);
            const QString where = QString("seed %1").arg(seed);
            if (!brute.best) {
                QVERIFY2(check(problem, plan).overCapacity, qPrintable(where));
                continue;
            }
            QVERIFY2(!check(problem, plan).overCapacity, qPrintable(where));
            QVERIFY2(priceOf(problem, plan) == brute.best->price, qPrintable(where));
            QVERIFY2(plan.poolSize(problem, 0) == brute.best->size, qPrintable(where));
            priced += brute.best->price > 0;
        }
        QVERIFY2(priced > test::randomCases(20), qPrintable(QString::number(priced)));
    }

    /// Without a capacity: size plus price.
    void withoutACapacityTheSumIsTheLeastThereIs()
    {
        for (std::uint64_t seed = 0; seed < test::randomCases(300U); ++seed) {
            const Problem problem = small(seed, false);
            const Plan plan = planned("exact", "price", problem);
            Bytes all = 0;
            for (const Buffer& buffer : problem.buffers) all += buffer.size * buffer.slots;
            if (all > 9) continue; // too many layouts
            const BruteForce brute(problem, all);
            const Bytes price = priceOf(problem, plan);
            QVERIFY2(price + plan.poolSize(problem, 0) == brute.best->price + brute.best->size,
                     qPrintable(QString("seed %1").arg(seed)));
        }
    }

    /// On the compiler's own kernel: fewer pairs share than where nobody looks, it fits, and the pipes wait no longer.
    void aKernelIsPlannedWithFewerStalls()
    {
        const Problem problem = test::fromRows(test::layerNorm(), test::layerNormLoop, test::scope("ub", test::unifiedBuffer));
        const Plan priced = planned("auto", "price", problem);
        const Plan ignored = planned("auto", "ignore", problem);
        QVERIFY(check(problem, priced).valid() && !check(problem, priced).overCapacity);
        QVERIFY(priceOf(problem, priced) < priceOf(problem, ignored));
        const PipeModel model = pipeModel(problem);
        QVERIFY(pipeReport(problem, priced, model).time <= pipeReport(problem, ignored, model).time);
        QVERIFY(planned("auto", "price", problem).placements == priced.placements);
    }
};

QTEST_GUILESS_MAIN(TestPipeAware)
#include "tst_pipe_aware.moc"
