#include "app/session/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stowage {

std::string intervalText(const Interval& interval)
{
    return fmt::format("[{}, {})", interval.begin, interval.end);
}

std::string intervalsText(std::span<const Interval> ranges, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < ranges.size() && i < most; ++i) text += (text.empty() ? "" : " ") + intervalText(ranges[i]);
    return ranges.size() > most ? text + " …" : text;
}

std::string hex(Bytes offset)
{
    return fmt::format("{:#x}", offset);
}

std::string roughly(Bytes bytes)
{
    constexpr std::array<const char*, 6> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) value /= 1024, ++unit;
    if (unit == 0 || value == std::floor(value)) return fmt::format("{:.0f} {}", value, units[unit]);
    return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, units[unit]);
}

std::size_t width(std::string_view utf8)
{
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace stowage
