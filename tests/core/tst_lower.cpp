// The rules of lowering, one by one, on programs small enough to be checked by hand.
#include "tests/core/lowering_helpers.h"
#include "tests/support/buffer_of.h"

#include <QTest>

using namespace stowage;
using namespace stowage::test;

class TestLower : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsStepsFromTheEntry();
    void keepsScratchAliveAtItsOpOnly();
    void keepsAViewedTensorAliveByItsViews();
    void roundsSizesAndRaisesAlignments();
    void plansConstantsAndVariablesOnlyWhereThereIsAPool();
    void leavesOutWhatHasNoSizeOrIsNotPlanned();
    void keepsCandidatePoolsInTheirOrder();
    void choosesPoolsByDevice();
    void namesTensorAndPoolsWhenNoPoolIsLeft();
    void namesProducersConsumersAndMembers();
    void explainsOptionsThatDoNotExist();
    void refusesProgramsThatDoNotVerify();
    void keepsCandidatesOfAProblemByName();
    void lowersAHundredThousandOps();
};

void TestLower::countsStepsFromTheEntry()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), unread = b.input("unread", 8);
    const auto h = b.tensor("h", 8), dead = b.tensor("dead", 8), z = b.tensor("z", 8), early = b.tensor("early", 8);
    b.tensor("untouched", 8);
    b.op("a", {x}, {h, early});
    b.op("b", {h}, {dead});
    b.op("c", {h}, {z});
    b.op("d", {z}, {});
    b.output(z);
    b.output(early);
    Q_UNUSED(unread)
    Q_UNUSED(dead)
    const Lowering result = lowered(b.program());
    QCOMPARE(live(result, "x"), QStringLiteral("0-2"));      // input from step 0 to its last reader, op 0 at step 1
    QCOMPARE(live(result, "unread"), QStringLiteral("0-1")); // never read: step 0 only
    QCOMPARE(live(result, "h"), QStringLiteral("1-4"));
    QCOMPARE(live(result, "dead"), QStringLiteral("2-3")); // written and never read: its writer only
    QCOMPARE(live(result, "z"), QStringLiteral("3-5"));    // output: through the last step
    QCOMPARE(live(result, "early"), QStringLiteral("1-5"));
    QCOMPARE(live(result, "untouched"), QStringLiteral("-"));
    QCOMPARE(result.steps.size(), std::size_t{5});
    QCOMPARE(result.steps[0].op, none);
    QCOMPARE(result.steps[3].op, 2);
    QCOMPARE(find(result, "x")->kind, BufferKind::input);
    QCOMPARE(find(result, "z")->kind, BufferKind::output);
    QCOMPARE(result.problem.pools.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(result.problem.pools[0].name), QStringLiteral("arena"));
}

void TestLower::keepsScratchAliveAtItsOpOnly()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), y = b.tensor("y", 8), z = b.tensor("z", 8), s = b.tensor("s", 8);
    b.op("a", {x}, {y}, {s});
    b.op("b", {y}, {});
    b.op("c", {y}, {z}, {s}); // the same scratch again: nothing is kept in between
    QCOMPARE(live(lowered(b.program()), "s"), QStringLiteral("1-2 3-4"));
}

void TestLower::keepsAViewedTensorAliveByItsViews()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 64), y = b.tensor("y", 8), z = b.tensor("z", 8);
    const auto v = b.view("v", h, 32, 16);
    const auto w = b.view("w", v, 8, 8);
    b.op("a", {x}, {h});
    b.op("b", {h}, {y});
    b.op("c", {w}, {z});
    const Lowering result = lowered(b.program());
    QCOMPARE(live(result, "h"), QStringLiteral("1-4"));
    QCOMPARE(live(result, "v"), QStringLiteral("-"));
    QCOMPARE(bound(result, w).buffer, bound(result, h).buffer);
    QCOMPARE(bound(result, w).delta, Bytes{24});
    const auto& members = result.origins[static_cast<std::size_t>(bound(result, h).buffer)].members;
    QCOMPARE(members, (std::vector<TensorId>{h, v, w}));
}

void TestLower::roundsSizesAndRaisesAlignments()
{
    ProgramBuilder b;
    const auto x = b.input("x", 20), y = b.tensor("y", 64);
    b.get(x).alignment = 48;
    b.op("a", {x}, {y});
    LowerOptions options;
    options.alignment = 32;
    const Lowering result = lowered(b.program(), options);
    QCOMPARE(find(result, "x")->size, Bytes{32});
    QCOMPARE(find(result, "x")->alignment, Bytes{96}); // a multiple of both
    QCOMPARE(find(result, "y")->size, Bytes{64});
    QCOMPARE(find(result, "y")->alignment, Bytes{32});
}

void TestLower::plansConstantsAndVariablesOnlyWhereThereIsAPool()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), y = b.tensor("y", 8);
    const auto w = b.tensor("w", 100, TensorKind::constant), v = b.tensor("v", 40, TensorKind::variable);
    b.op("a", {x, w, v}, {y});
    b.op("b", {y}, {v});
    const Lowering without = lowered(b.program());
    QCOMPARE(without.problem.buffers.size(), std::size_t{2});
    QCOMPARE(without.leftOut.size(), std::size_t{2});
    QCOMPARE(without.leftOut[0].bytes + without.leftOut[1].bytes, Bytes{140});
    QCOMPARE(bound(without, w).buffer, none);

    LowerOptions options;
    options.pools = {pool("sram"), pool("flash", PoolKind::constant), pool("nvram", PoolKind::persistent)};
    const Lowering result = lowered(b.program(), options);
    QVERIFY(result.leftOut.empty());
    QCOMPARE(live(result, "w"), QStringLiteral("0-3"));
    QCOMPARE(live(result, "v"), QStringLiteral("0-3"));
    QCOMPARE(find(result, "w")->pools, std::vector<PoolId>{1});
    QCOMPARE(find(result, "v")->pools, std::vector<PoolId>{2});
    QVERIFY(find(result, "x")->pools.empty());
}

void TestLower::leavesOutWhatHasNoSizeOrIsNotPlanned()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), y = b.tensor("y", 8), z = b.tensor("z", 8), empty = b.tensor("empty", 0);
    b.get(x).planned = false;
    b.get(y).bytes.reset();
    b.get(y).shape = {-1, 8};
    b.get(y).where = {"m.json", 7, 3, -1};
    b.op("a", {x}, {y, empty});
    b.op("b", {y, empty}, {z});
    const Lowering result = lowered(b.program());
    QCOMPARE(result.problem.buffers.size(), std::size_t{1});
    QCOMPARE(live(result, "z"), QStringLiteral("2-3"));
    QCOMPARE(result.leftOut.size(), std::size_t{3});
    QCOMPARE(result.diagnostics.size(), std::size_t{1}); // only the unknown size asks for something
    QCOMPARE(result.diagnostics[0].code, Code::dynamicSize);
    QCOMPARE(result.diagnostics[0].where.line, 7);
}

void TestLower::keepsCandidatePoolsInTheirOrder()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), y = b.tensor("y", 8);
    b.get(y).pools = {"dtcm", "gone", "sram"};
    b.op("a", {x}, {y});
    b.program().pools = {pool("sram"), pool("dtcm")};
    const Lowering result = lowered(b.program());
    QCOMPARE(find(result, "y")->pools, (std::vector<PoolId>{1, 0}));
    QCOMPARE(result.diagnostics.size(), std::size_t{1});
    QVERIFY(result.diagnostics[0].message.find("'gone'") != std::string::npos);
}

void TestLower::choosesPoolsByDevice()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), y = b.tensor("y", 8), z = b.tensor("z", 8);
    b.at(b.op("a", {x}, {y})).device = "npu";
    b.at(b.op("b", {y}, {z})).device = "cpu";
    LowerOptions options;
    options.pools = {pool("local", PoolKind::workspace, {"npu"}), pool("shared", PoolKind::workspace, {"npu", "cpu"})};
    const Lowering result = lowered(b.program(), options);
    QVERIFY(find(result, "x")->pools.empty());                  // used on npu only: reaches all workspace pools
    QCOMPARE(find(result, "y")->pools, std::vector<PoolId>{1}); // used on both
    QCOMPARE(find(result, "z")->pools, std::vector<PoolId>{1});

    options.pools.pop_back();
    const auto failed = lower(b.program(), options);
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, Code::noPool);
    QVERIFY(failed.error().message.find("'cpu'") != std::string::npos &&
            failed.error().message.find("'local'") != std::string::npos);
}

void TestLower::namesTensorAndPoolsWhenNoPoolIsLeft()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), y = b.tensor("y", 8);
    b.get(y).pools = {"dtcm"};
    b.op("a", {x}, {y});
    const auto failed = lower(b.program(), {});
    QVERIFY(!failed);
    QCOMPARE(QString::fromStdString(failed.error().message), QStringLiteral("'y' may lie in 'dtcm', and the pools are 'arena'"));
}

void TestLower::namesProducersConsumersAndMembers()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), y = b.tensor("y", 8), s = b.tensor("s", 4);
    const auto v = b.view("v", h, 8);
    const auto first = b.op("first", {x}, {h}, {s});
    const auto second = b.op("second", {v, h}, {y});
    const auto third = b.op("third", {v}, {});
    const Lowering result = lowered(b.program());
    const auto origin = [&](TensorId t) { return result.origins[static_cast<std::size_t>(bound(result, t).buffer)]; };
    QCOMPARE(origin(h).tensor, h);
    QCOMPARE(origin(h).producer, first);
    QCOMPARE(origin(h).consumers, (std::vector<OpId>{second, third}));
    QCOMPARE(origin(h).members, (std::vector<TensorId>{h, v}));
    QCOMPARE(origin(x).producer, none);
    QCOMPARE(origin(s).producer, first);
    QVERIFY(origin(s).consumers.empty());
}

void TestLower::explainsOptionsThatDoNotExist()
{
    LowerOptions options;
    const auto value = options.set("views", "joined");
    QVERIFY(value);
    QCOMPARE(QString::fromStdString(toText(*value)),
             QStringLiteral("error: the lowering option 'views' cannot be 'joined' (it is 'separate' or 'merged')"));
    QVERIFY(options.set("view", "merged"));
    QVERIFY(!options.set("order", "dag"));
    QCOMPARE(options.order, Order::dag);
}

void TestLower::refusesProgramsThatDoNotVerify()
{
    ProgramBuilder b;
    b.op("a", {b.tensor("never-written", 8)}, {});
    const auto failed = lower(b.program(), {});
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, Code::neverWritten);
}

void TestLower::keepsCandidatesOfAProblemByName()
{
    Problem problem;
    problem.pools = {pool("dtcm"), pool("sram")};
    problem.buffers.resize(2);
    problem.buffers[0] = test::bufferOf({.name = "a", .size = 10, .live = {{0, 2}}, .pools = {0}});
    problem.buffers[1] = test::bufferOf({.name = "b", .size = 10, .live = {{1, 3}}});
    LowerOptions options;
    options.alignment = 16;
    options.pools = {pool("sram"), pool("dtcm")};
    const auto result = lower(problem, options);
    QVERIFY(result);
    QCOMPARE(result->problem.buffers[0].pools, std::vector<PoolId>{1});
    QCOMPARE(result->problem.buffers[0].size, Bytes{16});
    QCOMPARE(result->problem.buffers[0].alignment, Bytes{16});
    options.pools.pop_back();
    const auto failed = lower(problem, options);
    QVERIFY(!failed);
    QVERIFY(failed.error().message.find("'dtcm'") != std::string::npos);
}

void TestLower::lowersAHundredThousandOps()
{
    ProgramBuilder b;
    std::vector<TensorId> made{b.input("x", 64)};
    for (int i = 0; i < 100'000; ++i) {
        const auto out = b.tensor("t" + std::to_string(i), 64);
        const auto op = b.op("op" + std::to_string(i), {made.back(), made[made.size() / 2]}, {out});
        b.at(op).inPlace = {{made.back(), out}};
        made.push_back(out);
    }
    b.output(made.back());
    // A tenth of a second; whatever is quadratic here runs into the time limit of all tests.
    const Lowering plain = lowered(b.program());
    const Lowering merged = lowered(b.program(), with({{"inplace", "allowed"}, {"views", "merged"}}));
    QCOMPARE(plain.problem.buffers.size(), std::size_t{100'001});
    QVERIFY(merged.problem.buffers.size() < plain.problem.buffers.size());
}

QTEST_APPLESS_MAIN(TestLower)
#include "tst_lower.moc"
