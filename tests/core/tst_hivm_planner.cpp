// The planner of Ascend memories: the compiler's own addresses, figures worked out by hand for each level, rollback, restart and
// upgrade, and what it promises on random problems.
#include "core/exec/arena.h"
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/hivm/advice.h"
#include "core/planners/hivm/hivm.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_planner_parts.h"
#include "tests/core/hivm_problems.h"
#include "tests/support/brute_check.h"
#include "tests/support/problems.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using hivm::Level;
using test::Row;

class TestHivmPlanner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- what the compiler itself says --------------------------------------------------------------------------------------

    /// 3 buffers with 2 slots of 32 KB are exactly 192 KB: all first slots, then all second ones.
    void whatFitsEndToEndIsLaidOutInListOrder()
    {
        const std::vector<Row> rows{{"x", 13, 15, 32768, 2, true, true, {0, 98304}},
                                    {"y", 14, 15, 32768, 2, true, true, {32768, 131072}},
                                    {"z", 15, 16, 32768, 2, true, true, {65536, 163840}}};
        const Problem problem = test::fromRows(rows, {10, 17}, test::scope("ub", test::unifiedBuffer));
        StepRecorder recorder;
        const Plan plan = planned(problem, {}, 0, &recorder);
        QCOMPARE(difference(rows, plan), QString());
        QCOMPARE(plan.poolSize(problem, 0), test::unifiedBuffer);
        for (const auto& level : levelsOf(recorder, 3)) QCOMPARE(*level, Level::sequential);
        QVERIFY(plan.diagnostics.empty());
    }

    void memoriesArePlannedEachByItself()
    {
        std::vector<Row> rows{{"q", 8, 28, 16384, 1, false, false, {0}},
                              {"k", 14, 16, 65536, 2, false, true, {16384, 180224}},
                              {"l0c_s", 16, 17, 65536, 1, false, true, {0}},
                              {"v", 20, 25, 65536, 2, false, true, {81920, 245760}},
                              {"p", 23, 25, 32768, 2, false, true, {147456, 311296}},
                              {"l0c_o", 25, 26, 32768, 1, false, true, {65536}}};
        Problem problem = test::fromRows(rows, {13, 27}, test::scope("cbuf", 524288));
        problem.pools.push_back(test::scope("cc", 131072, 512));
        for (Buffer& buffer : problem.buffers) buffer.pools = {buffer.name.starts_with("l0c") ? 1 : 0};
        QCOMPARE(difference(rows, planned(problem)), QString());
    }

    /// Two rollbacks, two buffers at level 2 and five at level 1 (three single ones upgraded, and pv with its second slot).
    void flashAttentionLiesWhereTheCompilerPutsIt()
    {
        const auto rows = test::flashAttentionVector(48);
        const Problem problem = test::fromRows(rows, test::flashLoop, test::scope("ub", test::unifiedBuffer));
        StepRecorder recorder;
        const Plan plan = planned(problem, {}, 0, &recorder);
        QCOMPARE(difference(rows, plan), QString());
        QCOMPARE(objection(problem, plan, false), QString());
        QVERIFY(count(recorder, StepKind::remove) > 0);
        QVERIFY(count(recorder, StepKind::reject) > 0);
        QVERIFY(QString::fromStdString(messageOf(plan, "reuse-across-pipes")).contains("level 0: none"));
    }

    void layerNormLiesWhereTheCompilerPutsIt()
    {
        const auto rows = test::layerNorm();
        const Problem problem = test::fromRows(rows, test::layerNormLoop, test::scope("ub", test::unifiedBuffer));
        StepRecorder recorder;
        const Plan plan = planned(problem, {}, 0, &recorder);
        QCOMPARE(difference(rows, plan), QString());
        QCOMPARE(objection(problem, plan, false), QString());
        const auto levels = levelsOf(recorder, rows.size());
        QCOMPARE(*levels[7], Level::upgraded);  // red0, on both slots of x16
        QCOMPARE(*levels[11], Level::upgraded); // red1, on both slots of y16
        QCOMPARE(*levels[9], Level::any);       // sq, over gamma, beta and x16
    }

    void overflowIsSaidInTheCompilersWords()
    {
        const auto rows = test::flashAttentionVector(56);
        const Problem problem = test::fromRows(rows, test::flashLoop, test::scope("ub", test::unifiedBuffer));
        const Plan plan = planned(problem);
        QCOMPARE(difference(rows, plan), QString()); // the compiler shows the layout of level 0 alone
        const QString said = QString::fromStdString(messageOf(plan, "overflow"));
        QVERIFY2(
            said.startsWith(
                "ub overflow, requires 1611008 bits while 1572864 bits available! (possible reason: tiling basic block is too "
                "large or block number is more than what user expect due to multi-buffer feature is enabled and some ops need "
                "extra local buffer.)"),
            qPrintable(said));
        QVERIFY2(said.contains("s (2 slots of 458752)"), qPrintable(said));
        QCOMPARE(objection(problem, plan, false), QString());
        QCOMPARE(evaluate(problem, plan).status, Status::infeasible); // as the core proves: more is live than there is room
    }

    /// The overflow sample: two buffers of 1048576 bits, live together.
    void twoThatAreLiveTogetherNeedTheirSum()
    {
        const std::vector<Row> rows{{"alloc", 3, 6, 131072, 1, true, false, {0}},
                                    {"alloc_0", 4, 5, 131072, 1, true, false, {131072}}};
        const Problem problem = test::fromRows(rows, {}, test::scope("ub", test::unifiedBuffer));
        const Plan plan = planned(problem);
        QCOMPARE(difference(rows, plan), QString());
        QVERIFY(messageOf(plan, "overflow").starts_with("ub overflow, requires 2097152 bits while 1572864 bits available!"));
    }

    void oneThatIsTooLargeNeedsItsAlignedSize()
    {
        const Problem problem = test::fromRows({{"only", 1, 2, 1001, 1, false, false, {}}}, {}, test::scope("cc", 1000, 512));
        const Plan plan = planned(problem);
        QVERIFY(messageOf(plan, "overflow").starts_with("cc overflow, requires 8192 bits while 8000 bits available!"));
        QCOMPARE(plan.placements[0].offset, 0);
    }

    // --- the levels, one by one ---------------------------------------------------------------------------------------------

    void eachLevelIsOnceTheFirstThatFits_data()
    {
        QTest::addColumn<Bytes>("slot");
        QTest::addColumn<Bytes>("b");
        QTest::addColumn<Bytes>("c");
        QTest::addColumn<int>("level");
        QTest::addColumn<QList<Bytes>>("offsetsOfC");
        // A 0 and 16 KB, D 32 and 48 KB, B 64 to 88 KB: C takes B's place, and ends at 88 KB.
        QTest::addRow("level 3: C on B, vector on vector") << 16 * KB << 24 * KB << 24 * KB << 3 << QList<Bytes>{64 * KB};
        // A 0 and 20, D 40 and 60, B 80 to 92 KB: 16 KB are left above D, C needs 18. On A it is given both slots.
        QTest::addRow("level 1: C on A, upgraded to both slots")
            << 20 * KB << 12 * KB << 18 * KB << 1 << QList<Bytes>{0, 20 * KB};
        // As before, but C is larger than a slot: it covers A's first and part of A's second.
        QTest::addRow("level 0: C over A, and A's slots cannot run ahead")
            << 20 * KB << 12 * KB << 24 * KB << 0 << QList<Bytes>{0};
    }
    void eachLevelIsOnceTheFirstThatFits()
    {
        QFETCH(Bytes, slot);
        QFETCH(Bytes, b);
        QFETCH(Bytes, c);
        QFETCH(int, level);
        QFETCH(QList<Bytes>, offsetsOfC);
        const Problem problem = test::levelsExample(slot, b, c);
        StepRecorder recorder;
        const Plan plan = planned(problem, {}, 0, &recorder);
        const std::vector<Bytes> expected(offsetsOfC.begin(), offsetsOfC.end());
        QVERIFY(offsetsOf(plan, 2) == expected);
        QVERIFY((offsetsOf(plan, 0) == std::vector<Bytes>{0, slot}));
        QVERIFY((offsetsOf(plan, 3) == std::vector<Bytes>{2 * slot, 3 * slot}));
        QVERIFY((offsetsOf(plan, 1) == std::vector<Bytes>{4 * slot}));
        QCOMPARE(*levelsOf(recorder, 4)[2], static_cast<Level>(level));
        QCOMPARE(objection(problem, plan, false), QString());
        for (int lowest = 3; lowest >= 0; --lowest)
            QCOMPARE(fitsWithLevels(problem, Level::samePipe, static_cast<Level>(lowest)), lowest <= level);
    }

    /// Level 2, which the document does not have: what another loop touches may be reused across pipes.
    void levelTwoReusesWhatAnotherLoopTouches()
    {
        // A of one loop, loaded; B and C of the next, live together; room for two. C goes on A, across pipes but not in the same
        // loop.
        Problem problem = test::fromRows(
            {{"A", 10, 10, 64, 1, true, true, {}}, {"B", 21, 21, 64, 1, false, true, {}}, {"C", 21, 22, 64, 1, false, true, {}}},
            {9, 11}, test::scope("ub", 128));
        problem.loops.push_back({"k", none, {20, 23}, 4});
        problem.buffers[1].loop = problem.buffers[2].loop = 1;
        StepRecorder again;
        const Plan two = planned(problem, {}, 0, &again);
        QCOMPARE(objection(problem, two), QString());
        QCOMPARE(*levelsOf(again, 3)[2], Level::otherLoop);
        QCOMPARE(two.placements[2].offset, 0); // on A
        QVERIFY(!fitsWithLevels(problem, Level::samePipe, Level::samePipe));
        QVERIFY(fitsWithLevels(problem, Level::samePipe, Level::otherLoop));

        // The document's levels skip it: the same place, by level 0.
        StepRecorder document;
        const Plan skipped = planned(problem, {{"levels", "document"}}, 0, &document);
        QCOMPARE(*levelsOf(document, 3)[2], Level::any);
        QCOMPARE(skipped.placements[2].offset, 0);

        problem.buffers[1].loop = problem.buffers[2].loop = problem.buffers[0].loop = none;
        StepRecorder outside;
        (void)planned(problem, {}, 0, &outside);
        QCOMPARE(*levelsOf(outside, 3)[2], Level::any); // both in no loop counts as the same
    }

    void scalarAndVectorBuffersKeepApartAtLevelThree()
    {
        Problem problem = test::fromRows(
            {{"v", 1, 1, 64, 1, false, false, {}}, {"s", 2, 2, 64, 1, false, false, {}}, {"t", 3, 3, 64, 1, false, false, {}}},
            {}, test::scope("ub", 128));
        problem.buffers[1].scalar = problem.buffers[2].scalar = true;
        const Plan plan = planned(problem); // t on s, both scalar; neither on v
        QCOMPARE(plan.placements[1].offset, 64);
        QCOMPARE(plan.placements[2].offset, 64);
        QVERIFY(plan.diagnostics.empty());
    }

    void anUpgradeGivesAllAddressesOfALargerMultiBuffer()
    {
        const Problem problem = test::fromRows({{"A", 1, 2, 64, 3, true, true, {}}, {"C", 3, 3, 64, 1, false, true, {}}}, {0, 4},
                                               test::scope("ub", 192));
        const Plan plan = planned(problem);
        QVERIFY((offsetsOf(plan, 1) == std::vector<Bytes>{0, 64, 128}));
        QCOMPARE(plan.placements[1].rotations.size(), 1U);
        QCOMPARE(plan.placements[1].rotations.front().period, 3);
        QCOMPARE(plan.placements[1].rotations.front().loop, 0);
        QCOMPARE(objection(problem, plan), QString());
    }

    /// Buffers of two slots on one of three: the third address comes along, too.
    void aMultiBufferOnALargerOneTakesAllItsAddresses()
    {
        const Problem problem = test::fromRows({{"A", 1, 2, 64, 3, true, true, {}}, {"C", 3, 3, 64, 2, true, true, {}}}, {0, 4},
                                               test::scope("ub", 192));
        const Plan plan = planned(problem);
        QVERIFY((offsetsOf(plan, 1) == std::vector<Bytes>{0, 64, 128}));
        QCOMPARE(objection(problem, plan), QString());
    }

    // --- rollback and restart -----------------------------------------------------------------------------------------------

    /// U 64 KB shares with nothing, D 96 KB is loaded, V 96 KB computed, S 64 KB scalar, all in one loop, 256 KB. At level 3 V
    /// goes above D, and S has no room; V comes back on D at level 0, and S goes where V was.
    void whenNothingFitsTheLastHighPlacementIsLowered()
    {
        Problem problem = test::fromRows({{"U", 0, 10, 64 * KB, 1, false, true, {}},
                                          {"D", 0, 4, 96 * KB, 1, true, true, {}},
                                          {"V", 5, 9, 96 * KB, 1, false, true, {}},
                                          {"S", 2, 8, 64 * KB, 1, false, true, {}}},
                                         {0, 11}, test::scope("ub", 256 * KB));
        problem.buffers[0].unique = true;
        problem.buffers[3].scalar = true;
        StepRecorder recorder;
        const Plan plan = planned(problem, {}, 0, &recorder);
        QVERIFY((offsetsOf(plan) == std::vector<std::vector<Bytes>>{{0}, {64 * KB}, {64 * KB}, {160 * KB}}));
        const auto levels = levelsOf(recorder, 4);
        QCOMPARE(*levels[2], Level::any);
        QCOMPARE(*levels[3], Level::otherLoop); // the lowered level holds up to the one that had failed
        QCOMPARE(count(recorder, StepKind::remove), 1U);
        QCOMPARE(count(recorder, StepKind::reject), 1U);
        QCOMPARE(messageOf(plan, "rollbacks"), std::string("ub: 1 rollback"));
    }

    /// b covers a's place and one byte more. Joined, the two keep c away from that byte, too, and nothing can be moved; kept
    /// apart they leave it.
    void theRestartKeepsCoveredBoundsApart()
    {
        Problem problem = test::fromRows(
            {{"a", 6, 7, 3, 1, false, true, {}}, {"b", 5, 5, 4, 1, false, true, {}}, {"c", 6, 8, 3, 1, false, true, {}}}, {0, 10},
            test::scope("ub", 6, 1));
        const Plan plan = planned(problem);
        QVERIFY((offsetsOf(plan) == std::vector<std::vector<Bytes>>{{0}, {0}, {3}}));
        QVERIFY(plan.diagnostics.empty()); // level 3 alone, unlimited memory: c at 4 would end at 7

        const auto entries = hivm::entriesOf(problem, std::vector<BufferId>{0, 1, 2}, 0);
        const PlanContext context;
        hivm::Effort effort(context, 1000);
        hivm::LevelRules rules;
        rules.limit = 6;
        hivm::LevelSearch search(problem, 0, entries, rules, effort, nullptr);
        QVERIFY(!search.attempt(false));
        QVERIFY(search.attempt(true));
    }

    // --- order, pairs, couples, workspaces ----------------------------------------------------------------------------------

    /// Classes first: unique, DMA, others, scalar. With largest-first by size inside each.
    void theUnifiedBufferIsFilledByClassOrBySize()
    {
        std::vector<Row> rows{{"s", 0, 9, 32, 1, false, false, {}}, {"o1", 0, 9, 32, 1, false, false, {}},
                              {"d1", 0, 9, 32, 1, true, false, {}}, {"o2", 0, 9, 96, 1, false, false, {}},
                              {"d2", 0, 9, 64, 2, true, false, {}}, {"u", 0, 9, 32, 1, false, false, {}}};
        Problem problem = test::fromRows(rows, {}, test::scope("ub", 320)); // all live together: 352 bytes
        problem.buffers[0].scalar = true;
        problem.buffers[5].unique = true;
        using All = std::vector<std::vector<Bytes>>;
        QVERIFY((offsetsOf(planned(problem)) == All{{320}, {192}, {32}, {224}, {64, 128}, {0}}));
        QVERIFY((offsetsOf(planned(problem, {{"plan-memory-strategy", "largest-first"}})) ==
                 All{{320}, {288}, {160}, {192}, {32, 96}, {0}}));
        problem.pools[0] = test::scope("cbuf", 320); // not reordered, and second slots at the end
        QVERIFY((offsetsOf(planned(problem)) == All{{0}, {32}, {64}, {96}, {192, 288}, {256}}));
    }

    /// A load and a store buffer, both double-buffered, that meet in one op: their pair was remembered, and level 0 may use it.
    void aRememberedPairMayMeetInOneStepAtLevelZero()
    {
        Problem problem = test::fromRows({{"x", 10, 11, 64, 2, true, true, {}}, {"y", 11, 12, 64, 2, true, true, {}}}, {9, 13},
                                         test::scope("ub", 128));
        QVERIFY(messageOf(planned(problem), "overflow").starts_with("ub overflow, requires 2048 bits"));
        problem.buffers[1].mayShare = {0};
        checkAndRepair(problem);
        StepRecorder recorder;
        const Plan plan = planned(problem, {}, 0, &recorder);
        QVERIFY((offsetsOf(plan) == std::vector<std::vector<Bytes>>{{0, 64}, {0, 64}}));
        QCOMPARE(*levelsOf(recorder, 2)[1], Level::any);
        QCOMPARE(objection(problem, plan), QString());

        problem.buffers[0].live = {{10, 13}}; // two steps together: no
        QVERIFY(!messageOf(planned(problem), "overflow").empty());
    }

    /// Tightly coupled buffers are like any other for the planner: list order, and conflicts alone keep them apart.
    void tightlyCoupledBuffersArePlacedLikeOthers()
    {
        Problem problem = test::fromRows(
            {{"c", 5, 6, 64, 1, false, false, {}}, {"a", 1, 2, 64, 1, false, false, {}}, {"b", 3, 4, 64, 1, false, false, {}}},
            {}, test::scope("ub", 128));
        problem.buffers[1].coupled = 0;
        problem.buffers[2].coupled = 1;
        problem.buffers[1].conflicts = problem.buffers[2].conflicts = {0};
        checkAndRepair(problem);
        const Plan plan = planned(problem);
        QVERIFY((offsetsOf(plan) == std::vector<std::vector<Bytes>>{{0}, {64}, {64}}));
        QCOMPARE(objection(problem, plan), QString());
    }

    /// In one buffer lie %b, read by the scalar pipe, and %a, loaded, which it was written over: not even another buffer of the
    /// scalar pipe may lie there at level 3, as %a and it differ; without %a it may.
    void levelThreeAsksEachMemberByItself()
    {
        Problem problem = test::fromRows(
            {{"p", 0, 9, 64, 1, false, false, {}}, {"b", 1, 3, 64, 1, true, false, {}}, {"c", 5, 7, 64, 1, false, false, {}}}, {},
            test::scope("ub", 128));
        problem.buffers[1].scalar = problem.buffers[2].scalar = true;
        problem.buffers[1].members = {{64, 2, false, true, false}, {64, 1, true, false, false}};
        const Plan apart = planned(problem);
        QVERIFY((offsetsOf(apart) == std::vector<std::vector<Bytes>>{{0}, {64}, {64}}));
        QCOMPARE(apart.levels[2], std::optional(Level::any));
        problem.buffers[1].members.pop_back();
        problem.buffers[1].members.front().dma = true; // loaded as well: placed before the others, but scalar like %c
        const Plan shared = planned(problem);
        QVERIFY((offsetsOf(shared) == std::vector<std::vector<Bytes>>{{64}, {0}, {0}}));
        QCOMPARE(shared.levels[2], std::optional(Level::samePipe));
    }

    /// With largest-first the unaligned size of the member that gave the place counts, and unique buffers stay in list order.
    void largestFirstComparesWhatWasAskedFor()
    {
        Problem problem = test::fromRows({{"u0", 0, 9, 32, 1, false, false, {}},
                                          {"u1", 0, 9, 64, 1, false, false, {}},
                                          {"x", 0, 9, 64, 1, false, false, {}},
                                          {"y", 0, 9, 64, 1, false, false, {}}},
                                         {}, test::scope("ub", 192)); // 224 bytes: placed by class
        problem.buffers[0].unique = problem.buffers[1].unique = true;
        problem.buffers[2].members = {{40, 0, false, false, false}};
        problem.buffers[3].members = {{64, 0, false, false, false}, {50, 0, false, false, false}};
        QVERIFY((offsetsOf(planned(problem, {{"plan-memory-strategy", "largest-first"}})) ==
                 std::vector<std::vector<Bytes>>{{0}, {32}, {160}, {96}}));
    }

    void workspacesAreEndToEndOrReusedByLifeAlone()
    {
        Problem problem = test::fromRows(
            {{"w0", 1, 2, 100, 2, false, true, {}}, {"w1", 3, 4, 64, 1, false, true, {}}, {"w2", 3, 5, 32, 1, false, true, {}}},
            {0, 6}, test::scope("workspace:arg1", 0));
        problem.pools[0].capacity.reset();
        problem.buffers[0].size = 100; // 128 with its alignment
        using All = std::vector<std::vector<Bytes>>;
        QVERIFY((offsetsOf(planned(problem)) == All{{0, 224}, {128}, {192}}));
        QVERIFY((offsetsOf(planned(problem, {{"enable-global-workspace-reuse", "true"}})) == All{{0, 128}, {0}, {64}}));
        QVERIFY((offsetsOf(planned(problem, {{"enable-global-workspace-reuse", "true"},
                                             {"mem-plan-mode", "global-work-space-plan"}})) == All{{0, 128}, {0}, {64}}));
    }

    /// Dropping either multi-buffer of the 56-row kernel is enough; the advice says what is needed then, and says what planning
    /// anew says.
    void adviceIsWhatPlanningAnewGives()
    {
        const Problem problem =
            test::fromRows(test::flashAttentionVector(56), test::flashLoop, test::scope("ub", test::unifiedBuffer));
        std::vector<BufferId> ids(problem.buffers.size());
        for (std::size_t b = 0; b < ids.size(); ++b) ids[b] = static_cast<BufferId>(b);
        const PlanContext context;
        hivm::Effort effort(context, 4'000'000);
        const auto scope = hivm::planMemory(problem, 0, ids, {}, effort, nullptr);
        QVERIFY(scope && !scope->fits);
        const hivm::Overflow overflow = hivm::explainOverflow(problem, *scope, {}, context);
        QCOMPARE(overflow.excess() * 8, 38144);
        QCOMPARE(overflow.step, 30); // vcast: s and p16 with two slots each, acc, and three columns
        QCOMPARE(overflow.live, 2 * 57344 + 2 * 28672 + 28672 + 3 * 224);
        QVERIFY(overflow.tooMuchLive());
        QCOMPARE(overflow.occupants.front().total(), 2 * 57344);
        QVERIFY(!overflow.changes.empty() && overflow.changes.front().fits);
        for (const hivm::TriedChange& tried : overflow.changes) {
            Problem changed = problem;
            for (std::size_t b = 0; b < ids.size(); ++b) {
                Buffer& buffer = changed.buffers[b];
                const Change& change = tried.change;
                const bool meant = change.kind == Change::Kind::tile ? buffer.loop == change.loop : ids[b] == change.buffer;
                if (!meant) continue;
                if (change.kind == Change::Kind::slots)
                    buffer.slots = 1;
                else
                    buffer.size = (buffer.size + 1) / 2;
            }
            const Plan plan = planned(changed);
            QCOMPARE((plan.poolSize(changed, 0) + 31) / 32 * 32, tried.required); // the last one's size rounded up
            QCOMPARE(plan.poolSize(changed, 0) <= test::unifiedBuffer, tried.fits);
        }
    }

    /// x is loaded and gone when y and z come: y lies on it, across pipes in one loop; z is alone where it is.
    void anOverflowSaysAtWhichLevelEachPlaceIsAllowed()
    {
        Problem problem = test::fromRows(
            {{"x", 0, 0, 64, 1, true, true, {}}, {"y", 1, 1, 64, 1, false, true, {}}, {"z", 1, 1, 64, 1, false, true, {}}},
            {0, 2}, test::scope("ub", 96));
        const auto levelOf = [&](std::size_t place) { return hivmOverflow(problem, 0, {}, {})->occupants.at(place).level; };
        const auto overflow =
            hivmOverflow(problem, 0, {{"pipe-aware", "price"}}, {}); // an option of another planner is passed over
        QVERIFY(overflow);
        QCOMPARE(overflow->required, 128);
        QCOMPARE(overflow->step, 1);
        QCOMPARE(overflow->occupants.size(), 2U);
        QCOMPARE(levelOf(0), std::optional(Level::any));
        QCOMPARE(levelOf(1), std::optional<Level>());
        problem.buffers[0].loop = none; // in another loop than y
        QCOMPARE(levelOf(0), std::optional(Level::otherLoop));
        problem.buffers[0].dma = false; // and on the same pipe
        QCOMPARE(levelOf(0), std::optional(Level::samePipe));
        problem.pools[0].capacity = 128;
        QVERIFY(!hivmOverflow(problem, 0, {}, {}));
        QVERIFY(!hivmOverflow(problem, 7, {}, {}));
    }

    // --- promises -----------------------------------------------------------------------------------------------------------

    void randomKernelsAreValidByEveryJudge()
    {
        int upgraded = 0, rolledBack = 0, overflowed = 0, paired = 0;
        for (std::uint64_t seed = 0; seed < 1000; ++seed) {
            const Problem problem = randomKernel(seed);
            StepRecorder recorder;
            const Plan plan = planned(problem, {{"plan-memory-strategy", seed % 2 ? "largest-first" : "default"}}, 0, &recorder);
            const QString wrong = objection(problem, plan);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(wrong)));
            for (const auto& level : levelsOf(recorder, problem.buffers.size())) upgraded += level == Level::upgraded;
            rolledBack += count(recorder, StepKind::remove) > 0;
            const bool fits = !check(problem, plan).overCapacity;
            overflowed += !fits;
            QCOMPARE(!messageOf(plan, "overflow").empty(), !fits);
            for (std::size_t a = 0; a < problem.buffers.size(); ++a)
                for (const BufferId b : problem.buffers[a].mayShare)
                    paired += plan.placements[a].pool == plan.placements[static_cast<std::size_t>(b)].pool &&
                              plan.placements[a].offset == plan.placements[static_cast<std::size_t>(b)].offset;
        }
        // The seeds reach what they are meant to reach.
        QVERIFY2(upgraded > 30, qPrintable(QString::number(upgraded)));
        QVERIFY2(rolledBack > 100, qPrintable(QString::number(rolledBack)));
        QVERIFY2(overflowed > 100 && overflowed < 900, qPrintable(QString::number(overflowed)));
        QVERIFY2(paired > 10, qPrintable(QString::number(paired)));
    }

    /// With attempts the plan depends on the seed alone, and never gets worse by more of them.
    void attemptsAreDeterministicAndNeverWorse()
    {
        int better = 0;
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            const Problem problem = randomKernel(seed);
            const Plan natural = planned(problem);
            const Plan twenty = planned(problem, {{"attempts", "20"}});
            QVERIFY(twenty.placements == planned(problem, {{"attempts", "20"}}).placements);
            const Plan drawn = planned(problem, {{"attempts", "3"}}, 9);
            QVERIFY(drawn.placements == planned(problem, {{"attempts", "3"}}, 9).placements);
            QCOMPARE(objection(problem, twenty), QString());
            QCOMPARE(objection(problem, drawn), QString());
            for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
                const Bytes capacity = *problem.pools[static_cast<std::size_t>(p)].capacity;
                const Bytes before = natural.poolSize(problem, p);
                const Bytes after = twenty.poolSize(problem, p);
                if (before > capacity)
                    QVERIFY(after <= before);
                else
                    QVERIFY(after <= capacity);
                better += before > capacity && after <= capacity;
            }
        }
        QVERIFY(better > 0);
    }

    /// Nothing is said to overflow whose end-to-end layout fits, and nothing that needs less than is live at once.
    void whatIsRequiredIsAtLeastWhatIsLive()
    {
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const Problem problem = randomKernel(seed);
            const Plan plan = planned(problem);
            for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
                Bytes all = 0;
                for (const Buffer& buffer : problem.buffers)
                    if (buffer.pools.front() == p) all += buffer.size * buffer.slots;
                if (all <= *problem.pools[static_cast<std::size_t>(p)].capacity)
                    QCOMPARE(plan.poolSize(problem, p), all);
                else
                    QVERIFY(plan.poolSize(problem, p) <= all);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestHivmPlanner)
#include "tst_hivm_planner.moc"
