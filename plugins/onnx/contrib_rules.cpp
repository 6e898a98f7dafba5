#include "plugins/onnx/contrib_rules.h"

#include "plugins/onnx/newer_rules.h"
#include "plugins/onnx/rule_context.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stowage::onnxfile {

namespace {

using Context = onnx::InferenceContext;
using Dim = onnx::TensorShapeProto::Dimension;
using Shape = onnx::TensorShapeProto;

constexpr std::string_view microsoft = "com.microsoft";

/// Every output is as large as the first input. Outputs that only training reads are not in the list.
struct SameAsFirst {
    std::string_view kind;
    std::array<int, 2> outputs; ///< -1: none
};
constexpr std::array<SameAsFirst, 13> sameAsFirst = {{
    {"SkipLayerNormalization", {0, 3}},
    {"SkipSimplifiedLayerNormalization", {0, 3}},
    {"SimplifiedLayerNormalization", {0, -1}},
    {"LayerNormalization", {0, -1}},
    {"GroupNorm", {0, -1}},
    {"FastGelu", {0, -1}},
    {"Gelu", {0, -1}},
    {"QuickGelu", {0, -1}},
    {"BiasGelu", {0, -1}},
    {"BiasSoftmax", {0, -1}},
    {"RotaryEmbedding", {0, -1}},
    {"QLinearSigmoid", {0, -1}},
    {"QLinearLeakyRelu", {0, -1}},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> counterparts = {{
    {"FusedConv", "Conv"},
    {"FusedGemm", "Gemm"},
}};

void setOutput(Context& context, std::size_t output, std::int32_t type, std::initializer_list<Dim> dims)
{
    if (output >= context.getNumOutputs()) return;
    auto& tensor = *context.getOutputType(output)->mutable_tensor_type();
    tensor.set_elem_type(type);
    tensor.clear_shape();
    auto& shape = *tensor.mutable_shape();
    for (const Dim& each : dims) *shape.add_dim() = each;
}

/// input_ids [batch, sequence], segment_ids, word_embedding [vocabulary, hidden], …
void embedLayerNormalization(Context& context, Shapes shapes)
{
    const Shape* ids = shapeOfInput(context, 0);
    const Shape* embedding = shapeOfInput(context, 2);
    if (!ids || !embedding || ids->dim_size() != 2 || embedding->dim_size() != 2) return;
    const auto type = elementTypeOfInput(context, 2);
    setOutput(context, 0, type, {ids->dim(0), ids->dim(1), embedding->dim(1)});
    setOutput(context, 1, onnx::TensorProto::INT32, {ids->dim(0)});
    // The sum before normalisation: not in the operator's first version, whose rule is the one that tools agree on.
    if (shapes == Shapes::computed) setOutput(context, 2, type, {ids->dim(0), ids->dim(1), embedding->dim(1)});
}

/// input [batch, sequence, hidden], weights [hidden, 3 * width], bias [3 * width], mask, past [2, batch, heads, past, size], …
/// With a shared buffer, past has room for all positions, and present is the same buffer.
void attention(Context& context)
{
    const Shape* input = shapeOfInput(context, 0);
    const Shape* weights = shapeOfInput(context, 1);
    if (!input || input->dim_size() != 3) return;
    const auto type = elementTypeOfInput(context, 0);
    Dim width;
    if (const auto* sizes = context.getAttribute("qkv_hidden_sizes"); sizes && sizes->ints_size() == 3)
        width = dim(sizes->ints(2));
    else if (weights && weights->dim_size() == 2)
        width = weights->dim(1) / 3;
    setOutput(context, 0, type, {input->dim(0), input->dim(1), width});
    const Shape* past = shapeOfInput(context, 4);
    if (!past || past->dim_size() != 5) return;
    const bool shared = onnx::getAttribute(context, "past_present_share_buffer", 0) != 0;
    const Dim positions = shared ? past->dim(3) : past->dim(3) + input->dim(1);
    setOutput(context, 1, type, {past->dim(0), past->dim(1), past->dim(2), positions, past->dim(4)});
}

/// query [batch, sequence, hidden], key, value: the width of the result is the value's, or, where all three are packed into the
/// query, follows from the numbers of heads.
void packedAttention(Context& context, std::string_view kind)
{
    const Shape* query = shapeOfInput(context, 0);
    if (!query || query->dim_size() != 3) return;
    const Shape* value = shapeOfInput(context, 2);
    Dim width;
    if (kind == "GroupQueryAttention") {
        const std::int64_t heads = onnx::getAttribute(context, "num_heads", 0);
        const std::int64_t sharedHeads = onnx::getAttribute(context, "kv_num_heads", 0);
        const Dim& hidden = query->dim(2);
        if (isGiven(context, 2))
            width = hidden;
        else if (heads > 0 && sharedHeads > 0 && heads < (1 << 20) && sharedHeads < (1 << 20) && hidden.has_dim_value())
            width = dim(hidden.dim_value() / (heads + 2 * sharedHeads) * heads);
    } else if (value && value->dim_size() == 3) {
        width = value->dim(2);
    }
    setOutput(context, 0, elementTypeOfInput(context, 0), {query->dim(0), query->dim(1), width});
}

/// A [..., rows, K] times B of N columns.
void matMulNBits(Context& context)
{
    const Shape* a = shapeOfInput(context, 0);
    const auto columns = onnx::getAttribute(context, "N", 0);
    if (!a || a->dim_size() < 1 || columns < 1) return;
    auto& tensor = *context.getOutputType(0)->mutable_tensor_type();
    tensor.set_elem_type(elementTypeOfInput(context, 0));
    *tensor.mutable_shape() = *a;
    *tensor.mutable_shape()->mutable_dim(a->dim_size() - 1) = dim(columns);
}

/// MatMul whose operands may be transposed.
void fusedMatMul(Context& context)
{
    const Shape* a = shapeOfInput(context, 0);
    const Shape* b = shapeOfInput(context, 1);
    if (!a || !b || a->dim_size() < 2 || b->dim_size() < 2) return;
    if (onnx::getAttribute(context, "transBatchA", 0) != 0 || onnx::getAttribute(context, "transBatchB", 0) != 0) return;
    const auto part = [](const Shape& shape, bool transposed, int fromBack) {
        return shape.dim(shape.dim_size() - (transposed ? 3 - fromBack : fromBack));
    };
    const auto batch = [](const Shape& shape) {
        Shape result = shape;
        result.mutable_dim()->DeleteSubrange(shape.dim_size() - 2, 2);
        return result;
    };
    Shape result;
    onnx::bidirectionalBroadcastShapeInference(batch(*a), batch(*b), result);
    *result.add_dim() = part(*a, onnx::getAttribute(context, "transA", 0) != 0, 2);
    *result.add_dim() = part(*b, onnx::getAttribute(context, "transB", 0) != 0, 1);
    auto& tensor = *context.getOutputType(0)->mutable_tensor_type();
    tensor.set_elem_type(elementTypeOfInput(context, 0));
    *tensor.mutable_shape() = result;
}

} // namespace

std::string_view standardCounterpart(const onnx::NodeProto& node)
{
    if (node.domain() != microsoft) return {};
    for (const auto& [kind, standard] : counterparts)
        if (node.op_type() == kind) return standard;
    return {};
}

bool inferContrib(const onnx::NodeProto& node, onnx::InferenceContext& context, Shapes shapes)
{
    // SimplifiedLayerNormalization is written in the default domain, although the standard does not have it.
    const std::string_view kind = node.op_type();
    if (node.domain() != microsoft && !(node.domain().empty() && kind == "SimplifiedLayerNormalization")) return false;
    if (context.getNumInputs() == 0 || context.getNumOutputs() == 0) return false;
    if (inferQuantization(kind, context)) return true;
    if (kind == "EmbedLayerNormalization")
        embedLayerNormalization(context, shapes);
    else if (kind == "Attention")
        attention(context);
    else if (kind == "MultiHeadAttention" || kind == "GroupQueryAttention")
        packedAttention(context, kind);
    else if (kind == "MatMulNBits")
        matMulNBits(context);
    else if (kind == "FusedMatMul" || kind == "TransposeMatMul")
        fusedMatMul(context);
    else {
        const auto* rule =
            std::find_if(sameAsFirst.begin(), sameAsFirst.end(), [&](const SameAsFirst& r) { return r.kind == kind; });
        if (rule == sameAsFirst.end()) return false;
        const auto* input = context.getInputType(0);
        for (const int output : rule->outputs)
            if (output >= 0 && static_cast<std::size_t>(output) < context.getNumOutputs() && input)
                *context.getOutputType(static_cast<std::size_t>(output)) = *input;
    }
    return true;
}

} // namespace stowage::onnxfile
