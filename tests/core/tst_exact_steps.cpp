// The recorded steps of the exact search: what they show at every moment, and that recording changes nothing.
#include "core/explain/step_text.h"
#include "core/plan/check.h"
#include "core/plan/recorder.h"
#include "core/planners/exact/exact.h"
#include "core/planners/exact/search_steps.h"
#include "tests/support/buffer_of.h"
#include "tests/support/problems.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace stowage;

namespace {

std::vector<test::Features> kinds()
{
    return {{.name = "plain"},
            {.name = "alignment", .alignment = true},
            {.name = "gaps", .gaps = true},
            {.name = "pins", .pins = true},
            {.name = "conflicts", .conflicts = true},
            {.name = "dag", .dag = true},
            {.name = "unique", .unique = true},
            {.name = "pools", .pools = true},
            {.name = "zero", .zero = true},
            {.name = "windows", .windows = true}};
}

/// Five buffers of 2 bytes, each in conflict with the next: no two that lie apart do, and no order of the steps shows it.
std::vector<Buffer> ring()
{
    std::vector<Buffer> buffers(5);
    for (std::size_t i = 0; i < 5; ++i) {
        buffers[i].name = std::string(1, char('a' + i));
        buffers[i].size = 2;
        buffers[i].live = {{Step(2 * i), Step(2 * i + 1)}};
        buffers[i].conflicts = {BufferId((i + 1) % 5), BufferId((i + 4) % 5)};
        std::ranges::sort(buffers[i].conflicts);
    }
    return buffers;
}

/// Follows the steps; a step about a buffer that is not as it says is a failure.
class Follower {
public:
    explicit Follower(const Problem& problem) : problem_(problem) { plan.placements.resize(problem.buffers.size()); }
    QString apply(const RecordedStep& step)
    {
        if (step.kind == StepKind::place) {
            Placement& placement = plan.placements[std::size_t(step.buffer)];
            placement.pool = step.pool;
            placement.offset = step.offset;
        } else if (step.kind == StepKind::remove) {
            Placement& placement = plan.placements[std::size_t(step.buffer)];
            if (!placement.placed() || placement.pool != step.pool || placement.offset != step.offset)
                return QStringLiteral("takes away what is not there");
            placement = {};
        }
        return {};
    }
    /// Everything wrong but that some are not placed yet, or above a capacity.
    [[nodiscard]] QString wrong() const
    {
        for (const Violation& violation : check(problem_, plan, plan.placements.size() + 8).violations)
            if (violation.kind != ViolationKind::notPlaced && violation.kind != ViolationKind::overCapacity)
                return QString::fromStdString(describe(problem_, violation));
        return {};
    }
    Plan plan;

private:
    const Problem& problem_;
};

} // namespace

class TestExactSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMomentIsALayoutOfWhatIsPlaced_data()
    {
        QTest::addColumn<int>("kind");
        for (std::size_t k = 0; k < kinds().size(); ++k) QTest::addRow("%s", kinds()[k].name.c_str()) << int(k);
    }
    void everyMomentIsALayoutOfWhatIsPlaced()
    {
        QFETCH(int, kind);
        const bool windows =
            kinds()[std::size_t(kind)].windows; // there buffers lie on each other until they have pushed each other apart
        std::size_t tried = 0, back = 0, higher = 0;
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            const Problem problem = test::randomProblem(kinds()[std::size_t(kind)], seed, 12);
            PlanContext context;
            context.workLimit = 3000;
            const auto quiet = exactPlanner()->plan(problem, {}, context);
            StepRecorder recorder;
            context.recorder = &recorder;
            const auto plan = exactPlanner()->plan(problem, {}, context);
            QCOMPARE(bool(quiet), bool(plan));
            if (!plan) continue;
            QCOMPARE(plan->placements, quiet->placements);
            QCOMPARE(plan->work, quiet->work);
            Follower follower(problem);
            Bytes best = 0;
            for (const RecordedStep& step : recorder.steps()) {
                if (const QString wrong = follower.apply(step); !wrong.isEmpty())
                    QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong)));
                if (!windows)
                    if (const QString wrong = follower.wrong(); !wrong.isEmpty())
                        QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong)));
                tried += step.kind == StepKind::place;
                back += step.kind == StepKind::remove;
                higher += step.kind == StepKind::reject;
                if (step.kind != StepKind::improve) continue;
                // A whole plan, of the size that is told.
                QVERIFY2(check(problem, follower.plan).valid(), qPrintable(QString::number(seed)));
                Bytes total = 0;
                for (PoolId pool = 0; pool < PoolId(problem.pools.size()); ++pool) total += follower.plan.poolSize(problem, pool);
                QCOMPARE(step.offset, total);
                best = total;
            }
            // And at the end the plan itself.
            if (!check(problem, *plan).valid()) continue; // pins may leave no plan
            QCOMPARE(follower.plan.placements, plan->placements);
            Bytes size = 0;
            for (PoolId pool = 0; pool < PoolId(problem.pools.size()); ++pool) size += plan->poolSize(problem, pool);
            QCOMPARE(best, size);
        }
        QVERIFY2(tried > 500, qPrintable(QString::number(tried)));
        // The heuristics' plan and the bound decide most of the plain ones; in these the search has to work.
        if (kind == 1 || kind == 4)
            QVERIFY2(back > 500 && higher > 50, qPrintable(QStringLiteral("%1 taken back, %2 raised").arg(back).arg(higher)));
    }

    void whatIsTakenBackIsWhatWasTriedLast()
    {
        // Five of 2 bytes conflict in a ring: two of them are all that conflict with one another, but a third must lie above
        // them: 4 bytes are too few (all is even).
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.buffers = ring();
        StepRecorder recorder;
        PlanContext context;
        context.recorder = &recorder;
        const auto plan = exactPlanner()->plan(problem, {}, context);
        QVERIFY(plan);
        QCOMPARE(plan->poolSize(problem, 0), 6);
        std::vector<std::string> told;
        std::string all;
        for (const RecordedStep& step : recorder.steps()) {
            told.push_back(stepText(problem, recorder.reasons()[step.reason]));
            all += told.back() + "; ";
        }
        QVERIFY2(std::ranges::find(told, "looks for a layout of 4 bytes") != told.end(), all.c_str());
        QVERIFY(std::ranges::find(told, "proved: there is none") != told.end());
        QVERIFY(std::ranges::find(told, "removed: no layout found with it") != told.end());
        QVERIFY(!recorder.truncated());
    }

    void aLongSearchIsRecordedUpToALimitAndItsLayoutsToTheEnd()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.buffers = {test::bufferOf({.name = "a", .size = 1, .live = {{0, 1}}}),
                           test::bufferOf({.name = "b", .size = 1, .live = {{0, 1}}})};
        StepRecorder recorder;
        exact::SearchSteps steps(problem, recorder);
        const std::vector<BufferId> both{0, 1};
        steps.enter(0, both, 1);
        steps.begin(2);
        for (std::size_t k = 0; k < exact::SearchSteps::maxMoves; ++k) {
            steps.place(0, 0, StepRule::branch);
            steps.remove(0);
        }
        QVERIFY(recorder.steps().size() < exact::SearchSteps::maxMoves + 10);
        const std::size_t before = recorder.steps().size();
        steps.better(0, both, std::vector<Bytes>{0, 1}, StepRule::betterLayout);
        QCOMPARE(recorder.steps().back().kind, StepKind::improve);
        QCOMPARE(recorder.steps().back().offset, 2);
        QVERIFY(recorder.steps().size() > before);
        QVERIFY(std::ranges::any_of(recorder.reasons(), [&](const StepReason& reason) {
            return stepText(problem, reason) == "200,000 placements are recorded; from here on only better layouts are";
        }));
    }

    /// Only bytes have a top: 1,000,000 is the address of none.
    void aLayoutIsAsLargeAsItsHighestByte()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.buffers = {test::bufferOf({.name = "a", .size = 10, .live = {{0, 1}}}),
                           test::bufferOf({.name = "b", .size = 20, .live = {{0, 1}}}),
                           test::bufferOf({.name = "empty", .size = 0, .live = {{0, 1}}})};
        problem.buffers[2].pin = 1'000'000;
        StepRecorder recorder;
        exact::SearchSteps steps(problem, recorder);
        steps.better(0, std::vector<BufferId>{0, 1, 2}, std::vector<Bytes>{0, 10, 1'000'000}, StepRule::betterLayout);
        QCOMPARE(recorder.steps().back().kind, StepKind::improve);
        QCOMPARE(recorder.steps().back().offset, 10 + 20);
    }

    // Every search that is told to have begun is told to have ended, also one that its slots alone refute.
    void searchesEndAsOftenAsTheyBegin()
    {
        int begun = 0;
        const auto follow = [&](const Problem& problem) {
            StepRecorder recorder;
            PlanContext context;
            context.recorder = &recorder;
            context.workLimit = 5'000;
            QVERIFY(exactPlanner()->plan(problem, {}, context));
            bool open = false;
            for (const RecordedStep& step : recorder.steps()) {
                if (step.kind != StepKind::note) continue;
                const std::string text = stepText(problem, recorder.reasons()[step.reason]);
                if (text.starts_with("looks for a layout of ")) {
                    QVERIFY(!open);
                    open = true;
                    ++begun;
                } else if (text.starts_with("found one") || text.starts_with("proved: ") ||
                           text.starts_with("turns to another") || text.starts_with("stopped")) {
                    QVERIFY(open);
                    open = false;
                }
            }
            QVERIFY(!open);
        };
        // Three slots of 5 bytes at a multiple of 4 end at 21, though 15 bytes are live: the bound knows it, and nothing is
        // searched.
        Problem problem;
        problem.pools.emplace_back().name = "p";
        Buffer& slots = problem.buffers.emplace_back();
        slots.name = "slots";
        slots.size = 5;
        slots.alignment = 4;
        slots.live = {{0, 4}};
        slots.slots = 3;
        Buffer& window = problem.buffers.emplace_back();
        window.name = "window";
        window.size = 2;
        window.live = {{5, 6}, {8, 9}};
        window.windows = {{{6, 8}, 0, 1}};
        QVERIFY(checkAndRepair(problem).empty());
        follow(problem);
        QCOMPARE(begun, 0);
        for (std::uint64_t seed = 0; seed < 120; ++seed)
            for (const test::Features& features :
                 {test::Features{.name = "windows", .alignment = true, .windows = true, .slots = true},
                  test::Features{.name = "gaps", .gaps = true, .slots = true}})
                follow(test::randomProblem(features, seed, 7));
        QVERIFY(begun > 100);
    }
};

QTEST_APPLESS_MAIN(TestExactSteps)
#include "tst_exact_steps.moc"
