// Output types of operators whose meaning has changed since the last operator set that the linked ONNX library knows. The library
// applies its newest rule to every later version, and does not see the inputs and attributes that its rule lacks.
#pragma once

#include <onnx/defs/shape_inference.h>

#include <string_view>

namespace stowage::onnxfile {

/// The newest version of the default domain whose rules the library has (ONNX 1.12).
inline constexpr int latestOpset = 17;

/// Sets the types of the outputs of operator `kind` of the default domain, version `opset` above `latestOpset`, as far as its
/// inputs tell. Returns false if the library's rule is to be used. Throws onnx::InferenceError if the inputs contradict the
/// operator, or if neither the library nor this file has a rule for the attributes of the node. O(rank + axes).
bool inferNewer(std::string_view kind, int opset, onnx::InferenceContext& context);

/// The same for QuantizeLinear and DequantizeLinear alone, as version 23 of the default domain and as com.microsoft define them.
/// Returns false for other operators, and if the inputs and outputs do not fit.
bool inferQuantization(std::string_view kind, onnx::InferenceContext& context);

} // namespace stowage::onnxfile
