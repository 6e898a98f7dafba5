// What TVM writes is read: the graph executor's JSON with its storage ids, and textual TIR with the figures that are published
// for it.
#include "core/lower/lower.h"
#include "core/passes/fold.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "plugins/tvm/graph_importer.h"
#include "plugins/tvm/tir_importer.h"
#include "plugins/tvm/tir_program.h"
#include "plugins/tvm/tvm_types.h"
#include "tests/core/mutation.h"
#include "tests/plugins/tir_texts.h"
#include "tests/support/tvm_graph.h"

#include <QTest>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

namespace {

template <typename Importer>
Expected<Imported> read(const std::string& text, const char* name, std::vector<std::pair<std::string, std::string>> options = {})
{
    ImportRequest request;
    request.path = name;
    request.bytes = text;
    request.options = std::move(options);
    return Importer().import(request);
}

Lowering lowered(const Program& program, std::vector<Pool> pools = {})
{
    LowerOptions options;
    options.pools = std::move(pools);
    auto lowering = lower(program, options);
    if (!lowering) qFatal("%s", toText(lowering.error()).c_str());
    return *std::move(lowering);
}

const Tensor* tensorOf(const Function& function, const std::string& name)
{
    const auto found =
        std::find_if(function.tensors.begin(), function.tensors.end(), [&](const Tensor& t) { return t.name == name; });
    return found == function.tensors.end() ? nullptr : &*found;
}

} // namespace

class TestTvm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizesOfElements()
    {
        QCOMPARE(tvm::elementBytes("float32").value_or(-1), 4);
        QCOMPARE(tvm::elementBytes("int8").value_or(-1), 1);
        QCOMPARE(tvm::elementBytes("uint1").value_or(-1), 1);
        QCOMPARE(tvm::elementBytes("bool").value_or(-1), 1);
        QCOMPARE(tvm::elementBytes("bfloat16").value_or(-1), 2);
        QCOMPARE(tvm::elementBytes("float32x4").value_or(-1), 16);
        QCOMPARE(tvm::elementBytes("int4x2").value_or(-1), 1);
        for (const char* bad : {"", "handle", "float", "int0", "float32x", "float32x0", "int99999", "matrix"})
            QVERIFY2(!tvm::elementBytes(bad), bad);
    }

    void mobilenetHasItsPublishedPressure()
    {
        QVERIFY(tvm::TirImporter().claims(mobilenet, "x.py") > 50);
        const auto imported = read<tvm::TirImporter>(mobilenet, "mobilenet.py");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        QCOMPARE(QString::fromStdString(program.main().name), QString("run_model"));
        const Lowering lowering = lowered(program);
        QCOMPARE(lowerBound(lowering.problem, none).bytes, 1117718);
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        const auto unified = registry.find("hill-climb")->plan(lowering.problem, {}, {});
        const auto local = registry.find("local-first")->plan(lowering.problem, {}, {});
        QVERIFY(unified && local);
        QCOMPARE(unified->poolSize(lowering.problem, 0), 1117718);
        QCOMPARE(local->poolSize(lowering.problem, 0), 1418774);
        const Tensor* padded = tensorOf(program.functions[0], "PaddedInput_7");
        QVERIFY(padded);
        QCOMPARE(padded->where.line, 13);
        QCOMPARE(padded->where.column, 9);
    }

    void inputsAndOutputsOnDemand()
    {
        const auto imported = read<tvm::TirImporter>(mobilenet, "mobilenet.py", {{"io", "included"}});
        QVERIFY(imported);
        const Program& program = std::get<Program>(imported->content);
        QVERIFY(tensorOf(program.main(), "input")->planned && tensorOf(program.main(), "output")->planned);
        QVERIFY(!read<tvm::TirImporter>(mobilenet, "m.py", {{"io", "maybe"}}));
        QVERIFY(!read<tvm::TirImporter>(mobilenet, "m.py", {{"nothing", "x"}}));
    }

    void theNewerForm()
    {
        const auto imported = read<tvm::TirImporter>(newer, "newer.py");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        const Function& main = program.main();
        QCOMPARE(QString::fromStdString(main.name), QString("main"));
        QCOMPARE(tensorOf(main, "x")->bytes.value_or(-1), 400);
        QVERIFY(tensorOf(main, "x")->kind == TensorKind::input && tensorOf(main, "y")->kind == TensorKind::output);
        QCOMPARE(tensorOf(main, "mid")->pools, std::vector<std::string>{"sram"});
        QCOMPARE(tensorOf(program.functions[0], "t_1")->pools, (std::vector<std::string>{"dtcm", "sram"}));
        QCOMPARE(tensorOf(main, "w")->bytes.value_or(-1), 8);
        QVERIFY(tensorOf(main, "w")->kind == TensorKind::constant);
        QVERIFY(!tensorOf(main, "h")->bytes);                            // its size is known when it runs
        QCOMPARE(tensorOf(main, "scratch")->bytes.value_or(-1), 16 * 8); // four lanes of two bytes
        QVERIFY(!tensorOf(main, "lost")->planned);                       // once for each thread
        QVERIFY(std::any_of(imported->diagnostics.begin(), imported->diagnostics.end(),
                            [](const Diagnostic& d) { return d.code == Code::parallelAllocation && d.where.line == 27; }));

        const Lowering lowering = lowered(program, {{.name = "dtcm", .capacity = 100}, {.name = "sram"}});
        QVERIFY(std::any_of(lowering.diagnostics.begin(), lowering.diagnostics.end(),
                            [](const Diagnostic& d) { return d.code == Code::dynamicSize; }));
        const auto buffer = [&](const std::string& name) -> const Buffer& {
            for (const Buffer& b : lowering.problem.buffers)
                if (b.name == name) return b;
            qFatal("no buffer %s", name.c_str());
        };
        QCOMPARE(buffer("add/t_1").live.size(), std::size_t(2)); // called twice
        // mid lives from the first call to the second one, through both loops.
        QCOMPARE(buffer("mid").live.size(), std::size_t(1));
        for (const Interval& live : buffer("scratch").live)
            QVERIFY(buffer("mid").live[0].begin <= live.begin && live.end <= buffer("mid").live[0].end);
        QCOMPARE(lowering.problem.buffers.size(), std::size_t(3)); // t_1, mid, scratch
    }

    /// Each of the two threads of the outer loop runs the inner one, so that two arrays exist at once. After it a loop is not
    /// parallel.
    void aLoopInsideAParallelOneRunsSeveralTimesAtOnce()
    {
        const auto imported = read<tvm::TirImporter>(R"(
@T.prim_func
def main(y: T.Buffer((4,), "int8")):
    for p in T.parallel(2):
        for q in T.serial(3):
            lost = T.allocate([8], "int8", "global")
            lost[0] = T.int8(1)
            y[q] = lost[0]
    for q in T.serial(3):
        kept = T.allocate([8], "int8", "global")
        kept[0] = T.int8(1)
        y[q] = kept[0]
)",
                                                     "nested.py");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Function& main = std::get<Program>(imported->content).main();
        QVERIFY(!tensorOf(main, "lost")->planned);
        QVERIFY(tensorOf(main, "kept")->planned);
        QCOMPARE(std::count_if(imported->diagnostics.begin(), imported->diagnostics.end(),
                               [](const Diagnostic& d) { return d.code == Code::parallelAllocation; }),
                 std::ptrdiff_t(1));
        QVERIFY(std::any_of(imported->diagnostics.begin(), imported->diagnostics.end(),
                            [](const Diagnostic& d) { return d.code == Code::parallelAllocation && d.where.line == 6; }));
    }

    /// Each of the four threads runs `tile`, which runs `inner`: four buffers of each exist at once. `after` is called by nobody
    /// in a parallel loop.
    void functionsThatAParallelLoopCallsRunSeveralTimesAtOnce()
    {
        const auto imported = read<tvm::TirImporter>(R"(
@T.prim_func
def inner(x: T.Buffer((16,), "int8"), y: T.Buffer((16,), "int8")):
    u = T.allocate([16], "int8", "global")
    w = T.allocate_const([1, 2], "int8", [2])
    for i in T.serial(16):
        u[i] = x[i] + w[0]
    for i in T.serial(16):
        y[i] = u[i]
@T.prim_func
def tile(x: T.Buffer((16,), "int8"), y: T.Buffer((16,), "int8")):
    t = T.allocate([16], "int8", "global")
    T.call_extern("int32", "inner", x.data, t)
    T.call_extern("int32", "inner", t, y.data)
@T.prim_func
def after(x: T.Buffer((16,), "int8"), y: T.Buffer((16,), "int8")):
    v = T.allocate([16], "int8", "global")
    for i in T.serial(16):
        v[i] = x[i]
    for i in T.serial(16):
        y[i] = v[i]
@T.prim_func
def main(x: T.Buffer((16,), "int8"), y: T.Buffer((16,), "int8")):
    for j in T.parallel(4):
        for k in T.serial(2):
            T.call_extern("int32", "tile", x.data, y.data)
    T.call_extern("int32", "after", x.data, y.data)
)",
                                                     "called.py");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        QVERIFY(!tensorOf(program.functions[0], "u")->planned);
        QVERIFY(tensorOf(program.functions[0], "w")->planned); // read only: one is enough
        QVERIFY(!tensorOf(program.functions[1], "t")->planned);
        QVERIFY(tensorOf(program.functions[2], "v")->planned);
        std::vector<std::int32_t> lines;
        for (const Diagnostic& told : imported->diagnostics)
            if (told.code == Code::parallelAllocation) lines.push_back(told.where.line);
        QCOMPARE(lines, (std::vector<std::int32_t>{4, 12}));
        const Lowering lowering = lowered(program);
        QVERIFY(std::none_of(lowering.problem.buffers.begin(), lowering.problem.buffers.end(),
                             [](const Buffer& buffer) { return buffer.name == "tile/t" || buffer.name.ends_with("/u"); }));
    }

    /// VTCM and shared memory are not the memory that "global" is: `a` alone lies there. `d` names its memory.
    void otherScopesAreOtherMemories()
    {
        const auto imported = read<tvm::TirImporter>(R"(
@T.prim_func
def main(x: T.Buffer((16,), "int8"), y: T.Buffer((16,), "int8")):
    a = T.alloc_buffer((16,), "int8")
    b = T.alloc_buffer((16,), "int8", scope="global.vtcm")
    c = T.allocate([16], "int8", "shared")
    d = T.allocate([16], "int8", "global.vtcm", annotations={"candidate_memory_pools": ["vtcm"]})
    e = T.alloc_buffer((16,), "int8", scope="global.vtcm")
    for i in T.serial(16):
        a[i] = x[i]
    for i in T.serial(16):
        b[i] = a[i]
    for i in T.serial(16):
        b[i] = b[i] + 1
    for i in T.serial(16):
        c[i] = b[i]
    for i in T.serial(16):
        d[i] = c[i]
    for i in T.serial(16):
        e[i] = d[i]
    for i in T.serial(16):
        y[i] = e[i]
)",
                                                     "vtcm.py");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        const Lowering lowering = lowered(program, {{.name = "sram"}, {.name = "vtcm"}});
        std::vector<std::string> names;
        for (const Buffer& buffer : lowering.problem.buffers) names.push_back(buffer.name);
        std::sort(names.begin(), names.end());
        QCOMPARE(names, (std::vector<std::string>{"a", "d"}));
        std::vector<std::string> told;
        for (const Diagnostic& diagnostic : imported->diagnostics) {
            QVERIFY(diagnostic.severity == Severity::note);
            told.push_back(diagnostic.message.substr(0, diagnostic.message.find(':')));
        }
        QCOMPARE(told, (std::vector<std::string>{"2 buffers of scope 'global.vtcm' are not planned",
                                                 "1 buffer of scope 'shared' is not planned"}));
        QCOMPARE(imported->diagnostics.front().where.line, 5);
    }

    /// The second `assert` is the last use of `a`.
    void assertionsReadWhatTheyName()
    {
        const auto imported = read<tvm::TirImporter>(R"(
@T.prim_func
def main(x: T.Buffer((16,), "int8"), y: T.Buffer((16,), "int8"), n: T.int32):
    assert n == 16, "main: n is wrong"
    a = T.alloc_buffer((16,), "int8")
    for i in T.serial(16):
        a[i] = x[i]
    for i in T.serial(16):
        y[i] = x[i]
    assert a[0] == a[1], ("ValueError", ["main: ", "a is wrong"])
    for i in T.serial(16):
        assert n == 16
        y[i] = y[i] + 1
)",
                                                     "assert.py");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Function& main = std::get<Program>(imported->content).main();
        QCOMPARE(main.ops.size(), std::size_t{4}); // the first assert touches no buffer
        QCOMPARE(main.ops[2].kind, std::string("assert"));
        QCOMPARE(main.ops[2].inputs.size(), std::size_t{1});
        QCOMPARE(main.tensors[at(main.ops[2].inputs[0])].name, std::string("a"));
        QVERIFY(main.ops[2].outputs.empty());
    }

    void mistakesHaveTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QByteArray>("code");
        const QByteArray head = "@T.prim_func\ndef main(a: T.handle):\n";
        QTest::newRow("bracket") << head + "    T.evaluate((1, 2)\n" << 3 << 15 << QByteArray("syntax");
        QTest::newRow("closed twice") << head + "    T.evaluate(1))\n" << 3 << 18 << QByteArray("syntax");
        QTest::newRow("string") << head + "    T.attr(\"x, 1)\n" << 3 << 12 << QByteArray("syntax");
        QTest::newRow("dedent") << head + "    x = 1\n  y = 2\n" << 4 << 3 << QByteArray("syntax");
        QTest::newRow("no block") << head + "    for i in T.serial(3):\n    x = 1\n" << 4 << 5 << QByteArray("syntax");
        QTest::newRow("character") << head + "    x = 1 ? 2\n" << 3 << 11 << QByteArray("syntax");
        QTest::newRow("nothing there") << head + "    x = \n" << 3 << 9 << QByteArray("syntax");
        QTest::newRow("arguments") << QByteArray(
                                          "@T.prim_func\ndef f(a: T.handle, b: T.handle):\n    b[0] = a[0]\n@T.prim_func\ndef "
                                          "main(a: T.handle):\n    T.evaluate(T.call_extern(\"f\", a, dtype=\"int32\"))\n")
                                   << 6 << 16 << QByteArray("missing-argument");
        QTest::newRow("unknown buffer") << QByteArray(
                                               "@T.prim_func\ndef f(a: T.handle):\n    a[0] = 1\n@T.prim_func\ndef main(a: "
                                               "T.handle):\n    T.evaluate(T.call_extern(\"f\", c, dtype=\"int32\"))\n")
                                        << 6 << 35 << QByteArray("unknown-buffer");
        QTest::newRow("twice")
            << QByteArray("@T.prim_func\ndef f(a: T.handle):\n    pass\n@T.prim_func\ndef f(a: T.handle):\n    pass\n") << 5 << 1
            << QByteArray("duplicate-name");
        QTest::newRow("too large") << head + "    x = T.allocate([4611686018427387904, 8], \"int8\", \"global\")\n"
                                   << 3 << 5 << QByteArray("too-large");
        QTest::newRow("no function") << QByteArray("x = 1\n") << 0 << 0 << QByteArray("no-functions");
        QTest::newRow("too deep") << head + "    x = " + QByteArray(5000, '(') + QByteArray(5000, ')') + "\n"
                                  << 3 << 208 << QByteArray("syntax");
    }
    void mistakesHaveTheirPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QByteArray, code);
        const auto imported = read<tvm::TirImporter>(text.toStdString(), "bad.py");
        QVERIFY(!imported);
        QCOMPARE(QByteArray::fromStdString(std::string(toText(imported.error().code))), code);
        QCOMPARE(imported.error().where.line, line);
        if (code != "syntax" || line != 3 || column < 200) QCOMPARE(imported.error().where.column, column);
        QCOMPARE(QByteArray::fromStdString(imported.error().where.file), QByteArray("bad.py"));
    }

    /// Whatever is done to the text, there is an answer: a program that lowers or says why not, or an error.
    void textSurvivesMutations()
    {
        for (const char* text : {mobilenet, newer})
            test::mutate(text, "()[]{}:=,.\"'#\n\t T0189_@-", 3000, [](const std::string& mutated) {
                const auto imported = read<tvm::TirImporter>(mutated, "m.py");
                if (!imported) return !imported.error().message.empty();
                const auto lowering = lower(std::get<Program>(imported->content), {});
                return lowering || !lowering.error().message.empty();
            });
    }

    void graphsComeWithTheirStorageIds()
    {
        QVERIFY(tvm::GraphImporter().claims(tvmGraph, "graph.json") > 50);
        const auto imported = read<tvm::GraphImporter>(tvmGraph, "graph.json");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        const Function& main = program.main();
        QCOMPARE(main.ops.size(), std::size_t(4));
        QCOMPARE(main.tensors.size(), std::size_t(7));
        QVERIFY(tensorOf(main, "p0")->kind == TensorKind::constant);
        QVERIFY(tensorOf(main, "input")->kind == TensorKind::input && tensorOf(main, "add")->kind == TensorKind::output);
        QCOMPARE(tensorOf(main, "input")->bytes.value_or(-1), 100);
        QCOMPARE(tensorOf(main, "conv")->bytes.value_or(-1), 80);
        QCOMPARE(tensorOf(main, "reshape")->aliasOf, TensorId(2));
        QCOMPARE(tensorOf(main, "split:1")->bytes.value_or(-1), 40);
        // Ids 0, 2, 3 and 4 hold 100, 80, 40 and 40 bytes, one behind the other; 1 is a parameter's.
        QCOMPARE(imported->plans.size(), std::size_t(1));
        std::map<TensorId, Bytes> offsets;
        for (const FilePlan::Offset& offset : imported->plans[0].offsets) offsets[offset.tensor] = offset.offset;
        QCOMPARE(offsets, (std::map<TensorId, Bytes>{{0, 0}, {2, 100}, {3, 100}, {4, 180}, {5, 220}, {6, 100}}));
        // input and conv are live together, conv and both halves, both halves and the sum.
        QCOMPARE(lowerBound(lowered(program).problem, none).bytes, 180);

        const auto inputs = read<tvm::GraphImporter>(tvmGraph, "graph.json", {{"params", "inputs"}, {"io", "excluded"}});
        QVERIFY(inputs);
        QVERIFY(tensorOf(std::get<Program>(inputs->content).main(), "p0")->kind == TensorKind::input);
        QVERIFY(!tensorOf(std::get<Program>(inputs->content).main(), "add")->planned);
    }

    /// A `__nop` gives its operand another shape and writes nothing: an op that makes this operand of a parameter folds.
    void aReshapeLeavesAFoldedTensorConstant()
    {
        const auto imported = read<tvm::GraphImporter>(
            R"({"nodes": [{"op": "null", "name": "x"}, {"op": "null", "name": "p0"},
                {"op": "tvm_op", "name": "t", "attrs": {"func_name": "tvmgen_transform"}, "inputs": [[1, 0, 0]]},
                {"op": "tvm_op", "name": "v", "attrs": {"func_name": "__nop"}, "inputs": [[2, 0, 0]]},
                {"op": "tvm_op", "name": "y", "attrs": {"func_name": "tvmgen_mul"}, "inputs": [[0, 0, 0], [3, 0, 0]]}],
                "arg_nodes": [0, 1], "heads": [[4, 0, 0]], "node_row_ptr": [0, 1, 2, 3, 4, 5],
                "attrs": {"shape": ["list_shape", [[4], [4], [4], [2, 2], [4]]],
                          "dltype": ["list_str", ["float32", "float32", "float32", "float32", "float32"]]}})",
            "graph.json");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        QCOMPARE(program.main().ops.size(), std::size_t{3});
        QVERIFY(isView(program.main().ops[1]));
        QVERIFY(program.main().ops[1].traits.work == OpWork::moving);
        QCOMPARE(tensorOf(program.main(), "v")->aliasOf, program.main().ops[0].outputs[0]);
        const auto fold = decideFolds(program, 0, {});
        QVERIFY2(fold, fold ? "" : toText(fold.error()).c_str());
        QVERIFY(fold->ops[0].folded());
        QVERIFY(!fold->ops[2].folded());
    }

    /// TVM allocates each storage by itself. 20 int64 of 8 bytes lie after 25 bytes of uint8, at the next multiple of 8.
    void storagesBeginWhereTheirElementsMay()
    {
        std::string graph(tvmGraph);
        const auto replace = [&graph](const std::string& from, const std::string& to) {
            const auto at = graph.find(from);
            QVERIFY(at != std::string::npos);
            graph.replace(at, from.size(), to);
        };
        replace("[[1, 10, 10]", "[[1, 5, 5]");
        replace("\"int32\", \"int32\", \"int32\"", "\"int64\", \"int64\", \"int32\"");
        const auto imported = read<tvm::GraphImporter>(graph, "graph.json");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        std::map<TensorId, Bytes> offsets;
        for (const FilePlan::Offset& offset : imported->plans[0].offsets) offsets[offset.tensor] = offset.offset;
        QCOMPARE(offsets, (std::map<TensorId, Bytes>{{0, 0}, {2, 32}, {3, 32}, {4, 192}, {5, 232}, {6, 32}}));
    }

    /// The tensors from `split` on are on the second device. Storage ids 0 and 2 (100 and 80 bytes) are on the first one; 3, 4
    /// and 5 (40 bytes each) on the second.
    void devicesHaveMemoriesOfTheirOwn()
    {
        QByteArray text(tvmGraph);
        text.replace("[1, 1, 1, 1, 1, 1, 1]", "[1, 1, 1, 1, 2, 2, 2]");
        text.replace("[0, 1, 2, 2, 3, 4, 2]", "[0, 1, 2, 2, 3, 4, 5]");
        const auto imported = read<tvm::GraphImporter>(text.toStdString(), "graph.json");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        const Function& main = program.main();
        QCOMPARE(program.pools.size(), std::size_t{2});
        QCOMPARE(program.pools[0].name, std::string("cpu"));
        QCOMPARE(program.pools[1].name, std::string("cuda"));
        QVERIFY(tensorOf(main, "p0")->pools.empty()); // a constant is in no workspace
        QCOMPARE(tensorOf(main, "input")->pools, std::vector<std::string>{"cpu"});
        QCOMPARE(tensorOf(main, "add")->pools, std::vector<std::string>{"cuda"});
        std::map<TensorId, Bytes> offsets;
        for (const FilePlan::Offset& offset : imported->plans[0].offsets) offsets[offset.tensor] = offset.offset;
        QCOMPARE(offsets, (std::map<TensorId, Bytes>{{0, 0}, {2, 100}, {3, 100}, {4, 0}, {5, 40}, {6, 80}}));
        const Lowering lowering = lowered(program);
        QCOMPARE(lowerBound(lowering.problem, 0).bytes, 180); // input and conv
        QCOMPARE(lowerBound(lowering.problem, 1).bytes, 120); // both halves and the sum
    }

    /// `conv` and its view are a texture; the plan has `input`, both halves and the sum.
    void otherScopesOfAGraphAreOtherMemories()
    {
        QByteArray text(tvmGraph);
        text.replace("\"storage_id\"", "\"storage_scope\": [\"list_str\", [\"global\", \"\", \"global.texture\", "
                                       "\"global.texture\", \"global\", \"\", \"\"]],\n    \"storage_id\"");
        const auto imported = read<tvm::GraphImporter>(text.toStdString(), "graph.json");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Program& program = std::get<Program>(imported->content);
        QVERIFY(program.pools.empty());
        for (const char* name : {"conv", "reshape"}) QVERIFY2(!tensorOf(program.main(), name)->planned, name);
        for (const char* name : {"input", "split:0", "add"}) QVERIFY2(tensorOf(program.main(), name)->planned, name);
        const auto told = std::find_if(imported->diagnostics.begin(), imported->diagnostics.end(),
                                       [](const Diagnostic& d) { return d.code == Code::notSupported; });
        QVERIFY(told != imported->diagnostics.end());
        QVERIFY2(told->message.starts_with("2 tensors of scope 'global.texture' are not planned"), told->message.c_str());
        std::map<TensorId, Bytes> offsets;
        for (const FilePlan::Offset& offset : imported->plans[0].offsets) offsets[offset.tensor] = offset.offset;
        QCOMPARE(offsets, (std::map<TensorId, Bytes>{{0, 0}, {4, 140}, {5, 180}, {6, 100}}));
    }

    void badGraphsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("forward") << QByteArray("[[0, 0, 0], [1, 0, 0]]") << QByteArray("[[5, 0, 0], [1, 0, 0]]");
        QTest::newRow("no such output") << QByteArray("[4, 1, 0]") << QByteArray("[4, 2, 0]");
        QTest::newRow("rows") << QByteArray("[0, 1, 2, 3, 4, 6, 7]") << QByteArray("[0, 1, 2, 3, 4, 5, 7]");
        QTest::newRow("fewer rows") << QByteArray("[0, 1, 2, 3, 4, 6, 7]") << QByteArray("[0, 1, 2, 3, 4, 6]");
        QTest::newRow("shapes") << QByteArray("[10], [10], [10]]]") << QByteArray("[10], [10]]]");
        QTest::newRow("devices") << QByteArray("[1, 1, 1, 1, 1, 1, 1]") << QByteArray("[1, 1, 1, 1, 1, 1]");
        QTest::newRow("head") << QByteArray("\"heads\": [[5") << QByteArray("\"heads\": [[6");
        QTest::newRow("argument") << QByteArray("\"arg_nodes\": [0, 1]") << QByteArray("\"arg_nodes\": [0, 2]");
        QTest::newRow("outputs") << QByteArray("\"num_outputs\": \"2\"") << QByteArray("\"num_outputs\": \"999999999\"");
        QTest::newRow("cut off") << QByteArray("\"node_row_ptr\"") << QByteArray("");
    }
    void badGraphsAreRefused()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QByteArray text(tvmGraph);
        QVERIFY(text.contains(from));
        text.replace(from, to);
        const auto imported = read<tvm::GraphImporter>(text.toStdString(), "bad.json");
        QVERIFY(!imported);
        QVERIFY(imported.error().where.known() && !imported.error().message.empty());
    }

    /// Node 0 makes "x", node 1 "x#2"; all further nodes are named "x". Counting from 2 for each would look up 5,000,000,000
    /// names.
    void equalNamesOfAGraphAreNumbered()
    {
        constexpr int count = 100'000;
        std::string nodes =
            R"({"op": "null", "name": "x", "inputs": []}, {"op": "tvm_op", "name": "x#2", "inputs": [[0, 0, 0]]})";
        std::string rows = "0, 1, 2", shapes = "[4], [4]", types = R"("int8", "int8")";
        for (int n = 2; n < count; ++n) {
            nodes += R"(, {"op": "tvm_op", "name": "x", "inputs": [[0, 0, 0]]})";
            rows += ", " + std::to_string(n + 1);
            shapes += ", [4]";
            types += R"(, "int8")";
        }
        const std::string graph = R"({"nodes": [)" + nodes + R"(], "arg_nodes": [0], "heads": [[1, 0, 0]], "node_row_ptr": [)" +
                                  rows + R"(], "attrs": {"shape": ["list_shape", [)" + shapes +
                                  R"(]], "dltype": ["list_str", [)" + types + "]]}}";
        const auto imported = read<tvm::GraphImporter>(graph, "graph.json");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Function& main = std::get<Program>(imported->content).main();
        QCOMPARE(main.tensors.size(), std::size_t{count});
        QCOMPARE(main.tensors[1].name, std::string("x#2"));
        QCOMPARE(main.tensors[2].name, std::string("x#3"));
        QCOMPARE(main.tensors.back().name, std::string("x#100000"));
        // Ops have names of their own: x#2, x, and on from 3.
        QCOMPARE(main.ops.size(), std::size_t{count - 1});
        QCOMPARE(main.ops[0].name, std::string("x#2"));
        QCOMPARE(main.ops[1].name, std::string("x"));
        QCOMPARE(main.ops[2].name, std::string("x#3"));
        QCOMPARE(main.ops.back().name, std::string("x#99999"));
    }

    void tensorsOfAGraphWithoutNamesGetSome()
    {
        const auto imported = read<tvm::GraphImporter>(
            R"({"nodes": [{"op": "null", "name": ""}, {"op": "null", "name": ""},
                {"op": "tvm_op", "name": "", "inputs": [[0, 0, 0], [1, 0, 0]]}], "arg_nodes": [0, 1], "heads": [[2, 0, 0]],
                "node_row_ptr": [0, 1, 2, 3], "attrs": {"shape": ["list_shape", [[4], [4], [4]]],
                "dltype": ["list_str", ["int8", "int8", "int8"]]}})",
            "graph.json");
        QVERIFY2(imported, imported ? "" : toText(imported.error()).c_str());
        const Function& main = std::get<Program>(imported->content).main();
        QCOMPARE(main.tensors[0].name, std::string("unnamed"));
        QCOMPARE(main.tensors[1].name, std::string("#2"));
        QCOMPARE(main.tensors[2].name, std::string("#3"));
        QCOMPARE(main.ops[0].name, std::string("node2"));
    }

    /// Tensors "t", versions of `b`, which each call writes again, and ops "f". Counting from 2 for each would look up
    /// 1,250,000,000 names three times.
    void equalNamesOfTirAreNumbered()
    {
        constexpr int count = 50'000;
        std::string text =
            "@T.prim_func\ndef main(a: T.handle, b: T.handle):\n    w = T.lookup_param(\"t#2\", dtype=\"handle\")\n";
        for (int i = 0; i < count; ++i) text += "    t = T.allocate([4], \"int8\", \"global\")\n";
        for (int i = 0; i < count; ++i) text += "    T.evaluate(T.call_extern(\"f\", a, b, dtype=\"int32\"))\n";
        const auto functions = tvm::parseTir(text, "equal.py");
        QVERIFY2(functions, functions ? "" : toText(functions.error()).c_str());
        const auto built = tvm::buildProgram(*functions, "equal.py", true);
        QVERIFY2(built, built ? "" : toText(built.error()).c_str());
        const Function& main = built->program.functions.at(0);
        // a, b, t#2; then t, t#3, …; then the versions from the second call on.
        QCOMPARE(main.tensors.size(), std::size_t{3 + count + count - 1});
        QCOMPARE(main.tensors[2].name, std::string("t#2"));
        QCOMPARE(main.tensors[3].name, std::string("t"));
        QCOMPARE(main.tensors[4].name, std::string("t#3"));
        QCOMPARE(main.tensors[2 + count].name, std::string("t#50001"));
        QCOMPARE(main.tensors[3 + count].name, std::string("b@2"));
        QCOMPARE(main.tensors.back().name, std::string("b@50000"));
        QCOMPARE(main.ops.size(), std::size_t{count});
        QCOMPARE(main.ops[0].name, std::string("f"));
        QCOMPARE(main.ops[1].name, std::string("f#2"));
        QCOMPARE(main.ops.back().name, std::string("f#50000"));
    }

    void graphsSurviveMutations()
    {
        test::mutate(tvmGraph, "{}[]\",:-0129abt \n", 5000, [](const std::string& mutated) {
            const auto imported = read<tvm::GraphImporter>(mutated, "g.json");
            if (!imported) return !imported.error().message.empty();
            const auto lowering = lower(std::get<Program>(imported->content), {});
            return lowering || !lowering.error().message.empty();
        });
    }
};

QTEST_GUILESS_MAIN(TestTvm)
#include "tst_tvm.moc"
