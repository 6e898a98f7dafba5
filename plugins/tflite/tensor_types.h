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
    int bits = 0;          ///< of one element, packed; 0: no fixed size
};

/// A code that this list does not have gives "?" with 0 bits.
ElementType elementType(int code);

/// Size of a tensor. Sub-byte elements are packed, and the last byte is filled up. No value if an extent is negative, the type
/// has no fixed size, or the product exceeds 2^62 (then `overflow` is set).
struct TensorSize {
    std::optional<Bytes> bytes;
    bool overflow = false;
};
TensorSize tensorSize(ElementType type, std::span<const std::int64_t> shape);

} // namespace stowage::tflite
