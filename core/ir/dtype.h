// Element types by name.
#pragma once

#include "core/ir/types.h"

#include <optional>
#include <span>
#include <string_view>

namespace stowage {

/// Bits of one element of "f32", "i8", "bf16", "i4", "i1", "index", …; also under the names "float32", "int8", "uint8", "bool"
/// (one byte). Nothing for a name that is not known.
[[nodiscard]] std::optional<int> dtypeBits(std::string_view name);

/// Bytes of a dense tensor, elements packed and the last byte filled up. Nothing when the type is not known, a dimension is
/// negative (dynamic), or the size exceeds 2^62.
[[nodiscard]] std::optional<Bytes> tensorBytes(std::string_view dtype, std::span<const std::int64_t> shape);

} // namespace stowage
