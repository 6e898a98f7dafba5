// TVM's element types.
#pragma once

#include "core/ir/types.h"

#include <optional>
#include <span>
#include <string_view>

namespace stowage::tvm {

/// Bytes of one element of "float32", "int8", "uint1", "bool", "bfloat16", "float32x4" (four lanes): TVM packs lanes, and gives
/// each element whole bytes. Nothing for a name that is not known, and for "handle".
[[nodiscard]] std::optional<Bytes> elementBytes(std::string_view dtype);

/// Bytes of a dense tensor; nothing when the type is not known, a dimension is negative, or the size exceeds 2^62.
[[nodiscard]] std::optional<Bytes> tensorBytes(std::string_view dtype, std::span<const std::int64_t> shape);

} // namespace stowage::tvm
