// Shape arithmetic: computes what exporters write between a Shape and the operator that needs the shape.
#pragma once

#include "plugins/onnx/literal.h"

#include <onnx/onnx_pb.h>

#include <optional>
#include <span>

namespace stowage::onnxfile {

/// One input of an operator: what is known of it. Both are null for an optional input that is left out.
struct Operand {
    const Literal* contents = nullptr;
    const onnx::TypeProto* type = nullptr;
};

/// The dimensions of a tensor type when all of them are known and not negative.
std::optional<std::vector<std::int64_t>> staticShape(const onnx::TypeProto& type);

/// The only output of `node`; nothing when the operator is not one of shape arithmetic, something that it needs is not known, or
/// the result is out of range or too large. `opset` is the version of the default domain. O(elements * rank).
std::optional<Literal> evaluate(const onnx::NodeProto& node, int opset, std::span<const Operand> inputs);

} // namespace stowage::onnxfile
