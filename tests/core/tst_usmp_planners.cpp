// The planners of unified static memory planning: published figures, Apache TVM's own algorithm rewritten here from its
// description, and small examples worked out by hand.
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/lower/lower.h"
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/core/program_builder.h"
#include "tests/support/problems.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>

using namespace stowage;

namespace {

std::shared_ptr<const Planner> planner(const char* name)
{
    return PlannerRegistry::builtIn().find(name);
}

Problem benchProblem(const QString& name)
{
    QFile file(test::sharedFile("bench/usmp/") + name + ".problem.json");
    if (!file.open(QIODevice::ReadOnly)) qFatal("no %s", qPrintable(file.fileName()));
    auto read = io::readProblemJson(file.readAll().toStdString(), name.toStdString());
    if (!read) qFatal("%s", toText(read.error()).c_str());
    return std::move(read->value);
}

Bytes total(const Problem& problem, const Plan& plan)
{
    Bytes sum = 0;
    for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) sum += plan.poolSize(problem, p);
    return sum;
}

/// Empty when the plan is valid and inside the capacities.
std::string wrong(const Problem& problem, const Plan& plan)
{
    const Verdict verdict = check(problem, plan);
    return verdict.violations.empty() ? std::string() : describe(problem, verdict.violations.front());
}

Problem problemOf(std::initializer_list<std::tuple<Bytes, Step, Step>> rows)
{
    Problem problem;
    problem.pools.emplace_back();
    problem.pools[0].name = "arena";
    for (const auto& [size, begin, end] : rows) {
        Buffer buffer;
        buffer.name = std::string(1, static_cast<char>('a' + problem.buffers.size()));
        buffer.size = size;
        buffer.live = {{begin, end}};
        problem.buffers.push_back(std::move(buffer));
    }
    return problem;
}

/// TVM 0.17's greedy placement as it is described, traps included: nothing when it reports that the pools are exceeded, or when a
/// pool that had been ruled out came back.
std::optional<Plan> original(const Problem& problem, bool bySize)
{
    const auto n = static_cast<BufferId>(problem.buffers.size());
    std::vector<std::vector<BufferId>> conflicts(problem.buffers.size());
    for (BufferId a = 0; a < n; ++a)
        for (BufferId b = 0; b < n; ++b)
            if (conflict(problem, a, b)) conflicts[static_cast<std::size_t>(a)].push_back(b);
    std::vector<BufferId> order(problem.buffers.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](BufferId a, BufferId b) {
        const Buffer& x = problem.buffers[static_cast<std::size_t>(a)];
        const Buffer& y = problem.buffers[static_cast<std::size_t>(b)];
        const auto degree = [&](BufferId id) { return static_cast<Bytes>(conflicts[static_cast<std::size_t>(id)].size()); };
        const auto key = [&](const Buffer& of, BufferId id) {
            return bySize ? std::tuple(of.size, degree(id), of.name) : std::tuple(degree(id), of.size, of.name);
        };
        return key(x, a) > key(y, b);
    });
    Plan plan;
    plan.placements.resize(problem.buffers.size());
    for (const BufferId b : order) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(b)];
        const auto fits = [&](PoolId pool, Bytes offset) {
            const auto& hint = problem.pools[static_cast<std::size_t>(pool)].capacity;
            return !hint || offset + buffer.size <= *hint;
        };
        std::map<PoolId, Bytes> offsets;
        for (const PoolId pool : problem.candidates(buffer))
            if (fits(pool, 0)) offsets[pool] = 0;
        for (const BufferId other : conflicts[static_cast<std::size_t>(b)]) {
            const Placement& placed = plan.placements[static_cast<std::size_t>(other)];
            if (!placed.placed()) continue;
            const Buffer& neighbour = problem.buffers[static_cast<std::size_t>(other)];
            const Bytes next = alignUp(placed.offset + neighbour.size, neighbour.alignment);
            if (!fits(placed.pool, next)) {
                offsets.erase(placed.pool);
                continue;
            }
            const auto candidates = problem.candidates(buffer);
            const bool candidate = std::find(candidates.begin(), candidates.end(), placed.pool) != candidates.end();
            if (candidate && !offsets.contains(placed.pool)) return std::nullopt;
            if (candidate) offsets[placed.pool] = std::max(offsets[placed.pool], next);
        }
        for (const PoolId pool : problem.candidates(buffer))
            if (offsets.contains(pool)) {
                plan.placements[static_cast<std::size_t>(b)].pool = pool;
                plan.placements[static_cast<std::size_t>(b)].offset = offsets[pool];
                break;
            }
        if (!plan.placements[static_cast<std::size_t>(b)].placed()) return std::nullopt;
    }
    return plan;
}

/// One convolution of MobileNet: padding, products, and the output, with the tensors around it.
Program mobilenetConvolution()
{
    test::ProgramBuilder b;
    const auto x = b.tensor("sid_9", 301056);
    const auto y = b.tensor("sid_8", 802816);
    const auto z = b.tensor("tensor_2", 200704);
    const FunctionId conv = b.function("conv");
    const auto in = b.input("in", 301056);
    const auto padded = b.tensor("PaddedInput_7", 314646);
    const auto products = b.tensor("Conv2dOutput_7", 256);
    const auto out = b.tensor("out", 802816);
    b.op("pad", {in}, {padded});
    b.op("multiply", {padded}, {products});
    b.op("requantise", {padded, products}, {out});
    b.output(out);
    b.use(0);
    b.op("before", {}, {x});
    b.call("conv", conv, {x}, {y});
    b.op("behind", {y}, {z});
    b.output(z);
    return b.program();
}

} // namespace

class TestUsmpPlanners : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedFigures_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("planner");
        QTest::addColumn<QList<qint64>>("sizes"); // by pool
        const char* size = "usmp-greedy-by-size";
        const char* conflicts = "usmp-greedy-by-conflicts";
        const auto row = [](const char* file, const char* by, const QList<qint64>& sizes) {
            QTest::addRow("%s %s", file, by) << QString(file) << QString(by) << sizes;
        };
        row("algo_linear", size, {140});
        row("algo_fanout", size, {250});      // with symmetric conflicts; the original's own plan overlaps
        row("algo_fanout", conflicts, {320}); // the same
        row("mobilenet_subgraph", size, {200704, 1418528});
        row("mobilenet_subgraph", conflicts, {200704, 1418528});
        row("resnet_subgraph", size, {7920256});
        row("resnet_subgraph", conflicts, {7200256});
        row("derived_erased_pool_returns", size, {90, 20});
    }
    void publishedFigures()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, file);
        QFETCH(QString, planner);
        QFETCH(QList<qint64>, sizes);
        const Problem problem = benchProblem(file);
        const auto plan = PlannerRegistry::builtIn().find(planner.toStdString())->plan(problem, {}, {});
        QVERIFY(plan);
        QVERIFY2(wrong(problem, *plan).empty(), wrong(problem, *plan).c_str());
        for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) QCOMPARE(plan->poolSize(problem, p), sizes[p]);
    }

    /// Memory pressure, the optimum, and who reaches it.
    void optimaAreReached_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<qint64>("optimum");
        QTest::addRow("fanout") << "algo_fanout" << qint64(210);
        QTest::addRow("resnet") << "resnet_subgraph" << qint64(7200256);
        QTest::addRow("linear") << "algo_linear" << qint64(140);
        QTest::addRow("mixed alignment") << "derived_mixed_alignment" << qint64(18);
    }
    void optimaAreReached()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, file);
        QFETCH(qint64, optimum);
        const Problem problem = benchProblem(file);
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const auto& each : registry.all()) {
            PlanContext context;
            context.seed = 3;
            if (each->info().anytime) context.workLimit = 100'000;
            const auto plan = each->plan(problem, {}, context);
            QVERIFY(plan);
            const std::string& name = each->info().name;
            QVERIFY2(wrong(problem, *plan).empty(), name.c_str());
            QVERIFY2(total(problem, *plan) >= optimum, name.c_str());
            if (name == "hill-climb" || name == "exact") QVERIFY2(total(problem, *plan) == optimum, name.c_str());
        }
    }

    void memoryPressureIsTheBound()
    {
        STOWAGE_NEEDS_SHARED();
        QCOMPARE(lowerBound(benchProblem("mobilenet_subgraph"), none).bytes, 1117718);
        QCOMPARE(lowerBound(benchProblem("resnet_subgraph"), none).bytes, 7200256);
    }

    void whereTheOriginalIsValidOursIsEqual_data()
    {
        QTest::addColumn<bool>("bySize");
        QTest::addRow("by size") << true;
        QTest::addRow("by conflicts") << false;
    }
    void whereTheOriginalIsValidOursIsEqual()
    {
        QFETCH(bool, bySize);
        const auto ours = planner(bySize ? "usmp-greedy-by-size" : "usmp-greedy-by-conflicts");
        int compared = 0;
        for (const test::Features& features :
             {test::Features{.name = "ranges", .alignment = true, .gaps = true, .pools = true},
              test::Features{.name = "explicit", .alignment = true, .pools = true, .dag = true},
              test::Features{.name = "both", .conflicts = true}, test::Features{.name = "hint", .capacity = true}})
            for (std::uint64_t seed = 0; seed < 600; ++seed) {
                Problem problem = test::randomProblem(features, seed);
                for (Pool& pool : problem.pools) pool.alignment = 1; // the original's pools have none
                const auto theirs = original(problem, bySize);
                if (!theirs || !wrong(problem, *theirs).empty()) continue;
                const auto plan = ours->plan(problem, {}, {});
                QVERIFY(plan);
                QVERIFY2(plan->placements == theirs->placements,
                         qPrintable(QString("%1, seed %2").arg(features.name.c_str()).arg(seed)));
                ++compared;
            }
        qInfo("%d plans equal", compared);
        QVERIFY(compared > 600);
    }

    void gapsBelowAreFoundByOursOnly()
    {
        // By conflicts: a (30) at 0, b (20) on it at 30, then c and d on a as well; e lives with b only, and fits below it.
        const Problem problem = problemOf({{30, 0, 2}, {20, 1, 6}, {5, 0, 1}, {5, 0, 1}, {25, 3, 6}});
        const auto ours = planner("greedy-by-conflicts")->plan(problem, {}, {});
        const auto theirs = planner("usmp-greedy-by-conflicts")->plan(problem, {}, {});
        QVERIFY(ours && theirs);
        QVERIFY(wrong(problem, *ours).empty() && wrong(problem, *theirs).empty());
        QCOMPARE(total(problem, *ours), 50);
        QCOMPARE(total(problem, *theirs), 75);
    }

    void hillClimbKeepsTheBestAndIsDeterministic()
    {
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            const Problem problem = test::synthetic(120, 12, seed, test::Lifetimes::skewed);
            PlanContext context;
            context.seed = seed;
            context.workLimit = 60'000;
            std::vector<Bytes> published;
            context.publish = [&](const Incumbent& incumbent) {
                QVERIFY(wrong(problem, incumbent.plan).empty());
                published.push_back(total(problem, incumbent.plan));
            };
            for (const char* name : {"hill-climb", "vela-hill-climb"}) {
                published.clear();
                const auto plan = planner(name)->plan(problem, {}, context);
                QVERIFY(plan);
                QVERIFY(wrong(problem, *plan).empty());
                QVERIFY(!published.empty());
                QVERIFY(std::is_sorted(published.rbegin(), published.rend()));
                QCOMPARE(total(problem, *plan), published.back());
                const auto again = planner(name)->plan(problem, {}, context);
                QVERIFY(again->placements == plan->placements);
            }
            // More work never gives a larger plan, as what has been seen is kept.
            Bytes last = maxBytes;
            for (const std::uint64_t limit : {std::uint64_t{200}, std::uint64_t{2000}, std::uint64_t{20'000}}) {
                PlanContext limited;
                limited.seed = seed;
                limited.workLimit = limit;
                const Bytes now = total(problem, *planner("hill-climb")->plan(problem, {}, limited));
                QVERIFY(now <= last);
                last = now;
            }
            const Bytes greedy = total(problem, *planner("greedy-by-size")->plan(problem, {}, {}));
            QVERIFY(last <= greedy);
        }
    }

    /// 4000 orders of a hard little problem: climbing gets to the optimum, which is known from trying all orders.
    void hillClimbReachesTheOptimumOfSmallProblems()
    {
        int reached = 0;
        int all = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Problem problem = test::randomProblem({.name = "plain", .gaps = true}, seed, 6);
            std::vector<BufferId> order(problem.buffers.size());
            std::iota(order.begin(), order.end(), 0);
            Bytes best = maxBytes;
            do { // lowest free offset in every order: one of them is optimal
                std::vector<Bytes> at(order.size());
                Bytes top = 0;
                for (std::size_t i = 0; i < order.size(); ++i) {
                    const auto b = static_cast<std::size_t>(order[i]);
                    Bytes offset = 0;
                    for (bool moved = true; moved;) {
                        moved = false;
                        for (std::size_t j = 0; j < i; ++j) {
                            const auto o = static_cast<std::size_t>(order[j]);
                            const bool meets =
                                offset < at[o] + problem.buffers[o].size && at[o] < offset + problem.buffers[b].size;
                            if (!meets || !conflict(problem, order[i], order[j])) continue;
                            offset = at[o] + problem.buffers[o].size;
                            moved = true;
                        }
                    }
                    at[b] = offset;
                    top = std::max(top, offset + problem.buffers[b].size);
                }
                best = std::min(best, top);
            } while (std::next_permutation(order.begin(), order.end()));
            const auto plan = planner("hill-climb")->plan(problem, {}, {});
            QVERIFY(plan);
            QVERIFY(total(problem, *plan) >= best);
            ++all;
            reached += total(problem, *plan) == best ? 1 : 0;
        }
        QCOMPARE(reached, all);
    }

    void localFirstLivesByOperator()
    {
        const Program program = mobilenetConvolution();
        const auto lowering = lower(program, {});
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const Problem& problem = lowering->problem;
        QCOMPARE(problem.scopes.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(problem.scopes[0].name), QString("conv"));
        int inside = 0;
        for (const Buffer& buffer : problem.buffers) inside += buffer.scope == none ? 0 : 1;
        QCOMPARE(inside, 2);
        QCOMPARE(lowerBound(problem, none).bytes, 1117718);
        const auto local = planner("local-first")->plan(problem, {}, {});
        QVERIFY(local);
        QVERIFY(wrong(problem, *local).empty());
        QCOMPARE(total(problem, *local), 1418774);
        const auto note = std::find_if(local->diagnostics.begin(), local->diagnostics.end(),
                                       [](const Diagnostic& d) { return d.code == Code::localFirst; });
        QVERIFY(note != local->diagnostics.end());
        QVERIFY2(note->message.find("1418774") != std::string::npos && note->message.find("1117718") != std::string::npos,
                 note->message.c_str());
        QVERIFY(total(problem, *planner("hill-climb")->plan(problem, {}, {})) == 1117718);
    }

    /// The parts share the work limit: each of 20 operators with 3 buffers takes less than half of the work, all together more.
    void localFirstSharesItsWorkLimit()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        for (ScopeId scope = 0; scope < 20; ++scope) {
            const Interval call{scope * 3, scope * 3 + 3};
            problem.scopes.push_back({"op" + std::to_string(scope), {call}});
            for (Step step = call.begin; step < call.end; ++step) {
                Buffer& buffer = problem.buffers.emplace_back();
                buffer.name = "b" + std::to_string(step);
                buffer.size = 8 + step;
                buffer.live = {call};
                buffer.scope = scope;
            }
        }
        QVERIFY(checkAndRepair(problem).empty());
        const auto whole = planner("local-first")->plan(problem, {}, {});
        QVERIFY(whole);
        QCOMPARE(whole->stoppedBy, StoppedBy::complete);
        PlanContext context;
        context.workLimit = whole->work / 2;
        const auto half = planner("local-first")->plan(problem, {}, context);
        QVERIFY(half);
        QCOMPARE(half->stoppedBy, StoppedBy::workLimit);
        QVERIFY(wrong(problem, *half).empty());
    }

    /// What an op moves: the input is read once, padding is written once and read twice.
    void trafficIsCounted()
    {
        const auto lowering = lower(mobilenetConvolution(), {});
        QVERIFY(lowering);
        for (const Buffer& buffer : lowering->problem.buffers) {
            if (buffer.name == "sid_9") QCOMPARE(buffer.traffic, (Traffic{301056, 301056, 1, 1}));
            if (buffer.name == "conv/PaddedInput_7") QCOMPARE(buffer.traffic, (Traffic{2 * 314646, 314646, 2, 1}));
            if (buffer.name == "tensor_2") QCOMPARE(buffer.traffic, (Traffic{0, 200704, 0, 1}));
        }
    }

    void tokensAreHandedOnAndGrow()
    {
        const auto size = [](const Problem& problem) {
            const auto plan = planner("graph-plan-memory")->plan(problem, {}, {});
            if (!plan || !wrong(problem, *plan).empty()) return Bytes{-1};
            return total(problem, *plan);
        };
        QCOMPARE(size(problemOf({{100, 0, 2}, {10, 1, 3}, {90, 2, 4}})), 110); // c takes a's token
        QCOMPARE(size(problemOf({{50, 0, 2}, {700, 2, 4}})), 700);             // 700 / 16 <= 50: it grows
        QCOMPARE(size(problemOf({{40, 0, 2}, {700, 2, 4}})), 740);             // 700 / 16 > 40: a new one
        QCOMPARE(size(problemOf({{1700, 0, 2}, {100, 2, 4}})), 1800);          // more than 16 times: a new one
        QCOMPARE(size(problemOf({{1600, 0, 2}, {100, 2, 4}})), 1600);          // 16 times: taken
        QCOMPARE(size(problemOf({{100, 0, 2}, {300, 0, 2}, {200, 2, 4}, {90, 2, 4}})),
                 400);                                             // larger first: 200 on 300, 90 on 100
        QCOMPARE(size(problemOf({{100, 0, 2}, {90, 1, 3}})), 190); // live together
    }

    /// When the tokens of a pool exceed its capacity, no free token can be taken within the capacity: none is looked at for that.
    void aFullPoolIsNotSearchedForRoom()
    {
        constexpr int half = 1000;
        Problem problem;
        problem.pools.emplace_back();
        problem.pools[0].name = "arena";
        problem.pools[0].capacity = 100;
        for (int i = 0; i < 2 * half; ++i) { // half of them at the first step, the others one after the other
            Buffer buffer;
            buffer.name = std::to_string(i);
            buffer.size = 16;
            const Step begin = i < half ? 0 : 1 + i - half;
            buffer.live = {{begin, begin + 1}};
            problem.buffers.push_back(buffer);
        }
        const auto plan = planner("graph-plan-memory")->plan(problem, {}, {});
        QVERIFY(plan);
        QVERIFY(check(problem, *plan).valid());
        QCOMPARE(total(problem, *plan), Bytes(16 * half)); // all later ones take free tokens
        // Looking through the free tokens, a thousand for each of the later buffers, would be a million.
        QVERIFY2(plan->work < std::uint64_t{20} * half, qPrintable(QString::number(plan->work)));
    }
};

QTEST_GUILESS_MAIN(TestUsmpPlanners)
#include "tst_usmp_planners.moc"
