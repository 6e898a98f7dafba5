// What the ONNX library's inference rules take for granted. Given anything else, some of them divide by zero, follow a null
// pointer or read past the end of a list.
#pragma once

#include <onnx/defs/schema.h>
#include <onnx/defs/shape_inference.h>

namespace stowage::onnxfile {

/// Whether the rule of `schema` may be run on `node`: counts of inputs and outputs and kinds of attributes are as the schema
/// says, required ones are there, and numbers that are divided by or counted with are in range. O(inputs + attributes).
bool mayInfer(const onnx::OpSchema& schema, const onnx::NodeProto& node, const onnx::InferenceContext& context);

} // namespace stowage::onnxfile
