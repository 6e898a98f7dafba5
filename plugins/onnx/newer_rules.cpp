#include "plugins/onnx/newer_rules.h"

#include "plugins/onnx/literal.h"
#include "plugins/onnx/rule_context.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage::onnxfile {

namespace {

using Context = onnx::InferenceContext;
using Shape = onnx::TensorShapeProto;

/// From version 18 on, their axes are an input, as those of ReduceSum are from version 13 on.
constexpr std::array<std::string_view, 10> reductions = {"ReduceL1",  "ReduceL2",       "ReduceLogSum", "ReduceLogSumExp",
                                                         "ReduceMax", "ReduceMean",     "ReduceMin",    "ReduceProd",
                                                         "ReduceSum", "ReduceSumSquare"};

/// Also when its type is not known.
bool isTensor(const Context& context, std::size_t input)
{
    if (!isGiven(context, input)) return false;
    const auto kind = context.getInputType(input)->value_case();
    return kind == onnx::TypeProto::kTensorType || kind == onnx::TypeProto::VALUE_NOT_SET;
}

/// The elements of a constant input; no value if they are not known.
std::optional<std::vector<std::int64_t>> integersOf(const Context& context, std::size_t input)
{
    const auto* data = context.getInputData(input);
    if (!data) return std::nullopt;
    auto literal = literalOf(*data);
    if (!literal || literal->isReal()) return std::nullopt;
    return std::move(literal->integers);
}

/// The same axes, counted from the first one.
std::vector<int> fromFirst(const std::vector<std::int64_t>& axes, int rank)
{
    std::vector<int> result;
    for (const std::int64_t axis : axes) {
        if (axis < -rank || axis >= rank) fail_shape_inference("axis ", axis, " is not one of ", rank, " dimensions");
        result.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
    }
    return result;
}

Shape unknownDimensions(int rank)
{
    Shape shape;
    for (int i = 0; i < rank; ++i) shape.add_dim();
    return shape;
}

/// data, axes
bool inferReduction(std::string_view kind, Context& context)
{
    if (std::find(reductions.begin(), reductions.end(), kind) == reductions.end()) return false;
    if (context.getNumInputs() < 1 || context.getNumInputs() > 2 || context.getNumOutputs() != 1 || !isTensor(context, 0))
        return false;
    if (context.getAttribute("axes")) return false; // as in the versions that the library knows
    auto& tensor = *context.getOutputType(0)->mutable_tensor_type();
    tensor.set_elem_type(elementTypeOfInput(context, 0));
    const Shape* shape = shapeOfInput(context, 0);
    if (!shape) return true;
    const int rank = shape->dim_size();
    const bool keepsRank = onnx::getAttribute(context, "keepdims", 1) != 0;
    const auto axes = isGiven(context, 1) ? integersOf(context, 1) : std::optional<std::vector<std::int64_t>>(std::in_place);
    if (!axes) {
        if (keepsRank) *tensor.mutable_shape() = unknownDimensions(rank);
        return true;
    }
    if (axes->empty() && onnx::getAttribute(context, "noop_with_empty_axes", 0) != 0) {
        *tensor.mutable_shape() = *shape;
        return true;
    }
    std::vector<bool> reduced(static_cast<std::size_t>(rank), axes->empty());
    for (const int axis : fromFirst(*axes, rank)) reduced[static_cast<std::size_t>(axis)] = true;
    auto& result = *tensor.mutable_shape();
    for (int i = 0; i < rank; ++i) {
        if (!reduced[static_cast<std::size_t>(i)])
            *result.add_dim() = shape->dim(i);
        else if (keepsRank)
            result.add_dim()->set_dim_value(1);
    }
    return true;
}

/// data, pads, value, axes: the axes are an input from version 18 on.
bool inferPad(std::string_view kind, Context& context)
{
    if (kind != "Pad" || context.getNumInputs() != 4 || context.getNumOutputs() != 1) return false;
    if (!isTensor(context, 0) || !isTensor(context, 1)) return false;
    auto& tensor = *context.getOutputType(0)->mutable_tensor_type();
    tensor.set_elem_type(elementTypeOfInput(context, 0));
    const Shape* shape = shapeOfInput(context, 0);
    if (!shape) return true;
    const int rank = shape->dim_size();
    std::optional<std::vector<std::int64_t>> axes;
    if (isGiven(context, 3)) {
        axes = integersOf(context, 3);
    } else {
        axes.emplace(static_cast<std::size_t>(rank));
        std::iota(axes->begin(), axes->end(), 0);
    }
    const auto pads = integersOf(context, 1);
    if (!pads || !axes) {
        *tensor.mutable_shape() = unknownDimensions(rank);
        return true;
    }
    const auto padded = fromFirst(*axes, rank);
    if (pads->size() != 2 * padded.size())
        fail_shape_inference("it has ", pads->size(), " pads instead of two for each of ", padded.size(), " axes");
    auto& result = *tensor.mutable_shape();
    result = *shape;
    for (std::size_t i = 0; i < padded.size(); ++i) {
        const auto both = dim((*pads)[i]) + dim((*pads)[i + padded.size()]);
        if (both.has_dim_value() && both.dim_value() == 0) continue; // keeps a dimension that has only a name
        auto& size = *result.mutable_dim(padded[i]);
        size = size + both;
    }
    return true;
}

/// The attribute whose meaning the library's rule lacks, so that the rule gives a wrong shape; empty if there is none.
std::string_view attributeBeyondRules(std::string_view kind, int opset, Context& context)
{
    if (kind == "Resize") {
        if (context.getAttribute("axes")) return "axes";
        const auto policy = onnx::getAttribute(context, "keep_aspect_ratio_policy", std::string("stretch"));
        if (policy != "stretch" && isGiven(context, 3)) return "keep_aspect_ratio_policy"; // says how to read `sizes`
    }
    if (kind == "AveragePool" || kind == "LpPool") {
        const auto* dilations = context.getAttribute("dilations");
        if (dilations &&
            std::any_of(dilations->ints().begin(), dilations->ints().end(), [](std::int64_t each) { return each != 1; }))
            return "dilations";
    }
    // Version 20 counts the axis from the last one; it matters where its length changes.
    if (kind == "DFT" && opset >= 20 && (isGiven(context, 1) || onnx::getAttribute(context, "onesided", 0) != 0)) return "axis";
    return {};
}

} // namespace

bool inferQuantization(std::string_view kind, onnx::InferenceContext& context)
{
    const bool quantizes = kind == "QuantizeLinear";
    if (!quantizes && kind != "DequantizeLinear") return false;
    if (context.getNumInputs() > 3 || context.getNumOutputs() != 1) return false;
    if (!isTensor(context, 0) || !isTensor(context, 1)) return false;
    const std::int64_t chosen = onnx::getAttribute(context, "output_dtype", 0);
    std::int32_t type = onnx::TensorProto::UINT8;
    if (chosen > 0 && chosen <= std::numeric_limits<std::int32_t>::max())
        type = static_cast<std::int32_t>(chosen);
    else if (!quantizes)
        type = elementTypeOfInput(context, 1); // of the scale
    else if (isGiven(context, 2))
        type = elementTypeOfInput(context, 2); // of the zero point
    auto& tensor = *context.getOutputType(0)->mutable_tensor_type();
    tensor.set_elem_type(type);
    if (const Shape* shape = shapeOfInput(context, 0)) *tensor.mutable_shape() = *shape;
    return true;
}

bool inferNewer(std::string_view kind, int opset, onnx::InferenceContext& context)
{
    if (inferReduction(kind, context) || inferPad(kind, context)) return true;
    // In version 18 a scale is of f32 still.
    if (opset >= 19 && inferQuantization(kind, context)) return true;
    if (const auto attribute = attributeBeyondRules(kind, opset, context); !attribute.empty())
        fail_shape_inference("the meaning of its '", attribute, "' in version ", opset,
                             " of the operator set is newer than the shape rules, which end at version ", latestOpset);
    return false;
}

} // namespace stowage::onnxfile
