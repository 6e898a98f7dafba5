// Texts of intervals, addresses and sizes for sentences and tables, the same in every locale. For counts, fractions and durations
// see core/ir/figures.h.
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
/// "[3, 17) [20, 24)"; beyond `most` ranges an ellipsis.
std::string intervalsText(std::span<const Interval> ranges, std::size_t most = SIZE_MAX);
/// "0x1a40".
std::string hex(Bytes offset);
/// "288 KiB" for 294912: the size in KiB or MiB, exact or rounded, for prose beside the exact size.
std::string roughly(Bytes bytes);

/// Count of code points: the columns that a text takes on a terminal, in scripts without combining or wide characters.
std::size_t width(std::string_view utf8);

} // namespace stowage
