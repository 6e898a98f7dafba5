#include "plugins/onnx/rule_guard.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stowage::onnxfile {

namespace {

using Shape = onnx::TensorShapeProto;

/// Longer than any spatial dimension; some rules count up to it.
constexpr std::int64_t maxCounted = std::int64_t{1} << 24;
/// More dimensions than any tensor has.
constexpr std::int64_t maxRank = 1024;

bool hasKind(const onnx::AttributeProto& attribute, onnx::AttributeProto::AttributeType kind)
{
    if (attribute.type() != kind) return false;
    switch (kind) {
    case onnx::AttributeProto::FLOAT: return attribute.has_f();
    case onnx::AttributeProto::INT: return attribute.has_i();
    case onnx::AttributeProto::STRING: return attribute.has_s();
    case onnx::AttributeProto::TENSOR: return attribute.has_t();
    case onnx::AttributeProto::GRAPH: return attribute.has_g();
    case onnx::AttributeProto::SPARSE_TENSOR: return attribute.has_sparse_tensor();
    case onnx::AttributeProto::TYPE_PROTO: return attribute.has_tp();
    default: return true; // a list may be empty
    }
}

bool attributesFit(const onnx::OpSchema& schema, const onnx::NodeProto& node)
{
    for (const auto& attribute : node.attribute()) {
        const auto known = schema.attributes().find(attribute.name());
        if (known != schema.attributes().end() && !hasKind(attribute, known->second.type)) return false;
    }
    for (const auto& [name, attribute] : schema.attributes()) {
        const auto given = std::find_if(node.attribute().begin(), node.attribute().end(),
                                        [&wanted = name](const onnx::AttributeProto& each) { return each.name() == wanted; });
        if (attribute.required && given == node.attribute().end()) return false;
    }
    return true;
}

/// How the schema spells a kind of type: "tensor(float)", "seq(tensor(float))".
std::string_view prefixOf(const onnx::TypeProto& type)
{
    switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: return "tensor(";
    case onnx::TypeProto::kSequenceType: return "seq(";
    case onnx::TypeProto::kMapType: return "map(";
    case onnx::TypeProto::kOptionalType: return "optional(";
    case onnx::TypeProto::kSparseTensorType: return "sparse_tensor(";
    default: return "?";
    }
}

/// Rules ask the shape of a tensor of whatever they are given.
bool inputsFit(const onnx::OpSchema& schema, const onnx::NodeProto& node, const onnx::InferenceContext& context)
{
    const auto& parameters = schema.inputs();
    for (int i = 0; i < node.input_size() && !parameters.empty(); ++i) {
        const auto& parameter = parameters[std::min(static_cast<std::size_t>(i), parameters.size() - 1)];
        if (node.input(i).empty()) {
            if (parameter.GetOption() == onnx::OpSchema::Single) return false;
            continue;
        }
        const auto* type = context.getInputType(static_cast<std::size_t>(i));
        if (!type) continue;
        const auto prefix = prefixOf(*type);
        if (std::none_of(parameter.GetTypes().begin(), parameter.GetTypes().end(),
                         [&](const std::string* name) { return std::string_view(*name).substr(0, prefix.size()) == prefix; }))
            return false;
    }
    return true;
}

/// What the rules of single operators rely on.
class OperatorGuard {
public:
    OperatorGuard(const onnx::NodeProto& node, const onnx::InferenceContext& context) : node_(node), context_(context) {}

    [[nodiscard]] bool passes() const
    {
        const std::string_view kind = node_.op_type();
        if (!positive({"strides", "dilations", "kernel_shape", "blocksize", "group", "hidden_size"})) return false;
        if (kind == "Conv" || kind == "ConvInteger" || kind == "ConvTranspose") return windowFits() && sameRank(0, 1);
        if (kind == "QLinearConv") return windowFits() && sameRank(0, 3);
        if (kind == "MaxPool" || kind == "AveragePool" || kind == "LpPool") return windowFits();
        if (kind == "MaxUnpool") return sameRank(0, 1);
        if (kind == "MaxRoiPool") return rankOf(0) == 4 || rankOf(0) < 0;
        if (kind == "STFT") return rankOf(0) >= 2 || rankOf(0) < 0;
        if (kind == "LayerNormalization") return axisFits(0, -1);
        if (kind == "GatherND") return integer("batch_dims", 0) >= 0 && integer("batch_dims", 0) < maxRank;
        if (kind == "ConstantOfShape") return describesShape(0);
        if (kind == "Expand") return describesShape(1);
        if (kind == "Einsum") return equationFits();
        if (kind == "Scan") return scanFits();
        return true;
    }

private:
    [[nodiscard]] const onnx::AttributeProto* attribute(std::string_view name) const
    {
        for (const auto& each : node_.attribute())
            if (each.name() == name) return &each;
        return nullptr;
    }
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const
    {
        const auto* found = attribute(name);
        return found ? found->i() : otherwise;
    }
    [[nodiscard]] const Shape* shapeOf(int input) const
    {
        if (input >= node_.input_size()) return nullptr;
        const auto* type = context_.getInputType(static_cast<std::size_t>(input));
        return type && type->has_tensor_type() && type->tensor_type().has_shape() ? &type->tensor_type().shape() : nullptr;
    }
    /// -1: not known.
    [[nodiscard]] int rankOf(int input) const
    {
        const auto* shape = shapeOf(input);
        return shape ? shape->dim_size() : -1;
    }

    /// Attributes that are divided by, or that count something.
    [[nodiscard]] bool positive(std::initializer_list<std::string_view> names) const
    {
        for (const auto name : names) {
            const auto* found = attribute(name);
            if (!found) continue;
            if (found->has_i() && found->i() <= 0) return false;
            if (std::any_of(found->ints().begin(), found->ints().end(), [](std::int64_t value) { return value <= 0; }))
                return false;
        }
        return true;
    }

    [[nodiscard]] bool sameRank(int a, int b) const { return rankOf(a) < 0 || rankOf(b) < 0 || rankOf(a) == rankOf(b); }

    /// `auto_pad` is worked out by repeated subtraction.
    [[nodiscard]] bool windowFits() const
    {
        const auto* shape = shapeOf(0);
        if (!shape) return true;
        return std::all_of(shape->dim().begin(), shape->dim().end(),
                           [](const auto& dim) { return dim.dim_value() <= maxCounted; });
    }

    [[nodiscard]] bool axisFits(int input, std::int64_t otherwise) const
    {
        const std::int64_t axis = integer("axis", otherwise);
        const int rank = rankOf(input);
        return rank < 0 || (axis >= -rank && axis < rank);
    }

    /// The length of a list of dimensions becomes a rank.
    [[nodiscard]] bool describesShape(int input) const
    {
        const auto* shape = shapeOf(input);
        return !shape || shape->dim_size() != 1 || shape->dim(0).dim_value() <= maxRank;
    }

    /// Without a right-hand side, characters index a table of 26 letters.
    [[nodiscard]] bool equationFits() const
    {
        const auto* equation = attribute("equation");
        return equation && (equation->s().find("->") != std::string::npos ||
                            equation->s().find_first_not_of("abcdefghijklmnopqrstuvwxyz,. ") == std::string::npos);
    }

    /// The sequences are the last ones of all inputs.
    [[nodiscard]] bool scanFits() const
    {
        const std::int64_t sequences = integer("num_scan_inputs", 0);
        return sequences >= 1 && sequences <= node_.input_size() && node_.input_size() - sequences <= node_.output_size();
    }

    const onnx::NodeProto& node_;
    const onnx::InferenceContext& context_;
};

} // namespace

bool mayInfer(const onnx::OpSchema& schema, const onnx::NodeProto& node, const onnx::InferenceContext& context)
{
    if (node.input_size() < schema.min_input() || node.input_size() > schema.max_input()) return false;
    if (node.output_size() < schema.min_output() || node.output_size() > schema.max_output()) return false;
    return attributesFit(schema, node) && inputsFit(schema, node, context) && OperatorGuard(node, context).passes();
}

} // namespace stowage::onnxfile
