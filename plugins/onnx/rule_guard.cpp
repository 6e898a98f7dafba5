#include "plugins/onnx/rule_guard.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stowage::onnxfile {

namespace {

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
                                        [&name = name](const onnx::AttributeProto& each) { return each.name() == name; });
        if (attribute.required && given == node.attribute().end()) return false;
    }
    return true;
}

/// Attributes that are divided by, or that count something.
bool numbersFit(const onnx::NodeProto& node)
{
    static constexpr std::array<std::string_view, 7> positive = {"strides",   "dilations", "kernel_shape", "blocksize",
                                                                 "num_heads", "group",     "hidden_size"};
    for (const auto& attribute : node.attribute()) {
        if (std::find(positive.begin(), positive.end(), attribute.name()) == positive.end()) continue;
        if (attribute.has_i() && attribute.i() <= 0) return false;
        if (std::any_of(attribute.ints().begin(), attribute.ints().end(), [](std::int64_t value) { return value <= 0; }))
            return false;
    }
    return true;
}

/// The scan inputs are the last ones of all inputs.
bool scanFits(const onnx::NodeProto& node)
{
    for (const auto& attribute : node.attribute())
        if (attribute.name() == "num_scan_inputs") {
            const std::int64_t states = node.input_size() - attribute.i();
            return attribute.i() >= 1 && states >= 0 && states <= node.output_size();
        }
    return false;
}

} // namespace

bool mayInfer(const onnx::OpSchema& schema, const onnx::NodeProto& node, onnx::InferenceContext&)
{
    if (node.input_size() < schema.min_input() || node.input_size() > schema.max_input()) return false;
    if (node.output_size() < schema.min_output() || node.output_size() > schema.max_output()) return false;
    const auto& parameters = schema.inputs();
    for (int i = 0; i < node.input_size() && i < static_cast<int>(parameters.size()); ++i)
        if (parameters[static_cast<std::size_t>(i)].GetOption() == onnx::OpSchema::Single && node.input(i).empty()) return false;
    if (!attributesFit(schema, node) || !numbersFit(node)) return false;
    return node.op_type() != "Scan" || scanFits(node);
}

} // namespace stowage::onnxfile
