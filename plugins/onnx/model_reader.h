// Bytes to protobuf messages, defensively. The file is walked field by field before protobuf sees it: so that a complaint
// names the byte and the part of the model, that nesting and memory are bounded, and that weights are never copied.
#pragma once

#include "core/ir/expected.h"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stowage::onnxfile {

/// Payloads of tensors up to this size are kept, because shapes may depend on them. Larger ones are weights.
inline constexpr std::size_t keptPayloadBytes = std::size_t{32} * 1024;

/// The model without weights, documentation and training graphs. The default domain is spelt "" everywhere, not "ai.onnx".
/// Errors have a byte position: cut off, malformed, nested more than 96 messages deep, more than 1 GiB in memory, names that are
/// not UTF-8. O(bytes * nesting).
Expected<onnx::ModelProto> readModel(std::string_view bytes, const std::string& file);

/// Where a node, a tensor or a declared value (an input, an output) begins in the file, from 0; -1 for what did not come from
/// one, and for messages of other types.
std::int64_t fileOffset(const google::protobuf::Message& part);

/// How much the beginning of a file looks like an ONNX model, from 0 to 100. ONNX has no magic number: it goes by the fields of
/// the outermost message and their order.
int likeness(std::string_view head);

} // namespace stowage::onnxfile
