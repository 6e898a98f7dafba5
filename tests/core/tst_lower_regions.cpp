// How calls, cases and loops are lowered, on programs small enough to be checked by hand.
#include "tests/core/lowering_helpers.h"

#include <QTest>

using namespace stowage;
using namespace stowage::test;

class TestLowerRegions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void expandsCallsInPlace();
    void givesACalleesBuffersOneRangeForEachCall();
    void copiesWhatACalleeCannotReturnInPlace();
    void putsBranchesOnDisjointSteps();
    void leavesAGapOverTheOtherBranches();
    void copiesAPassedThroughTensorAtTheBranchsEnd();
    void givesAnEmptyRegionAStepOfItsOwn();
    void keepsCarriedAndOuterTensorsOverTheWholeLoop();
    void letsALoopUseUpItsInput();
    void keepsTheLoopsInputWhenItIsNeededLater();
    void keepsLoopResultsWhileTheConditionIsTestedAgain();
    void rotatesMultiBufferedTensorsWithTheirLoop();
};

void TestLowerRegions::expandsCallsInPlace()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8);
    const auto f = b.function("f");
    const auto i = b.input("i", 8), t = b.tensor("t", 8), o = b.tensor("o", 8), p = b.tensor("p", 8);
    b.op("f1", {i}, {t});
    b.op("f2", {t}, {o});
    b.op("f3", {t}, {p});
    b.output(o);
    b.use(0);
    const auto first = b.call("call", f, {x}, {h});
    b.op("last", {h}, {z});
    b.output(z);
    const Lowering result = lowered(b.program());
    QCOMPARE(live(result, "x"), QStringLiteral("0-2")); // last read inside the callee, at its first op
    QCOMPARE(live(result, "f/t"), QStringLiteral("1-4"));
    QCOMPARE(live(result, "h"), QStringLiteral("2-5")); // written inside, by the callee's second op
    QCOMPARE(live(result, "f/p"), QStringLiteral("3-4"));
    QCOMPARE(live(result, "z"), QStringLiteral("4-5"));
    QCOMPARE(result.instances.size(), std::size_t{2});
    QCOMPARE(result.instances[1].callSite, first);
    QCOMPARE(bound(result, o, 1).buffer, bound(result, h).buffer);
    QCOMPARE(bound(result, i, 1).buffer, bound(result, x).buffer);
    QCOMPARE(result.steps[2].function, f);
    QCOMPARE(result.steps[2].instance, 1);
    QCOMPARE(result.steps[4].instance, 0);
}

void TestLowerRegions::givesACalleesBuffersOneRangeForEachCall()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), m = b.tensor("m", 8), z = b.tensor("z", 8);
    const auto f = b.function("f");
    const auto i = b.input("i", 8), t = b.tensor("t", 8), o = b.tensor("o", 8);
    b.op("f1", {i}, {t});
    b.op("f2", {t}, {o});
    b.output(o);
    b.use(0);
    b.call("c1", f, {x}, {h});
    b.op("middle", {h}, {m});
    b.call("c2", f, {m}, {z});
    b.output(z);
    const Lowering result = lowered(b.program());
    QCOMPARE(live(result, "f/t"), QStringLiteral("1-3 4-6"));
    QCOMPARE(bound(result, t, 1).buffer, bound(result, t, 2).buffer);
    QCOMPARE(bound(result, o, 2).buffer, bound(result, z).buffer);
}

void TestLowerRegions::copiesWhatACalleeCannotReturnInPlace()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), twice = b.tensor("twice", 8), through = b.tensor("through", 8);
    const auto f = b.function("f");
    const auto i = b.input("i", 8), o = b.tensor("o", 8), other = b.tensor("other", 8);
    b.op("f1", {i}, {o});
    b.op("f2", {o}, {other});
    b.output(o);
    b.output(o); // twice
    b.output(i); // passed through
    b.use(0);
    b.call("c", f, {x}, {h, twice, through});
    b.op("last", {h, twice, through}, {});
    const Lowering result = lowered(b.program());
    QCOMPARE(bound(result, o, 1).buffer, bound(result, h).buffer);
    QCOMPARE(live(result, "h"), QStringLiteral("1-4"));
    QCOMPARE(live(result, "twice"), QStringLiteral("2-4")); // copied at the callee's last step
    QCOMPARE(live(result, "through"), QStringLiteral("2-4"));
    QCOMPARE(live(result, "x"), QStringLiteral("0-3")); // read by the copy
}

void TestLowerRegions::putsBranchesOnDisjointSteps()
{
    ProgramBuilder b;
    const auto c = b.input("c", 1), x = b.input("x", 8), z = b.tensor("z", 8), after = b.tensor("after", 8);
    const auto pick = b.pick("pick", {c, x}, {z});
    b.begin(pick, RegionRole::branch);
    const auto i0 = b.input("i0", 8), t0 = b.tensor("t0", 8), y0 = b.tensor("y0", 8);
    b.op("a0", {i0}, {t0});
    b.op("b0", {t0}, {y0});
    b.output(y0);
    b.end();
    b.begin(pick, RegionRole::branch);
    const auto i1 = b.input("i1", 8), t1 = b.tensor("t1", 8), y1 = b.tensor("y1", 8);
    b.op("a1", {}, {t1});
    b.op("b1", {t1, i1}, {y1});
    b.op("c1", {t1}, {});
    b.output(y1);
    b.end();
    b.op("last", {z}, {after});
    const Lowering result = lowered(b.program());
    QCOMPARE(live(result, "t0"), QStringLiteral("1-3"));
    QCOMPARE(live(result, "t1"), QStringLiteral("3-6"));
    QCOMPARE(live(result, "c"), QStringLiteral("0-2 3-4")); // chosen before the first step of either branch
    QCOMPARE(live(result, "x"), QStringLiteral("0-2 3-5")); // read at step 1 on one path, at step 4 on the other
    QVERIFY(sameBytes(result, i0, x) && sameBytes(result, i1, x));
    QVERIFY(sameBytes(result, y0, z) && sameBytes(result, y1, z));
    QCOMPARE(live(result, "z"), QStringLiteral("2-3 4-7"));
    QCOMPARE(live(result, "after"), QStringLiteral("6-7"));
}

void TestLowerRegions::leavesAGapOverTheOtherBranches()
{
    ProgramBuilder b;
    const auto c = b.input("c", 1), x = b.input("x", 8), z = b.tensor("z", 8);
    const auto before = b.tensor("before", 8);
    b.op("first", {x}, {before});
    const auto pick = b.pick("pick", {c}, {z});
    for (int branch = 0; branch < 3; ++branch) {
        b.begin(pick, RegionRole::branch);
        const auto y = b.tensor("y" + std::to_string(branch), 8);
        b.op("a" + std::to_string(branch), branch == 1 ? ProgramBuilder::Tensors{before} : ProgramBuilder::Tensors{x}, {y});
        b.op("b" + std::to_string(branch), {}, {});
        b.output(y);
        b.end();
    }
    b.op("last", {z, x}, {});
    const Lowering result = lowered(b.program());
    QCOMPARE(live(result, "before"), QStringLiteral("1-2 4-5")); // branch 1 alone reads it: free on the others
    QCOMPARE(live(result, "x"), QStringLiteral("0-9"));          // needed on all paths
    QCOMPARE(live(result, "z"), QStringLiteral("2-9"));          // written by every branch's first op
}

void TestLowerRegions::copiesAPassedThroughTensorAtTheBranchsEnd()
{
    ProgramBuilder b;
    const auto c = b.input("c", 1), x = b.input("x", 8), z = b.tensor("z", 8);
    const auto pick = b.pick("pick", {c}, {z});
    b.begin(pick, RegionRole::branch);
    const auto y = b.tensor("y", 8);
    b.op("a", {x}, {y});
    b.output(y);
    b.end();
    b.begin(pick, RegionRole::branch);
    b.op("b", {}, {});
    b.op("c", {}, {});
    b.output(x); // an outer tensor
    b.end();
    b.output(z);
    const Lowering result = lowered(b.program());
    QVERIFY(sameBytes(result, y, z));
    QVERIFY(!sameBytes(result, x, z));
    QCOMPARE(live(result, "x"), QStringLiteral("0-4"));
    QCOMPARE(live(result, "z"), QStringLiteral("1-2 3-4")); // written by the copy, at the branch's last step
}

void TestLowerRegions::givesAnEmptyRegionAStepOfItsOwn()
{
    ProgramBuilder b;
    const auto c = b.input("c", 1), x = b.input("x", 8), z = b.tensor("z", 8);
    const auto pick = b.pick("pick", {c}, {z});
    b.begin(pick, RegionRole::branch);
    b.output(x);
    b.end();
    b.begin(pick, RegionRole::branch);
    const auto y = b.tensor("y", 8);
    b.op("a", {x}, {y});
    b.output(y);
    b.end();
    b.output(z);
    const Lowering result = lowered(b.program());
    QCOMPARE(result.steps.size(), std::size_t{3});
    QCOMPARE(result.steps[1].op, pick);
    QCOMPARE(live(result, "z"), QStringLiteral("1-3"));

    ProgramBuilder nothing;
    nothing.output(nothing.input("x", 8));
    QCOMPARE(live(lowered(nothing.program()), "x"), QStringLiteral("0-1"));
}

void TestLowerRegions::keepsCarriedAndOuterTensorsOverTheWholeLoop()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), w = b.tensor("w", 8), z = b.tensor("z", 8);
    b.op("first", {}, {w}); // 1
    const auto loop = b.loop("loop", {x}, {z});
    b.begin(loop, RegionRole::body); // 2 to 4
    const auto p = b.input("p", 8), t = b.tensor("t", 8), y = b.tensor("y", 8);
    b.op("a", {p, w}, {t});
    b.op("b", {t}, {y});
    b.op("c", {}, {});
    b.output(y);
    b.end();
    b.at(loop).carries = {{y, p}};
    b.at(loop).tripCount = 5;
    b.op("last", {z}, {}); // 5
    const Lowering result = lowered(b.program());
    QCOMPARE(live(result, "w"), QStringLiteral("1-5")); // read at step 2 only, and again in the next iteration
    QCOMPARE(live(result, "t"), QStringLiteral("2-4"));
    QCOMPARE(live(result, "z"), QStringLiteral("2-6")); // holds y, which is carried
    QVERIFY(sameBytes(result, y, z));
    QVERIFY(sameBytes(result, p, x)); // x is not needed any more: the loop may use it up
    QCOMPARE(live(result, "x"), QStringLiteral("0-5"));
    QCOMPARE(result.problem.loops.size(), std::size_t{1});
    QCOMPARE(result.problem.loops[0].live, (Interval{2, 5}));
    QCOMPARE(result.problem.loops[0].tripCount, std::optional<std::int64_t>{5});
    QCOMPARE(find(result, "t")->loop, 0);
    QCOMPARE(find(result, "w")->loop, none);
}

void TestLowerRegions::letsALoopUseUpItsInput()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8);
    b.op("first", {x}, {h});
    const auto loop = b.loop("loop", {h}, {z});
    b.begin(loop, RegionRole::body);
    const auto p = b.input("p", 8), y = b.tensor("y", 8);
    b.op("a", {p}, {y});
    b.output(y);
    b.end();
    b.at(loop).carries = {{y, p}};
    b.output(z);
    Lowering result = lowered(b.program());
    QVERIFY(sameBytes(result, p, h));
    QCOMPARE(result.problem.buffers.size(), std::size_t{3});
}

void TestLowerRegions::keepsTheLoopsInputWhenItIsNeededLater()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8), k = b.input("k", 8);
    b.op("first", {x}, {h});
    const auto loop = b.loop("loop", {h, k}, {z});
    b.begin(loop, RegionRole::body);
    const auto p = b.input("p", 8), q = b.input("q", 8), y = b.tensor("y", 8);
    b.op("a", {p, q}, {y});
    b.output(y);
    b.end();
    b.at(loop).carries = {{y, p}};
    b.op("last", {h, z}, {});
    const Lowering result = lowered(b.program());
    QVERIFY(!sameBytes(result, p, h)); // copied when the loop is entered
    QCOMPARE(live(result, "p"), QStringLiteral("2-3"));
    QCOMPARE(live(result, "h"), QStringLiteral("1-4"));
    QVERIFY(sameBytes(result, q, k)); // not carried: read where it lies
    QCOMPARE(live(result, "k"), QStringLiteral("0-3"));
}

void TestLowerRegions::keepsLoopResultsWhileTheConditionIsTestedAgain()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), z = b.tensor("z", 8);
    const auto loop = b.loop("loop", {x}, {z});
    b.begin(loop, RegionRole::condition);
    const auto q = b.input("q", 8), scratch = b.tensor("scratch", 8), test = b.tensor("test", 1);
    b.op("c1", {q}, {scratch});
    b.op("c2", {scratch}, {test});
    b.output(test);
    b.end();
    b.begin(loop, RegionRole::body);
    const auto p = b.input("p", 8), y = b.tensor("y", 8);
    b.op("a", {p}, {});
    b.op("b", {p}, {y});
    b.output(y);
    b.end();
    b.op("last", {z}, {});
    const Lowering result = lowered(b.program());
    // Nothing is carried, but the condition runs once more after the last iteration, before z is read.
    QCOMPARE(live(result, "z"), QStringLiteral("1-6"));
    QCOMPARE(live(result, "scratch"), QStringLiteral("1-3"));
    QVERIFY(sameBytes(result, q, x) && sameBytes(result, p, x));
    QCOMPARE(live(result, "x"), QStringLiteral("0-5"));
}

void TestLowerRegions::rotatesMultiBufferedTensorsWithTheirLoop()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), outside = b.tensor("outside", 8);
    b.get(outside).multiBuffer = 2;
    b.op("first", {}, {outside});
    const auto loop = b.loop("loop", {x}, {});
    b.begin(loop, RegionRole::body);
    const auto p = b.input("p", 8), t = b.tensor("t", 8);
    b.get(t).multiBuffer = 2;
    b.op("a", {p, outside}, {t});
    b.op("b", {t}, {});
    b.end();
    const Lowering result = lowered(b.program());
    QCOMPARE(find(result, "t")->slots, 2);
    QCOMPARE(find(result, "t")->loop, 0);
    QCOMPARE(find(result, "outside")->slots, 1);
    QCOMPARE(result.diagnostics.at(0).code, Code::noLoop);
}

QTEST_APPLESS_MAIN(TestLowerRegions)
#include "tst_lower_regions.moc"
