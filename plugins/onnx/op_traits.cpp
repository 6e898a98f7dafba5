#include "plugins/onnx/op_traits.h"

#include <algorithm>
#include <array>

namespace stowage::onnxfile {

namespace {

/// Sorted, for the binary search.
constexpr std::array<std::string_view, 44> unary = {
    "Abs",       "Acos",        "Acosh",     "Asin",
    "Asinh",     "Atan",        "Atanh",     "BatchNormalization",
    "BiasGelu",  "Ceil",        "Celu",      "Clip",
    "Cos",       "Cosh",        "Dropout",   "Elu",
    "Erf",       "Exp",         "FastGelu",  "Floor",
    "Gelu",      "HardSigmoid", "HardSwish", "LeakyRelu",
    "Log",       "Neg",         "Not",       "PRelu",
    "QuickGelu", "Reciprocal",  "Relu",      "Round",
    "Selu",      "Shrink",      "Sigmoid",   "Sign",
    "Sin",       "Sinh",        "Softplus",  "Softsign",
    "Sqrt",      "Tan",         "Tanh",      "ThresholdedRelu",
};
constexpr std::array<std::string_view, 12> binary = {"Add", "And", "Div", "Max", "Mean", "Min",
                                                     "Mod", "Mul", "Or",  "Pow", "Sub",  "Xor"};

static_assert(std::is_sorted(unary.begin(), unary.end()) && std::is_sorted(binary.begin(), binary.end()));

} // namespace

int overwritableInputs(const onnx::NodeProto& node)
{
    if (!node.domain().empty() && node.domain() != "com.microsoft") return 0;
    const std::string_view kind = node.op_type();
    if (std::binary_search(binary.begin(), binary.end(), kind)) return 2;
    return std::binary_search(unary.begin(), unary.end(), kind) ? 1 : 0;
}

ControlKind controlOf(const onnx::NodeProto& node, int version)
{
    if (!node.domain().empty()) return ControlKind::none;
    if (node.op_type() == "If" && node.input_size() == 1) return ControlKind::branch;
    if (node.op_type() == "Loop" && node.input_size() >= 2) return ControlKind::loop;
    if (node.op_type() == "Scan" && version >= 9) return ControlKind::scan;
    return ControlKind::none;
}

const onnx::GraphProto* bodyOf(const onnx::NodeProto& node, std::string_view attribute)
{
    for (const auto& candidate : node.attribute())
        if (candidate.name() == attribute && candidate.has_g()) return &candidate.g();
    return nullptr;
}

} // namespace stowage::onnxfile
