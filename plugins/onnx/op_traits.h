// Facts of ONNX operators that planning needs beyond their inputs and outputs.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>

namespace stowage::onnxfile {

/// The count of leading inputs that an output of the same size may overwrite element by element: 0, 1 (the first), or 2 (either
/// of the first two).
int overwritableInputs(const onnx::NodeProto& node);

enum class ControlKind { none, branch, loop, scan };
/// The kind of an If, Loop or Scan; `none` for other operators, and for a Scan before version 9, which also loops over a batch.
ControlKind controlOf(const onnx::NodeProto& node, int version);

/// The graph in the attribute named `attribute`; null if there is none.
const onnx::GraphProto* bodyOf(const onnx::NodeProto& node, std::string_view attribute);

} // namespace stowage::onnxfile
