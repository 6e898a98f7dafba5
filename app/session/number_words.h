// How intervals, addresses and sizes are written in sentences and tables; counts, shares and durations are in core/ir/figures.h.
// Never by locale.
#pragma once

#include "core/ir/byte_count.h"
#include "core/ir/digits.h"
#include "core/ir/figures.h"
#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stowage {

/// "[3, 17)".
std::string intervalText(const Interval& interval);
/// "[3, 17) [20, 24)"; of more than `most` ranges the first, and an ellipsis.
std::string intervalsText(std::span<const Interval> ranges, std::size_t most = SIZE_MAX);
/// "0x1a40".
std::string hex(Bytes offset);
/// 294912 as "288 KiB" where that is exact or nearly so; for prose beside the exact figure.
std::string roughly(Bytes bytes);

/// Code points of UTF-8: columns that it takes on a terminal, for the scripts that names are written in.
std::size_t width(std::string_view utf8);

} // namespace stowage
