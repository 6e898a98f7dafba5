// What-if of Ascend kernels, and what a run says of its pipes and levels.
#include "core/explain/kernel_change.h"
#include "core/explain/pipe_run.h"
#include "core/io/text.h"
#include "core/plan/check.h"
#include "core/planners/hivm/hivm.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_problems.h"

#include <QTest>

using namespace stowage;
using hivm::Level;

namespace {

Run runOf(const Problem& problem, const char* planner = "hivm")
{
    Run run;
    auto lowering = lower(problem, {});
    if (!lowering) qFatal("%s", toText(lowering.error()).c_str());
    run.lowering = std::make_shared<Lowering>(*std::move(lowering));
    const auto steps = std::make_shared<StepRecorder>();
    PlanContext context;
    context.recorder = steps.get();
    run.plan = *PlannerRegistry::builtIn().find(planner)->plan(run.problem(), {}, context);
    run.report = evaluate(run.problem(), run.plan);
    run.steps = steps;
    return run;
}

Problem flash(Bytes rows)
{
    return test::fromRows(test::flashAttentionVector(rows), test::flashLoop, test::scope("ub", test::unifiedBuffer));
}

} // namespace

class TestKernelChange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The 56-row kernel is 38144 bits too large. Without one of its multi-buffers it fits; with half the tile it does; with more
    /// slots it does not.
    void anOverflowGoesAwayWithTheRightChange()
    {
        const Problem problem = flash(56);
        const PipeModel model = pipeModel(problem);
        const auto planner = hivmPlanner();
        const auto tried = [&](const Change& change) {
            auto outcome = tryChange(problem, model, change, *planner, {}, {});
            if (!outcome) qFatal("%s", toText(outcome.error()).c_str());
            return *std::move(outcome);
        };
        const BufferId s = 3, p16 = 7;
        const auto dropped = tried(Change::ofSlots(s, 1));
        QVERIFY(dropped.fits);
        QCOMPARE(dropped.problem.buffers[3].slots, 1);
        QVERIFY(check(dropped.problem, dropped.plan).valid());
        QVERIFY(tried(Change::ofSlots(p16, 1)).fits);
        QVERIFY(!tried(Change::ofSlots(s, 4)).fits);
        const auto halved = tried(Change::scaledTile(0, 1, 2));
        QVERIFY(halved.fits);
        QCOMPARE(halved.problem.buffers[3].size, 57344 / 2);
        QCOMPARE(halved.problem.buffers[2].size, 28672);                           // acc is outside the loop
        QCOMPARE(halved.timeForAll, 2.0 * static_cast<double>(halved.pipes.time)); // twice as many turns for the same work
        QVERIFY(!tried(Change::scaledTile(0, 2, 1)).fits);
        QVERIFY(!tryChange(problem, model, Change::ofSlots(99, 1), *planner, {}, {}));
        QVERIFY(!tryChange(problem, model, Change::scaledTile(0, 1, 0), *planner, {}, {}));
    }

    /// Costs in bytes follow the tile: without reuse half a tile takes half the time.
    void timeFollowsTheTile()
    {
        Problem problem = test::fromRows({{"x", 1, 2, 64, 2, true, true, {}}, {"y", 2, 3, 64, 2, true, true, {}}}, {0, 5},
                                         test::scope("ub", 4096));
        problem.loops.front().tripCount = 4;
        const PipeModel model = pipeModel(problem);
        const auto plain = tryChange(problem, model, Change::scaledTile(0, 1, 1), *hivmPlanner(), {}, {});
        const auto halved = tryChange(problem, model, Change::scaledTile(0, 1, 2), *hivmPlanner(), {}, {});
        QVERIFY(plain && halved);
        QCOMPARE(plain->pipes.time, 6 * 64); // 4 loads, and the last tile through V and the store
        QCOMPARE(halved->pipes.time, 6 * 32);
        QCOMPARE(halved->timeForAll, plain->timeForAll);
    }

    void aWindowIsOfferedWhatMakesSense()
    {
        const Problem problem = flash(48);
        std::vector<std::string> offered;
        for (const Change& change : changesOf(problem, 3)) offered.push_back(describe(problem, change));
        QVERIFY((offered == std::vector<std::string>{"drop the multi-buffer of s", "4 slots for s", "halve s",
                                                     "halve the tile of loop j", "double s", "double the tile of loop j"}));
        offered.clear();
        for (const Change& change : changesOf(problem, 0)) offered.push_back(describe(problem, change)); // m_run, in no loop
        QVERIFY((offered == std::vector<std::string>{"halve m_run", "double m_run"}));
    }

    /// A change of a kernel that is kept by names gives the problem that was tried.
    void aTriedChangeCanBeMade()
    {
        const Problem problem = flash(56);
        const PipeModel model = pipeModel(problem);
        std::vector<Change> all = changesOf(problem, 3);
        QCOMPARE(all.size(), std::size_t{6});
        for (const Change& change : all) {
            const auto tried = tryChange(problem, model, change, *hivmPlanner(), {}, {});
            QVERIFY(tried);
            const auto ids = withIds(problem, withNames(problem, change));
            const auto made = ids ? changed(problem, *ids) : Expected<Problem>(ids.error());
            QVERIFY2(made && *made == tried->problem, describe(problem, change).c_str());
        }
    }

    /// The level of each buffer is that of its last placement; what was rolled back is counted.
    void levelsAreReadFromTheSteps()
    {
        const Run run = runOf(flash(48));
        const auto levels = reuseLevels(run);
        QVERIFY(levels);
        std::vector<int> counts(6);
        for (const auto& level : levels->levels) {
            QVERIFY(level.has_value());
            ++counts[static_cast<std::size_t>(*level)];
        }
        QCOMPARE(counts[static_cast<std::size_t>(Level::any)], 0);
        QCOMPARE(counts[static_cast<std::size_t>(Level::upgraded)], 4); // red0, red1, acc_scaled, and pv with both slots
        QCOMPARE(counts[static_cast<std::size_t>(Level::otherLoop)], 2);
        QVERIFY(levels->rollbacks > 0);
        QVERIFY(!reuseLevels(runOf(flash(48), "exact")));
    }

    /// Three buffers of numbers 0, 1, 2 in a row, and a plain one. In the other core's function 0 and 2 are used by turns, so
    /// they must not share; 1 comes after both there.
    void coupledBuffersShareWhatNoFunctionUsesTogether()
    {
        Program program;
        const auto function = [&](const char* name) -> Function& {
            Function& made = program.functions.emplace_back();
            made.name = name;
            made.regions.emplace_back();
            return made;
        };
        const auto use = [](Function& made, const char* number, Bytes bytes) {
            Tensor tensor;
            tensor.name = std::string("t") + number + std::to_string(made.tensors.size());
            tensor.bytes = bytes;
            tensor.pools = {"ub"};
            if (*number != '-') tensor.attributes = {{"coupled", number}, {"unique", ""}};
            made.tensors.push_back(tensor);
            return static_cast<TensorId>(made.tensors.size()) - 1;
        };
        const auto run = [](Function& made, std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
            Op op;
            op.name = "op" + std::to_string(made.ops.size());
            op.kind = "hivm.hir.vadd";
            op.pipe = "V";
            op.inputs = std::move(inputs);
            op.outputs = std::move(outputs);
            made.regions[0].ops.push_back(static_cast<OpId>(made.ops.size()));
            made.ops.push_back(op);
        };
        Function& vector = function("aiv");
        const TensorId zero = use(vector, "0", 64), one = use(vector, "1", 64), two = use(vector, "2", 64),
                       plain = use(vector, "-", 64);
        for (const TensorId tensor : {zero, one, two, plain}) {
            run(vector, {}, {tensor});
            run(vector, {tensor}, {});
        }
        Function& cube = function("aic");
        const TensorId zeroThere = use(cube, "0", 64), twoThere = use(cube, "2", 64), oneThere = use(cube, "1", 64);
        run(cube, {}, {zeroThere});
        run(cube, {}, {twoThere});
        run(cube, {zeroThere}, {});
        run(cube, {twoThere}, {});
        run(cube, {}, {oneThere});
        LowerOptions options;
        QVERIFY(!options.set("order", "hivm"));
        options.pools = {test::scope("ub", 192)};
        const auto lowering = lower(program, options);
        QVERIFY2(lowering, lowering ? "" : toText(lowering.error()).c_str());
        const Problem& problem = lowering->problem;
        QCOMPARE(problem.buffers.size(), std::size_t{4});
        QVERIFY(!conflict(problem, 0, 1));
        QVERIFY(!conflict(problem, 1, 2));
        QVERIFY(conflict(problem, 0, 2)); // used together over there
        for (BufferId b = 0; b < 3; ++b) QVERIFY(conflict(problem, b, 3));
        const auto plan = hivmPlanner()->plan(problem, {}, {});
        QVERIFY(plan && check(problem, *plan).valid() &&
                !check(problem, *plan).overCapacity); // 1 on 0, 2 and the plain one by themselves: 192 bytes
        QVERIFY(!options.set("disable-tightly-coupled-buffer-reuse", "on"));
        const auto each = lower(program, options);
        QVERIFY(each);
        const auto apart = hivmPlanner()->plan(each->problem, {}, {});
        QVERIFY(apart && check(each->problem, *apart).overCapacity);
    }

    void onlyRunsOnAscendsAxisAreAnalysed()
    {
        Problem problem = flash(48);
        QVERIFY(analysePipes(runOf(problem)));
        problem.axis = Axis::ops;
        QVERIFY(!analysePipes(runOf(problem)));
    }

    /// The plan file tells levels, edges and times, and reads back the same.
    void planFilesTellAndReadBack()
    {
        const Run run = runOf(flash(48));
        const std::string text = io::writePlanJson(run);
        QVERIFY(QString::fromStdString(text).contains("\"breaks-double-buffer\""));
        QVERIFY(QString::fromStdString(text).contains("\"level\": \"level 1\""));
        const auto read = io::readPlan(text, "plan.json", run.problem());
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        QVERIFY(read->value.placements == run.plan.placements);
    }
};

QTEST_GUILESS_MAIN(TestKernelChange)
#include "tst_kernel_change.moc"
