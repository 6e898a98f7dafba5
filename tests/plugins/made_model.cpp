#include "tests/plugins/made_model.h"

#include "tflite_generated.h"

#include <algorithm>

namespace stowage::test {
namespace {

namespace fb = tflite::fb;
using flatbuffers::Offset;

constexpr std::int32_t relu = 19;
constexpr std::int32_t add = 0;
constexpr std::int32_t concatenation = 2;
constexpr std::int32_t convolution = 3;
constexpr std::int32_t reshape = 22;
constexpr std::int32_t stridedSlice = 45;
constexpr std::int32_t less = 58;
constexpr std::int32_t conditional = 118;
constexpr std::int32_t loop = 119;
constexpr std::int32_t callOnce = 129;
constexpr std::int32_t stablehloWhile = 200;
constexpr std::int32_t stablehloComposite = 206;
constexpr std::int32_t stablehloCase = 209;
constexpr std::int32_t customCode = 32;

class Maker {
public:
    explicit Maker(const MadeModel& model) : model_(model) {}

    std::string run()
    {
        std::vector<Offset<fb::SubGraph>> graphs;
        for (const MadeGraph& graph : model_.graphs) graphs.push_back(make(graph));
        std::vector<Offset<fb::Buffer>> buffers{fb::CreateBuffer(builder_)};
        for (const MadeBuffer& buffer : model_.buffers) {
            const auto data = buffer.data.empty() ? 0 : builder_.CreateVector(buffer.data);
            buffers.push_back(fb::CreateBuffer(builder_, data, buffer.offset, buffer.size));
        }
        std::vector<Offset<fb::Metadata>> metadata;
        if (!model_.plan.empty()) {
            const auto* words = reinterpret_cast<const std::uint8_t*>(model_.plan.data());
            buffers.push_back(fb::CreateBuffer(builder_, builder_.CreateVector(words, 4 * model_.plan.size())));
            metadata.push_back(fb::CreateMetadata(builder_, builder_.CreateString("OfflineMemoryAllocation"),
                                                  static_cast<std::uint32_t>(buffers.size() - 1)));
        }
        const auto root = fb::CreateModel(builder_, 3, builder_.CreateVector(codes_), builder_.CreateVector(graphs), 0,
                                          builder_.CreateVector(buffers), builder_.CreateVector(metadata));
        fb::FinishModelBuffer(builder_, root);
        return {reinterpret_cast<const char*>(builder_.GetBufferPointer()), builder_.GetSize()};
    }

private:
    Offset<fb::SubGraph> make(const MadeGraph& graph)
    {
        std::vector<Offset<fb::Tensor>> tensors;
        for (const MadeTensor& t : graph.tensors) {
            const auto signature = t.signature.empty() ? 0 : builder_.CreateVector(t.signature);
            tensors.push_back(fb::CreateTensor(builder_, builder_.CreateVector(t.shape), static_cast<std::int8_t>(t.type),
                                               t.buffer, builder_.CreateString(t.name), t.variable, signature));
        }
        std::vector<Offset<fb::Operator>> operators;
        for (const MadeOperator& op : graph.operators) operators.push_back(make(op));
        return fb::CreateSubGraph(builder_, builder_.CreateVector(tensors), builder_.CreateVector(graph.inputs),
                                  builder_.CreateVector(graph.outputs), builder_.CreateVector(operators),
                                  builder_.CreateString(graph.name));
    }

    Offset<fb::Operator> make(const MadeOperator& op)
    {
        const auto custom = op.custom.empty() ? 0 : builder_.CreateString(op.custom);
        const std::int32_t code = op.custom.empty() ? op.code : customCode;
        codes_.push_back(model_.oldCodes
                             ? fb::CreateOperatorCode(builder_, static_cast<std::int8_t>(code), custom)
                             : fb::CreateOperatorCode(builder_, static_cast<std::int8_t>(std::min(code, 127)), custom, 1, code));
        fb::Options type = fb::Options::NONE;
        Offset<void> options = 0;
        if (op.code == conditional && !op.callees.empty()) {
            type = fb::Options::IfOptions;
            options = fb::CreateIfOptions(builder_, op.callees[0], op.callees[1]).Union();
        } else if (op.code == loop && !op.callees.empty()) {
            type = fb::Options::WhileOptions;
            options = fb::CreateWhileOptions(builder_, op.callees[0], op.callees[1]).Union();
        } else if (op.code == callOnce && !op.callees.empty()) {
            type = fb::Options::CallOnceOptions;
            options = fb::CreateCallOnceOptions(builder_, op.callees[0]).Union();
        } else if (op.code == convolution && !op.options.empty()) {
            const std::int32_t stride = op.options[1], dilation = op.options[2];
            type = fb::Options::Conv2DOptions;
            options =
                fb::CreateConv2DOptions(builder_, static_cast<std::int8_t>(op.options[0]), stride, stride, dilation, dilation)
                    .Union();
        } else if (op.code == concatenation && !op.options.empty()) {
            type = fb::Options::ConcatenationOptions;
            options = fb::CreateConcatenationOptions(builder_, op.options[0]).Union();
        } else if (op.code == stridedSlice && !op.options.empty()) {
            type = fb::Options::StridedSliceOptions;
            options = fb::CreateStridedSliceOptions(builder_, op.options[0], op.options[1], 0, 0, op.options[2]).Union();
        }
        fb::Options2 type2 = fb::Options2::NONE;
        Offset<void> options2 = 0;
        if (op.code == stablehloWhile && !op.callees.empty()) {
            type2 = fb::Options2::WhileOptions;
            options2 = fb::CreateWhileOptions(builder_, op.callees[0], op.callees[1]).Union();
        } else if (op.code == stablehloComposite && !op.callees.empty()) {
            type2 = fb::Options2::CompositeOptions;
            options2 = fb::CreateCompositeOptions(builder_, op.callees[0]).Union();
        } else if (op.code == stablehloCase && !op.callees.empty()) {
            type2 = fb::Options2::CaseOptions;
            options2 = fb::CreateCaseOptions(builder_, builder_.CreateVector(op.callees)).Union();
        }
        return fb::CreateOperator(builder_, static_cast<std::uint32_t>(codes_.size() - 1), builder_.CreateVector(op.inputs),
                                  builder_.CreateVector(op.outputs), type, options, type2, options2);
    }

    const MadeModel& model_;
    flatbuffers::FlatBufferBuilder builder_;
    std::vector<Offset<fb::OperatorCode>> codes_;
};

} // namespace

std::string bytesOf(const MadeModel& model)
{
    return Maker(model).run();
}

MadeGraph reluChain(const std::string& name, int length)
{
    MadeGraph graph{name, {{"x"}}, {0}, {length}, {}};
    for (std::int32_t i = 0; i < length; ++i) {
        graph.tensors.push_back({"r" + std::to_string(i)});
        graph.operators.push_back({relu, {i}, {i + 1}, {}, {}});
    }
    return graph;
}

MadeTensor openTensor(const std::string& name, const std::vector<std::int32_t>& signature)
{
    MadeTensor tensor{name, signature, 0, 0, false, signature};
    std::replace(tensor.shape.begin(), tensor.shape.end(), -1, 1);
    return tensor;
}

MadeGraph attentionBlock()
{
    constexpr std::int32_t softmax = 25, transpose = 39, product = 126;
    MadeGraph graph{"main", {openTensor("x", {-1, 16, 4, 8}), {"order", {4}, 2, 1}}, {0}, {9}, {}};
    graph.tensors.push_back(openTensor("positive", {-1, 16, 4, 8}));
    graph.tensors.push_back(openTensor("heads", {-1, 4, 16, 8}));
    graph.tensors.push_back(openTensor("scores", {-1, 4, 16, 16}));
    graph.tensors.push_back(openTensor("weights", {-1, 4, 16, 16}));
    graph.tensors.push_back(openTensor("mixed", {-1, 4, 16, 8}));
    graph.tensors.push_back(openTensor("words", {-1, 16, 4, 8}));
    graph.tensors.push_back(openTensor("flat", {-1, 16, 32}));
    graph.tensors.push_back(openTensor("y", {-1, 16, 32}));
    graph.operators = {{relu, {0}, {2}, {}, {}},    {transpose, {2, 1}, {3}, {}, {}}, {product, {3, 3}, {4}, {}, {}},
                       {softmax, {4}, {5}, {}, {}}, {product, {5, 3}, {6}, {}, {}},   {transpose, {6, 1}, {7}, {}, {}},
                       {reshape, {7}, {8}, {}, {}}, {relu, {8}, {9}, {}, {}}};
    return graph;
}

std::vector<MadeModel> exampleModels()
{
    std::vector<MadeModel> models;
    models.push_back({{reluChain("main", 3)}, {}, {0, 1, 4, -1, 0, 16, -1}, false});

    MadeModel control; // branch, loop and initialisation in one, a constant, a view, a variable, an accelerator with scratch
    MadeGraph main{"main", {{"c", {1}, 6}, {"x"}, {"y"}, {"z"}, {"v", {2, 2}}, {"w", {4}, 0, 1}, {"o"}}, {0, 1}, {6}, {}};
    main.tensors.push_back({"scratch", {64}});
    main.tensors.push_back({"state", {4}, 0, 0, true});
    main.operators = {
        {callOnce, {}, {}, {4}, {}},
        {conditional, {0, 1}, {2}, {1, 1}, {}},
        {loop, {2}, {3}, {2, 3}, {}},
        {reshape, {3, -1}, {4}, {}, {}},
        {customCode, {4, 5, 7, 8}, {6}, {}, "accelerate"},
    };
    MadeGraph condition{"cond", {{"x"}, {"limit", {4}, 0, 1}, {"go on", {1}, 6}}, {0}, {2}, {{less, {0, 1}, {2}, {}, {}}}};
    MadeGraph once{"once", {{"s", {4}, 0, 0, true}, {"w", {4}, 0, 1}}, {}, {}, {{add, {1, 1}, {0}, {}, {}}}};
    control.graphs = {main, reluChain("branch", 1), condition, reluChain("body", 2), once};
    control.buffers = {{std::vector<std::uint8_t>(16, 1)}};
    models.push_back(control);

    MadeModel sizes; // every element type, open dimensions, an unknown operator
    MadeGraph types{"types", {{"x", {3, 5}, 0, 0, false, {-1, 5}}}, {0}, {}, {}};
    for (int type = 0; type <= 23; ++type) {
        types.tensors.push_back({"t" + std::to_string(type), {3, 5}, type});
        types.operators.push_back({999, {0}, {type + 1}, {}, {}});
        types.outputs.push_back(type + 1);
    }
    sizes.graphs = {types};
    models.push_back(sizes);
    return models;
}

} // namespace stowage::test
