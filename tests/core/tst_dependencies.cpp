// Dependencies between ops that write to bytes which have a value already, by certain and by possible effects.
#include "core/lower/partial_order.h"
#include "core/passes/reorder.h"
#include "tests/core/lowering_helpers.h"

#include <QTest>

#include <algorithm>
#include <utility>

using namespace stowage;
using test::ProgramBuilder;

namespace {

constexpr auto possible = lowering::Effects::possible;
constexpr auto certain = lowering::Effects::certain;

/// True when two ops of the body of the entry keep their listed order.
bool ordered(const Program& program, OpId first, OpId second, lowering::Effects effects)
{
    const auto edges = lowering::dependencies(program, 0, effects);
    return std::count(edges[0].begin(), edges[0].end(), std::pair(first, second)) > 0;
}

} // namespace

class TestDependencies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // b = a; c = b; b = x; d = b + c. x is large and dies at the third op, which must not come before the second.
    void readersOfAnOldValueComeBeforeTheOpThatOverwritesIt()
    {
        ProgramBuilder b;
        const auto a = b.input("a", 10), x = b.input("x", 1000), first = b.tensor("b", 100), c = b.tensor("c", 100),
                   second = b.view("b@2", first, 100), d = b.tensor("d", 100);
        b.op("1", {a}, {first});
        b.op("2", {first}, {c});
        b.op("3", {x, first}, {second});
        b.op("4", {second, c}, {d});
        b.output(d);
        const auto found = reorder(b.program(), {});
        QVERIFY(found);
        QVERIFY(found->program == b.program());
        QCOMPARE(found->after, Bytes{1200}); // x, b and c at the second op
        QVERIFY(ordered(b.program(), 1, 2, possible));
        QVERIFY(!ordered(b.program(), 1, 2, certain));
        b.at(2).traits.effect = OpEffect::view; // then it writes nothing, and may come first
        QVERIFY(!ordered(b.program(), 1, 2, possible));
    }

    void readersOfAnOverwrittenInputKeepTheirPlace()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), sum = b.tensor("sum", 8), a = b.tensor("a", 8), y = b.tensor("y", 8);
        b.op("fill", {}, {sum});
        b.op("a", {x}, {a});
        const OpId reduce = b.op("reduce", {a, sum}, {});
        b.op("last", {sum}, {y});
        b.output(y);
        QVERIFY(!ordered(b.program(), reduce, 3, possible));
        b.at(reduce).attributes = {Attribute("overwrites", "1 ")};
        QVERIFY(ordered(b.program(), 0, reduce, possible) && ordered(b.program(), reduce, 3, possible));
        b.at(reduce).attributes = {Attribute("overwrites", "0 ")}; // another input
        QVERIFY(!ordered(b.program(), reduce, 3, possible));
        for (const char* unreadable : {"1", "7 ", "sum"}) { // then any input may be meant
            b.at(reduce).attributes = {Attribute("overwrites", unreadable)};
            QVERIFY2(ordered(b.program(), reduce, 3, possible), unreadable);
        }
    }

    // A caller's tensor that a callee overwrites: through an alias, an attribute, a loop, a case, and through another call.
    void whatACalleeOverwritesCountsForTheCaller_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<bool>("kept");
        QTest::newRow("reads only") << "reads" << false;
        QTest::newRow("an alias") << "alias" << true;
        QTest::newRow("an attribute") << "attribute" << true;
        QTest::newRow("a loop") << "loop" << true;
        QTest::newRow("a case") << "case" << true;
        QTest::newRow("a call") << "call" << true;
    }
    void whatACalleeOverwritesCountsForTheCaller()
    {
        QFETCH(QString, form);
        QFETCH(bool, kept);
        ProgramBuilder b;
        const FunctionId inner = b.function("inner");
        const auto p = b.input("p", 8), q = b.tensor("q", 8);
        if (form == "loop" || form == "case") {
            const OpId around = form == "loop" ? b.loop("around", {p}, {}) : b.pick("around", {p, p}, {});
            b.begin(around, form == "loop" ? RegionRole::body : RegionRole::branch);
            const auto in = b.input("in", 8), again = b.view("again", in, 8);
            b.op("write", {in}, {again});
            b.end();
        } else if (form == "alias" || form == "call") {
            const auto again = b.view("again", p, 8);
            b.op("write", {p}, {again});
        } else {
            const OpId op = b.op("write", {p}, {});
            if (form == "attribute") b.at(op).attributes = {Attribute("overwrites", "0 ")};
        }
        b.op("made", {p}, {q});
        b.output(q);
        FunctionId called = inner;
        if (form == "call") {
            called = b.function("outer");
            const auto r = b.input("r", 8), s = b.tensor("s", 8);
            b.call("call", inner, {r}, {s});
            b.output(s);
        }
        b.use(0);
        const auto x = b.input("x", 8), t = b.tensor("t", 8), u = b.tensor("u", 8), v = b.tensor("v", 8), y = b.tensor("y", 8);
        b.op("t", {x}, {t});
        b.call("call", called, {t}, {u});
        b.op("read", {t}, {v});
        b.op("last", {u, v}, {y});
        b.output(y);
        QCOMPARE(ordered(b.program(), 1, 2, possible), kept);
    }

    void statefulOpsKeepTheirOrder()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), y = b.tensor("y", 8), z = b.tensor("z", 8);
        b.at(b.op("1", {x}, {y})).kind = "RandomUniform";
        b.op("2", {x}, {z});
        b.output(y);
        b.output(z);
        QVERIFY(!ordered(b.program(), 0, 1, possible));
        b.at(1).traits.effect = OpEffect::stateful;
        QVERIFY(ordered(b.program(), 0, 1, possible));
        QVERIFY(!ordered(b.program(), 0, 1, certain)); // a plan for all orders holds for this one, too
    }
};

QTEST_APPLESS_MAIN(TestDependencies)
#include "tst_dependencies.moc"
