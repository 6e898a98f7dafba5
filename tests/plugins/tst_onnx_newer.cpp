// Models that need more than the shape rules of the linked ONNX library: later versions of operators, element types and local
// functions, and ONNX Runtime's own operators. Sizes are worked out by hand beside each test.
#include "plugins/onnx/element_types.h"
#include "tests/plugins/onnx_support.h"

#include <google/protobuf/unknown_field_set.h>

#include <QTest>

#include <algorithm>

using namespace stowage;
using namespace stowage::test;

namespace {

const Tensor* tensorNamed(const Expected<Imported>& imported, std::string_view name)
{
    const auto& tensors = std::get<Program>(imported->content).main().tensors;
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& tensor) { return tensor.name == name; });
    return found == tensors.end() ? nullptr : &*found;
}

/// -1: not known.
Bytes bytesOf(const Expected<Imported>& imported, std::string_view name)
{
    const Tensor* tensor = tensorNamed(imported, name);
    return tensor ? tensor->bytes.value_or(-1) : -2;
}

/// The message about shapes that no rule gives; empty if there is none.
std::string complaintOf(const Expected<Imported>& imported)
{
    for (const Diagnostic& diagnostic : imported->diagnostics)
        if (diagnostic.code == Code::shapeInference) return diagnostic.message;
    return {};
}

bool contains(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

void importMicrosoft(onnx::ModelProto& model)
{
    auto& imported = *model.add_opset_import();
    imported.set_domain("com.microsoft");
    imported.set_version(1);
}

void setText(onnx::NodeProto& node, const char* name, const char* value)
{
    auto& added = *node.add_attribute();
    added.set_name(name);
    added.set_type(onnx::AttributeProto::STRING);
    added.set_s(value);
}

/// x [2, 5, 3] of f32, reduced to y as version 18 writes it: its axes are an input.
onnx::ModelProto reduction(const char* kind, const std::vector<std::int64_t>& axes)
{
    auto model = onnxModel(18);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {2, 5, 3});
    *graph.add_initializer() = integers("axes", axes);
    addNode(graph, kind, {"x", "axes"}, {"y"});
    addOutput(graph, "y");
    return model;
}

using Dims = std::vector<std::int64_t>;

} // namespace

class TestOnnxNewer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // --- quantization ----------------------------------------------------------------------------------------------------------

    void dequantizedValuesHaveTheTypeOfTheirScale_data()
    {
        QTest::addColumn<QByteArray>("domain");
        QTest::addColumn<int>("opset");
        QTest::addColumn<int>("scale");
        QTest::addColumn<int>("chosen");
        QTest::addColumn<int>("bytes");
        // 2 x 3 elements.
        QTest::newRow("f16") << QByteArray() << 21 << int(onnx::TensorProto::FLOAT16) << 0 << 6 * 2;
        QTest::newRow("bf16") << QByteArray() << 19 << int(onnx::TensorProto::BFLOAT16) << 0 << 6 * 2;
        QTest::newRow("f32") << QByteArray() << 21 << int(onnx::TensorProto::FLOAT) << 0 << 6 * 4;
        QTest::newRow("an attribute decides")
            << QByteArray() << 23 << int(onnx::TensorProto::FLOAT) << int(onnx::TensorProto::FLOAT16) << 6 * 2;
        QTest::newRow("com.microsoft") << QByteArray("com.microsoft") << 17 << int(onnx::TensorProto::FLOAT16) << 0 << 6 * 2;
        QTest::newRow("f32 by definition") << QByteArray() << 13 << int(onnx::TensorProto::FLOAT) << 0 << 6 * 4;
    }

    void dequantizedValuesHaveTheTypeOfTheirScale()
    {
        QFETCH(QByteArray, domain);
        QFETCH(int, opset);
        QFETCH(int, scale);
        QFETCH(int, chosen);
        QFETCH(int, bytes);
        auto model = onnxModel(opset);
        importMicrosoft(model);
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {2, 3}, onnx::TensorProto::UINT8);
        addInput(graph, "scale", {}, static_cast<onnx::TensorProto::DataType>(scale));
        auto& node = addNode(graph, "DequantizeLinear", {"x", "scale"}, {"y"});
        node.set_domain(domain.toStdString());
        if (chosen > 0) setInteger(node, "output_dtype", chosen);
        addNode(graph, "Relu", {"y"}, {"z"});
        addNode(graph, "Cast", {"z"}, {"end"});
        setInteger(*graph.mutable_node(2), "to", onnx::TensorProto::FLOAT);
        addOutput(graph, "end");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(complaintOf(imported), std::string());
        QCOMPARE(bytesOf(imported, "y"), Bytes{bytes});
        QCOMPARE(bytesOf(imported, "z"), Bytes{bytes}); // and so later ops
    }

    /// Without a zero point, the attribute decides: 6 elements of 4 bits (type 22, INT4) are 3 bytes; without both they are u8.
    void quantizedValuesHaveTheChosenType()
    {
        for (const auto& [chosen, bytes] : {std::pair{22, Bytes{3}}, std::pair{0, Bytes{6}}}) {
            auto model = onnxModel(21);
            auto& graph = *model.mutable_graph();
            addInput(graph, "x", {2, 3});
            addInput(graph, "scale", {});
            auto& node = addNode(graph, "QuantizeLinear", {"x", "scale"}, {"y"});
            if (chosen > 0) setInteger(node, "output_dtype", chosen);
            addNode(graph, "DequantizeLinear", {"y", "scale"}, {"z"});
            addOutput(graph, "z");
            const auto imported = import(model);
            VERIFY_IMPORTED(imported);
            QCOMPARE(bytesOf(imported, "y"), bytes);
            QCOMPARE(bytesOf(imported, "z"), Bytes{2 * 3 * 4});
        }
    }

    // --- axes as inputs --------------------------------------------------------------------------------------------------------

    void axesOfReductionsMayBeInputs()
    {
        for (const char* kind : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
                                 "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"}) {
            const auto kept = import(reduction(kind, {-2}));
            VERIFY_IMPORTED(kept);
            QCOMPARE(complaintOf(kept), std::string());
            QCOMPARE(tensorNamed(kept, "y")->shape, (Dims{2, 1, 3}));
            QCOMPARE(bytesOf(kept, "y"), Bytes{2 * 1 * 3 * 4});

            auto model = reduction(kind, {1, 0});
            setInteger(*model.mutable_graph()->mutable_node(0), "keepdims", 0);
            const auto dropped = import(model);
            VERIFY_IMPORTED(dropped);
            QCOMPARE(tensorNamed(dropped, "y")->shape, (Dims{3}));
        }
    }

    /// No axes are all axes, unless an attribute says that they are none.
    void reductionsWithoutAxes()
    {
        const auto all = import(reduction("ReduceMean", {}));
        VERIFY_IMPORTED(all);
        QCOMPARE(tensorNamed(all, "y")->shape, (Dims{1, 1, 1}));

        auto leftOut = reduction("ReduceMean", {});
        leftOut.mutable_graph()->clear_initializer();
        leftOut.mutable_graph()->mutable_node(0)->set_input(1, "");
        const auto also = import(leftOut);
        VERIFY_IMPORTED(also);
        QCOMPARE(tensorNamed(also, "y")->shape, (Dims{1, 1, 1}));

        auto model = reduction("ReduceMean", {});
        setInteger(*model.mutable_graph()->mutable_node(0), "noop_with_empty_axes", 1);
        const auto none = import(model);
        VERIFY_IMPORTED(none);
        QCOMPARE(tensorNamed(none, "y")->shape, (Dims{2, 5, 3}));
    }

    void axesThatAreComputedLeaveTheRank()
    {
        auto model = reduction("ReduceMax", {});
        model.mutable_graph()->clear_initializer();
        addInput(*model.mutable_graph(), "axes", {1}, onnx::TensorProto::INT64);
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(complaintOf(imported), std::string());
        QCOMPARE(tensorNamed(imported, "y")->shape, (Dims{-1, -1, -1}));
    }

    void anAxisThatDoesNotExistIsNamed()
    {
        const auto imported = import(reduction("ReduceMin", {3}));
        VERIFY_IMPORTED(imported);
        const std::string complaint = complaintOf(imported);
        QVERIFY2(contains(complaint, "node 0 (ReduceMin 'make_y')") && contains(complaint, "axis 3 is not one of 3 dimensions"),
                 complaint.c_str());
    }

    /// One element before the last axis of x [2, 3], and two after it.
    void axesOfPadsMayBeInputs()
    {
        auto model = onnxModel(18);
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {2, 3});
        *graph.add_initializer() = integers("pads", {1, 2});
        *graph.add_initializer() = integers("axes", {-1});
        addNode(graph, "Pad", {"x", "pads", "", "axes"}, {"y"});
        addOutput(graph, "y");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(complaintOf(imported), std::string());
        QCOMPARE(tensorNamed(imported, "y")->shape, (Dims{2, 1 + 3 + 2}));
    }

    // --- operators without a rule ----------------------------------------------------------------------------------------------

    /// A window of 3 with gaps of 1 spans 5 of 8 elements, so that the truth is 4 x 4. The rule of version 11 gives 6 x 6.
    void gapsInAPoolingWindowAreNotOverlooked()
    {
        const auto pooled = [](std::int64_t dilation) {
            auto model = onnxModel(19);
            auto& graph = *model.mutable_graph();
            addInput(graph, "x", {1, 1, 8, 8});
            auto& node = addNode(graph, "AveragePool", {"x"}, {"y"});
            setIntegers(node, "kernel_shape", {3, 3});
            setIntegers(node, "dilations", {dilation, dilation});
            addOutput(graph, "y");
            return import(model);
        };
        const auto wide = pooled(2);
        VERIFY_IMPORTED(wide);
        QCOMPARE(bytesOf(wide, "y"), Bytes{-1});
        const std::string complaint = complaintOf(wide);
        QVERIFY2(contains(complaint, "'dilations'") && contains(complaint, "newer than the shape rules"), complaint.c_str());
        const auto narrow = pooled(1);
        VERIFY_IMPORTED(narrow);
        QCOMPARE(complaintOf(narrow), std::string());
        QCOMPARE(bytesOf(narrow, "y"), Bytes{6 * 6 * 4});
    }

    /// 4 x 8 into 8 x 8 without a change of the ratio is 4 x 8, not 8 x 8.
    void sizesThatKeepARatioAreNotOverlooked()
    {
        auto model = onnxModel(18);
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {1, 1, 4, 8});
        *graph.add_initializer() = integers("sizes", {1, 1, 8, 8});
        auto& node = addNode(graph, "Resize", {"x", "", "", "sizes"}, {"y"});
        addOutput(graph, "y");
        const auto stretched = import(model);
        VERIFY_IMPORTED(stretched);
        QCOMPARE(bytesOf(stretched, "y"), Bytes{8 * 8 * 4});
        setText(node, "keep_aspect_ratio_policy", "not_larger");
        const auto kept = import(model);
        VERIFY_IMPORTED(kept);
        QCOMPARE(bytesOf(kept, "y"), Bytes{-1});
        QVERIFY2(contains(complaintOf(kept), "keep_aspect_ratio_policy"), complaintOf(kept).c_str());
    }

    /// From version 18 on, 7 elements may be split into 4 and 3.
    void failuresOfOlderRulesNameTheVersions()
    {
        auto model = onnxModel(18);
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {7});
        setInteger(addNode(graph, "Split", {"x"}, {"a", "b"}), "num_outputs", 2);
        addOutput(graph, "a");
        addOutput(graph, "b");
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        const std::string complaint = complaintOf(imported);
        QVERIFY2(contains(complaint, "version 18 of its operator set is newer than the shape rules, which end at version 17"),
                 complaint.c_str());
    }

    void operatorsNewerThanTheRulesAreNamedWhereTheirShapeIsMissing()
    {
        for (const bool declared : {false, true}) {
            auto model = onnxModel(23);
            auto& graph = *model.mutable_graph();
            addInput(graph, "x", {2, 4});
            addInput(graph, "scale", {4});
            addNode(graph, "RMSNormalization", {"x", "scale"}, {"y"});
            if (declared)
                addOutput(graph, "y", {2, 4});
            else
                addOutput(graph, "y");
            const auto imported = import(model);
            VERIFY_IMPORTED(imported);
            const std::string complaint = complaintOf(imported);
            if (declared) {
                QCOMPARE(complaint, std::string());
                QCOMPARE(bytesOf(imported, "y"), Bytes{2 * 4 * 4});
            } else {
                QVERIFY2(contains(complaint, "node 0 (RMSNormalization 'make_y')") && contains(complaint, "version 23"),
                         complaint.c_str());
            }
        }
    }

    // --- ONNX Runtime's operators ----------------------------------------------------------------------------------------------

    /// The value is given and only its shape is unknown, so that the query is not all three in one: the result is as wide as it.
    void aValueOfUnknownShapeIsNoPackedQuery()
    {
        auto model = decoderStep();
        auto& graph = *model.mutable_graph();
        graph.mutable_input()->DeleteSubrange(2, 1); // "value"
        addNode(graph, "Mystery", {"query"}, {"value"}).set_domain("other");
        graph.mutable_node()->SwapElements(0, 2);
        graph.mutable_node()->SwapElements(1, 2); // Mystery, GroupQueryAttention, Relu
        const auto imported = import(model, {}, {{"batch", 2}, {"past", 7}, {"total", 8}});
        VERIFY_IMPORTED(imported);
        QCOMPARE(bytesOf(imported, "attended"), Bytes{2 * 1 * 16 * 4});

        // With one head of each kind, 48 columns are 16 of each.
        auto packed = decoderStep();
        auto& query = *packed.mutable_graph()->mutable_input(0);
        query.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(2)->set_dim_value(48);
        for (const int input : {1, 2}) packed.mutable_graph()->mutable_node(0)->set_input(input, "");
        const auto split = import(packed, {}, {{"batch", 2}, {"past", 7}, {"total", 8}});
        VERIFY_IMPORTED(split);
        QCOMPARE(bytesOf(split, "attended"), Bytes{2 * 1 * 16 * 4});
    }

    /// past [2, batch, heads, positions, size] of f32: 16 positions with a buffer for all of them, else 16 and the 4 of the
    /// input.
    void aSharedPastIsAsLargeAsThePresent()
    {
        for (const bool shared : {true, false}) {
            auto model = onnxModel(17);
            importMicrosoft(model);
            auto& graph = *model.mutable_graph();
            addInput(graph, "x", {1, 4, 8});
            addInput(graph, "weights", {8, 24});
            addInput(graph, "bias", {24});
            addInput(graph, "mask", {1}, onnx::TensorProto::INT32);
            addInput(graph, "past", {2, 1, 2, 16, 4});
            auto& node = addNode(graph, "Attention", {"x", "weights", "bias", "mask", "past"}, {"y", "present"});
            node.set_domain("com.microsoft");
            setInteger(node, "num_heads", 2);
            setInteger(node, "past_present_share_buffer", shared ? 1 : 0);
            addOutput(graph, "y");
            addOutput(graph, "present");
            const auto imported = import(model);
            VERIFY_IMPORTED(imported);
            QCOMPARE(bytesOf(imported, "present"), Bytes{2 * 1 * 2 * (shared ? 16 : 20) * 4 * 4});
        }
    }

    // --- local functions and element types -------------------------------------------------------------------------------------

    /// IR version 10: NodeProto.overload is field 8, FunctionProto.overload field 13. Two functions of one name join x and y,
    /// each of 2 x 3, by rows and by columns.
    void aCallChoosesAmongFunctionsOfOneName()
    {
        auto model = onnxModel(17);
        for (const auto& [overload, axis] : {std::pair{"rows", 0}, std::pair{"columns", 1}}) {
            auto& function = addFunction(model, "Joined", {"a", "b"}, {"c"});
            setInteger(addNode(function, "Concat", {"a", "b"}, {"c"}), "axis", axis);
            function.mutable_unknown_fields()->AddLengthDelimited(13, overload);
        }
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {2, 3});
        addInput(graph, "y", {2, 3});
        for (const char* overload : {"rows", "columns"}) {
            auto& call = addNode(graph, "Joined", {"x", "y"}, {overload});
            call.set_domain("local");
            call.mutable_unknown_fields()->AddLengthDelimited(8, overload);
            addOutput(graph, overload);
        }
        const auto imported = import(model);
        VERIFY_IMPORTED(imported);
        QCOMPARE(tensorNamed(imported, "rows")->shape, (Dims{4, 3}));
        QCOMPARE(tensorNamed(imported, "columns")->shape, (Dims{2, 6}));
    }

    /// FLOAT8E8M0 is type 24, UINT2 25, INT2 26. Five elements of 2 bits are 10 bits, which take 2 bytes.
    void laterElementTypesHaveASize()
    {
        const auto five = [](std::int32_t type) {
            onnx::TypeProto proto;
            proto.mutable_tensor_type()->set_elem_type(type);
            proto.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(5);
            return onnxfile::sizeOf(proto);
        };
        QCOMPARE(five(24).dtype, std::string("f8e8m0"));
        QCOMPARE(five(24).bytes.value_or(-1), Bytes{5});
        QCOMPARE(five(25).dtype, std::string("u2"));
        QCOMPARE(five(25).bytes.value_or(-1), Bytes{2});
        QCOMPARE(five(26).dtype, std::string("i2"));
        QCOMPARE(five(26).bytes.value_or(-1), Bytes{2});
    }
};

QTEST_GUILESS_MAIN(TestOnnxNewer)
#include "tst_onnx_newer.moc"
