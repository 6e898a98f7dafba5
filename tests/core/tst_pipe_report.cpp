// What reuse costs the pipes: figures worked out by hand, and a simulation by brute force that knows nothing but bytes and pipes.
#include "core/explain/pipe_report.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_problems.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>

using namespace stowage;

namespace {

/// An op on one pipe.
PipeOp op(std::string name, std::int32_t pipe, Step step, std::vector<BufferId> reads, std::vector<BufferId> writes,
          std::int64_t cost = 10)
{
    PipeOp made;
    made.name = std::move(name);
    made.pipes = {pipe};
    made.reads = std::move(reads);
    made.writes = std::move(writes);
    made.cost = cost;
    made.step = step;
    made.loop = 0;
    return made;
}

enum Buffers : BufferId { A, B, C, D };

/// The document's loop, four iterations: A is loaded, one vector op reads it and uses B, the next writes C, the next makes D of
/// it, D is stored. Every op takes 10.
Problem documentLoop()
{
    Problem problem = test::fromRows({{"A", 1, 2, 16, 2, true, true, {}},
                                      {"B", 2, 2, 16, 1, false, true, {}},
                                      {"C", 3, 4, 16, 1, false, true, {}},
                                      {"D", 4, 5, 16, 2, true, true, {}}},
                                     {1, 6}, test::scope("ub", 1024, 1));
    problem.loops.front().tripCount = 4;
    return problem;
}

PipeModel documentOps()
{
    PipeModel model;
    model.pipes = {"MTE2", "V", "MTE3"};
    model.ops = {op("load", 0, 1, {}, {A}), op("op2", 1, 2, {A}, {B}), op("op3", 1, 3, {}, {C}), op("op4", 1, 4, {C}, {D}),
                 op("store", 2, 5, {D}, {})};
    return model;
}

Placement fixed(Bytes offset)
{
    return {0, offset, {}, {}};
}
Placement rotating(Bytes first, Bytes second)
{
    return {0, first, {first, second}, {{0, 2, false}}};
}

Plan documentPlan(Placement b, Placement c)
{
    Plan plan;
    plan.placements = {rotating(0, 16), std::move(b), std::move(c), rotating(32, 48)};
    return plan;
}

const ReuseEdge* edgeOf(const PipeReport& report, BufferId from, BufferId to)
{
    const auto found =
        std::find_if(report.edges.begin(), report.edges.end(), [&](const ReuseEdge& e) { return e.from == from && e.to == to; });
    return found == report.edges.end() ? nullptr : &*found;
}

// --- brute force ------------------------------------------------------------------------------------------------------------

/// Every execution in order, each with the loop counts it has.
struct Executed {
    const PipeOp* op = nullptr;
    std::vector<std::int64_t> counts; ///< by loop
    std::int64_t end = 0;
};

void unroll(const Problem& problem, const PipeModel& model, const PipeOptions& options, LoopId loop,
            std::vector<std::int64_t>& counts, const std::vector<const PipeOp*>& ops, std::vector<Executed>& all)
{
    for (std::size_t i = 0; i < ops.size();) {
        LoopId child = none;
        for (LoopId l = ops[i]->loop; l != loop; l = problem.loops[static_cast<std::size_t>(l)].parent) child = l;
        if (child == none) {
            all.push_back({ops[i++], counts, 0});
            continue;
        }
        std::vector<const PipeOp*> body;
        while (i < ops.size() && problem.loops[static_cast<std::size_t>(child)].live.contains(ops[i]->step))
            body.push_back(ops[i++]);
        const auto trips = problem.loops[static_cast<std::size_t>(child)].tripCount;
        for (std::int64_t t = 0; t < std::min(trips.value_or(1'000), options.iterations); ++t) {
            counts[static_cast<std::size_t>(child)] = t;
            unroll(problem, model, options, child, counts, body, all);
        }
    }
}

/// The bytes that the buffer has in those iterations.
Interval bytesOf(const Problem& problem, const Plan& plan, BufferId b, const std::vector<std::int64_t>& counts)
{
    const Placement& placement = plan.placements[static_cast<std::size_t>(b)];
    Bytes at = placement.offset;
    if (placement.rotating()) {
        const Rotation& rotation = placement.rotations.front();
        at = placement.offsets[static_cast<std::size_t>(counts[static_cast<std::size_t>(rotation.loop)] % rotation.period)];
    }
    return {at, at + problem.buffers[static_cast<std::size_t>(b)].size};
}

/// Each execution waits for every earlier one that shares a pipe with it, or a byte that one of the two writes.
std::int64_t bruteTime(const Problem& problem, const Plan& plan, const PipeModel& model, const PipeOptions& options)
{
    std::vector<const PipeOp*> ops;
    for (const PipeOp& each : model.ops) ops.push_back(&each);
    std::vector<std::int64_t> counts(problem.loops.size(), 0);
    std::vector<Executed> all;
    unroll(problem, model, options, none, counts, ops, all);
    const auto meet = [&](const Executed& x, const std::vector<BufferId>& xs, const Executed& y,
                          const std::vector<BufferId>& ys) {
        for (const BufferId a : xs)
            for (const BufferId b : ys)
                if (plan.placements[static_cast<std::size_t>(a)].pool == plan.placements[static_cast<std::size_t>(b)].pool &&
                    bytesOf(problem, plan, a, x.counts).overlaps(bytesOf(problem, plan, b, y.counts)))
                    return true;
        return false;
    };
    std::int64_t time = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < j; ++i) {
            const bool pipe = std::any_of(all[i].op->pipes.begin(), all[i].op->pipes.end(), [&](std::int32_t p) {
                return std::find(all[j].op->pipes.begin(), all[j].op->pipes.end(), p) != all[j].op->pipes.end();
            });
            if (pipe || meet(all[i], all[i].op->writes, all[j], all[j].op->writes) ||
                meet(all[i], all[i].op->writes, all[j], all[j].op->reads) ||
                meet(all[i], all[i].op->reads, all[j], all[j].op->writes))
                begin = std::max(begin, all[i].end);
        }
        all[j].end = begin + all[j].op->cost;
        time = std::max(time, all[j].end);
    }
    return time;
}

/// The same plan with every buffer in bytes of its own.
Plan spread(const Problem& problem, Plan plan)
{
    Bytes next = 0;
    for (std::size_t b = 0; b < plan.placements.size(); ++b) {
        Placement& placement = plan.placements[b];
        for (Bytes& offset : placement.offsets) {
            offset = next;
            next += problem.buffers[b].size;
        }
        placement.offset = placement.rotating() ? placement.offsets.front() : next;
        if (!placement.rotating()) next += problem.buffers[b].size;
    }
    return plan;
}

/// Two loops beside each other or one in the other, buffers made and used in them, some double-buffered.
Problem randomLoops(std::uint64_t seed)
{
    test::Random random(seed + stowage::test::seedShift());
    Problem problem;
    problem.axis = Axis::hivm;
    problem.pools.push_back(test::scope("ub", 0, 1));
    problem.pools.front().capacity = random(6, 14);
    problem.loops.push_back({"outer", none, {1, 13}, random(0, 3)});
    problem.loops.push_back({"first", 0, {2, 7}, random(1, 4)});
    problem.loops.push_back({"second", 0, {7, 12}, random.chance(50) ? std::nullopt : std::optional<std::int64_t>(random(1, 4))});
    for (int b = 0; b < static_cast<int>(random(3, 9)); ++b) {
        Buffer buffer;
        buffer.name = "b" + std::to_string(b);
        buffer.size = random(1, 4);
        buffer.loop = static_cast<LoopId>(random(-1, 2));
        const Interval inside = buffer.loop == none ? Interval{0, 15} : problem.loops[static_cast<std::size_t>(buffer.loop)].live;
        // What is written outside a loop is written in front of it, not in the step in which an inner one runs.
        Step begin = random(inside.begin, inside.end - 1);
        if (buffer.loop == none) begin = 0;
        if (buffer.loop == 0) begin = 1;
        // What a loop inside reads lives to its end: the next iteration reads it again.
        Step end = random(begin + 1, inside.end);
        for (auto loop = problem.loops.rbegin(); loop != problem.loops.rend(); ++loop)
            if (loop->live.begin > begin && end > loop->live.begin && end < loop->live.end) end = loop->live.end;
        if (buffer.loop == none && end > 1 && end < 13) end = 13;
        buffer.live = {{begin, end}};
        buffer.slots = buffer.loop != none && random.chance(40) ? 2 : 1;
        buffer.dma = random.chance(50);
        buffer.scalar = random.chance(10);
        problem.buffers.push_back(std::move(buffer));
    }
    checkAndRepair(problem);
    return problem;
}

} // namespace

class TestPipeReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// V works 3 x 10 an iteration and is never idle once the first load is done: 10 + 4 x 30, and the last store.
    void levelThreeMakesNobodyWait()
    {
        const Problem problem = documentLoop();
        const Plan plan = documentPlan(fixed(64), fixed(64));
        QVERIFY(check(problem, plan).valid());
        const PipeReport report = pipeReport(problem, plan, documentOps());
        QCOMPARE(report.time, 140);
        QCOMPARE(report.timeWithoutReuse, 140);
        QCOMPARE(report.stall(), 0);
        QCOMPARE(report.slowdown(), 0.0);
        QCOMPARE(report.edges.size(), 2U); // C after B in each iteration, B after C of the one before
        QCOMPARE(report.count(ReuseKind::samePipe), 2);
        QCOMPARE(edgeOf(report, B, C)->distance, 0);
        QCOMPARE(edgeOf(report, C, B)->distance, 1);
        QCOMPARE(edgeOf(report, C, B)->loop, 0);
        QCOMPARE(edgeOf(report, B, C)->count, 4);
        QCOMPARE(edgeOf(report, C, B)->count, 3);
        QVERIFY((report.busy == std::vector<std::int64_t>{40, 120, 40}));
    }

    /// C on A's slots in turn: the load of iteration 2 waits for C of iteration 0, until 40 instead of 20, but is there in time
    /// at 70; the same for iteration 3, 70 instead of 50. So loads stand still for 40, and nobody is later.
    void anUpgradeCostsWaitingButNoTime()
    {
        const Problem problem = documentLoop();
        const Plan plan = documentPlan(fixed(64), rotating(0, 16));
        QVERIFY(check(problem, plan).valid());
        const PipeReport report = pipeReport(problem, plan, documentOps());
        QCOMPARE(report.time, 140);
        QCOMPARE(report.timeWithoutReuse, 140);
        QCOMPARE(edgeOf(report, A, C)->kind, ReuseKind::samePipe); // op2 read A, op3 writes C, both on V
        QCOMPARE(edgeOf(report, C, A)->kind, ReuseKind::crossPipe);
        QCOMPARE(edgeOf(report, C, A)->distance, 2);
        QCOMPARE(edgeOf(report, C, A)->stall, 40);
        QCOMPARE(report.stall(), 40);
        QCOMPARE(report.count(ReuseKind::breaksDoubleBuffer), 0);
    }

    /// C on A's first slot only: the load of iteration 2 waits for C of iteration 1, until 70, and V for the load, until 80.
    void oneSlotOfADoubleBufferTakenBreaksIt()
    {
        const Problem problem = documentLoop();
        const Plan plan = documentPlan(fixed(64), fixed(0));
        QVERIFY(check(problem, plan).valid());
        const PipeReport report = pipeReport(problem, plan, documentOps());
        QCOMPARE(report.time, 150);
        QCOMPARE(report.timeWithoutReuse, 140);
        const ReuseEdge& broken = *edgeOf(report, C, A);
        QCOMPARE(broken.kind, ReuseKind::breaksDoubleBuffer);
        QCOMPARE(broken.distance, 1);
        QCOMPARE(broken.stall, 50);
        QCOMPARE(broken.bytes, 16);
        QVERIFY((broken.fromPipes == std::vector<std::int32_t>{1} && broken.toPipes == std::vector<std::int32_t>{0}));
        QCOMPARE(report.edges.front().from, C); // the worst first
        QCOMPARE(report.count(ReuseKind::breaksDoubleBuffer), 1);
        const auto late = std::find_if(report.spans.begin(), report.spans.end(), [](const PipeSpan& s) { return s.stall > 0; });
        QCOMPARE(late->op, 0);
        QCOMPARE(late->iteration, 2);
        QCOMPARE(late->begin, 70);
        QCOMPARE(late->edge, 0);
    }

    /// D, stored by MTE3, on A: A's next load has to wait for the store of the iteration before.
    void aStoreBufferOnALoadBufferMakesLoadsWaitForStores()
    {
        const Problem problem = documentLoop();
        Plan plan = documentPlan(fixed(64), fixed(80));
        plan.placements[D] = rotating(0, 16);
        QVERIFY(check(problem, plan).valid());
        const PipeReport report = pipeReport(problem, plan, documentOps());
        // In turn: A of iteration i + 2 after D of iteration i, which is a leash of two, as its own slots have.
        QCOMPARE(edgeOf(report, D, A)->kind, ReuseKind::crossPipe);
        // D is written by V, where A was read by V last.
        QCOMPARE(edgeOf(report, A, D)->kind, ReuseKind::samePipe);
        plan.placements[D] = rotating(16, 0); // the other way round it is one iteration
        QVERIFY(check(problem, plan).valid());
        const PipeReport crossed = pipeReport(problem, plan, documentOps());
        QCOMPARE(edgeOf(crossed, D, A)->kind, ReuseKind::breaksDoubleBuffer);
        QCOMPARE(edgeOf(crossed, D, A)->distance, 1);
        QVERIFY(crossed.time > report.time);
    }

    void costsMayComeFromTheInput()
    {
        PipeModel model = documentOps();
        model.ops[0].cost = 100; // loads are the bottleneck: 4 x 100, then 30 of V, then the store
        const PipeReport report = pipeReport(documentLoop(), documentPlan(fixed(64), fixed(64)), model);
        QCOMPARE(report.time, 440);
    }

    void anOpOnTwoPipesHoldsBoth()
    {
        Problem problem = documentLoop();
        PipeModel model;
        model.pipes = {"MTE2", "MTE3"};
        model.ops = {op("load", 0, 1, {}, {A}), op("matmul", 0, 2, {A}, {B}), op("store", 1, 5, {D}, {})};
        model.ops[1].pipes = {0, 1};
        model.ops[2].reads = {};
        problem.loops.front().tripCount = 2;
        // load 0 to 10, matmul 10 to 20 on both, store 20 to 30; load 20 to 30, matmul 30 to 40 (the store ends at 30), store to
        // 50.
        QCOMPARE(pipeReport(problem, documentPlan(fixed(64), fixed(80)), model).time, 50);
    }

    void executionsAreLimited()
    {
        const PipeReport report =
            pipeReport(documentLoop(), documentPlan(fixed(64), fixed(64)), documentOps(), {.iterations = 8, .maxSpans = 7});
        QVERIFY(report.truncated);
        QCOMPARE(report.spans.size(), 7U);
    }

    /// A problem without a program: what is only written and DMA-touched is a load, what is only read and DMA-touched a store.
    void opsAreMadeFromLivesWhereThereIsNoProgram()
    {
        const PipeModel model = pipeModel(documentLoop());
        QVERIFY(!model.fromProgram);
        QCOMPARE(model.ops.size(), 5U);
        const auto pipe = [&](std::size_t i) { return model.pipes[static_cast<std::size_t>(model.ops[i].pipes.front())]; };
        QCOMPARE(pipe(0), std::string("MTE2"));
        QCOMPARE(pipe(1), std::string("V"));
        QCOMPARE(pipe(3), std::string("V"));
        QCOMPARE(pipe(4), std::string("MTE3"));
        QVERIFY((model.ops[3].reads == std::vector<BufferId>{C} && model.ops[3].writes == std::vector<BufferId>{D}));
        QCOMPARE(model.ops[1].cost, 16);
        for (const PipeOp& each : model.ops) QCOMPARE(each.loop, 0);
    }

    void opsOfAProgramKeepTheirPipesAndCosts()
    {
        Program program;
        Function& function = program.functions.emplace_back();
        function.name = "main";
        function.regions.emplace_back();
        for (const char* name : {"x", "y", "t"}) {
            Tensor tensor;
            tensor.name = name;
            tensor.bytes = name[0] == 'y' ? 64 : 32;
            function.tensors.push_back(tensor);
        }
        const auto add = [&](const char* name, const char* pipe, std::vector<TensorId> inputs, std::vector<TensorId> outputs,
                             double cost) {
            Op made;
            made.name = name;
            made.pipe = pipe;
            made.inputs = std::move(inputs);
            made.outputs = std::move(outputs);
            if (cost > 0) made.cost = {{"", cost}};
            function.regions[0].ops.push_back(static_cast<OpId>(function.ops.size()));
            function.ops.push_back(made);
        };
        add("load", "MTE2", {}, {0}, 1.5);
        add("index", "", {}, {}, 0); // runs on no pipe
        add("exp", "V", {0}, {1}, 2);
        add("store", "MTE3", {1}, {}, 0.25);
        function.ops[2].temps = {2};
        const auto lowering = lower(program, {});
        QVERIFY(lowering);
        PipeModel model = pipeModelOf(&program, *lowering);
        QVERIFY(model.fromProgram);
        QCOMPARE(model.unit, CostUnit::nanoseconds);
        QCOMPARE(model.ops.size(), 3U);
        QVERIFY((model.pipes == std::vector<std::string>{"MTE2", "V", "MTE3"}));
        QCOMPARE(model.ops[0].cost, 1500);
        QCOMPARE(model.ops[2].cost, 250);
        QCOMPARE(model.ops[1].writes.size(), 2U); // y and the temp
        program.functions[0].ops[0].cost.clear(); // one without: bytes for all
        model = pipeModelOf(&program, *lowering);
        QCOMPARE(model.unit, CostUnit::bytes);
        QCOMPARE(model.ops[0].cost, 32);
        QCOMPARE(model.ops[1].cost, 64);
    }

    /// Times with and without reuse, of plans by several planners, equal those of a simulation that compares bytes of every pair
    /// of executions.
    void timesEqualBruteForce()
    {
        int stalled = 0, slower = 0, broken = 0;
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            const Problem problem = randomLoops(seed);
            PipeModel model = pipeModel(problem);
            test::Random random(seed + stowage::test::seedShift());
            for (PipeOp& each : model.ops) each.cost = random(1, 9);
            const char* names[] = {"hivm", "greedy-by-size", "naive"};
            PlanContext context;
            const auto plan = registry.find(names[seed % 3])->plan(problem, {}, context);
            QVERIFY(plan);
            QVERIFY(check(problem, *plan).valid());
            const PipeOptions options{.iterations = random(1, 4), .maxSpans = 200'000};
            const PipeReport report = pipeReport(problem, *plan, model, options);
            const std::string where = "seed " + std::to_string(seed);
            QVERIFY2(report.time == bruteTime(problem, *plan, model, options), where.c_str());
            QVERIFY2(report.timeWithoutReuse == bruteTime(problem, spread(problem, *plan), model, options), where.c_str());
            QVERIFY(report.time >= report.timeWithoutReuse);
            if (report.edges.empty()) QCOMPARE(report.time, report.timeWithoutReuse);
            if (report.count(ReuseKind::samePipe) == static_cast<std::int64_t>(report.edges.size())) QCOMPARE(report.stall(), 0);
            stalled += report.stall() > 0;
            slower += report.time > report.timeWithoutReuse;
            broken += report.count(ReuseKind::breaksDoubleBuffer) > 0;
            if (names[seed % 3] == std::string("naive")) QVERIFY(report.edges.empty());
        }
        QVERIFY2(stalled > 50 && slower > 20 && broken > 20,
                 qPrintable(QString("%1 %2 %3").arg(stalled).arg(slower).arg(broken)));
    }
};

QTEST_GUILESS_MAIN(TestPipeReport)
#include "tst_pipe_report.moc"
