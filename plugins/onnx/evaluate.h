// Shape arithmetic: evaluates the operators that exporters write between a Shape and the operator that needs the shape.
#pragma once

#include "plugins/onnx/literal.h"

#include <onnx/onnx_pb.h>

#include <optional>
#include <span>

namespace stowage::onnxfile {

/// Known facts of one input of an operator. Both are null for an optional input that is left out.
struct Operand {
    const Literal* contents = nullptr;
    const onnx::TypeProto* type = nullptr;
};

/// The dimensions of a tensor type; no value unless all are known and not negative.
std::optional<std::vector<std::int64_t>> staticShape(const onnx::TypeProto& type);

/// The only output of `node`. No value if the operator is not one of shape arithmetic, an input that it needs is unknown, or the
/// result is out of range or too large. `opset` is the version of the default domain. O(elements * rank).
std::optional<Literal> evaluate(const onnx::NodeProto& node, int opset, std::span<const Operand> inputs);

} // namespace stowage::onnxfile
