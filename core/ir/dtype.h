// Sizes of element types and tensors.
#pragma once

#include "core/ir/types.h"

#include <optional>
#include <span>
#include <string_view>

namespace stowage {

/// Bits of one element of type `name`: "f32", "i8", "bf16", "i4", "i1", "index", …, also "float32", "int8", "uint8", "bool" (8
/// bits). No value for an unknown name.
[[nodiscard]] std::optional<int> dtypeBits(std::string_view name);

/// Bytes of a dense tensor with packed elements, rounded up to whole bytes. No value for an unknown type, a negative (dynamic)
/// dimension, or a size above 2^62.
[[nodiscard]] std::optional<Bytes> tensorBytes(std::string_view dtype, std::span<const std::int64_t> shape);

} // namespace stowage
