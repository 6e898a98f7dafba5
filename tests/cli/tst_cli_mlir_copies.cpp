// How long memrefs of copies in flight are live: until a tag or a token was waited for.
#include "tests/cli/mlir_modules.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

class CliMlirCopiesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The start of a copy gives it %a. Before its end a has bytes of its own; afterwards d may take them, as b does not.
    void copiesInFlightKeepTheirMemrefs_data()
    {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QByteArray>("wait");
        QTest::addColumn<bool>("ends");
        const QByteArray dma = "memref.dma_start %a[%c0], %far[%c0], %n, %tag[%c0] : $M, memref<256xf32, 1>, memref<2xi32>";
        const QByteArray wait = "memref.dma_wait %tag[%c0], %n : memref<2xi32>";
        QTest::newRow("tag") << dma << wait << true;
        QTest::newRow("tag, never") << dma << QByteArray() << false;
        QTest::newRow("tag, perhaps") << dma << QByteArray("scf.if %c {\n    " + wait + "\n  }") << false;
        const QByteArray twice = dma + "\n  " + dma;
        QTest::newRow("tag, twice and one wait") << twice << wait << false;
        QTest::newRow("tag, twice and two waits") << twice << QByteArray(wait + "\n  " + wait) << true;
        QTest::newRow("tag, again") << dma << QByteArray(wait + "\n  " + dma + "\n  " + wait) << true;
        QTest::newRow("tag, another one") << dma << QByteArray(wait).replace("%tag", "%tag2") << false;
        QTest::newRow("tag, another element") << dma << QByteArray(wait).replace("[%c0]", "[%c1]") << false;
        const QByteArray zero = "%zero = arith.constant 0 : index\n  ";
        const QByteArray alsoZero = QByteArray(dma).replace("%tag[%c0]", "%tag[%zero]");
        QTest::newRow("tag, twice by two constants of one value") << QByteArray(zero + dma + "\n  " + alsoZero) << wait << false;
        const QByteArray cast = "%v = memref.cast %tag : memref<2xi32> to memref<?xi32>\n  ";
        const QByteArray viewed = QByteArray(dma).replace("%tag[%c0]", "%v[%c0]").replace("memref<2xi32>", "memref<?xi32>");
        QTest::newRow("tag, twice and once under another name") << QByteArray(cast + dma + "\n  " + viewed) << wait << false;
        const QByteArray select = "%s = arith.select %c, %tag, %tag2 : memref<2xi32>\n  ";
        const QByteArray either = select + dma + "\n  " + QByteArray(dma).replace("%tag[", "%s[");
        QTest::newRow("tag, and one that may be it") << either << wait << false;
        QTest::newRow("tag, and one that may be it, two waits")
            << either << QByteArray(wait + "\n  " + QByteArray(wait).replace("%tag", "%s")) << true;
        QTest::newRow("tag, in either branch")
            << QByteArray("scf.if %c {\n    " + dma + "\n  } else {\n    " + dma + "\n  }") << wait << true;
        QTest::newRow("affine tag") << QByteArray(
                                           "affine.dma_start %a[0], %far[0], %tag[0], %n : $M, memref<256xf32, 1>, memref<2xi32>")
                                    << QByteArray("affine.dma_wait %tag[0], %n : memref<2xi32>") << true;
        const QByteArray task = "%t = \"async.execute\"() ({\n    exp %a, %out\n    \"async.yield\"() : () -> ()\n  }) : () -> "
                                "!async.token";
        const QByteArray await = "\"async.await\"(%t) : (!async.token) -> ()";
        QTest::newRow("token") << task << await << true;
        QTest::newRow("token, never") << task << QByteArray() << false;
        const QByteArray next = "\n  %u = \"async.execute\"(%t) ({\n    \"async.yield\"() : () -> ()\n  }) : (!async.token) -> "
                                "!async.token";
        QTest::newRow("token of a token") << QByteArray(task + next) << QByteArray(await).replace("%t", "%u") << true;
    }
    void copiesInFlightKeepTheirMemrefs()
    {
        QFETCH(QByteArray, start);
        QFETCH(QByteArray, wait);
        QFETCH(bool, ends);
        const QByteArray text = moduleOf("\n" + bounds + R"(  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<2xi32>
  %tag2 = memref.alloc() : memref<2xi32>
  %far = memref.alloc() : memref<256xf32, 1>
  %a = memref.alloc() : $M
  exp %in, %a
  )" + start + R"(
  %b = memref.alloc() : $M
  exp %in, %b
  )" + wait + R"(
  %d = memref.alloc() : $M
  exp %in, %d
  exp %b, %out
  exp %d, %out
)");
        const auto planned = cli_({"plan", cli_.file("flight.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        const QMap<QString, Place> first{{"a", places["a"]}, {"b", places["b"]}}, second{{"b", places["b"]}, {"d", places["d"]}};
        QVERIFY2(overlapIn(first).isEmpty() && overlapIn(second).isEmpty(), planned.out);
        // Three of 1,024 bytes at once; or two, and tags.
        QCOMPARE(std::max({places["a"].end, places["b"].end, places["d"].end}) < 3 * 1'024, ends);
    }

    /// Which of two copies on one element of a tag the first wait ends, nobody knows: %e may take no bytes of either.
    void copiesOfOneTagAreInFlightUntilItsLastWait()
    {
        const QByteArray text = moduleOf("\n" + bounds + R"(  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<1xi32>
  %far = memref.alloc() : memref<256xf32, 1>
  %a = memref.alloc() : $M
  %b = memref.alloc() : $M
  exp %in, %a
  exp %in, %b
  memref.dma_start %a[%c0], %far[%c0], %n, %tag[%c0] : $M, memref<256xf32, 1>, memref<1xi32>
  memref.dma_start %b[%c0], %far[%c0], %n, %tag[%c0] : $M, memref<256xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  %e = memref.alloc() : $M
  exp %in, %e
  exp %e, %out
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  %d = memref.alloc() : $M
  %g = memref.alloc() : $M
  exp %in, %d
  exp %in, %g
  exp %d, %out
  exp %g, %out
)");
        const auto planned = cli_({"plan", cli_.file("one_tag.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"a", "b", "d", "e", "far", "g", "tag"}));
        const QMap<QString, Place> flight{{"a", places["a"]}, {"b", places["b"]}, {"e", places["e"]}, {"tag", places["tag"]}};
        QVERIFY2(overlapIn(flight).isEmpty(), qPrintable(overlapIn(flight)));
        QVERIFY2(std::max(places["d"].end, places["g"].end) <= 3 * 1'024 + 64, planned.out); // both copies have ended
    }

    /// A wait ends one of the copies on the element, whichever block has started it: while one is in flight, %e may take no bytes
    /// of a buffer that may be its own.
    void aWaitMayEndACopyOfAnotherBlock_data()
    {
        QTest::addColumn<QByteArray>("before"); // %e is written
        QTest::addColumn<QByteArray>("after");
        const QByteArray wait = waitFor("%c0");
        const QByteArray loop = "  scf.for %i = %c0 to %c8 step %c1 {\n";
        QTest::newRow("loop") << QByteArray(startOf("a") + loop + startOf("b") + wait + "  }\n") << wait;
        QTest::newRow("branch") << QByteArray(startOf("a") + "  scf.if %c {\n" + startOf("b") + wait + "  }\n") << wait;
        // Each of the two that are in flight after the loop may be the last copy of %a.
        QTest::newRow("two from before the loop")
            << QByteArray(startOf("b") + startOf("b") + loop + wait + startOf("a") + wait + startOf("b") + "  }\n")
            << QByteArray(wait + wait);
        // Eight copies are in flight after the loop.
        QTest::newRow("a wait too few in each iteration")
            << QByteArray(loop + startOf("a") + startOf("b") + wait + "  }\n" + wait) << QByteArray();
        QTest::newRow("a wait that one branch leaves out")
            << QByteArray(startOf("a") + startOf("b") + "  scf.if %c {\n" + wait + "  }\n" + wait) << wait;
    }
    void aWaitMayEndACopyOfAnotherBlock()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const QByteArray text = moduleOf("\n" + bounds + R"(  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<1xi32>
  %far = memref.alloc() : memref<256xf32, 1>
  %a = memref.alloc() : $M
  %b = memref.alloc() : $M
  exp %in, %a
  exp %in, %b
)" + before + R"(  %e = memref.alloc() : $M
  exp %in, %e
  exp %e, %out
)" + after);
        const auto planned = cli_({"plan", cli_.file("blocks.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"a", "b", "e", "far", "tag"}));
        places.remove("far"); // in a memory of its own
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
    }

    /// Where waits and starts pair up, %e takes the bytes of a buffer whose copy has ended.
    void aCopyEndsWithTheWaitThatMakesItsTagFree_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("buffers"); // of 1,024 bytes, live at once
        const QByteArray outside = "  %a = memref.alloc() : $M\n  exp %in, %a\n  %b = memref.alloc() : $M\n  exp %in, %b\n";
        const QByteArray written = "  %e = memref.alloc() : $M\n  exp %in, %e\n  exp %e, %out\n";
        const QByteArray loop = "  scf.for %i = %c0 to %c8 step %c1 {\n";
        const QByteArray now = "  %now = arith.remui %i, %c2 : index\n";
        const QByteArray next = "  %j = arith.addi %i, %c1 : index\n  %next = arith.remui %j, %c2 : index\n";
        QTest::newRow("constants") << QByteArray(outside + startOf("a") + startOf("b", "%c1") + waitFor("%c0") + written +
                                                 waitFor("%c1"))
                                   << 2;
        QTest::newRow("another constant in flight around the loop")
            << QByteArray(outside + startOf("a") + loop + startOf("b", "%c1") + waitFor("%c1") + "  }\n" + written +
                          waitFor("%c0"))
            << 2;
        QTest::newRow("by turns in an iteration") << QByteArray(loop + now + "  %a = memref.alloc() : $M\n  exp %in, %a\n" +
                                                                startOf("a", "%now") + waitFor("%now") + written + "  }\n")
                                                  << 1;
        QTest::newRow("by turns, one iteration ahead")
            << QByteArray(outside + startOf("a") + loop + now + next + startOf("b", "%next") + waitFor("%now") + "  }\n" +
                          waitFor("%c0") + written)
            << 2;
        QTest::newRow("parallel loop") << QByteArray(outside + "  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n" +
                                                     startOf("a", "%c0") + waitFor("%c0") + "  }\n" + written +
                                                     "  exp %b, %out\n")
                                       << 2;
    }
    void aCopyEndsWithTheWaitThatMakesItsTagFree()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, buffers);
        const QByteArray text = moduleOf("\n" + bounds + R"(  %c2 = arith.constant 2 : index
  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<2xi32>
  %far = memref.alloc() : memref<256xf32, 1>
)" + QByteArray(body).replace("memref<1xi32>", "memref<2xi32>"));
        const auto planned = cli_({"plan", cli_.file("pairs.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0 && !planned.err.contains("warning"), planned.err);
        const auto places = placesIn(planned);
        QVERIFY2(places.contains("a") && places.contains("e"), planned.out);
        const qint64 end = std::max({places["a"].end, places["b"].end, places["e"].end});
        QVERIFY2(end <= buffers * 1'024 + 64, planned.out); // and the tag
    }

    /// Also in an op whose blocks run in an order that nobody knows: the tag is another one in each run of its block.
    void aTagThatIsMadeInABlockIsFreeAtItsBegin()
    {
        const QByteArray text = moduleOf("\n" + bounds + R"(  %n = arith.constant 256 : index
  %far = memref.alloc() : memref<256xf32, 1>
  %a = memref.alloc() : $M
  exp %in, %a
  scf.execute_region {
    cf.br ^next
  ^next:
    %tag = memref.alloc() : memref<1xi32>
)" + startOf("a") + waitFor("%c0") + R"(    scf.yield
  }
  %b = memref.alloc() : $M
  exp %in, %b
  exp %b, %out
)");
        const auto planned = cli_({"plan", cli_.file("blocks.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        QVERIFY2(places.contains("a") && places.contains("b"), planned.out);
        QVERIFY2(places["a"].end <= 1'024 && places["b"].end <= 1'024, planned.out);
    }

    /// One wait may end the copy that the caller has started: then the callee's own goes on while it writes t.
    void aTagOfTheCallerMayHaveACopyInFlight()
    {
        const QByteArray caller = "\n" + bounds + R"(  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<1xi32>
  %far = memref.alloc() : memref<256xf32, 1>
  %a = memref.alloc() : $M
  exp %in, %a
)" + startOf("a") + "  func.call @use(%tag, %far, %in, %out) : (memref<1xi32>, memref<256xf32, 1>, $M, $M) -> ()\n" +
                                  waitFor("%c0");
        const QByteArray callee = R"(func.func private @use(%tag: memref<1xi32>, %far: memref<256xf32, 1>, %in: $M, %out: $M) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 256 : index
  %s = memref.alloc() : $M
  exp %in, %s
)" + startOf("s") + waitFor("%c0") +
                                  R"(  %t = memref.alloc() : $M
  exp %in, %t
  exp %t, %out
  return
}
)";
        const QByteArray text = moduleOf(caller, callee);
        const auto planned = cli_({"plan", cli_.file("caller.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"a", "far", "tag", "use/s", "use/t"}));
        places.remove("far"); // in a memory of its own
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
    }

    /// The wait in the loop ends the copy of the iteration before; the one after the loop ends the last copy.
    void aCopyIsInFlightUntilTheNextIteration()
    {
        const QByteArray text = moduleOf("\n" + bounds + R"(  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<1xi32>
  %far = memref.alloc() : memref<256xf32, 1>
  %a = memref.alloc() : $M
  exp %in, %a
  memref.dma_start %a[%c0], %far[%c0], %n, %tag[%c0] : $M, memref<256xf32, 1>, memref<1xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.dma_wait %tag[%c0], %n : memref<1xi32>
    exp %in, %a
    memref.dma_start %a[%c0], %far[%c0], %n, %tag[%c0] : $M, memref<256xf32, 1>, memref<1xi32>
  }
  %b = memref.alloc() : $M
  exp %in, %b
  exp %b, %out
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
)");
        const auto planned = cli_({"plan", cli_.file("rotated.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"a", "b", "far", "tag"}));
        places.remove("far"); // in a memory of its own
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
    }

    /// Two copies are in flight when an iteration begins. If its second wait ends an older one than that of %a, the next
    /// iteration writes %a while the copy reads it.
    void aCopyThatMayOutliveItsIterationIsNotPlanned()
    {
        const QByteArray wait = waitFor("%c0");
        const QByteArray text = moduleOf("\n" + bounds + R"(  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<1xi32>
  %far = memref.alloc() : memref<256xf32, 1>
  %b = memref.alloc() : $M
  exp %in, %b
)" + startOf("b") + startOf("b") + R"(  scf.for %i = %c0 to %c8 step %c1 {
  %a = memref.alloc() : $M
  exp %in, %a
)" + wait + startOf("a") + wait + startOf("b") +
                                         "  }\n" + wait + wait);
        const auto planned = cli_({"plan", cli_.file("overtaken.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QCOMPARE(QStringList(placesIn(planned).keys()), (QStringList{"b", "far", "tag"}));
        const QByteArray where = "overtaken.mlir:" + QByteArray::number(lineOf(text, "%a =")) + ':';
        QVERIFY2(planned.err.contains(where), planned.err);
        QVERIFY2(planned.err.contains("'a' (1,024 B) is allocated in a loop and given to 'memref.dma_start'"), planned.err);
    }

    /// The next iteration writes %a while the copy may read it.
    void aCopyThatOutlivesItsIterationIsNotPlanned()
    {
        const QByteArray text = moduleOf("\n" + bounds + R"(  %n = arith.constant 256 : index
  %tag = memref.alloc() : memref<1xi32>
  %far = memref.alloc() : memref<256xf32, 1>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : $M
    exp %in, %a
    memref.dma_start %a[%c0], %far[%c0], %n, %tag[%c0] : $M, memref<256xf32, 1>, memref<1xi32>
  }
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
)");
        const auto planned = cli_({"plan", cli_.file("outlives.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QCOMPARE(QStringList(placesIn(planned).keys()), (QStringList{"far", "tag"}));
        const QByteArray where = "outlives.mlir:" + QByteArray::number(lineOf(text, "%a =")) + ':';
        QVERIFY2(planned.err.contains(where), planned.err);
        QVERIFY2(planned.err.contains("'a' (1,024 B) is allocated in a loop and given to 'memref.dma_start'"), planned.err);
    }

private:
    /// Starts a copy of the buffer to %far, on an element of %tag.
    static QByteArray startOf(const QByteArray& buffer, const QByteArray& index = "%c0")
    {
        return "  memref.dma_start %" + buffer + "[%c0], %far[%c0], %n, %tag[" + index +
               "] : $M, memref<256xf32, 1>, memref<1xi32>\n";
    }
    static QByteArray waitFor(const QByteArray& index) { return "  memref.dma_wait %tag[" + index + "], %n : memref<1xi32>\n"; }

    test::Cli cli_;
};

QTEST_GUILESS_MAIN(CliMlirCopiesTest)
#include "tst_cli_mlir_copies.moc"
