// The portfolio: the same plan for any number of threads, and what its members reach.
#include "core/io/text.h"
#include "core/plan/objective.h"
#include "core/plan/report.h"
#include "core/planners/auto.h"
#include "core/planners/climb/squeaky_wheel.h"
#include "core/planners/greedy/best_fit_decreasing.h"
#include "core/planners/greedy/greedy_by_breadth.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "core/planners/greedy/tflm_greedy.h"
#include "core/planners/registry.h"
#include "tests/support/buffer_of.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"
#include "tests/support/shared.h"

#include <QFile>

#include <algorithm>
#include <mutex>
#include <string>

using namespace stowage;

namespace {

Expected<Plan> planned(const Problem& problem, unsigned threads, std::uint64_t work = 0, std::uint64_t seed = 0)
{
    PlanContext context;
    context.threads = threads;
    context.workLimit = work;
    context.seed = seed;
    return autoPlanner()->plan(problem, {}, context);
}

void sameForAnyThreads(const Problem& problem, std::uint64_t work, std::uint64_t seed)
{
    const auto one = planned(problem, 1, work, seed);
    QVERIFY(one);
    for (const unsigned threads : {2U, 3U, 8U}) {
        const auto other = planned(problem, threads, work, seed);
        QVERIFY(other);
        QCOMPARE(other->placements, one->placements);
        QCOMPARE(other->work, one->work);
        QCOMPARE(other->stoppedBy, one->stoppedBy);
        QCOMPARE(evaluate(problem, *other).status, evaluate(problem, *one).status);
    }
}

Problem read(const char* name)
{
    QFile file(test::sharedFile("bench/idealloc/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto problem = io::readProblemCsv(file.readAll().toStdString(), name);
    return problem ? std::move(problem->value) : Problem{};
}

} // namespace

class TestAuto : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threadsDoNotChangeThePlan_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = test::allFeatures();
        for (std::size_t k = 0; k < kinds.size(); ++k) QTest::addRow("%s", kinds[k].name.c_str()) << static_cast<int>(k);
    }
    void threadsDoNotChangeThePlan()
    {
        QFETCH(int, kind);
        for (std::uint64_t seed = 0; seed < 6; ++seed)
            sameForAnyThreads(test::randomProblem(test::allFeatures()[static_cast<std::size_t>(kind)], seed, 14), 400, seed);
    }

    void threadsDoNotChangeThePlanOfLargerOnes()
    {
        // Enough work for two rounds, in the second of which search and orders run side by side.
        const bool small = test::instrumented;
        sameForAnyThreads(test::synthetic(small ? 100 : 300, small ? 20 : 40, 1), small ? 10'000 : 40'000, 1);
        sameForAnyThreads(test::synthetic(small ? 4'100 : 6'000, small ? 10 : 60, 2, test::Lifetimes::skewed),
                          small ? 2'000 : 20'000, 2);
    }

    void ordersThatLearnStayValidWithEveryFeature()
    {
        int improved = 0, tried = 0;
        for (const test::Features& features : test::allFeatures())
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const Problem problem = test::randomProblem(features, seed, 14);
                if (!SqueakyWheel::applies(problem) || problem.buffers.empty()) continue;
                const BufferTable table(problem);
                if (table.error()) continue;
                const PlanContext context;
                const Bytes bound = lowerBound(problem, problem.candidates(problem.buffers.front()).front()).bytes;
                SqueakyWheel wheel(table, context, bound, seed);
                const std::atomic<bool> cancelled{false};
                for (std::size_t track = 0; track < wheel.tracks(); ++track) {
                    wheel.run(track, 1, cancelled);
                    const Bytes first = wheel.bestOf(track);
                    wheel.run(track, 60, cancelled);
                    QVERIFY(wheel.bestOf(track) <= first);
                    improved += wheel.bestOf(track) < first;
                    const PlannerInfo info{
                        .name = "wheel", .summary = {}, .source = {}, .options = {}, .takes = {}, .lowering = {}};
                    const auto plan = wheel.planOf(track, info, {});
                    QVERIFY(plan);
                    const Report report = evaluate(problem, *plan);
                    QCOMPARE(report.totalSize(), wheel.bestOf(track));
                    bool pinned = false; // pins can leave greedy planners no place
                    for (const Buffer& buffer : problem.buffers) pinned |= buffer.pin.has_value();
                    QVERIFY2(report.verdict.valid() || pinned,
                             report.verdict.valid() ? "" : describe(problem, report.verdict.violations.front()).c_str());
                    ++tried;
                }
                wheel.halve();
                QVERIFY(wheel.tracks() >= 2);
            }
        QVERIFY(tried > 200 && improved > 50);
    }

    void incumbentsComeInOrderFromAnyThread()
    {
        const Problem problem = test::synthetic(test::instrumented ? 4'100 : 5'000, 50, 4, test::Lifetimes::skewed);
        std::mutex mutex;
        std::vector<Bytes> sizes;
        PlanContext context;
        context.threads = 2;
        context.workLimit = test::instrumented ? 3'000 : 0;
        context.publish = [&](const Incumbent& incumbent) {
            const std::lock_guard lock(mutex);
            sizes.push_back(incumbent.plan.poolSize(problem, 0));
        };
        const auto plan = autoPlanner()->plan(problem, {}, context);
        QVERIFY(plan);
        QVERIFY(!sizes.empty());
        QVERIFY(std::is_sorted(sizes.rbegin(), sizes.rend()));
    }

    void limitsNeverMakeItWorseThanAQuickHeuristic_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = test::allFeatures();
        for (std::size_t k = 0; k < kinds.size(); ++k) QTest::addRow("%s", kinds[k].name.c_str()) << static_cast<int>(k);
    }
    /// One unit of work, and a deadline that has passed: what other programs on the machine make of a longer one.
    void limitsNeverMakeItWorseThanAQuickHeuristic()
    {
        QFETCH(int, kind);
        const auto kinds = test::allFeatures();
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Problem problem = test::randomProblem(kinds[static_cast<std::size_t>(kind)], seed, 30);
            std::vector<PlanContext> contexts(3);
            contexts[0].workLimit = 1;
            contexts[1].deadline = std::chrono::steady_clock::now();
            contexts[2].workLimit = 1;
            contexts[2].deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
            for (const PlanContext& context : contexts) {
                const auto own = autoPlanner()->plan(problem, {}, context);
                if (!own) continue; // what it cannot plan is refused under any limit
                for (const auto& quick : {greedyBySize(), greedyByBreadth(), bestFitDecreasing(), tflmGreedy()}) {
                    const auto other = quick->plan(problem, {}, {});
                    if (!other || !check(problem, *other).valid()) continue;
                    const QString at = QString("seed %1, %2").arg(seed).arg(quick->info().name.c_str());
                    QVERIFY2(check(problem, *own).valid(), qPrintable(at));
                    QVERIFY2(objectiveOf(problem, *own) <= objectiveOf(problem, *other), qPrintable(at));
                }
            }
        }
    }

    /// The same of more buffers than all heuristics are given time for: one is, and no stack of what a stopped one left.
    void aDeadlineLeavesAPlanOfManyBuffersOneHeuristic()
    {
        const Problem problem = test::synthetic(210'000, 24, 7);
        PlanContext context;
        context.deadline = std::chrono::steady_clock::now();
        const auto own = autoPlanner()->plan(problem, {}, context);
        const auto quick = greedyBySize()->plan(problem, {}, {});
        QVERIFY(own && quick && check(problem, *own).valid());
        QVERIFY(objectiveOf(problem, *own) <= objectiveOf(problem, *quick));
    }

    // Two memories of which each buffer may choose one, and neither takes the large one; then what is live together is too much
    // for both.
    void whatNoMemoryTakesIsRefusedBeforeItIsPlanned_data()
    {
        QTest::addColumn<Bytes>("large");
        QTest::addColumn<QString>("told");
        QTest::newRow("one buffer")
            << Bytes{2'000}
            << "refused before planning: 'b0' takes 2,000 bytes, more than any of fast and slow has (at most 1,000)";
        QTest::newRow("together")
            << Bytes{900} << "refused before planning: at least 1,620 bytes lie in fast and slow together (max-live), and 1,600";
    }
    void whatNoMemoryTakesIsRefusedBeforeItIsPlanned()
    {
        QFETCH(Bytes, large);
        QFETCH(QString, told);
        Problem problem;
        problem.pools = {{.name = "fast", .capacity = 600}, {.name = "slow", .capacity = 1'000}};
        for (int b = 0; b < 25; ++b) {
            Buffer buffer;
            buffer.name = "b" + std::to_string(b);
            buffer.size = b == 0 ? large : 30;
            buffer.live = {{0, 2 + b % 3}};
            problem.buffers.push_back(std::move(buffer));
        }
        QVERIFY(checkAndRepair(problem).empty());
        const auto plan = planned(problem, 1);
        QVERIFY(plan);
        const Report report = evaluate(problem, *plan);
        QCOMPARE(report.status, Status::infeasible);
        QCOMPARE(report.proof, ProofKind::bound);
        const std::string& note = plan->diagnostics.back().message;
        QVERIFY2(note.starts_with(told.toStdString()), note.c_str());
        std::uint64_t quick = 300'000 / problem.buffers.size(); // that of the heuristics, and a few nodes
        for (const auto& planner : {greedyBySize(), greedyByBreadth(), bestFitDecreasing(), tflmGreedy()})
            quick += planner->plan(problem, {}, {})->work;
        QVERIFY(plan->work <= quick);
        bool overflow = false;
        for (const Diagnostic& diagnostic : plan->diagnostics) {
            overflow |= diagnostic.code == Code::overflow;
            QVERIFY2(diagnostic.remedy.find("another planner") == std::string::npos, diagnostic.remedy.c_str());
        }
        QVERIFY(overflow);
    }

    /// The two are in use together in no iteration. Unrolled for planning they conflict, so that nothing fits there; whatever is
    /// told of that says that it is about the unrolled loops.
    void aProofAboutUnrolledLoopsIsToldAsOne()
    {
        Problem problem;
        problem.pools.push_back({.name = "sram", .capacity = 150});
        problem.loops.push_back({.name = "outer", .live = {0, 10}, .tripCount = 3});
        problem.loops.push_back({.name = "inner", .parent = 0, .live = {2, 6}, .tripCount = 4});
        Buffer a;
        a.name = "a";
        a.size = 100;
        a.live = {{8, 10}};
        a.loop = 0;
        a.carried = {{.distance = 1, .live = {0, 2}}, {.distance = 1, .live = {2, 4}, .when = {1, 0}}};
        Buffer b;
        b.name = "b";
        b.size = 90;
        b.live = {{4, 6}};
        b.loop = 1;
        b.carried = {{.distance = 1, .live = {2, 4}}};
        problem.buffers = {a, b};
        QVERIFY(checkAndRepair(problem).empty());
        const auto plan = PlannerRegistry::builtIn().find("auto")->plan(problem, {}, {});
        QVERIFY(plan);
        QCOMPARE(evaluate(problem, *plan).status, Status::doesNotFit);
        bool overflow = false, refused = false;
        for (const Diagnostic& d : plan->diagnostics) {
            QVERIFY(d.code != Code::infeasibleSet);
            QVERIFY2(!d.message.starts_with("refused before planning"), d.message.c_str());
            refused |= d.message.starts_with("with the loops unrolled: refused before planning");
            if (d.code != Code::overflow) continue;
            overflow = true;
            QVERIFY2(d.remedy.ends_with("or try another planner"), d.remedy.c_str());
        }
        QVERIFY(overflow && refused);
    }

    /// A cycle of five conflicts needs 300 bytes, in `fast` as the start has it; in `slow`, which has 300 bytes for `x` in any
    /// case, it would need none. So the proof for the pools of the plan is none for every plan.
    void aProofForTheseMemoriesIsToldAsOne()
    {
        Problem problem;
        problem.axis = Axis::dag;
        problem.pools.push_back({.name = "fast", .capacity = 1000});
        problem.pools.emplace_back().name = "slow";
        for (BufferId b = 0; b < 5; ++b) {
            const BufferId next = (b + 1) % 5, last = (b + 4) % 5;
            problem.buffers.push_back(test::bufferOf({.name = "v" + std::to_string(b),
                                                      .size = 100,
                                                      .conflicts = {std::min(next, last), std::max(next, last)},
                                                      .pools = {0, 1}}));
        }
        problem.buffers.push_back(test::bufferOf({.name = "x", .size = 300, .live = {{0, 1}}, .pools = {1}}));
        QVERIFY(checkAndRepair(problem).empty());
        const auto told = [&](const char* what) {
            const auto plan = planned(problem, 1);
            return plan && std::ranges::any_of(plan->diagnostics, [&](const Diagnostic& d) {
                       return d.code == Code::autoMember && d.message.ends_with(what);
                   });
        };
        QVERIFY(told("nothing smaller is possible with these pools"));
        for (std::size_t b = 0; b < 5; ++b) problem.buffers[b].pools = {0}; // no choice: the proof is one for every plan
        QVERIFY(told("nothing smaller is possible"));
    }

    void cancelComesBackWithAPlan()
    {
        std::stop_source source;
        source.request_stop();
        PlanContext context;
        context.cancel = source.get_token();
        context.threads = 2;
        const Problem problem = test::synthetic(3'000, 40, 9);
        const auto plan = autoPlanner()->plan(problem, {}, context);
        QVERIFY(plan);
        QCOMPARE(plan->stoppedBy, StoppedBy::cancelled);
        QVERIFY(evaluate(problem, *plan).verdict.valid());
    }

    // The most bytes live at one step is a bound that idealloc's authors stay 0.6 to 2.9 % above on these.
    void reachesTheBoundOfLargeInputs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("ratio");
        QTest::newRow("resnet50, 1042 buffers") << "somas_resnet50.csv" << 1.0005;
        QTest::newRow("G, 816") << "iopddl_G_1.csv" << 1.0;
        if (test::threadSanitizer) return; // one thread: what follows shows it no more, and takes it minutes
        QTest::newRow("pangu, 18692") << "somas_pangu_2.6B.csv" << 1.0;
        QTest::newRow("S, 28526") << "iopddl_S_1.csv" << 1.001;
        QTest::newRow("Y, 62185") << "iopddl_Y_1.csv" << 1.0;
    }
    void reachesTheBoundOfLargeInputs()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, name);
        QFETCH(double, ratio);
        const Problem problem = read(qPrintable(name));
        QVERIFY(!problem.buffers.empty());
        const auto plan = planned(problem, 1);
        QVERIFY(plan);
        const Report report = evaluate(problem, *plan);
        QVERIFY(report.verdict.valid());
        qInfo("%.7f of the bound, %s", double(report.totalSize()) / double(report.totalBound()),
              plan->diagnostics.back().message.c_str());
        QVERIFY(double(report.totalSize()) <= ratio * double(report.totalBound()));
        if (ratio == 1.0) QCOMPARE(report.status, Status::optimal);
    }
};

QTEST_APPLESS_MAIN(TestAuto)
#include "tst_auto.moc"
