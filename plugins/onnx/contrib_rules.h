// Output types of operators that are not in the ONNX standard: those of ONNX Runtime (domain com.microsoft), which its exported
// and optimised models are full of.
#pragma once

#include "plugins/onnx/shapes.h"

#include <onnx/defs/shape_inference.h>

#include <string_view>

namespace stowage::onnxfile {

/// The operator of the default domain whose rule holds for `node` too; empty when there is none.
std::string_view standardCounterpart(const onnx::NodeProto& node);

/// Sets the types of the outputs that are known. False when there is no rule for the operator.
/// Throws onnx::InferenceError when the inputs cannot be right.
bool inferContrib(const onnx::NodeProto& node, onnx::InferenceContext& context, Shapes shapes);

} // namespace stowage::onnxfile
