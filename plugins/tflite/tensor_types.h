// Element types of TensorFlow Lite.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace stowage::tflite {

struct ElementType {
    std::string_view name; ///< as Stowage calls it: "f32", "i4"
    int bits = 0;          ///< of one element, packed; 0 when that is not known before a run
};

/// A type newer than this list is "?", without a size.
ElementType elementType(int code);

/// Bytes of a tensor, sub-byte elements packed and the last byte filled up; nothing when an extent is negative, the type has no
/// fixed size, or the product exceeds 2^62 (`overflow` tells which).
struct TensorSize {
    std::optional<Bytes> bytes;
    bool overflow = false;
};
TensorSize tensorSize(ElementType type, std::span<const std::int64_t> shape);

} // namespace stowage::tflite
