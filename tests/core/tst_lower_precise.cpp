// Values carried from one iteration to the next in place: live in their own part of the body, rotating where two of them meet.
#include "core/exec/arena.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/lowering_helpers.h"
#include "tests/core/random_program.h"

#include <QTest>

using namespace stowage;
using namespace stowage::test;

namespace {

LowerOptions precise()
{
    return with({{"loops", "precise"}});
}

Plan planned(const Problem& problem)
{
    auto plan = PlannerRegistry::builtIn().find("greedy-by-size")->plan(problem, {}, {});
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    return *std::move(plan);
}

Bytes sizeOf(const Lowering& lowering)
{
    return planned(lowering.problem).poolSize(lowering.problem, 0);
}

/// x -> loop over p { a: p -> t; b: t -> y; [c: p, y -> u] } -> z, with y carried to p.
struct OneCarry {
    ProgramBuilder b;
    TensorId x = b.input("x", 8), z = b.tensor("z", 8), p = none, y = none;
    OpId loop = none;
    explicit OneCarry(bool together, std::optional<std::int64_t> tripCount = 10)
    {
        loop = b.loop("loop", {x}, {z});
        b.begin(loop, RegionRole::body);
        p = b.input("p", 8);
        const auto t = b.tensor("t", 8);
        y = b.tensor("y", 8);
        b.op("a", {p}, {t});                                 // 1
        b.op("b", {t}, {y});                                 // 2
        if (together) b.op("c", {p, y}, {b.tensor("u", 1)}); // 3
        b.output(y);
        b.end();
        b.at(loop).carries = {{y, p}};
        b.at(loop).tripCount = tripCount;
        b.output(z);
    }
};

} // namespace

class TestLowerPrecise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsACarriedValueToItsPartOfTheBody()
    {
        OneCarry made(false);
        const Lowering result = lowered(made.b.program(), precise());
        QVERIFY(!find(result, "p")); // it is the z of the iteration before, at first x
        const TensorBinding p = bound(result, made.p), y = bound(result, made.y), x = bound(result, made.x);
        QCOMPARE(p.buffer, y.buffer);
        QCOMPARE(p.distance, 1);
        QCOMPARE(p.first, std::vector<TensorBinding>{x});
        QCOMPARE(p.loop, LoopId{0});
        QCOMPARE(y.distance, 0);
        const Buffer& z = *find(result, "z");
        QCOMPARE(live(result, "z"), QStringLiteral("2-3")); // made at step 2; nothing comes behind the loop
        QCOMPARE(z.carried, (std::vector<Carried>{{1, {1, 2}}}));
        QCOMPARE(z.loop, LoopId{0});
        QCOMPARE(live(result, "x"), QStringLiteral("0-2"));                         // as long as the first iteration reads it
        QCOMPARE(find(result, "x")->early, (std::vector<Early>{{{1, 2}, {0, 0}}})); // and in that one only
        Problem copy = result.problem;
        QVERIFY(checkAndRepair(copy).empty());
        // y does not meet the value that becomes p: one place does, and the bytes never move.
        const Plan plan = planned(result.problem);
        QVERIFY(!plan.placements[static_cast<std::size_t>(y.buffer)].rotating());
        const auto run = execute(made.b.program(), result, plan);
        QVERIFY(run && !run->corruption);
    }

    void rotatesWhereTwoValuesMeet()
    {
        OneCarry made(true);
        const Lowering result = lowered(made.b.program(), precise());
        Plan plan = planned(result.problem);
        Placement& z = plan.placements[static_cast<std::size_t>(bound(result, made.y).buffer)];
        QVERIFY(z.rotating());
        QCOMPARE(z.rotations.front().period, 2); // a single x <= y that interferes gives repeat 2
        const auto run = execute(made.b.program(), result, plan);
        QVERIFY(run && !run->corruption);
        QCOMPARE(run->opsExecuted, run->runs * 8 * 3); // 3 x 2 + 2 iterations
        // In one place the next value lies on the one that is still read.
        z.offsets[1] = z.offsets[0];
        QVERIFY(!check(result.problem, plan).valid());
        const auto wrong = execute(made.b.program(), result, plan);
        QVERIFY(wrong && wrong->corruption);
        QCOMPARE(wrong->corruption->iterations, std::vector<std::int64_t>{1}); // the first one reads x
    }

    void leavesOtherCarriesToCopies()
    {
        const auto distance = [](auto change) {
            OneCarry made(false);
            change(made);
            return bound(lowered(made.b.program(), precise()), made.p).distance;
        };
        QCOMPARE(distance([](OneCarry&) {}), 1);
        QCOMPARE(distance([](OneCarry& m) { m.b.get(m.y).multiBuffer = 2; }), 0);
        QCOMPARE(distance([](OneCarry& m) { m.b.get(m.p).alignment = 4; }), 1);
        QCOMPARE(distance([](OneCarry& m) { m.b.get(m.p).pools = {"arena"}; }), 0);
        QCOMPARE(distance([](OneCarry& m) { m.b.get(m.x).planned = false; }), 0);
        QCOMPARE(distance([](OneCarry& m) { // written over, where it is the loop's input at first
                     m.b.view("v", m.p, 4);
                     Function& main = m.b.here();
                     main.tensors.back().region = 1;
                     main.ops.push_back(main.ops[1]);
                     Op& op = main.ops.back();
                     op.name = "over";
                     op.inputs = {m.p};
                     op.outputs = {static_cast<TensorId>(main.tensors.size()) - 1};
                     main.regions[1].ops.insert(main.regions[1].ops.begin(), static_cast<OpId>(main.ops.size()) - 1);
                 }),
                 0);
    }

    void plansRunCleanInEveryLowering_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addColumn<QString>("inPlace");
        for (const char* order : {"linear", "dag"})
            for (const char* inPlace : {"off", "allowed"}) QTest::addRow("%s %s", order, inPlace) << order << inPlace;
    }
    void plansRunCleanInEveryLowering()
    {
        QFETCH(QString, order);
        QFETCH(QString, inPlace);
        std::size_t carried = 0, rotating = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(400U); ++seed) {
            RandomProgramOptions shape;
            shape.ops = 4 + static_cast<int>(seed % 20);
            shape.maxSize = seed % 3 ? 64 : 3;
            const Program program = randomProgram(seed, shape);
            const auto lowering = lower(program, with({{"loops", "precise"},
                                                       {"order", order.toLatin1().constData()},
                                                       {"inplace", inPlace.toLatin1().constData()},
                                                       {"views", "merged"}}));
            const std::string where = "seed " + std::to_string(seed) + ": ";
            QVERIFY2(lowering, lowering ? "" : (where + toText(lowering.error())).c_str());
            Problem problem = lowering->problem;
            if (const auto found = checkAndRepair(problem); !found.empty()) QFAIL((where + toText(found.front())).c_str());
            const Plan plan = planned(problem);
            if (const Verdict verdict = check(problem, plan); !verdict.valid())
                QFAIL((where + describe(problem, verdict.violations.front())).c_str());
            for (const Buffer& buffer : problem.buffers) carried += !buffer.carried.empty();
            for (const Placement& placement : plan.placements) rotating += placement.rotating();
            ExecuteOptions limits;
            limits.maxOps = 10'000;
            limits.seed = seed;
            const auto result = execute(program, *lowering, plan, limits);
            QVERIFY2(result, result ? "" : (where + toText(result.error())).c_str());
            if (result->corruption) QFAIL((where + describe(problem, *result->corruption)).c_str());
            const auto byRanges = execute(problem, plan, limits);
            QVERIFY(byRanges);
            if (byRanges->corruption) QFAIL((where + describe(problem, *byRanges->corruption)).c_str());
        }
        qInfo("%zu buffers carried in place, %zu rotating", carried, rotating);
        QVERIFY(carried > test::randomCases(40) && rotating > test::randomCases(10));
    }

    void allocatesLessThanCopyingDoes()
    {
        // Several layers of a recurrence, as in an LSTM. Their first states are needed after the loop, so that it may not use
        // them up: with copies a state lies there, in the body's input and in its result; in place in the first two only.
        ProgramBuilder b;
        const int layers = 4;
        std::vector<TensorId> states, inputs, results;
        for (int l = 0; l < layers; ++l) states.push_back(b.input("x" + std::to_string(l), 1024));
        for (int l = 0; l < layers; ++l) results.push_back(b.tensor("z" + std::to_string(l), 1024));
        const auto loop = b.loop("loop", states, results);
        b.begin(loop, RegionRole::body);
        for (int l = 0; l < layers; ++l) inputs.push_back(b.input("p" + std::to_string(l), 1024));
        std::vector<TensorId> outputs;
        for (int l = 0; l < layers; ++l) {
            const auto gates = b.tensor("gates" + std::to_string(l), 4096), y = b.tensor("y" + std::to_string(l), 1024);
            b.op("mul" + std::to_string(l), {inputs[static_cast<std::size_t>(l)]}, {gates});
            b.op("act" + std::to_string(l), {gates}, {y});
            outputs.push_back(y);
        }
        for (const TensorId y : outputs) b.output(y);
        b.end();
        for (int l = 0; l < layers; ++l) {
            const auto i = static_cast<std::size_t>(l);
            b.at(loop).carries.push_back({outputs[i], inputs[i]});
        }
        b.at(loop).tripCount = 20;
        for (const TensorId z : results) b.output(z);
        b.op("last", states, {});
        const Lowering copied = lowered(b.program());
        const Lowering inPlace = lowered(b.program(), precise());
        QCOMPARE(sizeOf(copied), Bytes{3 * layers * 1024 + 4096});
        QCOMPARE(sizeOf(inPlace), Bytes{2 * layers * 1024 + 4096});
    }
};

QTEST_APPLESS_MAIN(TestLowerPrecise)
#include "tests/support/instrumented.h"
#include "tst_lower_precise.moc"
