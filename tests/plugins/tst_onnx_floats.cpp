// Shape arithmetic of ONNX models in floats: the results are those of 32 bits, worked out by hand beside each test.
#include "plugins/onnx/evaluate.h"
#include "tests/plugins/onnx_support.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace stowage;
using namespace stowage::test;

class TestOnnxFloats : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 10 x 0.7f is 7 in 32 bits, and below 7 in 64: the model makes 8 x 7 elements.
    void shapesInFloatsAreRoundedAsAtRunTime()
    {
        auto model = onnxModel(13);
        auto& graph = *model.mutable_graph();
        addInput(graph, "x", {8, 10});
        addInput(graph, "one", {1, 1});
        onnx::TensorProto& scale = *graph.add_initializer();
        scale.set_name("scale");
        scale.set_data_type(onnx::TensorProto::FLOAT);
        scale.add_dims(2);
        for (const float value : {1.0F, 0.7F}) scale.add_float_data(value);
        addNode(graph, "Shape", {"x"}, {"dims"});
        setInteger(addNode(graph, "Cast", {"dims"}, {"real"}), "to", onnx::TensorProto::FLOAT);
        addNode(graph, "Mul", {"real", "scale"}, {"scaled"});
        addNode(graph, "Floor", {"scaled"}, {"whole"});
        setInteger(addNode(graph, "Cast", {"whole"}, {"wanted"}), "to", onnx::TensorProto::INT64);
        addNode(graph, "Expand", {"one", "wanted"}, {"y"});
        addOutput(graph, "y");
        const auto imported = import(model, {{"shapes", "computed"}});
        VERIFY_IMPORTED(imported);
        const std::vector<Tensor>& tensors = std::get<Program>(imported->content).main().tensors;
        const auto y = std::find_if(tensors.begin(), tensors.end(), [](const Tensor& tensor) { return tensor.name == "y"; });
        QVERIFY(y != tensors.end());
        QCOMPARE(y->bytes.value_or(-1), Bytes{8 * 7 * 4});
    }

    /// Each result of a FLOAT is a float, whatever the operator: 16777217 = 2^24 + 1 is none, and neither are 0.1 and sqrt(2).
    void resultsOfFloatsAreFloats()
    {
        const auto real = [](double value) { return onnxfile::Literal{onnx::TensorProto::FLOAT, {}, {}, {value}}; };
        const auto computed = [](const char* kind, std::vector<onnxfile::Literal> inputs) {
            onnx::NodeProto node;
            node.set_op_type(kind);
            node.add_output("y");
            std::vector<onnxfile::Operand> operands;
            for (const auto& input : inputs) operands.push_back({&input, nullptr});
            return onnxfile::evaluate(node, 13, operands);
        };
        const auto value = [](const std::optional<onnxfile::Literal>& literal) {
            return literal && literal->reals.size() == 1 ? literal->reals.front() : -1;
        };
        QCOMPARE(value(computed("Add", {real(16777216), real(1)})), 16777216.0); // the tie goes to the even one
        QCOMPARE(value(computed("Div", {real(1), real(10)})), double(0.1F));
        QCOMPARE(value(computed("Sqrt", {real(2)})), double(std::sqrt(2.0F)));
        onnxfile::Literal list{onnx::TensorProto::FLOAT, {3}, {}, {16777216, 1, 1}};
        QCOMPARE(value(computed("ReduceSum", {list})), 16777216.0);
        // 2^24 + 1 is 2^24 in floats, and has four steps of 2^22.
        const auto steps = computed("Range", {real(-1), real(16777216), real(4194304)});
        QVERIFY(steps);
        QCOMPARE(steps->reals, (std::vector<double>{-1, 4194303, 8388607, 12582911}));
    }
};

QTEST_GUILESS_MAIN(TestOnnxFloats)
#include "tst_onnx_floats.moc"
