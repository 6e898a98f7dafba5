// What a loop does to the values that it carries: what is copied is what the executor copies, and what lies where in an iteration
// is what ops use.
#include "core/exec/arena.h"
#include "core/explain/loop_story.h"
#include "core/ir/verify.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/lowering_helpers.h"
#include "tests/core/random_loops.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

namespace {

Plan planned(const Problem& problem, std::string_view planner)
{
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(problem, {}, {});
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    return *std::move(plan);
}

/// y = f(x of `length` iterations before), each of 64 bytes.
Program delayLine(int length, std::int64_t trips)
{
    ProgramBuilder b;
    std::vector<TensorId> first, inputs;
    for (int i = 0; i < length; ++i) first.push_back(b.input("x" + std::to_string(i), 64));
    const TensorId result = b.tensor("z", 64);
    const OpId loop = b.loop("loop", first, {result});
    b.begin(loop, RegionRole::body);
    for (int i = 0; i < length; ++i) inputs.push_back(b.input("p" + std::to_string(i), 64));
    const TensorId y = b.tensor("y", 64);
    b.op("conv", {inputs.front()}, {y});
    b.output(y);
    for (int i = 1; i < length; ++i) b.output(inputs[std::size_t(i)]);
    b.end();
    for (int i = 0; i < length; ++i)
        b.at(loop).carries.push_back({i + 1 < length ? inputs[std::size_t(i) + 1] : y, inputs[std::size_t(i)]});
    b.at(loop).tripCount = trips;
    b.output(result);
    return b.program();
}

} // namespace

class LoopStoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// k + 1 views, nothing copied; with values copied k of 64 bytes each time: both by the definition of a delay line.
    void aDelayLineIsCopiedOrRotates_data()
    {
        QTest::addColumn<int>("length");
        for (int length = 1; length <= 4; ++length) QTest::newRow(qPrintable(QString::number(length))) << length;
    }
    void aDelayLineIsCopiedOrRotates()
    {
        QFETCH(int, length);
        const Program program = delayLine(length, 9);
        for (const Diagnostic& diagnostic : verify(program)) QFAIL(toText(diagnostic).c_str());
        for (const char* loops : {"precise", "conservative"}) {
            const bool precise = std::string_view(loops) == "precise";
            const Lowering lowering = lowered(program, with({{"loops", loops}}));
            const Plan plan = planned(lowering.problem, "nnc");
            const auto all = loopsOf(lowering);
            QCOMPARE(all.size(), std::size_t(1));
            const auto story = loopStory(program, lowering, plan, all.front());
            QVERIFY(story);
            QCOMPARE(story->carries.size(), std::size_t(length));
            QCOMPARE(story->kept, precise ? 64 * length : 0);
            QCOMPARE(story->moved, precise ? 0 : 64 * length);
            QCOMPARE(story->views.repeat, precise ? length + 1 : 1);
            QCOMPARE(story->tripCount, std::optional<std::int64_t>(9));
            const auto result = execute(program, lowering, plan);
            QVERIFY(result && !result->corruption);
            QCOMPARE(result->transfers > 0, !precise);
        }
    }

    void whatOpsUseIsHeldAndNothingOverlaps()
    {
        int rotating = 0, early = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Program program = randomLoops(seed);
            const Lowering lowering = lowered(program, with({{"loops", "precise"}}));
            Problem problem = lowering.problem;
            checkAndRepair(problem);
            const Plan plan = planned(problem, seed % 2 ? "nnc-size-first" : "greedy-by-size");
            QVERIFY(check(problem, plan).valid());
            const std::size_t loops = problem.loops.size();
            std::vector<std::int64_t> ran(loops, 1);
            for (std::size_t l = 0; l < loops; ++l) ran[l] = std::max<std::int64_t>(problem.loops[l].tripCount.value_or(1), 1);
            for (const LoopId loop : loopsOf(lowering)) {
                const auto story = loopStory(program, lowering, plan, loop);
                QVERIFY(story);
                rotating += story->views.repeat > 1;
                early += story->views.first > 0;
                for (std::int64_t i = 0; i < story->views.iterations + 1; ++i) {
                    const std::vector<LoopHold> holds = loopHolds(problem, plan, loop, i);
                    std::vector<std::int64_t> current(loops, 0), runs = ran;
                    current[std::size_t(loop)] = i;
                    runs[std::size_t(loop)] = i + 1;
                    for (Step s = story->live.begin; s < story->live.end; ++s) {
                        const StepInfo& step = lowering.steps[std::size_t(s)];
                        if (step.op == none) continue;
                        const Op& op = program.functions[std::size_t(step.function)].ops[std::size_t(step.op)];
                        // Behind a loop its last iteration counts, as when it is run.
                        for (std::size_t l = 0; l < loops; ++l)
                            if (l != std::size_t(loop)) current[l] = s >= problem.loops[l].live.end ? ran[l] - 1 : 0;
                        for (const auto* list : {&op.inputs, &op.outputs, &op.temps})
                            for (const TensorId tensor : *list) {
                                const ViewPlace place = placeOf(lowering, plan, step.instance, tensor, current, runs);
                                if (place.buffer == none) continue;
                                const Bytes size = problem.buffers[std::size_t(place.buffer)].size;
                                const bool held = std::ranges::any_of(holds, [&](const LoopHold& hold) {
                                    return hold.buffer == place.buffer && hold.pool == place.pool && hold.live.contains(s) &&
                                           hold.offset <= place.offset && place.offset < hold.offset + size;
                                });
                                QVERIFY2(held, qPrintable(QStringLiteral("seed %1, loop %2, iteration %3, step %4, tensor %5")
                                                              .arg(seed)
                                                              .arg(loop)
                                                              .arg(i)
                                                              .arg(s)
                                                              .arg(tensor)));
                            }
                    }
                    for (std::size_t a = 0; a < holds.size(); ++a)
                        for (std::size_t b = a + 1; b < holds.size(); ++b) {
                            const LoopHold &x = holds[a], &y = holds[b];
                            if (x.pool != y.pool || !x.live.overlaps(y.live) || (x.buffer == y.buffer && x.offset == y.offset))
                                continue;
                            const auto& shares = problem.buffers[std::size_t(x.buffer)].mayShare;
                            if (std::ranges::find(shares, y.buffer) != shares.end()) continue;
                            const bool apart = x.offset + problem.buffers[std::size_t(x.buffer)].size <= y.offset ||
                                               y.offset + problem.buffers[std::size_t(y.buffer)].size <= x.offset;
                            QVERIFY2(apart,
                                     qPrintable(QStringLiteral("seed %1, loop %2, iteration %3: %4 and %5")
                                                    .arg(seed)
                                                    .arg(loop)
                                                    .arg(i)
                                                    .arg(QString::fromStdString(problem.buffers[std::size_t(x.buffer)].name),
                                                         QString::fromStdString(problem.buffers[std::size_t(y.buffer)].name))));
                        }
                }
            }
        }
        QVERIFY2(rotating > 20 && early > 0, qPrintable(QStringLiteral("%1 %2").arg(rotating).arg(early)));
    }

    /// A rotation without a loop is with one that the problem does not list: it stays in its first iteration, whatever the loop
    /// that is looked at does.
    void slotsThatRotateWithoutALoopStayAtTheFirst()
    {
        Problem problem;
        problem.pools.push_back({.name = "p"});
        problem.loops.push_back({.name = "l", .live = {2, 6}});
        Buffer slots;
        slots.name = "slots";
        slots.size = 8;
        slots.slots = 2;
        slots.live = {{0, 9}};
        Buffer turning;
        turning.name = "turning";
        turning.size = 8;
        turning.live = {{3, 5}};
        turning.loop = 0;
        problem.buffers = {slots, turning};
        QVERIFY(checkAndRepair(problem).empty());
        Plan plan;
        plan.placements = {{.pool = 0, .offset = 0, .offsets = {0, 8}, .rotations = {{.loop = none, .period = 2}}},
                           {.pool = 0, .offset = 16, .offsets = {16, 24}, .rotations = {{.loop = 0, .period = 2}}}};
        QVERIFY(check(problem, plan).valid());
        for (std::int64_t i = 0; i < 4; ++i) {
            const std::vector<LoopHold> holds = loopHolds(problem, plan, 0, i);
            QCOMPARE(holds.size(), std::size_t(2));
            QVERIFY(holds[0].buffer == 0 && holds[0].live == (Interval{2, 6}) && holds[0].offset == 0);
            QVERIFY(holds[1].buffer == 1 && holds[1].live == (Interval{3, 5}) && holds[1].offset == 16 + 8 * (i % 2));
        }
    }

    /// Bytes move in a run exactly where a carry is said to be moved: in programs of loops alone, without cases and calls.
    void copiesAreThoseOfTheExecutor()
    {
        int copying = 0, keeping = 0;
        for (std::uint64_t seed = 1; seed <= 120; ++seed) {
            const Program program =
                randomLoops(seed, {.depth = 1, .conditions = false, .cases = false, .calls = false, .exchanges = seed % 3 == 0});
            const Lowering lowering = lowered(program, with({{"loops", "precise"}}));
            const Plan plan = planned(lowering.problem, "nnc");
            bool moved = false, repeats = false;
            for (const LoopId loop : loopsOf(lowering)) {
                const auto story = loopStory(program, lowering, plan, loop);
                QVERIFY(story);
                moved = moved || story->moved > 0;
                repeats = repeats || story->tripCount.value_or(0) > 1;
            }
            const auto result = execute(program, lowering, plan);
            QVERIFY(result && !result->corruption);
            if (moved && repeats) QVERIFY2(result->transfers > 0, qPrintable(QString::number(seed)));
            if (result->transfers == 0) QVERIFY2(!moved || !repeats, qPrintable(QString::number(seed)));
            copying += moved;
            keeping += !moved;
        }
        QVERIFY2(copying > 0 && keeping > 0, qPrintable(QStringLiteral("%1 %2").arg(copying).arg(keeping)));
    }
};

QTEST_GUILESS_MAIN(LoopStoryTest)
#include "tst_loop_story.moc"
