// Reads sizes in bytes that a user typed.
#pragma once

#include "core/ir/types.h"

#include <optional>
#include <string_view>

namespace stowage {

/// Reads "65536", "0x10000", "64K", "64KiB", "1M" or "1.5GiB" (units are powers of 1024). No value for other text, a negative
/// number, or a size above 2^62.
[[nodiscard]] std::optional<Bytes> parseBytes(std::string_view text);

} // namespace stowage
