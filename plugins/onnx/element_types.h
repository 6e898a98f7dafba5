// Sizes and names of ONNX's element types.
#pragma once

#include "core/ir/types.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage::onnxfile {

/// Short name of an onnx::TensorProto::DataType: "f32", "i4", "bool". Types later than the library's (int4, float8) are known
/// too; others are "type17".
std::string elementName(std::int32_t type);
/// Bits of an element; nothing for strings and types that are not known.
std::optional<std::int64_t> elementBits(std::int32_t type);

/// What a tensor takes in memory.
struct TensorSize {
    std::string dtype;               ///< "sequence", "map", … for what is not a tensor
    std::vector<std::int64_t> shape; ///< -1: not known
    std::optional<Bytes> bytes;      ///< nothing when not known
    bool tooLarge = false;           ///< all is known, and it is more than `maxBytes`
};

/// Elements of less than a byte are packed; the last byte is filled up. Zero for an empty tensor.
TensorSize sizeOf(const onnx::TypeProto& type);

} // namespace stowage::onnxfile
