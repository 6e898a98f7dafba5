// What every planner promises, on small random problems of every kind: valid by two judges that share nothing, complete, not
// below the bound, deterministic, and obedient to limits. A new planner is tested here by being in the registry.
#include "core/exec/arena.h"
#include "core/plan/check.h"
#include "core/plan/recorder.h"
#include "core/plan/report.h"
#include "core/planners/common/buffer_table.h"
#include "core/planners/greedy/boxing.h"
#include "core/planners/registry.h"
#include "tests/core/random_problem.h"
#include "tests/support/brute_check.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace stowage;
using stowage::test::Features;

namespace {

/// Problems of each kind, for each planner. Few in an instrumented build, where kinds times planners are thousands of plans all
/// the same; and no second thread takes part in planning problems as small as these.
constexpr std::uint64_t seeds = test::threadSanitizer ? 3 : test::addressSanitizer ? 12 : 120;
constexpr std::uint64_t fewSeeds = 8;     ///< where planning is repeated
constexpr std::uint64_t workLimit = 1000; ///< for planners that would go on; they also get a third of the problems

/// By default planners that improve on and on get a small work limit, the others none.
PlanContext contextFor(const Planner& planner)
{
    PlanContext context;
    if (planner.info().anytime) context.workLimit = workLimit;
    context.seed = 7;
    return context;
}

/// These order buffers by name where all else is equal, because the systems that they reproduce do.
bool looksAtNames(const Planner& planner)
{
    static const std::set<std::string> names{"greedy-by-conflicts", "usmp-greedy-by-size", "usmp-greedy-by-conflicts"};
    return names.contains(planner.info().name);
}

/// It said before it started that it cannot take the problem.
bool isRefusal(const Expected<Plan>& plan)
{
    static const std::set<std::string> codes{"not-supported", "exact-cannot-take"};
    return !plan && codes.contains(std::string(codeText(plan.error())));
}

bool samePlacements(const Plan& a, const Plan& b)
{
    return a.placements == b.placements;
}

Bytes totalSize(const Problem& problem, const Plan& plan)
{
    Bytes total = 0;
    for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) total += plan.poolSize(problem, p);
    return total;
}

/// Empty, or why the plan is not valid. Capacities aside.
std::string judge(const Problem& problem, const Plan& plan)
{
    if (std::string wrong = test::objection(problem, plan); !wrong.empty()) return "brute force: " + wrong;
    if (std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& b) { return !b.carried.empty(); })) {
        const auto run = execute(problem, plan); // which values meet in which iteration: what the arena says
        if (!run) return "run: " + toText(run.error());
        if (run->corruption) return "run: " + describe(problem, *run->corruption);
    }
    const Verdict verdict = check(problem, plan);
    for (const Violation& v : verdict.violations)
        if (v.kind != ViolationKind::overCapacity) return "checker: " + describe(problem, v);
    for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
        const Bytes bound = test::maxLive(problem, [&](BufferId b) {
            return plan.placements[static_cast<std::size_t>(b)].pool == p &&
                   problem.buffers[static_cast<std::size_t>(b)].mayShare.empty();
        });
        if (problem.axis != Axis::dag && plan.poolSize(problem, p) < bound) return "smaller than what is live at once";
        if (plan.poolSize(problem, p) < lowerBound(problem, plan, p).bytes) return "smaller than the core's bound";
    }
    return {};
}

} // namespace

class TestPlannersProperties : public QObject {
    Q_OBJECT

private:
    static void eachKindAndPlanner()
    {
        QTest::addColumn<QString>("planner");
        QTest::addColumn<Features>("features");
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const auto& planner : registry.all())
            for (const Features& features : test::allFeatures())
                QTest::addRow("%s %s", planner->info().name.c_str(), features.name.c_str())
                    << QString::fromStdString(planner->info().name) << features;
    }
    static void eachPlanner()
    {
        QTest::addColumn<QString>("planner");
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const auto& planner : registry.all())
            QTest::addRow("%s", planner->info().name.c_str()) << QString::fromStdString(planner->info().name);
    }

private Q_SLOTS:
    void everyPlanIsValidAndNotBelowTheBound_data() { eachKindAndPlanner(); }
    void everyPlanIsValidAndNotBelowTheBound()
    {
        QFETCH(QString, planner);
        QFETCH(Features, features);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        for (std::uint64_t seed = 0; seed < (p->info().anytime ? seeds / 3 : seeds); ++seed) {
            const Problem problem = test::randomProblem(features, seed);
            const Expected<Plan> plan = p->plan(problem, {}, contextFor(*p));
            if (isRefusal(plan)) continue; // said before it starts, as promised
            QVERIFY2(plan, plan ? "" : qPrintable(QString("seed %1: %2").arg(seed).arg(toText(plan.error()).c_str())));
            const std::string wrong = judge(problem, *plan);
            QVERIFY2(wrong.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(wrong.c_str())));
            QCOMPARE(plan->planner, p->info().name);
            QVERIFY(plan->work > 0 || problem.buffers.empty());
        }
    }

    /// Everything that a problem may have, in every combination: pins, slots, windows and loops meet here.
    void plansOfProblemsOfAnyKindAreValid_data() { eachPlanner(); }
    void plansOfProblemsOfAnyKindAreValid()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        std::mt19937 random(test::seedShift() + 1);
        for (std::uint64_t seed = 0; seed < 10 * (p->info().anytime ? seeds / 3 : seeds); ++seed) {
            test::Kind kind = test::kindOf(random());
            kind.buffers = 2 + int(random() % 6);
            const Problem problem = test::Generator(seed).problem(kind);
            const auto plan = p->plan(problem, {}, contextFor(*p));
            if (isRefusal(plan)) continue;
            QVERIFY2(plan, plan ? "" : qPrintable(QString("seed %1: %2").arg(seed).arg(toText(plan.error()).c_str())));
            const Report report = evaluate(problem, *plan);
            const bool valid = report.verdict.valid();
            QCOMPARE(test::objection(problem, *plan).empty(), valid);
            if (valid || report.status == Status::infeasible || test::rotatingPinsCollide(problem, report.verdict)) continue;
            QFAIL(qPrintable(QString("seed %1: %2").arg(seed).arg(describe(problem, report.verdict.violations.front()).c_str())));
        }
    }

    void aPlanDependsOnNothingButItsInput_data() { eachKindAndPlanner(); }
    void aPlanDependsOnNothingButItsInput()
    {
        QFETCH(QString, planner);
        QFETCH(Features, features);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        for (std::uint64_t seed = 0; seed < fewSeeds; ++seed) {
            Problem problem = test::randomProblem(features, seed);
            PlanContext context = contextFor(*p);
            const Expected<Plan> plan = p->plan(problem, {}, context);
            if (!plan) continue;
            StepRecorder recorder;
            context.threads = 2;
            context.recorder = &recorder;
            context.publish = [](const Incumbent&) {};
            const Expected<Plan> again = p->plan(problem, {}, context);
            QVERIFY2(samePlacements(*plan, *again),
                     qPrintable(QString("seed %1: differs with two threads and a recorder").arg(seed)));
            QCOMPARE(again->work, plan->work);
            if (looksAtNames(*p)) continue;
            for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                problem.buffers[b].name = std::to_string(b * 7919 % 101) + "x";
            const Expected<Plan> renamed = p->plan(problem, {}, contextFor(*p));
            QVERIFY2(samePlacements(*plan, *renamed), qPrintable(QString("seed %1: differs with other names").arg(seed)));
        }
    }

    /// Enough buffers that a planner may share the work among its threads.
    void manyBuffersArePlannedAlikeByTwoThreads_data() { eachPlanner(); }
    void manyBuffersArePlannedAlikeByTwoThreads()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        if (p->info().anytime) return; // their limits are judged on small problems above
        // The only other planner that has threads: with the rest ThreadSanitizer would be busy for minutes, and there is no race
        // to find.
        if (test::threadSanitizer && planner != u"best-fit-decreasing") return;
        const Problem problem = test::synthetic(4'500, 16, 3); // threads share the work from 4,096 on
        PlanContext context;
        const Expected<Plan> one = p->plan(problem, {}, context);
        if (isRefusal(one)) return;
        context.threads = 2;
        const Expected<Plan> two = p->plan(problem, {}, context);
        QVERIFY(one && two);
        QVERIFY(samePlacements(*one, *two));
        QCOMPARE(two->work, one->work);
        QCOMPARE(two->stoppedBy, one->stoppedBy);
    }

    void cancelledAtOnceItStillGivesACompletePlan_data() { eachKindAndPlanner(); }
    void cancelledAtOnceItStillGivesACompletePlan()
    {
        QFETCH(QString, planner);
        QFETCH(Features, features);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        std::stop_source stop;
        stop.request_stop();
        for (std::uint64_t seed = 0; seed < fewSeeds; ++seed) {
            const Problem problem = test::randomProblem(features, seed);
            PlanContext context;
            context.cancel = stop.get_token();
            const Expected<Plan> plan = p->plan(problem, {}, context);
            if (isRefusal(plan)) continue;
            QVERIFY(plan);
            const std::string wrong = judge(problem, *plan);
            QVERIFY2(wrong.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(wrong.c_str())));
        }
    }

    void anyWorkLimitGivesACompletePlanTwice_data() { eachKindAndPlanner(); }
    void anyWorkLimitGivesACompletePlanTwice()
    {
        QFETCH(QString, planner);
        QFETCH(Features, features);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        for (std::uint64_t seed = 0; seed < fewSeeds; ++seed) {
            const Problem problem = test::randomProblem(features, seed);
            PlanContext context;
            context.workLimit = 1 + seed;
            const Expected<Plan> plan = p->plan(problem, {}, context);
            if (isRefusal(plan)) continue;
            QVERIFY(plan);
            const std::string wrong = judge(problem, *plan);
            QVERIFY2(wrong.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(wrong.c_str())));
            QVERIFY(samePlacements(*plan, *p->plan(problem, {}, context)));
        }
    }

    void recordedStepsReplayToThePlan_data() { eachPlanner(); }
    void recordedStepsReplayToThePlan()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        for (std::uint64_t seed = 0; seed < fewSeeds; ++seed) {
            const Problem problem = test::randomProblem({.name = "steps", .alignment = true, .gaps = true, .pools = true}, seed);
            StepRecorder recorder;
            PlanContext context = contextFor(*p);
            context.recorder = &recorder;
            const Expected<Plan> plan = p->plan(problem, {}, context);
            if (!plan || recorder.steps().empty()) continue;
            std::vector<std::pair<PoolId, Bytes>> where(problem.buffers.size(), {none, 0});
            for (const RecordedStep& step : recorder.steps()) {
                if (step.kind == StepKind::place) {
                    where[static_cast<std::size_t>(step.buffer)] = {step.pool, step.offset};
                    // A level of Ascend's planner is a value, and its text made where it is shown.
                    QVERIFY(recorder.reasons()[step.reason] != StepReason());
                }
                if (step.kind == StepKind::remove) where[static_cast<std::size_t>(step.buffer)] = {none, 0};
            }
            for (std::size_t b = 0; b < where.size(); ++b) {
                const Placement& placement = plan->placements[b];
                QVERIFY2(where[b] == std::pair(placement.pool, placement.offset),
                         qPrintable(QString("seed %1, buffer %2").arg(seed).arg(b)));
            }
        }
    }

    void unknownOptionsAreRefused_data() { eachPlanner(); }
    void unknownOptionsAreRefused()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        const Problem problem = test::randomProblem({.name = "plain"}, 1);
        const Expected<Plan> plan = p->plan(problem, {{"no-such-option", "1"}}, {});
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, Code::unknownOption);
    }

    void optionsOutOfRangeAreRefused_data() { eachPlanner(); }
    void optionsOutOfRangeAreRefused()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        const Problem problem = test::randomProblem({.name = "plain"}, 1);
        for (const OptionSpec& spec : p->info().options) {
            QVERIFY(!spec.description.empty());
            QVERIFY2(!checkOptions(p->info(), {{spec.name, spec.defaultValue}}), spec.name.c_str());
            if (spec.type == OptionType::text) continue;
            std::string bad = "nonsense";
            if (spec.type == OptionType::integer && std::isfinite(spec.minimum))
                bad = std::to_string(static_cast<std::int64_t>(spec.minimum) - 1);
            QVERIFY2(!p->plan(problem, {{spec.name, bad}}, {}), spec.name.c_str());
        }
    }

    void anEmptyProblemHasAnEmptyPlan_data() { eachPlanner(); }
    void anEmptyProblemHasAnEmptyPlan()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        Problem problem;
        problem.pools.push_back({});
        problem.pools.front().name = "arena";
        const Expected<Plan> plan = p->plan(problem, {}, {});
        QVERIFY(plan);
        QVERIFY(plan->placements.empty());
        QCOMPARE(plan->poolSize(problem, 0), 0);
    }

    void whatDoesNotFitIsPlacedAndSaid_data() { eachPlanner(); }
    void whatDoesNotFitIsPlacedAndSaid()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        Problem problem;
        problem.pools.resize(2);
        problem.pools[0].name = "dtcm";
        problem.pools[0].capacity = 10;
        problem.pools[1].name = "sram";
        problem.pools[1].capacity = 100;
        for (int i = 0; i < 4; ++i) {
            Buffer buffer;
            buffer.name = "tensor" + std::to_string(i);
            buffer.size = 40;
            buffer.live = {{i == 3 ? 5 : 2, 6}};
            problem.buffers.push_back(buffer);
        }
        if (checkCapabilities(p->info(), problem)) QSKIP("takes one pool without a capacity");
        const Expected<Plan> plan = p->plan(problem, {}, contextFor(*p));
        QVERIFY(plan);
        const std::string wrong = judge(problem, *plan);
        QVERIFY2(wrong.empty(), wrong.c_str());
        QVERIFY(plan->poolSize(problem, 1) >= 120); // at least three of 40 live together outside dtcm
        const auto overflow = std::find_if(plan->diagnostics.begin(), plan->diagnostics.end(),
                                           [](const Diagnostic& d) { return d.code == Code::overflow; });
        QVERIFY(overflow != plan->diagnostics.end());
        const QString message = QString::fromStdString(overflow->message);
        QVERIFY2(message.contains("sram") || message.contains("dtcm"), qPrintable(message));
        QVERIFY2(message.contains("tensor0"), qPrintable(message));
        if (p->info().anytime && plan->poolSize(problem, 0) > 0) {
            // One more assignment is nearer to the capacities than all in sram: 20 bytes short there, 30 in dtcm, and not 60.
            QCOMPARE(plan->poolSize(problem, 0) + plan->poolSize(problem, 1), 160);
            QVERIFY2(message.contains("step 2"), qPrintable(message)); // the first of those at which three are live
            return;
        }
        QVERIFY2(message.contains("step 5"), qPrintable(message));
    }

    void sizesNearTheLargestDoNotWrap_data() { eachPlanner(); }
    void sizesNearTheLargestDoNotWrap()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        Problem problem;
        problem.pools.resize(1);
        problem.pools[0].name = "arena";
        problem.pools[0].capacity = Bytes{1} << 40;
        for (int i = 0; i < 3; ++i) {
            Buffer buffer;
            buffer.name = std::to_string(i);
            buffer.size = (Bytes{1} << 60) + i;
            buffer.live = {{i, i + 2}};
            problem.buffers.push_back(buffer);
        }
        QVERIFY(checkAndRepair(problem).empty());
        const Expected<Plan> plan = p->plan(problem, {}, contextFor(*p));
        if (isRefusal(plan)) QSKIP("takes smaller sizes only, and says so");
        QVERIFY(plan);
        QVERIFY(check(problem, *plan).valid() || check(problem, *plan).overCapacity);
        QVERIFY(plan->poolSize(problem, 0) >= (Bytes{2} << 60) + 3);
    }

    /// The second slot of a pinned buffer has a choice, another pin has none, whichever of the two comes first.
    void slotsOfAPinKeepOffOtherPins_data() { eachPlanner(); }
    void slotsOfAPinKeepOffOtherPins()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        for (const bool slotsFirst : {true, false}) {
            Problem problem;
            problem.pools.resize(1);
            problem.pools[0].name = "arena";
            problem.loops.push_back({"l", none, {0, 4}, 4});
            for (int i = 0; i < 2; ++i) {
                Buffer& buffer = problem.buffers.emplace_back();
                buffer.name = std::to_string(i);
                buffer.size = 4;
                buffer.live = {{0, 4}};
                buffer.pin = 4 * i;
                buffer.loop = 0;
                if ((i == 0) == slotsFirst) buffer.slots = 2;
            }
            QVERIFY(checkAndRepair(problem).empty());
            const Expected<Plan> plan = p->plan(problem, {}, contextFor(*p));
            if (isRefusal(plan)) QSKIP("does not take pins or slots, and says so");
            QVERIFY(plan);
            QVERIFY2(check(problem, *plan).valid(), qPrintable(planner));
            QCOMPARE(totalSize(problem, *plan), 12);
        }
    }

    /// The example of MiniMalloc's paper fits into 12, and into no less. Whoever is exact finds that, the others come close.
    void theExampleOfMiniMalloc_data() { eachPlanner(); }
    void theExampleOfMiniMalloc()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        Problem problem;
        problem.pools.resize(1);
        problem.pools[0].name = "arena";
        const std::tuple<Step, Step, Bytes> rows[] = {{0, 3, 4}, {3, 9, 4}, {0, 9, 4}, {9, 21, 4}, {0, 21, 4}};
        for (const auto& [begin, end, size] : rows) {
            Buffer buffer;
            buffer.name = std::to_string(problem.buffers.size());
            buffer.size = size;
            buffer.live = {{begin, end}};
            problem.buffers.push_back(buffer);
        }
        const Expected<Plan> plan = p->plan(problem, {}, {});
        QVERIFY(plan);
        const Bytes naive = 20;
        QVERIFY(totalSize(problem, *plan) >= 12 && totalSize(problem, *plan) <= naive);
        if (planner == "exact" || planner == "auto") QCOMPARE(totalSize(problem, *plan), 12);
    }

    /// Boxing goes through the classes of heights one after the other, and there may be very many: it can stop at each of them,
    /// and inside of one.
    void boxingAsksForAStopAtEachClassOfHeights()
    {
        Problem problem;
        problem.pools.resize(1);
        problem.pools[0].name = "arena";
        const auto add = [&](Bytes size) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(problem.buffers.size());
            buffer.size = size;
            const auto begin = static_cast<Step>(problem.buffers.size());
            buffer.live = {{begin, begin + 1}};
        };
        int asked = 0, stopAt = -1;
        const auto stop = [&] { return ++asked == stopAt; };
        add(1);
        add(Bytes{1} << 40);
        {
            // A buffer that is left alone in its class becomes 1.1011 times as high, until two of that height exceed 2^40: from 1
            // to 2^39 these are 281 classes.
            const BufferTable table(problem);
            QCOMPARE(boxedOrder(table, 0.1, 2, stop).size(), std::size_t(2));
            QVERIFY2(asked >= 281, qPrintable(QString::number(asked)));
            asked = 0;
            stopAt = 10;
            QVERIFY(boxedOrder(table, 0.1, 2, stop).empty());
            QCOMPARE(asked, 10);
        }
        // 20,000 buffers in few classes.
        problem.buffers.clear();
        add(4);
        for (int i = 0; i < 20'000; ++i) add(1);
        const BufferTable many(problem);
        asked = 0;
        stopAt = 3; // the first question is that of the class
        QVERIFY(boxedOrder(many, 0.1, 2, stop).empty());
        QCOMPARE(asked, 3);
    }
};

/// ThreadSanitizer goes through what has threads.
int main(int count, char** words)
{
    QCoreApplication application(count, words);
    QStringList arguments = QCoreApplication::arguments();
    if (test::threadSanitizer && arguments.size() == 1)
        arguments << QStringLiteral("aPlanDependsOnNothingButItsInput")
                  << QStringLiteral("manyBuffersArePlannedAlikeByTwoThreads");
    TestPlannersProperties test;
    return QTest::qExec(&test, arguments);
}
#include "tst_planners_properties.moc"
