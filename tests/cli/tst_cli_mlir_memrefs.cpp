// MLIR memrefs that are more than one name for one allocation: choices, values that loops carry, parallel loops, ops that are one
// step of the plan, layouts, memory spaces, and the arenas that plans of several pools become.
#include "tests/cli/mlir_modules.h"
#include "tests/support/instrumented.h"
#include "tests/support/paths.h"

#include <QTest>

using namespace stowage;
using namespace stowage::test;

class CliMlirMemrefsTest : public QObject {
    Q_OBJECT

private:
    /// A module that copies ten elements of the type into %a, and from there to its result.
    static QByteArray copiesOf(const char* type)
    {
        const QByteArray text = R"(func.func @f(%in: memref<10x$T>, %out: memref<10x$T>) {
  %a = memref.alloc() : memref<10x$T>
  memref.copy %in, %a : memref<10x$T> to memref<10x$T>
  memref.copy %a, %out : memref<10x$T> to memref<10x$T>
  return
}
)";
        return QByteArray(text).replace("$T", type);
    }

private Q_SLOTS:
    /// In each module %r may be any of the allocations that are read through it after %t was written: all of them are live with
    /// t, so that no two buffers share a byte. %r has no bytes of its own.
    void whatAMemrefMayStandForIsKept_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("buffers");
        const QByteArray two = "\n  %a = memref.alloc() : $M\n  %b = memref.alloc() : $M\n  exp %in, %a\n  exp %in, %b\n";
        const QByteArray later = "  %t = memref.alloc() : $M\n  exp %in, %t\n  exp %r, %out\n  exp %t, %out\n";
        const QByteArray later0 = QByteArray(later).replace("%r,", "%r#0,");
        QTest::newRow("select") << moduleOf(two + "  %r = arith.select %c, %a, %b : $M\n" + later) << QStringList{"a", "b", "t"};
        QTest::newRow("base of the metadata") << moduleOf(R"(
  %a = memref.alloc() : $M
  exp %in, %a
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : $M -> memref<f32>, index, index, index
  %r = memref.reinterpret_cast %base to offset: [0], sizes: [256], strides: [1] : memref<f32> to $M
)" + later) << QStringList{"a", "t"};
        QTest::newRow("branch") << moduleOf(R"(
  %a = memref.alloc() : $M
  exp %in, %a
  %r = scf.if %c -> ($M) {
    scf.yield %a : $M
  } else {
    %b = memref.alloc() : $M
    exp %in, %b
    scf.yield %b : $M
  }
)" + later) << QStringList{"a", "b", "t"};
        QTest::newRow("loop") << moduleOf(two + bounds + R"(
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a, %y = %b) -> ($M, $M) {
    exp %x, %y
    scf.yield %y, %x : $M, $M
  }
)" + later0) << QStringList{"a", "b", "t"};
        QTest::newRow("loop with a condition") << moduleOf(two + R"(
  %r:2 = scf.while (%x = %a, %y = %b) : ($M, $M) -> ($M, $M) {
    scf.condition(%c) %x, %y : $M, $M
  } do {
  ^bb0(%x: $M, %y: $M):
    exp %x, %y
    scf.yield %y, %x : $M, $M
  }
)" + later0) << QStringList{"a", "b", "t"};
        QTest::newRow("region of one step") << moduleOf(R"(
  %a = memref.alloc() : $M
  exp %in, %a
  %r = scf.execute_region -> $M {
    %b = memref.alloc() : $M
    exp %a, %b
    %s = arith.select %c, %a, %b : $M
    scf.yield %s : $M
  }
)" + later) << QStringList{"a", "b", "t"};
        QTest::newRow("call") << moduleOf(R"(
  %a = memref.alloc() : $M
  exp %in, %a
  %r = func.call @same(%a) : ($M) -> $M
)" + later,
                                          "func.func private @same(%x: $M) -> $M {\n  return %x : $M\n}\n")
                              << QStringList{"a", "t"};
    }
    void whatAMemrefMayStandForIsKept()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QStringList, buffers);
        const QString path = cli_.file("kept.mlir", text);
        const auto planned = cli_({"plan", path, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), buffers);
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
        const QString out = cli_.path("kept_arena.mlir");
        const auto rewritten = cli_({"rewrite", path, "--pass", "plan-memory", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        QCOMPARE(viewsIn(cli_.contents("kept_arena.mlir")).count, int(buffers.size()));
        QVERIFY2(verifies(out), cli_.contents("kept_arena.mlir"));
    }

    /// Offsets are multiples of the pool's alignment from the first byte of the arena, which therefore needs it, too.
    void anArenaHasTheAlignmentOfItsPool()
    {
        const QByteArray text = moduleOf("\n  %a = memref.alloc() : $M\n  exp %in, %a\n  exp %a, %out\n");
        const QString target = cli_.file(
            "wide.json", R"({"format": "stowage.target/1", "name": "wide", "pools": [{"name": "wide", "alignment": 256}]})");
        const auto rewritten = cli_({"rewrite", cli_.file("wide.mlir", text), "--pass", "plan-memory", "--target", target, "-o",
                                     cli_.path("wide_arena.mlir")});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray written = cli_.contents("wide_arena.mlir");
        QVERIFY2(written.contains("memref.alloc() {alignment = 256 : i64}"), written);
        QVERIFY(verifies(cli_.path("wide_arena.mlir")));
    }

    /// a and b are live together, and each pool has room for one of them: each lies in an arena of its own at offset 0.
    void eachPoolBecomesAnArena()
    {
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  %b = memref.alloc() : $M
  exp %in, %a
  exp %a, %b
  exp %b, %out
)");
        const QString out = cli_.path("pools_arena.mlir");
        const auto rewritten = cli_({"rewrite", cli_.file("pools.mlir", text), "--pass", "plan-memory", "--pool", "fast=1024",
                                     "--pool", "slow=1024", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray written = cli_.contents("pools_arena.mlir");
        QCOMPARE(written.count("memref.alloc() {alignment"), 2);
        const Views views = viewsIn(written);
        QCOMPARE(views.count, 2);
        QCOMPARE(views.arenas.size(), 2);
        QVERIFY2(verifies(out), written);
    }

    /// Iteration i reads the value of iteration i - 1 while it writes its own. Without copies t lies at two offsets in turn.
    void offsetsThatRotateAreRefused()
    {
        const QByteArray text = moduleOf("\n  %a = memref.alloc() : $M\n" + bounds + R"(  exp %in, %a
  %first = bufferization.to_tensor %a restrict : $M
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %first) -> (tensor<256xf32>) {
    %m = bufferization.to_memref %x : $M
    %t = memref.alloc() : $M
    exp %m, %t
    %next = bufferization.to_tensor %t restrict : $M
    scf.yield %next : tensor<256xf32>
  }
  %last = bufferization.to_memref %r : $M
  exp %last, %out
)");
        const QString path = cli_.file("rotating.mlir", text);
        const auto refused =
            cli_({"rewrite", path, "--pass", "plan-memory", "--lower", "loops=precise", "-o", cli_.path("rotating_arena.mlir")});
        QCOMPARE(refused.status, 2);
        const QByteArray where = "rotating.mlir:" + QByteArray::number(lineOf(text, "%t =")) + ':';
        for (const QByteArray& word : {where, QByteArray("'t' rotates"), QByteArray("loops=conservative")})
            QVERIFY2(refused.err.contains(word), refused.err);
    }

    /// Iterations of a parallel loop may run at once, each with an allocation of its own, whatever loop or call is in between.
    /// The same goes for ops of which nothing is known.
    void whatExistsSeveralTimesAtOnceIsNotPlanned_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const QByteArray head = "\n  %a = memref.alloc() : $M\n" + bounds + "  exp %in, %a\n";
        const QByteArray inside = "    %t = memref.alloc() : $M\n    exp %in, %t\n    exp %t, %out\n";
        const QByteArray end = "  exp %a, %out\n";
        QTest::newRow("parallel loop") << moduleOf(head + "  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n" + inside +
                                                   "  }\n" + end)
                                       << QByteArray("parallel loop");
        QTest::newRow("loop inside") << moduleOf(head +
                                                 "  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n"
                                                 "    scf.for %j = %c0 to %c8 step %c1 {\n" +
                                                 inside + "    }\n  }\n" + end)
                                     << QByteArray("parallel loop");
        QTest::newRow("call inside") << moduleOf(head +
                                                     "  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n"
                                                     "    func.call @g(%in, %out) : ($M, $M) -> ()\n  }\n" +
                                                     end,
                                                 "func.func private @g(%in: $M, %out: $M) {\n" + inside + "  return\n}\n")
                                     << QByteArray("allocated in 'g', which a parallel loop calls");
        QTest::newRow("loop of one step") << moduleOf(head + "  scf.forall (%i) in (4) {\n" + inside + "  }\n" + end)
                                          << QByteArray("parallel loop");
        QTest::newRow("unknown op") << moduleOf(head + "  \"test.op\"() ({\n" + inside +
                                                "    \"test.end\"() : () -> ()\n  }) : () -> ()\n" + end)
                                    << QByteArray("'test.op'");
    }
    void whatExistsSeveralTimesAtOnceIsNotPlanned()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, says);
        const auto planned = cli_({"plan", cli_.file("parallel.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QCOMPARE(QStringList(placesIn(planned).keys()), QStringList("a"));
        const QByteArray where = "parallel.mlir:" + QByteArray::number(lineOf(text, "%t =")) + ':';
        QVERIFY2(planned.err.contains(where) && planned.err.contains("'t' (1,024 B) is allocated"), planned.err);
        QVERIFY2(planned.err.contains(says), planned.err);
    }

    /// a is read after the region has run, and s only in it.
    void allocationsInsideAStepAreLiveWhileItRuns()
    {
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  exp %in, %a
  scf.execute_region {
    %s = memref.alloc() : $M
    exp %in, %s
    exp %s, %out
    scf.yield
  }
  exp %a, %out
)");
        const QString path = cli_.file("inside.mlir", text);
        const auto planned = cli_({"plan", path, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"a", "s"}));
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
        const QString out = cli_.path("inside_arena.mlir");
        QCOMPARE(cli_({"rewrite", path, "--pass", "plan-memory", "-o", out}).status, 0);
        QCOMPARE(viewsIn(cli_.contents("inside_arena.mlir")).count, 2);
        QVERIFY2(verifies(out), cli_.contents("inside_arena.mlir"));
    }

    /// %acc is filled, then overwritten, then read. e has to be live until it is read: with a and acc that is 4 + 4 + 1 KiB.
    void whatReadsAMemrefStaysAfterTheLastWrite()
    {
        const QByteArray text = moduleOf(R"(
  %e = memref.alloc() : memref<4x256xf32>
  %t = memref.alloc() : memref<4xf32>
  %a = memref.alloc() : memref<4x256xf32>
  %acc = memref.alloc() : $M
  %y = memref.alloc() : memref<4xf32>
  linalg.broadcast ins(%in : $M) outs(%e : memref<4x256xf32>) dimensions = [0]
  linalg.matvec ins(%e, %in : memref<4x256xf32>, $M) outs(%t : memref<4xf32>)
  linalg.broadcast ins(%t : memref<4xf32>) outs(%a : memref<4x256xf32>) dimensions = [1]
  exp %in, %acc
  linalg.reduce { arith.addf } ins(%a : memref<4x256xf32>) outs(%acc : $M) dimensions = [0]
  linalg.matvec ins(%e, %acc : memref<4x256xf32>, $M) outs(%y : memref<4xf32>)
  memref.copy %acc, %out : $M to $M
)" + QByteArray("  \"test.touch\"(%y) : (memref<4xf32>) -> ()\n"));
        const QString path = cli_.file("rewritten.mlir", text);
        const auto told = cli_({"reorder", path, "--format", "json"});
        QVERIFY2(told.status == 0, told.err);
        QCOMPARE(told.array()[0].toObject()["after"].toInt(), 9 * 1024);
        const auto program = cli_({"reorder", path, "--format", "json", "-o", "-"});
        QStringList overwritten;
        for (const QJsonValue& each : program.object()["functions"].toArray()[0].toObject()["ops"].toArray()) {
            const QJsonObject op = each.toObject();
            const QString positions = op["attributes"].toObject()["overwrites"].toString();
            for (const QString& position : positions.split(' ', Qt::SkipEmptyParts))
                overwritten << op["kind"].toString() + ' ' + op["inputs"].toArray()[position.toInt()].toString();
        }
        overwritten.sort();
        // An argument counts as well, and all that an unknown op uses. What an op writes first is its output.
        QCOMPARE(overwritten, (QStringList{"linalg.reduce acc", "memref.copy out", "test.touch y"}));
    }

    /// The last element of four rows of stride 64 is element 3 * 64 + 3 = 195: 196 elements of four bytes. A layout that permutes
    /// the dimensions skips nothing: 16 elements. The size of a tiled one is not known.
    void layoutsCountInSizes()
    {
        const QByteArray text = moduleOf(R"(
  %z = arith.constant 0.0 : f32
  %rows = memref.alloc() : memref<4x4xf32, strided<[64, 1]>>
  linalg.fill ins(%z : f32) outs(%rows : memref<4x4xf32, strided<[64, 1]>>)
  %turned = memref.alloc() : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
  linalg.fill ins(%z : f32) outs(%turned : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>)
  %tiled = memref.alloc() : memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>
  linalg.fill ins(%z : f32) outs(%tiled : memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>)
)");
        const auto planned = cli_({"plan", cli_.file("layouts.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"rows", "turned"}));
        QCOMPARE(places["rows"].end - places["rows"].begin, qint64(784));
        QCOMPARE(places["turned"].end - places["turned"].begin, qint64(64));
        const QByteArray where = "layouts.mlir:" + QByteArray::number(lineOf(text, "%tiled =")) + ':';
        QVERIFY2(planned.err.contains(where) && planned.err.contains("its layout is affine_map<(d0) -> (d0 floordiv 4"),
                 planned.err);
    }

    /// Ten elements each, as far apart as LLVM's arrays have them on a 64-bit machine: 3 bytes take 4, a vector of 12 bytes 16.
    void elementTypesHaveTheirSizes_data()
    {
        QTest::addColumn<qint64>("bytes");
        const std::pair<const char*, qint64> rows[] = {
            {"i1", 10},
            {"i4", 10},
            {"ui8", 10},
            {"si16", 20},
            {"si64", 80},
            {"i24", 40},
            {"i48", 80},
            {"i128", 160},
            {"i136", 320},
            {"index", 80},
            {"f8E5M2FNUZ", 10},
            {"f8E4M3FNUZ", 10},
            {"f8E4M3B11FNUZ", 10},
            {"complex<f32>", 80},
            {"complex<f64>", 160},
            {"f80", 160},
            {"tf32", 40},
            {"vector<4xf32>", 160},
            {"vector<3xf32>", 160},
            {"vector<2x3xf32>", 320},
        };
        for (const auto& [type, bytes] : rows) QTest::newRow(type) << bytes;
    }

    void elementTypesHaveTheirSizes()
    {
        QFETCH(qint64, bytes);
        const auto planned = cli_({"plan", cli_.file("elements.mlir", copiesOf(QTest::currentDataTag())), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        QVERIFY2(places.contains("a"), planned.err);
        QCOMPARE(places["a"].end - places["a"].begin, bytes);
    }

    /// Loads of a vector of 16 bytes, and of an integer of 3 in 4, need the alignment of as many.
    void wideElementsAreAligned()
    {
        for (const auto& [type, alignment] : {std::pair("vector<4xf32>", 16), std::pair("i24", 4), std::pair("si64", 8)}) {
            const auto made = cli_({"convert", cli_.file("wide.mlir", copiesOf(type)), "--to", "problem"});
            QVERIFY2(made.status == 0, made.err);
            const QJsonArray buffers = made.object()["buffers"].toArray();
            QCOMPARE(buffers.size(), qsizetype{1});
            QCOMPARE(buffers[0].toObject()["alignment"].toInt(1), alignment);
        }
    }

    void elementsWithoutASizeAreTold()
    {
        const auto planned = cli_({"plan", cli_.file("scalable.mlir", copiesOf("vector<[4]xf32>")), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QVERIFY2(planned.err.contains("elements of type vector<[4]xf32> have no fixed size"), planned.err);
    }

    /// What a function that is not in the module returns has 256 elements of four bytes, whatever their strides.
    void valuesOfUnknownStridesHaveSizes()
    {
        const QByteArray text = QByteArray(R"(func.func private @ext($S) -> $S
func.func @f(%in: $S, %out: memref<256xf32>) {
  %r = func.call @ext(%in) : ($S) -> $S
  linalg.exp ins(%r : $S) outs(%out : memref<256xf32>)
  return
}
)")
                                    .replace("$S", "memref<256xf32, strided<[?], offset: ?>>");
        const auto planned = cli_({"plan", cli_.file("strides.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0 && !planned.err.contains("warning"), planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), QStringList("r"));
        QCOMPARE(places["r"].end - places["r"].begin, qint64(1024));
    }

    /// a and s are live together. They lie in different memories: each pool needs the bytes of one of them.
    void memorySpacesArePools()
    {
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  %s = memref.alloc() : memref<256xf32, 1>
  exp %in, %a
  linalg.exp ins(%a : $M) outs(%s : memref<256xf32, 1>)
  linalg.exp ins(%s : memref<256xf32, 1>) outs(%out : $M)
)");
        const QString path = cli_.file("spaces.mlir", text);
        const auto planned = cli_({"plan", path, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QMap<QString, qint64> sizes;
        const QJsonArray pools = planned.object()["pools"].toArray();
        for (const QJsonValue& pool : pools) sizes[pool["name"].toString()] = pool["size"].toInteger();
        QCOMPARE(sizes, (QMap<QString, qint64>{{"arena", 1024}, {"1 : i64", 1024}}));
        const QString out = cli_.path("spaces_arena.mlir");
        QCOMPARE(cli_({"rewrite", path, "--pass", "plan-memory", "-o", out}).status, 0);
        const QByteArray written = cli_.contents("spaces_arena.mlir");
        QCOMPARE(viewsIn(written).arenas.size(), 2);
        QCOMPARE(written.count("memref.alloc() {alignment = 64 : i64} : memref<1024xi8>\n"), 1);
        QCOMPARE(written.count("memref.alloc() {alignment = 64 : i64} : memref<1024xi8, 1>\n"), 1);
        QVERIFY2(verifies(out), written);
        // A capacity is one of a pool.
        QCOMPARE(cli_({"plan", path, "--pool", "1 : i64=512"}).status, 1);
        QCOMPARE(cli_({"plan", path, "--pool", "1 : i64=1024", "--pool", "arena=1024"}).status, 0);
    }

    /// a and s are live together: a memory that is no memory space needs the bytes of both.
    void memoriesThatAreNoMemorySpacesTakeAll_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("status");
        QTest::newRow("microcontroller") << QStringList{"--target", "cortex-m7"} << 0;
        QTest::newRow("one arena") << QStringList{"--target", "generic-1arena"} << 0;
        QTest::newRow("capacity") << QStringList{"--capacity", "2KiB"} << 0;
        QTest::newRow("small capacity") << QStringList{"--capacity", "2047"} << 1;
        QTest::newRow("pool") << QStringList{"--pool", "sram=2KiB"} << 0;
        QTest::newRow("small pool") << QStringList{"--pool", "sram=2047"} << 1;
    }
    void memoriesThatAreNoMemorySpacesTakeAll()
    {
        QFETCH(const QStringList, options);
        QFETCH(const int, status);
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  %s = memref.alloc() : memref<256xf32, 1>
  exp %in, %a
  linalg.exp ins(%a : $M) outs(%s : memref<256xf32, 1>)
  linalg.exp ins(%s : memref<256xf32, 1>) outs(%out : $M)
)");
        const auto planned = cli_(QStringList{"plan", cli_.file("spaces.mlir", text)} + options);
        QVERIFY2(planned.status == status, planned.err);
        QCOMPARE(planned.err.count("no pool for the memory space"), 1);
        QVERIFY2(planned.err.contains("'1 : i64'"), planned.err);
    }

    /// r is one of 4,000 allocations, and 4,000 ops read it. Without a limit that would be 16 million pairs. No allocation may be
    /// lost: all are live when r is read, 4,000 * 32 bytes.
    void aChoiceOfManyIsReadInTime()
    {
        constexpr int count = 4'000;
        QByteArray body = "\n", names, types;
        for (int i = 0; i < count; ++i) {
            const QByteArray n = QByteArray::number(i);
            body += "  %a" + n + " = memref.alloc() : memref<8xf32>\n";
            names += (i > 0 ? ", %a" : "%a") + n;
            types += i > 0 ? ", memref<8xf32>" : "memref<8xf32>";
        }
        body += "  %r = \"test.pick\"(" + names + ") : (" + types + ") -> memref<8xf32>\n  %z = arith.constant 0.0 : f32\n";
        for (int i = 0; i < count; ++i) body += "  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)\n";
        const double before = secondsOfChildren();
        const auto planned = cli_({"plan", cli_.file("many.mlir", moduleOf(body)), "--planner", "greedy-by-size"});
        const double took = secondsOfChildren() - before;
        qInfo() << "planned after" << took << "s of a processor";
        QCOMPARE(planned.status, 0);
        QVERIFY2(planned.out.contains("128,032 B"), planned.out); // with r's own bytes, as the op is not known
        QVERIFY(took < (test::instrumented ? 60 : 5));
    }

    /// Our own output with 20,000 buffers. If each op asked each view whether the arena is one, that would be minutes.
    void arenasWithManyViewsAreReadInLinearTime()
    {
        constexpr int count = 20'000;
        const QByteArray arena = "memref<" + QByteArray::number(qint64{count} * 1024) + "xi8>";
        QByteArray body = "\n  %arena = memref.alloc() : " + arena + '\n';
        for (int i = 0; i < count; ++i) {
            const QByteArray n = QByteArray::number(i);
            body += "  %o" + n + " = arith.constant " + QByteArray::number(qint64{i} * 1024) + " : index\n  %v" + n +
                    " = memref.view %arena[%o" + n + "][] : " + arena + " to $M\n  exp %in, %v" + n + '\n';
        }
        const QString path = cli_.file("views.mlir", moduleOf(body));
        const double before = secondsOfChildren();
        const auto info = cli_({"info", path});
        const double took = secondsOfChildren() - before;
        qInfo() << "read after" << took << "s of a processor";
        QVERIFY2(info.status == 0, info.err);
        QVERIFY(took < (test::instrumented ? 120 : 20));
    }

private:
    test::Cli cli_;
};

QTEST_GUILESS_MAIN(CliMlirMemrefsTest)
#include "tst_cli_mlir_memrefs.moc"
