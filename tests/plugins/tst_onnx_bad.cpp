// A model that is not what it should be gives one clear error with its place, whatever is wrong with it, and never a crash or a
// hang.
#include "core/lower/lower.h"
#include "tests/plugins/onnx_support.h"
#include "tests/support/seed_shift.h"

#include <random>

using namespace stowage;
using namespace stowage::test;

namespace {

/// Something wrong with a model, the error that it has to give, and where.
struct Breakage {
    const char* name;
    onnx::ModelProto (*make)();
    const char* code;
    const char* says;
    const google::protobuf::Message& (*culprit)(const onnx::ModelProto&);
};

const google::protobuf::Message& firstNode(const onnx::ModelProto& model)
{
    return model.graph().node(0);
}
const google::protobuf::Message& secondNode(const onnx::ModelProto& model)
{
    return model.graph().node(1);
}
const google::protobuf::Message& firstInput(const onnx::ModelProto& model)
{
    return model.graph().input(0);
}
const google::protobuf::Message& secondInput(const onnx::ModelProto& model)
{
    return model.graph().input(1);
}
const google::protobuf::Message& firstOutput(const onnx::ModelProto& model)
{
    return model.graph().output(0);
}
const google::protobuf::Message& inThenBranch(const onnx::ModelProto& model)
{
    return model.graph().node(1).attribute(0).g().node(1);
}

const Breakage breakages[] = {
    {"a name that nothing defines",
     [] {
         auto model = freeDimensions();
         model.mutable_graph()->mutable_node(1)->set_input(0, "nowhere");
         return model;
     },
     "undefined-name", "node 1 (Neg 'make_v') reads 'nowhere'", secondNode},
    {"a name that is defined later",
     [] {
         auto model = freeDimensions();
         model.mutable_graph()->mutable_node(0)->set_input(0, "v");
         return model;
     },
     "not-sorted", "node 0 (Add 'make_z') reads 'v' before node 1 (Neg 'make_v') makes it", firstNode},
    {"a node that reads itself",
     [] {
         auto model = freeDimensions();
         model.mutable_graph()->mutable_node(0)->set_input(0, "z");
         return model;
     },
     "not-sorted", "before itself makes it", firstNode},
    {"a name that is made twice",
     [] {
         auto model = freeDimensions();
         model.mutable_graph()->mutable_node(1)->set_output(0, "z");
         return model;
     },
     "defined-twice", "'z' is made by node 1", secondNode},
    {"an input that is listed twice",
     [] {
         auto model = freeDimensions();
         addInput(*model.mutable_graph(), "y", {7});
         model.mutable_graph()->mutable_input()->SwapElements(1, 3);
         model.mutable_graph()->mutable_input()->SwapElements(1, 0);
         return model; // y {7}, x, u, y
     },
     "defined-twice", "two inputs named 'y'",
     [](const onnx::ModelProto& m) -> const google::protobuf::Message& { return m.graph().input(3); }},
    {"an input without a name",
     [] {
         auto model = freeDimensions();
         auto& input = *model.mutable_graph()->mutable_input(1);
         input = valueInfo("", {9, 9}); // as no other
         input.clear_name();
         return model;
     },
     "unnamed-input", "an input without a name", secondInput},
    {"an initializer without a name",
     [] {
         auto model = freeDimensions();
         *model.mutable_graph()->add_initializer() = integers("", {31, 41, 59});
         return model;
     },
     "unnamed-initializer", "an initializer without a name",
     [](const onnx::ModelProto& m) -> const google::protobuf::Message& { return m.graph().initializer(0); }},
    {"an output that nothing makes",
     [] {
         auto model = freeDimensions();
         model.mutable_graph()->mutable_output(0)->set_name("nowhere");
         return model;
     },
     "undefined-name", "output 'nowhere' of the graph is made by nothing", firstOutput},
    {"a tensor of 2^64 bytes",
     [] {
         auto model = onnxModel();
         addInput(*model.mutable_graph(), "x", {std::int64_t{1} << 31, std::int64_t{1} << 31});
         addOutput(*model.mutable_graph(), "x");
         return model;
     },
     "size-overflow", "'x' of f32 [2147483648, 2147483648] has more than 2^62 bytes", firstInput},
    {"a name that is not defined in a branch",
     [] {
         auto model = branching();
         model.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g()->mutable_node(1)->set_input(0, "e");
         return model;
     },
     "undefined-name", "node 1 (Exp 'make_b') of the then_branch of node 1 (If 'make_y') reads 'e'", inThenBranch},
    {"an If without a branch",
     [] {
         auto model = branching();
         model.mutable_graph()->mutable_node(1)->mutable_attribute(1)->set_name("otherwise");
         return model;
     },
     "wrong-arity", "node 1 (If 'make_y') has no 'else_branch'", secondNode},
    {"an If without a condition",
     [] {
         auto model = branching();
         model.mutable_graph()->mutable_node(1)->set_input(0, "");
         return model;
     },
     "wrong-arity", "node 1 (If 'make_y') has no condition", secondNode},
    {"a branch with too few results",
     [] {
         auto model = branching();
         model.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g()->clear_output();
         return model;
     },
     "wrong-arity", "has 1 outputs, but its then_branch gives 0", secondNode},
    {"a loop whose body takes too little",
     [] {
         auto model = looping();
         auto& body = *model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
         addConstant(body, integers("state", {1}));
         body.mutable_node()->SwapElements(0, body.node_size() - 1);
         body.mutable_input()->RemoveLast();
         return model;
     },
     "wrong-arity", "has 3 inputs and 2 outputs, but its body takes 2", firstNode},
    {"a scan of more sequences than it has inputs",
     [] {
         auto model = scanning();
         model.mutable_graph()->mutable_node(0)->mutable_attribute(1)->set_i(3);
         return model;
     },
     "wrong-arity", "has 2 inputs, 3 of them sequences", firstNode},
    {"a function that calls itself",
     [] {
         auto model = calling();
         addNode(*model.mutable_functions(0), "Outer", {"b"}, {"unused"}).set_domain("local");
         return model;
     },
     "recursive-function", "function 'Twice' calls itself",
     [](const onnx::ModelProto& m) -> const google::protobuf::Message& { return m.functions(1).node(1); }},
    {"two functions of one name",
     [] {
         auto model = calling();
         auto second = model.functions(0);
         addNode(second, "Neg", {"b"}, {"unused"}); // so that its bytes are not those of the first
         *model.add_functions() = second;
         return model;
     },
     "defined-twice", "the file defines function 'Twice' of domain 'local' twice",
     [](const onnx::ModelProto& m) -> const google::protobuf::Message& { return m.functions(2); }},
    {"a call with too many arguments",
     [] {
         auto model = calling();
         model.mutable_graph()->mutable_node(0)->add_input("c");
         return model;
     },
     "wrong-arity", "has 2 inputs and 1 outputs, but function 'Twice' takes 1 and gives 1", firstNode},
};

/// Reads it in every mode. An error has to be whole; a success has to be a program that holds together and can be lowered.
void readSafely(const std::string& bytes, const std::string& what)
{
    for (const Options& options : {Options{}, Options{{"subgraphs", "flat"}, {"shapes", "computed"}}}) {
        const auto imported = OnnxImporter().import({"model.onnx", bytes, {}, options});
        if (!imported) {
            const Error& error = imported.error();
            QVERIFY2(!codeText(error).empty() && !error.message.empty() && error.where.file == "model.onnx", what.c_str());
            QVERIFY2(error.where.byte <= static_cast<std::int64_t>(bytes.size()), what.c_str());
            continue;
        }
        const Program& program = std::get<Program>(imported->content);
        const Diagnostics wrong = verify(program);
        QVERIFY2(wrong.empty() || wrong.front().severity != Severity::error || wrong.front().code == Code::tooLarge,
                 wrong.empty() ? "" : (what + ": " + toText(wrong.front())).c_str());
        if (wrong.empty()) (void)lower(program, {});
    }
}

} // namespace

class TestOnnxBad : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void errorsPointAtTheCulprit_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < std::size(breakages); ++i) QTest::newRow(breakages[i].name) << static_cast<int>(i);
    }

    void errorsPointAtTheCulprit()
    {
        QFETCH(int, index);
        const Breakage& breakage = breakages[index];
        const auto model = breakage.make();
        const auto imported = import(model);
        QVERIFY(!imported);
        const Error& error = imported.error();
        const std::string text = toText(error);
        QVERIFY2(codeText(error) == breakage.code, text.c_str());
        QVERIFY2(error.message.find(breakage.says) != std::string::npos, text.c_str());
        QVERIFY2(!error.remedy.empty(), text.c_str());
        QCOMPARE(error.where.file, std::string("model.onnx"));
        const std::int64_t place = placeOf(model, breakage.culprit(model));
        QVERIFY(place > 0);
        QVERIFY2(error.where.byte == place, (text + ", should be at " + std::to_string(place)).c_str());
    }

    void whatIsNoModelIsRefusedWithItsPlace()
    {
        const std::string whole = branching().SerializeAsString();
        const auto refused = [](std::string_view bytes, const char* code) {
            const auto imported = OnnxImporter().import({"model.onnx", bytes, {}, {}});
            return !imported && codeText(imported.error()) == code && !imported.error().remedy.empty() &&
                   imported.error().where.file == "model.onnx";
        };
        QVERIFY(refused("", "empty-file"));
        QVERIFY(refused(std::string_view(whole).substr(0, whole.size() / 2), "truncated"));
        QVERIFY(refused(std::string_view("\x08\x07", 2), "no-graph"));
        QVERIFY(refused(std::string_view("\x0f\x00\x00", 3), "malformed-protobuf"));
        const auto cut = OnnxImporter().import({"model.onnx", std::string_view(whole).substr(0, whole.size() / 2), {}, {}});
        QVERIFY(cut.error().where.byte >= 0 && cut.error().where.byte < static_cast<std::int64_t>(whole.size() / 2));
    }

    void everyTruncationIsRead()
    {
        for (const auto& model : exampleOnnxModels()) {
            const std::string whole = model.SerializeAsString();
            for (std::size_t size = 0; size < whole.size(); ++size)
                readSafely(whole.substr(0, size), "cut at " + std::to_string(size));
        }
    }

    void everyFlippedBitIsRead()
    {
        for (const auto& model : exampleOnnxModels()) {
            std::string changed = model.SerializeAsString();
            for (std::size_t bit = 0; bit < 8 * changed.size(); ++bit) {
                changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
                readSafely(changed, "bit " + std::to_string(bit));
                changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
            }
        }
    }

    /// Lengths are part of the format, so most changed bytes end in the first check: here whole messages change places instead.
    void shuffledModelsAreRead()
    {
        constexpr unsigned seed = 20261121;
        std::mt19937 random(seed + stowage::test::seedShift());
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        for (int round = 0; round < 4000 && !QTest::currentTestFailed(); ++round) {
            auto model = exampleOnnxModels()[static_cast<std::size_t>(below(6))];
            onnx::GraphProto* graph = model.mutable_graph();
            for (int change = 1 + below(3); change > 0; --change) {
                if (graph->node_size() == 0) break;
                auto& node = *graph->mutable_node(below(graph->node_size()));
                if (below(3) == 0 && node.attribute_size() > 0 && node.attribute(0).has_g())
                    graph = node.mutable_attribute(below(node.attribute_size()))->mutable_g(); // go on inside
                switch (below(9)) {
                case 0:
                    if (graph->node_size() > 0) graph->mutable_node()->SwapElements(0, below(graph->node_size()));
                    break;
                case 1:
                    if (node.input_size() > 0) node.set_input(below(node.input_size()), below(2) == 0 ? "" : "x");
                    break;
                case 2:
                    if (node.output_size() > 0) node.set_output(below(node.output_size()), below(2) == 0 ? "" : "t");
                    break;
                case 3: node.add_input(below(2) == 0 ? "x" : "h"); break;
                case 4:
                    if (node.input_size() > 0) node.mutable_input()->RemoveLast();
                    break;
                case 5:
                    if (node.attribute_size() > 0) node.mutable_attribute()->RemoveLast();
                    break;
                case 6: {
                    static const char* const kinds[] = {"Loop", "Scan", "If", "Reshape", "Concat", "Gather", "Conv", "Split"};
                    node.set_op_type(kinds[below(8)]);
                    break;
                }
                case 7:
                    if (graph->input_size() > 0)
                        *graph->mutable_input(below(graph->input_size())) =
                            valueInfo("x", {below(2) == 0 ? Dim{std::int64_t{1} << below(62)} : Dim{"n"}});
                    break;
                default:
                    if (graph->output_size() > 0) graph->mutable_output()->RemoveLast();
                    break;
                }
            }
            readSafely(model.SerializeAsString(), "seed " + std::to_string(seed) + " round " + std::to_string(round));
        }
    }

    void noiseIsRead()
    {
        constexpr unsigned seed = 20261122;
        std::mt19937 random(seed + stowage::test::seedShift());
        for (int round = 0; round < 3000 && !QTest::currentTestFailed(); ++round) {
            std::string noise(1 + random() % 600, '\0');
            for (char& c : noise) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 32);
            noise.insert(0, "\x08\x08\x3a"); // an IR version and the beginning of a graph
            readSafely(noise, "seed " + std::to_string(seed) + " round " + std::to_string(round));
        }
    }
};

QTEST_GUILESS_MAIN(TestOnnxBad)
#include "tst_onnx_bad.moc"
