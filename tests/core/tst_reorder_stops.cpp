// A stop of the pass that reorders ops: where it is asked for, and what is still claimed after it.
#include "core/passes/region_model.h"
#include "core/passes/reorder.h"
#include "tests/core/program_builder.h"

#include <QtTest/QTest>

#include <string>
#include <utility>

using namespace stowage;
using test::ProgramBuilder;

class TestReorderStops : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Scratch of an op has no storage: it counts at its op alone. A stop is asked for before each op of the model.
    void theModelOfARegionIsStoppedBetweenOps()
    {
        constexpr int n = 6;
        const auto scratch = [](int k) { return Bytes(10 + 3 * k); };
        ProgramBuilder b;
        TensorId last = b.input("x", 4);
        for (int k = 0; k < n; ++k) {
            const std::string number = std::to_string(k);
            const TensorId next = b.tensor("t" + number, 4);
            b.op("op" + number, {last}, {next}, {b.tensor("s" + number, scratch(k))});
            last = next;
        }
        b.output(last);
        const Program& program = b.program();
        const auto lowered = LoweredProgram::of(program, {});
        QVERIFY(lowered);
        const RegionModel whole = regionModel(*lowered, 0, 0, false, false);
        QVERIFY(!whole.stopped && whole.exact);
        QCOMPARE(whole.problem.nodes.size(), std::size_t{n});
        for (int k = 0; k < n; ++k) QCOMPARE(whole.problem.nodes[std::size_t(k)].own, scratch(k));
        int asked = 0;
        const RegionModel cut = regionModel(*lowered, 0, 0, false, false, [&] { return ++asked == 3; });
        QVERIFY(cut.stopped);
        QCOMPARE(asked, 3);
        // The first question is that of the pass itself, the second one that of the model.
        asked = 0;
        ReorderOptions options;
        options.limits.stop = [&] { return ++asked == 2; };
        const auto found = reorder(program, options);
        QVERIFY(found);
        QVERIFY(found->stopped && found->regions.empty());
        QCOMPARE(found->program, program);
        // After the stop no other model is made, so there is no bound either, although the listed order is the only one.
        QCOMPARE(asked, 2);
        QCOMPARE(found->bound, Bytes{0});
        QVERIFY(!found->proved);
    }

    /// The pass asks before each region, and its model before each op. The callee has two ops, so the first and the fourth
    /// question come before a region. After the stop no model of a region is made, because none could be stopped: no report, no
    /// bound.
    void aStopBetweenRegionsEndsThePass()
    {
        ProgramBuilder b;
        const FunctionId callee = b.function("callee");
        const auto from = b.input("from", 10), between = b.tensor("between", 20), to = b.tensor("to", 10);
        b.op("1", {from}, {between});
        b.op("2", {between}, {to});
        b.output(to);
        b.use(0);
        const auto x = b.input("x", 10), y = b.tensor("y", 10), z = b.tensor("z", 10);
        b.call("calls", callee, {x}, {y});
        b.op("last", {y}, {z});
        b.output(z);
        const Program& program = b.program();
        for (const auto& [question, reports] : {std::pair(1, std::size_t{0}), std::pair(4, std::size_t{1})}) {
            int asked = 0;
            ReorderOptions options;
            options.limits.stop = [&asked, stop = question] { return ++asked == stop; };
            const auto found = reorder(program, options);
            QVERIFY(found && found->stopped);
            QCOMPARE(asked, question);
            QCOMPARE(found->regions.size(), reports);
            QCOMPARE(found->bound, Bytes{0});
            QVERIFY(!found->proved);
        }
    }

    /// Wherever the pass is stopped, it knows nothing of the regions that it did not reach. Of the three callees only the one in
    /// the middle has several orders: its listed one has both results of 100 bytes live together with its input of 10, 210 bytes.
    /// One result after the other takes the second one, what is left of the first one, and the input: 115.
    void aStoppedPassClaimsNothingOfRegionsThatItDidNotReach()
    {
        ProgramBuilder b;
        const auto chain = [&](const std::string& name) {
            const FunctionId id = b.function(name);
            const auto from = b.input("from", 10), between = b.tensor("between", 20), to = b.tensor("to", 10);
            b.op("1", {from}, {between});
            b.op("2", {between}, {to});
            b.output(to);
            return id;
        };
        const FunctionId first = chain("first"), last = chain("last"), middle = b.function("middle");
        const auto from = b.input("from", 10), a = b.tensor("a", 100), c = b.tensor("c", 100), d = b.tensor("d", 5),
                   e = b.tensor("e", 5), to = b.tensor("to", 10);
        b.op("1", {from}, {a});
        b.op("2", {from}, {c});
        b.op("3", {a}, {d});
        b.op("4", {c}, {e});
        b.op("5", {d, e}, {to});
        b.output(to);
        b.use(0);
        const auto w = b.input("w", 10), x = b.tensor("x", 10), y = b.tensor("y", 10), z = b.tensor("z", 10);
        b.call("calls first", first, {w}, {x});
        b.call("calls middle", middle, {x}, {y});
        b.call("calls last", last, {y}, {z});
        b.output(z);
        const Program& program = b.program();
        const auto whole = reorder(program, {});
        QVERIFY(whole && !whole->stopped);
        QCOMPARE(whole->before, Bytes{210});
        QCOMPARE(whole->after, Bytes{115});
        int asked = 0, stops = 0, worse = 0;
        bool stopped = true;
        for (int moment = 1; stopped; ++moment) {
            asked = 0;
            ReorderOptions options;
            options.limits.stop = [&] { return ++asked >= moment; };
            const auto found = reorder(program, options);
            QVERIFY(found);
            QVERIFY2(found->bound <= whole->after,
                     qPrintable(QString("stopped at question %1: bound %2").arg(moment).arg(found->bound)));
            QVERIFY2(!found->proved || found->after == whole->after, qPrintable(QString("stopped at question %1").arg(moment)));
            stopped = found->stopped;
            stops += stopped;
            worse += found->after > whole->after;
        }
        QVERIFY2(stops > 10 && worse > 0, qPrintable(QString("%1 stops, %2 of them worse").arg(stops).arg(worse)));
    }
};

QTEST_APPLESS_MAIN(TestReorderStops)
#include "tst_reorder_stops.moc"
