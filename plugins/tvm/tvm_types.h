// TVM's element types.
#pragma once

#include "core/ir/types.h"

#include <optional>
#include <span>
#include <string_view>

namespace stowage::tvm {

/// Bytes of one element of "float32", "int8", "uint1", "bool", "bfloat16", "float32x4" (four lanes). As in TVM, lanes are packed,
/// and each element takes whole bytes. No value for an unknown name and for "handle".
[[nodiscard]] std::optional<Bytes> elementBytes(std::string_view dtype);

/// Bytes of a dense tensor. No value if the type is unknown, a dimension is negative, or the size exceeds 2^62.
[[nodiscard]] std::optional<Bytes> tensorBytes(std::string_view dtype, std::span<const std::int64_t> shape);

} // namespace stowage::tvm
