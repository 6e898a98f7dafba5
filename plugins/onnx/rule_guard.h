// Preconditions of the ONNX library's inference rules, which the rules do not check. If one is violated, some rules divide by
// zero, follow a null pointer or read past the end of a list.
#pragma once

#include <onnx/defs/schema.h>
#include <onnx/defs/shape_inference.h>

namespace stowage::onnxfile {

/// Whether the inference rule of `schema` may be run on `node`: the counts of inputs and outputs and the kinds of attributes
/// agree with the schema, required ones are present, and divisors and counts are in range. O(inputs + attributes).
bool mayInfer(const onnx::OpSchema& schema, const onnx::NodeProto& node, const onnx::InferenceContext& context);

} // namespace stowage::onnxfile
