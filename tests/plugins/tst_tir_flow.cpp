// Control flow of TIR: buffers that conditions and bounds read, and counts of iterations.
#include "core/lower/lower.h"
#include "core/plan/report.h"
#include "plugins/tvm/tir_importer.h"
#include "tests/plugins/importing.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace stowage;
using namespace stowage::test;

namespace {

Expected<Imported> read(const std::string& text)
{
    ImportRequest request;
    request.path = "flow.py";
    request.bytes = text;
    return tvm::TirImporter().import(request);
}

/// Lines of TIR, each inside the blocks that `indent` opens.
std::string call(const std::string& indent, const std::string& function, const std::string& from, const std::string& to)
{
    return indent + "T.call_extern(\"int32\", \"" + function + "\", " + from + ", " + to + ")\n";
}
std::string allocation(const std::string& indent, const std::string& name)
{
    return indent + name + " = T.allocate([16], \"int8\", \"global\")\n";
}
/// A buffer that is written from x and read once.
std::string user(const std::string& indent, const std::string& name)
{
    return allocation(indent, name) + call(indent, "g", "x.data", name) + call(indent, "h", name, "y.data");
}

/// `f`, `g` and `h` are outside the module: each reads its first buffer and writes its last.
std::string head()
{
    return "@T.prim_func\ndef main(x: T.Buffer((16,), \"int8\"), y: T.Buffer((16,), \"int8\"), n: T.int32):\n" +
           allocation("    ", "a") + call("    ", "f", "x.data", "a");
}

Bytes boundOf(const Program& program)
{
    const auto lowering = lower(program, {});
    if (!lowering) qFatal("%s", toText(lowering.error()).c_str());
    return lowerBound(lowering->problem, none).bytes;
}

std::vector<std::string> inputsOf(const Function& function, OpId op)
{
    std::vector<std::string> names;
    for (const TensorId input : function.ops[at(op)].inputs) names.push_back(function.tensors[at(input)].name);
    return names;
}

} // namespace

class TestTirFlow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// `a` is read after `c` is done with, so that both are live at once: 2 times 16 bytes. The block allocates or calls, so
    /// it is not one op.
    void aBufferLivesUntilItIsTested_data()
    {
        QTest::addColumn<QByteArray>("block");
        const auto row = [](const char* name, const std::string& block) {
            QTest::newRow(name) << QByteArray::fromStdString(block);
        };
        const std::string body = user("        ", "d");
        row("if", "    if a[0] > 0:\n" + body);
        row("elif", "    if x[0] > 0:\n        pass\n    elif a[0] > 0:\n" + body);
        row("while", "    while a[0] > 0:\n" + body);
        row("for", "    for i in range(a[0]):\n" + body);
        row("argument", "    T.call_extern(\"int32\", \"op\", x.data, y.data, a[0])\n@T.prim_func\n"
                        "def op(p: T.handle, q: T.handle, k: T.int32):\n    q[0] = p[0] + k\n");
        row("argument in a nest",
            "    for i in range(4):\n        T.call_extern(\"int32\", \"op\", x.data, y.data, a[i])\n@T.prim_func\n"
            "def op(p: T.handle, q: T.handle, k: T.int32):\n    q[0] = p[0] + k\n");
        row("with", "    with T.LetStmt(a[0]) as m:\n" + body);
    }
    void aBufferLivesUntilItIsTested()
    {
        QFETCH(QByteArray, block);
        const auto imported = read(head() + user("    ", "c") + block.toStdString());
        VERIFY_IMPORTED(imported);
        QCOMPARE(boundOf(std::get<Program>(imported->content)), Bytes{32});
    }

    /// A `while` is tested before each iteration and after the last one: `a`, which the body writes, outlives `d`.
    void everyIterationTestsItsWhile()
    {
        const auto imported =
            read(head() + "    while a[0] > 0:\n" + user("        ", "d") + call("        ", "f", "x.data", "a"));
        VERIFY_IMPORTED(imported);
        const Program& program = std::get<Program>(imported->content);
        const Function& main = program.main();
        const std::vector<OpId>& outside = main.regions[0].ops;
        QVERIFY(outside.size() >= 2);
        const Op& loop = main.ops[at(outside.back())];
        QVERIFY(loop.control == Control::loop);
        QVERIFY(!loop.tripCount);
        const OpId first = outside[outside.size() - 2];
        QCOMPARE(main.ops[at(first)].kind, std::string("while"));
        QCOMPARE(inputsOf(main, first), std::vector<std::string>{"a"});
        const OpId again = main.regions[at(loop.regions.front())].ops.back();
        QCOMPARE(main.ops[at(again)].kind, std::string("while"));
        QCOMPARE(inputsOf(main, again), std::vector<std::string>{"a@2"}); // as the body has written it
        QCOMPARE(boundOf(program), Bytes{32});
    }

    /// As Python counts: range(1, 10, 4) is 1, 5, 9. -1: not known.
    void iterationsAreCountedByTheStep_data()
    {
        QTest::addColumn<QByteArray>("range");
        QTest::addColumn<int>("trips");
        const auto row = [](const char* range, int trips) { QTest::newRow(range) << QByteArray(range) << trips; };
        row("range(5)", 5);
        row("T.serial(2, 8)", 6);
        row("T.grid(3, 4)", 12);
        row("range(0, 100, 1)", 100);
        row("range(0, 100, 4)", 25);
        row("range(1, 10, 1)", 9);
        row("range(1, 10, 4)", 3);
        row("T.serial(0, 100, step=2)", 50);
        row("T.serial(7, step=3)", 3);
        row("T.serial(0, 100, annotations={\"pragma\": 1})", 100);
        row("T.thread_binding(0, 32, \"threadIdx.x\")", 32);
        row("T.thread_binding(32, \"threadIdx.x\")", 32);
        row("range(0, n)", -1);
        row("T.serial(0, 10, step=n)", -1);
        row("range(0, 10, 0)", -1);
        row("range(10, 0, -1)", -1);
    }
    void iterationsAreCountedByTheStep()
    {
        QFETCH(QByteArray, range);
        QFETCH(int, trips);
        const auto imported = read(head() + "    for i in " + range.toStdString() + ":\n" + user("        ", "d"));
        VERIFY_IMPORTED(imported);
        const Function& main = std::get<Program>(imported->content).main();
        const auto loop =
            std::find_if(main.ops.begin(), main.ops.end(), [](const Op& op) { return op.control == Control::loop; });
        QVERIFY(loop != main.ops.end());
        QCOMPARE(loop->tripCount.value_or(-1), std::int64_t{trips});
    }
};

QTEST_GUILESS_MAIN(TestTirFlow)
#include "tst_tir_flow.moc"
