// How long allocations of MLIR modules are live: to the end of a lifetime under any name, of a call, of the function, in loops
// and branches.
#include "tests/cli/mlir_modules.h"
#include "tests/support/paths.h"

#include <QTest>

#include <utility>

using namespace stowage;
using namespace stowage::test;

class CliMlirLifetimesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The function reads %x, which may be a or b, after it has written s.
    void whatACallIsGivenIsKeptUntilItEnds()
    {
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  %b = memref.alloc() : $M
  exp %in, %a
  exp %in, %b
  %r = arith.select %c, %a, %b : $M
  func.call @use(%r, %in, %out) : ($M, $M, $M) -> ()
)",
                                         R"(func.func private @use(%x: $M, %y: $M, %z: $M) {
  %s = memref.alloc() : $M
  exp %y, %s
  exp %x, %z
  exp %s, %z
  return
}
)");
        const auto planned = cli_({"plan", cli_.file("call.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"a", "b", "use/s"}));
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
    }

    /// While an iteration reads the allocation of the iteration before, it writes its own: no single place can hold both.
    void anAllocationForTheNextIterationIsNotPlanned()
    {
        const QByteArray loop = "\n  %a = memref.alloc() : $M\n" + bounds + R"(  exp %in, %a
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a) -> ($M) {
    %t = memref.alloc() : $M
    exp %x, %t
    DONE
    scf.yield %t : $M
  }
  exp %r, %out
)";
        const QByteArray text = moduleOf(QByteArray(loop).replace("    DONE\n", ""));
        const QString path = cli_.file("carried.mlir", text);
        const auto planned = cli_({"plan", path, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err);
        QCOMPARE(QStringList(placesIn(planned).keys()), QStringList("a"));
        const QByteArray where = "carried.mlir:" + QByteArray::number(lineOf(text, "%t =")) + ':';
        QVERIFY2(planned.err.contains(where) && planned.err.contains("'t' (1,024 B) is used by the next iteration"), planned.err);
        const QString out = cli_.path("carried_arena.mlir");
        const auto rewritten = cli_({"rewrite", path, "--pass", "plan-memory", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray written = cli_.contents("carried_arena.mlir");
        QCOMPARE(viewsIn(written).count, 1);
        QCOMPARE(written.count("memref.alloc() : memref<256xf32>"), 1); // t
        QVERIFY2(verifies(out), written);

        // An iteration that frees what it was given would free the arena in the first one.
        const QByteArray freeing = moduleOf(QByteArray(loop).replace("DONE", "memref.dealloc %x : $M"));
        const auto refused = cli_({"rewrite", cli_.file("freed.mlir", freeing), "--pass", "plan-memory", "-o", out});
        QCOMPARE(refused.status, 2);
        const QByteArray freed = "freed.mlir:" + QByteArray::number(lineOf(freeing, "memref.dealloc")) + ':';
        QVERIFY2(refused.err.contains(freed) && refused.err.contains("frees one of several memrefs"), refused.err);
    }

    /// Lifetimes that end under another name go, too: of what is freed afterwards, only the arena is left.
    void lifetimesEndUnderAnyName()
    {
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  %b = memref.alloc() : $M
  exp %in, %a
  exp %a, %b
  %r = arith.select %c, %a, %b : $M
  %v = memref.cast %a : $M to memref<?xf32>
  exp %r, %out
  memref.dealloc %v : memref<?xf32>
  memref.dealloc %b : $M
)");
        const QString out = cli_.path("ends_arena.mlir");
        const auto rewritten = cli_({"rewrite", cli_.file("ends.mlir", text), "--pass", "plan-memory", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray written = cli_.contents("ends_arena.mlir");
        QCOMPARE(written.count("memref.dealloc"), 1);
        QVERIFY2(verifies(out), written);
    }

    /// `bufferization.dealloc` frees memory as `memref.dealloc` does, and goes if all of its memrefs lie in the arena: r is a or
    /// b. What it is given besides stays.
    void guardedEndsOfLifetimesGo()
    {
        const QByteArray text = moduleOf(R"(
  %true = arith.constant true
  %a = memref.alloc() : $M
  exp %in, %a
  %r:2 = scf.if %c -> ($M, i1) {
    %b = memref.alloc() : $M
    exp %a, %b
    scf.yield %b, %true : $M, i1
  } else {
    scf.yield %a, %c : $M, i1
  }
  exp %r#0, %out
  bufferization.dealloc (%a, %r#0 : $M, $M) if (%true, %r#1)
)");
        const QString out = cli_.path("guarded_arena.mlir");
        const auto rewritten = cli_({"rewrite", cli_.file("guarded.mlir", text), "--pass", "plan-memory", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray written = cli_.contents("guarded_arena.mlir");
        QVERIFY2(!written.contains("bufferization.dealloc"), written);
        QCOMPARE(viewsIn(written).count, 2);
        QVERIFY2(verifies(out), written);

        // The memref may be an argument, which only the run knows.
        QByteArray mixed = text;
        mixed.replace("scf.yield %a, %c", "scf.yield %in, %c");
        const auto refused = cli_({"rewrite", cli_.file("mixed.mlir", mixed), "--pass", "plan-memory", "-o", out});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("--ownership-based-buffer-deallocation") && !refused.err.contains("--bufferization-lower"),
                 refused.err);
    }

    /// A number that was made of an address may be used until the function ends: p is live with t, though no op names it.
    void anAllocationWhoseAddressIsTakenIsLiveToTheEnd_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("in the body") << QByteArray(R"(
  %p = memref.alloc() : $M
  exp %in, %p
  %number = memref.extract_aligned_pointer_as_index %p : $M -> index
  %t = memref.alloc() : $M
  exp %in, %t
  exp %t, %out
)");
        QTest::newRow("in a branch") << QByteArray(R"(
  scf.if %c {
    %p = memref.alloc() : $M
    exp %in, %p
    %number = memref.extract_aligned_pointer_as_index %p : $M -> index
  }
  %t = memref.alloc() : $M
  exp %in, %t
  exp %t, %out
)");
    }
    void anAllocationWhoseAddressIsTakenIsLiveToTheEnd()
    {
        QFETCH(const QByteArray, body);
        const QString path = cli_.file("address.mlir", moduleOf(body));
        const auto planned = cli_({"plan", path, "--format", "json"});
        QVERIFY2(planned.status == 0 && !planned.err.contains("warning"), planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"p", "t"}));
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
        QCOMPARE(cli_({"plan", path, "--capacity", "1KiB"}).status, 1);
        QCOMPARE(cli_({"plan", path, "--capacity", "2KiB"}).status, 0);
    }

    /// Each iteration makes another p, and the address of the one before may still be used. Its bytes are not in the verdict.
    void anAddressThatIsTakenInALoopMakesThePlanPartial()
    {
        const QByteArray text = moduleOf("\n" + bounds + R"(  %a = memref.alloc() : $M
  exp %in, %a
  scf.for %i = %c0 to %c8 step %c1 {
    %p = memref.alloc() : $M
    exp %a, %p
    %number = memref.extract_aligned_pointer_as_index %p : $M -> index
  }
)");
        const QString path = cli_.file("addresses.mlir", text);
        const auto planned = cli_({"plan", path});
        QCOMPARE(planned.status, 0);
        QVERIFY2(planned.out.contains("Partial: 1 tensor"), planned.out);
        const QByteArray where = "addresses.mlir:" + QByteArray::number(lineOf(text, "%p =")) + ':';
        QVERIFY2(planned.err.contains(where) && planned.err.contains("'p' (1,024 B) is allocated in a loop and given to"),
                 planned.err);
        const auto json = cli_({"plan", path, "--format", "json"});
        QCOMPARE(QStringList(placesIn(json).keys()), QStringList("a"));
    }

    /// The second region of the loop reads t of the same iteration, and the loop's result is the last t. It is in place once.
    void whatAConditionHandsOnHasOnePlace()
    {
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  exp %in, %a
  %w = scf.while (%x = %a) : ($M) -> $M {
    %t = memref.alloc() : $M
    exp %in, %t
    scf.condition(%c) %t : $M
  } do {
  ^bb0(%y: $M):
    exp %y, %a
    scf.yield %a : $M
  }
  exp %w, %out
)");
        const auto planned = cli_({"plan", cli_.file("condition.mlir", text), "--format", "json"});
        QVERIFY2(planned.status == 0 && !planned.err.contains("warning"), planned.err);
        const auto places = placesIn(planned);
        QCOMPARE(QStringList(places.keys()), (QStringList{"a", "t"}));
        QVERIFY2(overlapIn(places).isEmpty(), qPrintable(overlapIn(places)));
    }

    /// Only one of a and b exists, so that both take the same bytes. t is live with either.
    void resultsOfBothBranchesShareBytes()
    {
        const QByteArray text = moduleOf(R"(
  %r = scf.if %c -> $M {
    %a = memref.alloc() : $M
    exp %in, %a
    scf.yield %a : $M
  } else {
    %b = memref.alloc() : $M
    exp %in, %b
    scf.yield %b : $M
  }
  %t = memref.alloc() : $M
  exp %in, %t
  exp %r, %out
  exp %t, %out
  memref.dealloc %r : $M
)");
        const QString path = cli_.file("either.mlir", text);
        QCOMPARE(cli_({"plan", path, "--capacity", "2KiB"}).status, 0);
        QCOMPARE(cli_({"plan", path, "--capacity", "2047"}).status, 1);
        const QString out = cli_.path("either_arena.mlir");
        const auto rewritten = cli_({"rewrite", path, "--pass", "plan-memory", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray written = cli_.contents("either_arena.mlir");
        QVERIFY2(written.contains("memref<2048xi8>"), written);
        QCOMPARE(viewsIn(written).count, 3);
        QVERIFY2(verifies(out), written);
    }

    /// b and d exist together, so that only one of them may take the bytes of a.
    void resultsOfOneBranchDoNotShareBytes()
    {
        const QString path = cli_.file("both.mlir", moduleOf(R"(
  %r:2 = scf.if %c -> ($M, $M) {
    %a = memref.alloc() : $M
    exp %in, %a
    scf.yield %a, %a : $M, $M
  } else {
    %b = memref.alloc() : $M
    %d = memref.alloc() : $M
    exp %in, %b
    exp %in, %d
    scf.yield %b, %d : $M, $M
  }
  exp %r#0, %out
  exp %r#1, %out
)"));
        QCOMPARE(cli_({"plan", path, "--capacity", "2KiB"}).status, 0);
        QCOMPARE(cli_({"plan", path, "--capacity", "2047"}).status, 1);
    }

    /// ga belongs to g, which is planned by itself.
    void functionsOfModulesInsideAreReadOnce()
    {
        const QByteArray text = moduleOf(R"(
  %a = memref.alloc() : $M
  exp %in, %a
  builtin.module {
    func.func @g(%gin: $M, %gout: $M) {
      %ga = memref.alloc() : $M
      exp %gin, %ga
      exp %ga, %gout
      return
    }
  }
  exp %a, %out
)");
        const QString path = cli_.file("nested.mlir", text);
        for (const auto& [function, buffer] : {std::pair("f", "a"), std::pair("g", "ga")}) {
            const auto planned = cli_({"plan", path, "--function", function, "--format", "json"});
            QVERIFY2(planned.status == 0, planned.err);
            QCOMPARE(QStringList(placesIn(planned).keys()), QStringList(buffer));
        }
        const QString out = cli_.path("nested_arena.mlir");
        const auto rewritten = cli_({"rewrite", path, "--pass", "plan-memory", "-o", out});
        QVERIFY2(rewritten.status == 0, rewritten.err);
        const QByteArray written = cli_.contents("nested_arena.mlir");
        QCOMPARE(viewsIn(written).count, 2);
        QVERIFY2(verifies(out), written);
    }

private:
    test::Cli cli_;
};

QTEST_GUILESS_MAIN(CliMlirLifetimesTest)
#include "tst_cli_mlir_lifetimes.moc"
