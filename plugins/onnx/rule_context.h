// What the importer's own inference rules ask of a node's inputs.
#pragma once

#include <onnx/defs/shape_inference.h>

#include <cstddef>
#include <cstdint>

namespace stowage::onnxfile {

/// Whether the node has this input and does not leave it out; its type may be unknown all the same.
inline bool isGiven(const onnx::InferenceContext& context, std::size_t input)
{
    return input < context.getNumInputs() && context.getInputType(input);
}

/// Null when the input is left out or its shape is not known.
inline const onnx::TensorShapeProto* shapeOfInput(const onnx::InferenceContext& context, std::size_t input)
{
    if (!isGiven(context, input)) return nullptr;
    const onnx::TypeProto& type = *context.getInputType(input);
    return type.has_tensor_type() && type.tensor_type().has_shape() ? &type.tensor_type().shape() : nullptr;
}

/// onnx::TensorProto::DataType of the input; UNDEFINED when it is left out or its type is not known.
inline std::int32_t elementTypeOfInput(const onnx::InferenceContext& context, std::size_t input)
{
    if (!isGiven(context, input)) return onnx::TensorProto::UNDEFINED;
    return onnx::getTensorElementType(*context.getInputType(input));
}

inline onnx::TensorShapeProto::Dimension dim(std::int64_t value)
{
    onnx::TensorShapeProto::Dimension result;
    result.set_dim_value(value);
    return result;
}

/// The sum of two known dimensions, else one that is not known.
inline onnx::TensorShapeProto::Dimension operator+(const onnx::TensorShapeProto::Dimension& a,
                                                   const onnx::TensorShapeProto::Dimension& b)
{
    std::int64_t sum = 0;
    if (a.has_dim_value() && b.has_dim_value() && !__builtin_add_overflow(a.dim_value(), b.dim_value(), &sum)) return dim(sum);
    return {};
}

} // namespace stowage::onnxfile
