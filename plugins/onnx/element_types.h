// Sizes and names of ONNX's element types.
#pragma once

#include "core/ir/types.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage::onnxfile {

/// Short name of an onnx::TensorProto::DataType: "f32", "i4", "bool". Also knows types that the linked ONNX library lacks (int2,
/// int4, float8); an unknown type gets its number: "type17".
std::string elementName(std::int32_t type);
/// Bits of an element; no value for strings and unknown types.
std::optional<std::int64_t> elementBits(std::int32_t type);

/// Element type, shape and size of a value.
struct TensorSize {
    std::string dtype;               ///< short name of the element type; "sequence", "map", … if the value is not a tensor
    std::vector<std::int64_t> shape; ///< -1: unknown
    std::optional<Bytes> bytes;      ///< no value: unknown, or too large
    bool tooLarge = false;           ///< the size is known and larger than `maxBytes`
};

/// Sub-byte elements are packed, and the last byte is filled up. An empty tensor has size 0.
TensorSize sizeOf(const onnx::TypeProto& type);

} // namespace stowage::onnxfile
