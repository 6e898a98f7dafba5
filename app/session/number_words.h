// How numbers and sizes are written in sentences and tables, and read from what a user typed. Never by locale.
#pragma once

#include "core/ir/byte_count.h"
#include "core/ir/digits.h"
#include "core/ir/types.h"

#include <optional>
#include <string>
#include <string_view>

namespace stowage {

/// "1 buffer", "1,200 buffers".
std::string counted(std::int64_t value, std::string_view noun);
/// 0.1667 as "16.7 %"; what would read "0.0 %" without being nothing is "<0.1 %".
std::string percent(double ratio);
/// "0.26 ms", "12.5 ms", "1.24 s", "312 s".
std::string duration(double milliseconds);
/// "[3, 17)".
std::string intervalText(const Interval& interval);
/// "0x1a40".
std::string hex(Bytes offset);
/// 294912 as "288 KiB" where that is exact or nearly so; for prose beside the exact figure.
std::string roughly(Bytes bytes);

/// Code points of UTF-8: columns that it takes on a terminal, for the scripts that names are written in.
std::size_t width(std::string_view utf8);

} // namespace stowage
