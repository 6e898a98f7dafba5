// How sizes are read from what a user typed.
#pragma once

#include "core/ir/types.h"

#include <optional>
#include <string_view>

namespace stowage {

/// Reads "65536", "0x10000", "64K", "64KiB", "1M" or "1.5GiB" (all powers of 1024). Nothing when it is none of these, negative,
/// or above 2^62.
[[nodiscard]] std::optional<Bytes> parseBytes(std::string_view text);

} // namespace stowage
