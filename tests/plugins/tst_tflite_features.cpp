// What the format allows and no reference model shows, on models made to measure.
#include "core/lower/lower.h"
#include "core/plan/report.h"
#include "tests/plugins/made_import.h"
#include "tests/plugins/made_model.h"
#include "tests/plugins/tflite_support.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace stowage;
using namespace stowage::test;

namespace {

constexpr std::int32_t conditional = 118;
constexpr std::int32_t loop = 119;
constexpr std::int32_t stablehloWhile = 200;
constexpr std::int32_t stablehloComposite = 206;
constexpr std::int32_t stablehloCase = 209;

/// Two composites with one decomposition: y = f(x), z = f(y), and then x + z.
MadeModel composedTwice()
{
    constexpr std::int32_t addition = 0, relu = 19;
    MadeModel model;
    model.graphs = {{"main", {{"x", {256}}, {"y", {256}}, {"z", {256}}, {"sum", {256}}}, {0}, {3}, {}},
                    {"decomposition", {{"in", {256}}, {"big", {2048}}, {"big2", {2048}}, {"out", {256}}}, {0}, {3}, {}}};
    model.graphs[0].operators = {
        {stablehloComposite, {0}, {1}, {1}, {}}, {stablehloComposite, {1}, {2}, {1}, {}}, {addition, {0, 2}, {3}, {}, {}}};
    model.graphs[1].operators = {{relu, {0}, {1}, {}, {}}, {relu, {1}, {2}, {}, {}}, {relu, {2}, {3}, {}, {}}};
    return model;
}

/// Each graph calls the next one in both branches: 2^depth copies.
MadeModel doubling(int depth)
{
    MadeModel model;
    for (std::int32_t g = 0; g < depth; ++g)
        model.graphs.push_back({"g" + std::to_string(g),
                                {{"c", {1}, 6}, {"x"}, {"y"}},
                                {0, 1},
                                {2},
                                {{conditional, {0, 0, 1}, {2}, {g + 1, g + 1}, {}}}});
    MadeGraph last = reluChain("last", 1);
    last.tensors.push_back({"c", {1}, 6});
    last.inputs = {2, 0};
    model.graphs.push_back(last);
    return model;
}

/// A picture of open height and width, halved, made positive, filtered without padding, and joined with itself.
MadeGraph inPicture()
{
    constexpr std::int32_t concatenation = 2, convolution = 3, relu = 19, same = 0, valid = 1;
    const auto open = [](const char* name, std::int32_t channels) { return openTensor(name, {1, -1, -1, channels}); };
    MadeGraph graph{"main", {open("image", 3), {"w", {8, 3, 3, 3}, 0, 1}, open("half", 8)}, {0}, {6}, {}};
    graph.tensors.push_back(open("positive", 8));
    graph.tensors.push_back({"v", {8, 3, 3, 8}, 0, 1});
    graph.tensors.push_back(open("inner", 8));
    graph.tensors.push_back(open("twice", 16));
    graph.operators = {{convolution, {0, 1}, {2}, {}, {}, {same, 2, 1}},
                       {relu, {2}, {3}, {}, {}},
                       {convolution, {3, 4}, {5}, {}, {}, {valid, 1, 2}},
                       {concatenation, {5, 5}, {6}, {}, {}, {3}}};
    return graph;
}

std::string remedyOf(const Imported& imported, Code code)
{
    const auto found = std::find_if(imported.diagnostics.begin(), imported.diagnostics.end(),
                                    [&](const Diagnostic& d) { return d.code == code; });
    return found == imported.diagnostics.end() ? std::string() : found->remedy;
}

/// One thing done to the second example model, and the error that it has to give.
struct Breakage {
    const char* name;
    void (*apply)(MadeModel&);
    const char* code;
};

const Breakage breakages[] = {
    {"body with a result too many", [](MadeModel& m) { m.graphs[3].outputs.push_back(0); }, "bad-call"},
    {"condition with two results", [](MadeModel& m) { m.graphs[2].outputs.push_back(0); }, "bad-call"},
    {"branch without selector", [](MadeModel& m) { m.graphs[0].operators[1].inputs.clear(); }, "bad-call"},
    {"absent argument of a call", [](MadeModel& m) { m.graphs[0].operators[2].inputs = {-1}; }, "bad-graph"},
    {"composite with an argument too many",
     [](MadeModel& m) {
         m.graphs[0].operators[2] = {stablehloComposite, {2, 2}, {3}, {3}, {}};
     },
     "bad-call"},
    {"case with a branch that is not there",
     [](MadeModel& m) {
         m.graphs[0].operators[1] = {stablehloCase, {0, 1}, {2}, {1, 9}, {}};
     },
     "bad-index"},
    {"circle through another graph",
     [](MadeModel& m) {
         m.graphs[3].operators[1] = {loop, {1}, {2}, {2, 3}, {}};
     },
     "recursion"},
    {"output that nobody writes", [](MadeModel& m) { m.graphs[0].outputs.push_back(7); }, "never-written"},
    {"input that is written", [](MadeModel& m) { m.graphs[0].operators[4].outputs = {1}; }, "bad-graph"},
    {"constant that is written", [](MadeModel& m) { m.graphs[0].operators[4].outputs = {5}; }, "bad-graph"},
    {"input listed twice", [](MadeModel& m) { m.graphs[0].inputs.push_back(1); }, "bad-graph"},
    {"extent of -2", [](MadeModel& m) { m.graphs[0].tensors[2].shape = {-2}; }, "bad-shape"},
    {"65 dimensions", [](MadeModel& m) { m.graphs[0].tensors[2].shape.assign(65, 1); }, "bad-shape"},
};

} // namespace

class TestTfliteFeatures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void elementTypesHaveTheirSizes()
    {
        const auto imported = importMade(exampleModels()[2]);
        VERIFY_IMPORTED(imported);
        const Function& main = program(imported).main();
        // 15 elements each, by the number of the type; 0: no static size.
        const Bytes expected[] = {60, 30, 60, 15, 120, 0, 15, 30, 120, 15, 120, 240, 120, 60, 0, 60, 30, 8, 30, 4, 8, 15, 15, 0};
        for (std::size_t type = 0; type < std::size(expected); ++type) {
            const Tensor* tensor = tensorNamed(main, "t" + std::to_string(type));
            QVERIFY(tensor);
            QCOMPARE(tensor->bytes.value_or(0), expected[type]);
            QCOMPARE(tensor->bytes.has_value(), expected[type] != 0);
        }
        QVERIFY(remedyOf(*imported, Code::partial).starts_with("Strings")); // no binding helps
        QCOMPARE(main.ops[0].kind, std::string("BUILTIN_999"));
    }

    void openDimensionsAreAssumedAndBound_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("extent");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("assumed") << QByteArray() << 0 << qint64{60} << QByteArray();
        QTest::newRow("batch") << QByteArray("batch") << 7 << qint64{140} << QByteArray();
        QTest::newRow("tensor") << QByteArray("x") << 7 << qint64{140} << QByteArray();
        QTest::newRow("tensor and axis") << QByteArray("x:0") << 7 << qint64{140} << QByteArray();
        QTest::newRow("closed axis") << QByteArray("x:1") << 7 << qint64{0} << QByteArray("unknown-binding");
        QTest::newRow("no such name") << QByteArray("bach") << 7 << qint64{0} << QByteArray("unknown-binding");
        QTest::newRow("negative") << QByteArray("x") << -3 << qint64{0} << QByteArray("bad-binding");
    }

    void openDimensionsAreAssumedAndBound()
    {
        QFETCH(QByteArray, name);
        QFETCH(int, extent);
        QFETCH(qint64, bytes);
        QFETCH(QByteArray, error);
        Bindings bindings;
        if (!name.isEmpty()) bindings.emplace_back(name.toStdString(), extent);
        const auto imported = importMade(exampleModels()[2], "nested", bindings);
        if (!error.isEmpty()) {
            QVERIFY(!imported);
            QVERIFY2(codeText(imported.error()) == error.toStdString(), toText(imported.error()).c_str());
            if (error == "unknown-binding") QVERIFY(imported.error().remedy.find("batch, x") != std::string::npos);
            return;
        }
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(program(imported).main(), "x")->bytes.value_or(0), Bytes{bytes});
        QCOMPARE(hasDiagnostic(*imported, "assumed-size"), name.isEmpty());
    }

    void narrowerBindingWins()
    {
        const auto imported = importMade(exampleModels()[2], "nested", {{"x", 2}, {"batch", 9}, {"x:0", 5}});
        QVERIFY(!imported); // two of them bind nothing then: they would be lost in silence
        QCOMPARE(imported.error().code, Code::unknownBinding);
    }

    /// SAME: the extent divided by the stride, rounded up; VALID: of the places that a filter of 3 fits into, with its dilation.
    void whatFollowsFromBoundInputsHasItsSize()
    {
        MadeModel model{{inPicture()}, {{std::vector<std::uint8_t>(16, 1)}}, {}, false};
        const auto imported = importMade(model, "nested", {{"image:1", 257}, {"image:2", 256}});
        VERIFY_IMPORTED(imported);
        const Function& main = program(imported).main();
        const Bytes element = 4;
        const std::pair<const char*, Bytes> expected[] = {
            {"image", Bytes{257} * 256 * 3}, {"half", Bytes{129} * 128 * 8},        {"positive", Bytes{129} * 128 * 8},
            {"inner", Bytes{125} * 124 * 8}, {"twice", Bytes{125} * 124 * (8 + 8)},
        };
        for (const auto& [name, elements] : expected) {
            QVERIFY2(tensorNamed(main, name) != nullptr, name);
            QCOMPARE(tensorNamed(main, name)->bytes.value_or(-1), elements * element);
        }
        QVERIFY(!hasDiagnostic(*imported, "partial"));
        QVERIFY(!hasDiagnostic(*imported, "assumed-size"));
    }

    void whatNoBindingReachesHasNoKnownSize()
    {
        MadeModel model{{inPicture()}, {{std::vector<std::uint8_t>(16, 1)}}, {}, false};
        for (MadeOperator& op : model.graphs[0].operators) op.options.clear(); // strides are not known
        const auto imported = importMade(model, "nested", {{"image:1", 257}, {"image:2", 256}});
        VERIFY_IMPORTED(imported);
        for (const char* name : {"half", "positive", "inner", "twice"}) {
            const Tensor* tensor = tensorNamed(program(imported).main(), name);
            QVERIFY2(tensor != nullptr && !tensor->bytes, name);
        }
        QVERIFY(remedyOf(*imported, Code::partial).find("(--bind half:1=N)") != std::string::npos);
    }

    /// The shape in the file stands for one that a run decides: the runtime gives such a tensor memory of its own.
    void shapesThatDependOnDataAreNotCounted()
    {
        constexpr std::int32_t addition = 0, where = 109;
        MadeModel model;
        MadeGraph graph{"main", {{"x", {1000}, 6}}, {0}, {2}, {}};
        graph.tensors.push_back({"found", {1, 1}, 4, 0, false, {-1, 1}});
        graph.tensors.push_back({"sum", {1, 1}, 4, 0, false, {-1, 1}});
        graph.operators = {{where, {0}, {1}, {}, {}}, {addition, {1, 1}, {2}, {}, {}}};
        model.graphs = {graph};
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(program(imported).main(), "x")->bytes.value_or(-1), Bytes{1000});
        for (const char* name : {"found", "sum"}) QVERIFY2(!tensorNamed(program(imported).main(), name)->bytes, name);
        QVERIFY(hasDiagnostic(*imported, "partial"));
        QVERIFY(!hasDiagnostic(*imported, "assumed-size"));
        const auto bound = importMade(model, "nested", {{"batch", 3}});
        QVERIFY(!bound);
        QCOMPARE(bound.error().code, Code::unknownBinding);
        const std::string remedy = remedyOf(*imported, Code::partial);
        QVERIFY2(remedy.find("(--bind found=N)") != std::string::npos, remedy.c_str());
        const auto named = importMade(model, "nested", {{"found", 3}});
        VERIFY_IMPORTED(named);
        for (const char* name : {"found", "sum"})
            QCOMPARE(tensorNamed(program(named).main(), name)->bytes.value_or(-1), Bytes{3 * 8});
        QVERIFY(!hasDiagnostic(*named, "partial"));

        model.graphs[0].tensors[0].signature = {-1}; // what the file states goes together, and the note says how far it goes
        const auto assumed = importMade(model);
        VERIFY_IMPORTED(assumed);
        QCOMPARE(tensorNamed(program(assumed).main(), "found")->bytes.value_or(-1), Bytes{8});
        QVERIFY(!hasDiagnostic(*assumed, "partial"));
        const auto note = std::find_if(assumed->diagnostics.begin(), assumed->diagnostics.end(),
                                       [](const Diagnostic& d) { return d.code == Code::assumedSize; });
        QVERIFY(note != assumed->diagnostics.end());
        QVERIFY2(note->message.find("axis 0 of 'x' as 1000; open axes of another 2 tensors (tensor 1 'found'") !=
                     std::string::npos,
                 note->message.c_str());
    }

    void dataBehindTheFlatbufferMakesAConstant()
    {
        MadeModel model{{reluChain("main", 2)}, {}, {}, false};
        model.graphs[0].tensors.push_back({"w", {4}, 0, 1});
        model.graphs[0].operators[0].inputs.push_back(3);
        model.buffers = {{{}, 4000, 16}};
        std::string bytes = bytesOf(model);
        bytes.resize(4016);
        const auto imported = importBytes(bytes);
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(program(imported).main(), "w")->kind, TensorKind::constant);

        bytes.resize(4015);
        const auto cut = importBytes(bytes);
        QVERIFY(!cut);
        QCOMPARE(cut.error().code, Code::cutOff);

        model.buffers = {{{}, 1, 16}}; // data that was never appended: not a constant, and nothing writes it
        const auto scratch = importMade(model);
        VERIFY_IMPORTED(scratch);
        QCOMPARE(program(scratch).main().ops[0].temps.size(), std::size_t{1});
    }

    void bytesNeedNoAlignment()
    {
        const std::string bytes = bytesOf(exampleModels()[1]);
        for (std::size_t shift = 0; shift < 16; ++shift) {
            const std::string shifted = std::string(shift, '\0') + bytes;
            const auto imported = importBytes(std::string_view(shifted).substr(shift));
            VERIFY_IMPORTED(imported);
        }
    }

    void operatorCodesOfOldFilesAreRead()
    {
        MadeModel model{{reluChain("main", 2)}, {}, {}, true};
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(program(imported).main().ops[0].kind, std::string("RELU"));
    }

    void namesBecomeUnique()
    {
        MadeModel model{{reluChain("main", 4)}, {}, {}, false};
        for (MadeTensor& tensor : model.graphs[0].tensors) tensor.name = "same";
        model.graphs[0].tensors[2].name = "";
        model.graphs[0].tensors[3].name = "same_1"; // what the second one would be called
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        std::set<std::string> names;
        for (const Tensor& tensor : program(imported).main().tensors)
            QVERIFY(!tensor.name.empty() && names.insert(tensor.name).second);
        QCOMPARE(program(imported).main().tensors[0].name, std::string("same"));
    }

    void controlFlowIsNested()
    {
        const auto imported = importMade(exampleModels()[1]);
        VERIFY_IMPORTED(imported);
        const Program& p = program(imported);
        QCOMPARE(p.functions.size(), std::size_t{2}); // main, and what runs once
        const Function& main = p.main();
        QCOMPARE(main.ops[0].control, Control::call);
        QCOMPARE(p.functions[static_cast<std::size_t>(main.ops[0].callee)].name, std::string("once"));
        QCOMPARE(main.ops[1].control, Control::branch);
        QCOMPARE(main.ops[1].regions.size(), std::size_t{2});
        QCOMPARE(main.ops[2].control, Control::loop);
        QCOMPARE(main.ops[2].regions.size(), std::size_t{2});
        QCOMPARE(main.ops[2].carries.size(), std::size_t{1});
        const Region& body = main.regions[static_cast<std::size_t>(main.ops[2].regions[1])];
        QCOMPARE(main.ops[2].carries[0].from, body.outputs[0]);
        QCOMPARE(main.ops[2].carries[0].to, body.inputs[0]);
        QCOMPARE(body.ops.size(), std::size_t{2});
        const Op& accelerator = main.ops[4];
        QCOMPARE(accelerator.kind, std::string("accelerate"));
        QCOMPARE(accelerator.temps, std::vector<TensorId>{7});
        QCOMPARE(main.tensors[8].kind, TensorKind::variable);
    }

    /// x (1024 bytes) waits for the addition; inside, big and big2 (8192 each) are live together, before y exists.
    void composedOperatorsHoldTheirDecomposition()
    {
        const MadeModel model = composedTwice();
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        const Program& p = program(imported);
        QCOMPARE(p.functions.size(), std::size_t{2});
        const Function& main = p.main();
        for (const std::size_t op : {std::size_t{0}, std::size_t{1}}) {
            QCOMPARE(main.ops[op].control, Control::call);
            QCOMPARE(main.ops[op].callee, FunctionId{1});
        }
        QCOMPARE(p.functions[1].name, std::string("decomposition"));
        const auto lowering = lower(p, {});
        QVERIFY(bool(lowering));
        QCOMPARE(lowerBound(lowering->problem, 0).bytes, Bytes{1024 + 2 * 8192});

        const auto flat = importMade(model, "flat");
        VERIFY_IMPORTED(flat);
        QVERIFY(tensorNamed(program(flat).main(), "decomposition/big"));
        QVERIFY(std::ranges::any_of(program(flat).main().ops,
                                    [](const Op& op) { return op.name == "STABLEHLO_COMPOSITE_0/body/enter"; }));
        VERIFY_IMPORTED(importMade(model, "main"));
    }

    /// The decomposition's open rows are those of what is handed to it: 7 rows of 4 numbers in 4 bytes.
    void openDimensionsReachTheDecomposition()
    {
        MadeModel model;
        model.graphs = {{"main", {openTensor("x", {-1, 4}), openTensor("y", {-1, 4})}, {0}, {1}, {}},
                        {"inner", {openTensor("in", {-1, 4}), openTensor("out", {-1, 4})}, {0}, {1}, {}}};
        model.graphs[0].operators.push_back({stablehloComposite, {0}, {1}, {1}, {}});
        model.graphs[1].operators.push_back({19, {0}, {1}, {}, {}});
        const auto imported = importMade(model, "nested", {{"x", 7}});
        VERIFY_IMPORTED(imported);
        for (const char* name : {"in", "out"})
            QCOMPARE(tensorNamed(program(imported).functions[1], name)->bytes.value_or(-1), Bytes{7 * 4 * 4});
    }

    void loopsAndCasesOfStablehloAreNested()
    {
        MadeModel model = exampleModels()[1];
        model.graphs[0].operators[1] = {stablehloCase, {0, 1}, {2}, {1, 1, 3}, {}};
        model.graphs[0].operators[2].code = stablehloWhile;
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        const Program& p = program(imported);
        QCOMPARE(p.functions.size(), std::size_t{2}); // main, and what runs once
        const Function& main = p.main();
        QCOMPARE(main.ops[1].kind, std::string("STABLEHLO_CASE"));
        QCOMPARE(main.ops[1].control, Control::branch);
        QCOMPARE(main.ops[1].regions.size(), std::size_t{3});
        QCOMPARE(main.ops[2].control, Control::loop);
        QCOMPARE(main.ops[2].regions.size(), std::size_t{2});
        QCOMPARE(main.ops[2].carries.size(), std::size_t{1});
        VERIFY_IMPORTED(importMade(model, "flat"));
    }

    void peaksInsideControlFlowAreThoseReckonedByHand_data()
    {
        QTest::addColumn<qint64>("peak");
        // p (1) selects the branch, x (1024) is its argument, keep (1024) waits for the end; then makes a (8192) from x.
        QTest::newRow("syn_if.tflite") << qint64{1 + 1024 + 1024 + 8192};
        // The loop's arguments and results, 4 + 256 each, live through it; big (2048) waits; the body holds t and u at once.
        QTest::newRow("syn_while.tflite") << qint64{2 * (4 + 256) + 2048 + 2 * 16384};
    }

    void peaksInsideControlFlowAreThoseReckonedByHand()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(qint64, peak);
        const auto imported = importBytes(bytesOf(sharedFile("models/tflite/") + QLatin1String(QTest::currentDataTag())));
        VERIFY_IMPORTED(imported);
        const auto lowering = lower(program(imported), {});
        QVERIFY(bool(lowering));
        QCOMPARE(lowerBound(lowering->problem, 0).bytes, Bytes{peak});
    }

    void subgraphsThatNobodyCallsAreFunctions()
    {
        MadeModel model{{reluChain("main", 1), reluChain("other", 2), reluChain("main", 3)}, {}, {}, false};
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        const Program& p = program(imported);
        QCOMPARE(p.functions.size(), std::size_t{3});
        QCOMPARE(p.functions[1].name, std::string("other"));
        QVERIFY(p.functions[2].name != p.functions[0].name);
        const auto alone = importMade(model, "main");
        VERIFY_IMPORTED(alone);
        QCOMPARE(program(alone).functions.size(), std::size_t{1});
    }

    void interfaceIsLeftOutWhenAsked()
    {
        const auto imported = importBytes(bytesOf(exampleModels()[0]), {{"io", "excluded"}});
        VERIFY_IMPORTED(imported);
        const Function& main = program(imported).main();
        QVERIFY(!main.tensors[0].planned && !main.tensors[3].planned);
        QVERIFY(main.tensors[1].planned && main.tensors[2].planned);
    }

    void subgraphCalledTwiceIsTouchedTwiceInOneArena()
    {
        const auto imported = importMade(exampleModels()[1], "flat"); // both branches are the same sub-graph
        VERIFY_IMPORTED(imported);
        const Function& main = program(imported).main();
        const Tensor* inner = tensorNamed(main, "branch/r0");
        QVERIFY(inner);
        const auto id = static_cast<TensorId>(inner - main.tensors.data());
        int writes = 0;
        int reads = 0;
        for (const Op& op : main.ops) {
            writes += static_cast<int>(std::count(op.outputs.begin(), op.outputs.end(), id));
            reads += static_cast<int>(std::count(op.inputs.begin(), op.inputs.end(), id));
        }
        QCOMPARE(writes, 1);
        QCOMPARE(reads, 3); // left, touched, left
    }

    void copiesOfCopiesAreBounded()
    {
        const auto few = importMade(doubling(8));
        VERIFY_IMPORTED(few);
        QCOMPARE(program(few).main().regions.size(), std::size_t{511});
        for (const char* mode : {"nested", "flat"}) {
            const auto many = importMade(doubling(60), mode);
            QVERIFY(!many);
            QCOMPARE(many.error().code, Code::tooLarge);
            QVERIFY(many.error().remedy.find("subgraphs=main") != std::string::npos);
        }
        VERIFY_IMPORTED(importMade(doubling(60), "main"));
        const auto deep = importMade(doubling(200), "main");
        QVERIFY(!deep);
        QCOMPARE(deep.error().code, Code::tooDeep);
    }

    void brokenGraphsNameTheRule_data()
    {
        QTest::addColumn<int>("row");
        for (int row = 0; row < static_cast<int>(std::size(breakages)); ++row) QTest::newRow(breakages[row].name) << row;
    }

    void brokenGraphsNameTheRule()
    {
        QFETCH(int, row);
        MadeModel model = exampleModels()[1];
        VERIFY_IMPORTED(importMade(model));
        breakages[row].apply(model);
        for (const char* mode : {"nested", "main", "flat"}) {
            const auto imported = importMade(model, mode);
            QVERIFY(!imported);
            QVERIFY2(codeText(imported.error()) == breakages[row].code, toText(imported.error()).c_str());
            QVERIFY(imported.error().where.byte > 0);
        }
    }

    void planInTheFileIsRead()
    {
        const MadeModel model = exampleModels()[0];
        for (const char* mode : {"nested", "main", "flat"}) {
            const auto imported = importMade(model, mode);
            VERIFY_IMPORTED(imported);
            QCOMPARE(imported->plans.size(), std::size_t{1});
            const FilePlan& plan = imported->plans[0];
            QCOMPARE(plan.name, std::string("OfflineMemoryAllocation"));
            QCOMPARE(plan.offsets.size(), std::size_t{2});
            QCOMPARE(plan.offsets[0].tensor, TensorId{1});
            QCOMPARE(plan.offsets[1].offset, Bytes{16});
            QVERIFY(imported->diagnostics.empty());
        }
    }

    void planThatCannotBeIsIgnoredWithAWarning_data()
    {
        QTest::addColumn<QList<int>>("words");
        QTest::newRow("no header") << QList<int>{0, 1};
        QTest::newRow("for other tensors") << QList<int>{0, 1, 3, 0, 0, 0};
        QTest::newRow("cut off") << QList<int>{0, 1, 4, 0, 0, 0};
        QTest::newRow("negative offset") << QList<int>{0, 1, 4, 0, 0, -16, 0};
    }

    void planThatCannotBeIsIgnoredWithAWarning()
    {
        QFETCH(QList<int>, words);
        MadeModel model = exampleModels()[0];
        model.plan.assign(words.begin(), words.end());
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        QVERIFY(imported->plans.empty());
        QVERIFY(hasDiagnostic(*imported, "bad-plan"));
    }

    void planWithOverlapIsTakenWithAWarning()
    {
        MadeModel model = exampleModels()[0];
        model.plan = {0, 1, 4, 0, 8, 0, 8}; // 0 and 1 are live together and share bytes; 0 and 2 are not
        const auto imported = importMade(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(imported->plans.size(), std::size_t{1});
        QVERIFY(hasDiagnostic(*imported, "plan-overlap"));
        model.plan = {0, 1, 4, 0, 16, 0, 16};
        const auto sound = importMade(model);
        VERIFY_IMPORTED(sound);
        QVERIFY(sound->diagnostics.empty());
    }

    void optionsAreChecked()
    {
        const std::string bytes = bytesOf(exampleModels()[0]);
        const auto unknown = importBytes(bytes, {{"subgraph", "main"}});
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, Code::unknownOption);
        for (const auto& option : {std::pair<std::string, std::string>{"subgraphs", "all"}, {"io", "no"}}) {
            const auto bad = importBytes(bytes, {option});
            QVERIFY(!bad);
            QCOMPARE(bad.error().code, Code::badOption);
            QVERIFY(!bad.error().remedy.empty());
        }
    }

    void importerClaimsByContents()
    {
        const tflite::TfliteImporter importer;
        QCOMPARE(importer.claims(bytesOf(exampleModels()[0]), "model.bin"), 100);
        QVERIFY(importer.claims("", "model.tflite") > 0);
        QCOMPARE(importer.claims("{\"format\": 1}", "model.json"), 0);
    }
};

QTEST_GUILESS_MAIN(TestTfliteFeatures)
#include "tst_tflite_features.moc"
