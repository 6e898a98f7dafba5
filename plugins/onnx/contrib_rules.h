// Output types of the operators that ONNX Runtime adds to the ONNX standard (domain com.microsoft). Models that it has exported
// or optimised are full of them.
#pragma once

#include "plugins/onnx/shapes.h"

#include <onnx/defs/shape_inference.h>

#include <string_view>

namespace stowage::onnxfile {

/// The operator of the default domain whose inference rule holds for `node` too; empty if there is none.
std::string_view standardCounterpart(const onnx::NodeProto& node);

/// Sets the types of the outputs, as far as the rule gives them. Returns false if the operator has no rule. Throws
/// onnx::InferenceError if the inputs contradict the operator.
bool inferContrib(const onnx::NodeProto& node, onnx::InferenceContext& context, Shapes shapes);

} // namespace stowage::onnxfile
