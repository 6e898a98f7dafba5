// Results in the place of their inputs, and views in what they view.
#include "tests/core/lowering_helpers.h"

#include <QTest>

using namespace stowage;
using namespace stowage::test;

class TestLowerMerge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mergesInPlaceOnTheLastUseOnly();
    void neverTurnsAnInputIntoAnOutput();
    void mergesRequiredPairsAlways();
    void reportsAnImpossibleRequiredPair();
    void mergesRequiredPairsInAnyOrder();
    void mergesRequiredPairsInEachCall();
    void requiredPairsLieWhereBothMayLie();
    void mergesViewsOnRequest();
    void keepsViewsApartWhereSomethingWritesOver();
    void viewsOfInputsMayBeOutputsButAreNotWrittenOver();
    void keepsWhatEveryIterationReads();
    void keepsWhatIsCopiedWhereARegionEnds();
    void keepsWhatTheCallerReads();
    void keepsAnInputFromAResultThatNobodyReads();
    void keepsWhatOnlyOneOfTheNextBranchesReads();
    void keepsInputsOfOneOpApart();
    void keepsAViewApartFromAResultOfALoopThatMayNotRun();
};

void TestLowerMerge::mergesInPlaceOnTheLastUseOnly()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), k = b.tensor("k", 8), l = b.tensor("l", 8), big = b.tensor("big", 9);
    const auto z = b.tensor("z", 8);
    b.op("first", {x}, {h});                                 // 1
    b.at(b.op("a", {h}, {k})).inPlace = {{h, k}};            // 2: h is read again
    b.at(b.op("b", {h, k}, {l})).inPlace = {{h, l}, {k, l}}; // 3: the first pair is taken
    b.at(b.op("c", {l}, {big})).inPlace = {{l, big}};        // 4: too large
    b.at(b.op("d", {big}, {z})).inPlace = {{big, z}};        // 5: fits
    const LowerOptions options = with({{"inplace", "allowed"}});
    const Lowering result = lowered(b.program(), options);
    QVERIFY(!sameBytes(result, h, k));
    QVERIFY(sameBytes(result, h, l));
    QVERIFY(!sameBytes(result, k, l));
    QVERIFY(!sameBytes(result, l, big));
    QVERIFY(sameBytes(result, big, z));
    QCOMPARE(live(result, "h"), QStringLiteral("1-5"));
    QCOMPARE(live(result, "big"), QStringLiteral("4-6"));
    QCOMPARE(find(result, "big")->size, Bytes{9});
    QCOMPARE(lowered(b.program()).problem.buffers.size(), std::size_t{6}); // off by default
}

void TestLowerMerge::neverTurnsAnInputIntoAnOutput()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), y = b.input("y", 8), t = b.tensor("t", 8), z = b.tensor("z", 8);
    b.at(b.op("a", {x}, {z})).inPlace = {{x, z}};
    b.at(b.op("b", {y}, {t})).inPlace = {{y, t}};
    b.output(z);
    const Lowering result = lowered(b.program(), with({{"inplace", "allowed"}}));
    QVERIFY(!sameBytes(result, x, z));
    QVERIFY(sameBytes(result, y, t)); // an input may be used up
}

void TestLowerMerge::mergesRequiredPairsAlways()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 12);
    b.op("first", {x}, {h});
    const auto op = b.op("a", {h}, {z});
    b.at(op).inPlace = {{h, z}};
    b.at(op).inPlaceRequired = true;
    const Lowering result = lowered(b.program());
    QVERIFY(sameBytes(result, h, z));
    QCOMPARE(find(result, "h")->size, Bytes{12}); // grows: the result has to lie there
}

void TestLowerMerge::reportsAnImpossibleRequiredPair()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8);
    b.op("first", {x}, {h});
    const auto op = b.op("a", {h}, {z});
    b.at(op).inPlace = {{h, z}};
    b.at(op).inPlaceRequired = true;
    b.at(op).where = {"m.json", 9, 1, -1};
    b.op("last", {h, z}, {});
    const auto failed = lower(b.program(), {});
    QVERIFY(!failed);
    QCOMPARE(failed.error().where.line, 9);
    QCOMPARE(QString::fromStdString(failed.error().message),
             QStringLiteral("op 'a' of 'main' has to write 'z' over 'h', which is not possible: the input is still needed"));
}

void TestLowerMerge::mergesRequiredPairsInAnyOrder()
{
    ProgramBuilder b;
    const auto x = b.tensor("x", 8), r = b.tensor("r", 8), y = b.tensor("y", 8), z = b.tensor("z", 8);
    b.op("make", {}, {x});
    b.op("read", {x}, {r});
    const auto op = b.op("update", {x}, {y});
    b.at(op).inPlace = {{x, y}};
    b.at(op).inPlaceRequired = true;
    b.op("last", {y, r}, {z});
    b.output(z);
    const auto result = lower(b.program(), with({{"order", "dag"}}));
    QVERIFY2(result, result ? "" : toText(result.error()).c_str());
    QVERIFY(sameBytes(*result, x, y) && !sameBytes(*result, x, r));
}

void TestLowerMerge::mergesRequiredPairsInEachCall()
{
    for (const char* order : {"linear", "dag"}) {
        ProgramBuilder b;
        const FunctionId callee = b.function("f");
        const auto p = b.input("p", 8), h = b.tensor("h", 8), k = b.tensor("k", 8), l = b.tensor("l", 8), q = b.tensor("q", 8);
        b.op("first", {p}, {h});
        for (const auto& [from, to] : {std::pair(h, k), std::pair(k, l)}) {
            const auto op = b.op(b.get(to).name, {from}, {to});
            b.at(op).inPlace = {{from, to}};
            b.at(op).inPlaceRequired = true;
        }
        b.op("last", {l}, {q});
        b.output(q);
        b.use(0);
        const auto x = b.input("x", 8), y = b.tensor("y", 8), z = b.tensor("z", 8), w = b.tensor("w", 8);
        b.call("call 1", callee, {x}, {y});
        b.call("call 2", callee, {x}, {z});
        b.op("join", {y, z}, {w});
        b.output(w);
        const auto result = lower(b.program(), with({{"order", order}}));
        QVERIFY2(result, result ? "" : toText(result.error()).c_str());
        QCOMPARE(result->instances.size(), 3U);
        for (const std::size_t call : {1U, 2U}) {
            QCOMPARE(bound(*result, k, call).buffer, bound(*result, h, call).buffer);
            QCOMPARE(bound(*result, l, call).buffer, bound(*result, h, call).buffer);
        }
    }
}

void TestLowerMerge::requiredPairsLieWhereBothMayLie()
{
    ProgramBuilder b;
    const auto x = b.tensor("x", 8), y = b.tensor("y", 8), z = b.tensor("z", 8);
    b.at(b.op("make", {}, {x})).device = "npu";
    const auto op = b.op("update", {x}, {y});
    b.at(op).device = "npu";
    b.at(op).inPlace = {{x, y}};
    b.at(op).inPlaceRequired = true;
    b.at(b.op("last", {y}, {z})).device = "cpu";
    b.output(z);
    b.program().pools = {pool("sram", PoolKind::workspace, {"npu"}), pool("dram", PoolKind::workspace, {"npu", "cpu"})};
    QCOMPARE(find(lowered(b.program()), "x")->pools, (std::vector<PoolId>{1})); // the cpu does not reach sram
    b.get(x).pools = {"dram", "sram"};
    b.get(y).pools = {"sram", "dram"};
    QCOMPARE(find(lowered(b.program()), "x")->pools, (std::vector<PoolId>{1, 0}));
    b.get(x).pools = {"sram"};
    b.get(y).pools = {"dram"};
    const auto failed = lower(b.program(), {});
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, Code::inPlaceImpossible);
    QVERIFY(failed.error().message.find("they may not lie in the same pools") != std::string::npos);
    QVERIFY(!failed.error().remedy.empty());
}

void TestLowerMerge::mergesViewsOnRequest()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), v = b.tensor("v", 8), w = b.tensor("w", 8), z = b.tensor("z", 8);
    b.op("first", {x}, {h});
    b.at(b.op("a", {h}, {v})).kind = "EXPAND_DIMS";
    b.at(b.op("b", {v}, {w})).kind = "Reshape";
    b.op("c", {h, w}, {z}); // the viewed tensor lives on: both hold the same bytes
    b.at(b.op("d", {x}, {})).kind = "reshape";
    b.output(z);
    QVERIFY(!sameBytes(lowered(b.program()), h, v));
    const Lowering result = lowered(b.program(), with({{"views", "merged"}}));
    QVERIFY(sameBytes(result, h, v) && sameBytes(result, h, w));
    QCOMPARE(live(result, "h"), QStringLiteral("1-5"));
}

void TestLowerMerge::keepsViewsApartWhereSomethingWritesOver()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8);
    const auto over = b.view("over", h, 8); // a second write of h's bytes
    const auto v = b.tensor("v", 8);
    b.op("first", {x}, {h});
    b.at(b.op("a", {h}, {v})).kind = "reshape";
    b.op("b", {}, {over});
    b.op("c", {v, over}, {z});
    b.output(z);
    const Lowering result = lowered(b.program(), with({{"views", "merged"}}));
    QVERIFY(!sameBytes(result, h, v));
}

void TestLowerMerge::viewsOfInputsMayBeOutputsButAreNotWrittenOver()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), direct = b.tensor("direct", 8), y = b.input("y", 8), over = b.tensor("over", 8);
    b.at(b.op("a", {x}, {direct})).kind = "identity";
    b.at(b.op("b", {y}, {over})).inPlace = {{y, over}};
    b.output(direct);
    b.output(over);
    const Lowering result = lowered(b.program(), with({{"views", "merged"}, {"inplace", "allowed"}}));
    QVERIFY(sameBytes(result, x, direct));
    QVERIFY(!sameBytes(result, y, over));
}

void TestLowerMerge::keepsWhatEveryIterationReads()
{
    // The body is a single step, so that input and result are live together at the op alone; the next iteration reads the input
    // again.
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8);
    b.op("first", {x}, {h});
    const auto loop = b.loop("loop", {}, {});
    b.begin(loop, RegionRole::body);
    const auto t = b.tensor("t", 8);
    b.at(b.op("a", {h}, {t})).inPlace = {{h, t}};
    b.end();
    QVERIFY(!sameBytes(lowered(b.program(), with({{"inplace", "allowed"}})), h, t));
}

void TestLowerMerge::keepsWhatIsCopiedWhereARegionEnds()
{
    ProgramBuilder b;
    const auto c = b.input("c", 1), x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8);
    b.op("first", {x}, {h});
    const auto pick = b.pick("pick", {c}, {z});
    b.begin(pick, RegionRole::branch);
    const auto t = b.tensor("t", 8);
    b.at(b.op("a", {h}, {t})).inPlace = {{h, t}};
    b.output(h); // passed on: copied to z behind the op
    b.end();
    b.output(z);
    QVERIFY(!sameBytes(lowered(b.program(), with({{"inplace", "allowed"}})), h, t));
}

void TestLowerMerge::keepsWhatTheCallerReads()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), t = b.tensor("t", 8);
    b.op("first", {x}, {h});
    b.at(b.op("a", {h}, {t})).inPlace = {{h, t}}; // the last step: nothing behind it but the caller
    b.output(h);
    QVERIFY(!sameBytes(lowered(b.program(), with({{"inplace", "allowed"}})), h, t));
}

void TestLowerMerge::keepsAnInputFromAResultThatNobodyReads()
{
    ProgramBuilder b;
    const auto x = b.input("x", 8), h = b.tensor("h", 8), unused = b.tensor("unused", 8), z = b.tensor("z", 8);
    b.op("first", {x}, {h});
    b.at(b.op("a", {h}, {unused})).inPlace = {{h, unused}};
    b.op("last", {h}, {z});
    QVERIFY(!sameBytes(lowered(b.program(), with({{"inplace", "allowed"}})), h, unused));
}

void TestLowerMerge::keepsWhatOnlyOneOfTheNextBranchesReads()
{
    // h has a gap over the first branch, which comes next in the list; a run may take the second one.
    ProgramBuilder b;
    const auto c = b.input("c", 1), x = b.input("x", 8), h = b.tensor("h", 8), unused = b.tensor("unused", 8);
    b.op("first", {x}, {h});                                // 1
    b.at(b.op("a", {h}, {unused})).inPlace = {{h, unused}}; // 2
    const auto pick = b.pick("pick", {c}, {});
    b.begin(pick, RegionRole::branch);
    b.op("b0", {}, {}); // 3
    b.end();
    b.begin(pick, RegionRole::branch);
    b.op("b1", {h}, {}); // 4
    b.end();
    const Lowering result = lowered(b.program(), with({{"inplace", "allowed"}}));
    QVERIFY(!sameBytes(result, h, unused));
    QCOMPARE(live(result, "h"), QStringLiteral("1-3 4-5"));
}

void TestLowerMerge::keepsInputsOfOneOpApart()
{
    // Both inputs may take the result; the branch's input is live at that step alone.
    ProgramBuilder b;
    const auto c = b.input("c", 1), x = b.input("x", 8), h = b.tensor("h", 8);
    b.op("first", {x}, {h});
    const auto pick = b.pick("pick", {c, x}, {});
    b.begin(pick, RegionRole::branch);
    const auto own = b.input("own", 4), t = b.tensor("t", 4); // of another size than x: a copy
    b.at(b.op("a", {h, own}, {t})).inPlace = {{h, t}, {own, t}};
    b.end();
    const Lowering result = lowered(b.program(), with({{"inplace", "allowed"}}));
    QVERIFY(sameBytes(result, h, t));
    QVERIFY(!sameBytes(result, h, own));
}

void TestLowerMerge::keepsAViewApartFromAResultOfALoopThatMayNotRun()
{
    const auto viewed = [](std::optional<std::int64_t> tripCount) {
        ProgramBuilder b;
        const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 8), last = b.tensor("last", 8);
        b.op("first", {x}, {h});
        const auto loop = b.loop("loop", {x}, {z});
        b.begin(loop, RegionRole::body);
        const auto p = b.input("p", 8), y = b.tensor("y", 8);
        b.at(b.op("a", {h}, {y})).kind = "reshape"; // y lies in z, the result of the loop
        b.output(y);
        b.end();
        b.at(loop).carries = {{y, p}};
        b.at(loop).tripCount = tripCount;
        b.op("last", {h, z}, {last});
        return sameBytes(lowered(b.program(), with({{"views", "merged"}})), h, z);
    };
    QVERIFY(viewed(3));
    QVERIFY(!viewed(0)); // then z is x, written over h
    QVERIFY(!viewed(std::nullopt));
}

QTEST_APPLESS_MAIN(TestLowerMerge)
#include "tst_lower_merge.moc"
