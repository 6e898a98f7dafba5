// Formats counts, shares and durations for sentences and tables of all programs. Independent of the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stowage {

/// "1 buffer", "1,200 buffers": `noun` with an s unless `value` is 1.
[[nodiscard]] std::string counted(std::int64_t value, std::string_view noun);
/// 0.1667 as "16.7 %"; a positive value that would round to "0.0 %" is "<0.1 %".
[[nodiscard]] std::string percent(double ratio);
/// "35 µs", "0.2 ms", "18.7 ms", "1.4 s", "2 min 5 s".
[[nodiscard]] std::string duration(double milliseconds);

} // namespace stowage
