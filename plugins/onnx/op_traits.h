// What planning wants to know of ONNX operators beyond their inputs and outputs.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>

namespace stowage::onnxfile {

/// How many of the first inputs an output of the same size may be written over, element by element: 0 none, 1 the first, 2
/// either.
int overwritableInputs(const onnx::NodeProto& node);

enum class ControlKind { none, branch, loop, scan };
/// If, Loop and Scan; a Scan before version 9 is not one, as it loops over a batch as well.
ControlKind controlOf(const onnx::NodeProto& node, int version);

/// The graph held under the name `attribute`; null when there is none.
const onnx::GraphProto* bodyOf(const onnx::NodeProto& node, std::string_view attribute);

} // namespace stowage::onnxfile
