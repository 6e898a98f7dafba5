// Reads protobuf messages from untrusted bytes. Each field is visited before protobuf parses the file, so that errors name the
// byte and the part of the model, nesting and memory are bounded, and weights are never copied.
#pragma once

#include "core/ir/expected.h"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stowage::onnxfile {

/// Tensor data up to this size, in bytes, is kept, because shapes may depend on it. Larger tensors are weights.
inline constexpr std::size_t keptPayloadBytes = std::size_t{32} * 1024;

/// Fields of later versions of ONNX than the linked one, which the reader keeps as unknown fields: a function's attributes with
/// default values (ONNX 1.13), and the overload of a function that a node calls and that a function defines (IR version 10).
inline constexpr int functionAttributeDefaults = 11;
inline constexpr int functionOverload = 13;
inline constexpr int nodeOverload = 8;

/// The model without weights, documentation and training graphs. The default domain is "" everywhere, never "ai.onnx". Errors,
/// with the byte: a file that is cut off or malformed, messages nested more than 96 deep, more than 1 GiB in memory, names that
/// are not UTF-8. O(bytes * nesting).
Expected<onnx::ModelProto> readModel(std::string_view bytes, const std::string& file);

/// The byte of the file, from 0, at which a node, a tensor, a function or a declared value (an input, an output) begins; -1 for a
/// message that was not read from a file, and for messages of other types.
std::int64_t fileOffset(const google::protobuf::Message& part);

/// How likely it is that a file that begins with `head` is an ONNX model, from 0 to 100. ONNX has no magic number; the fields of
/// the outermost message and their order decide.
int likeness(std::string_view head);

} // namespace stowage::onnxfile
