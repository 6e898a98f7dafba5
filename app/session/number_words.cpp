#include "app/session/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stowage {

std::string counted(std::int64_t value, std::string_view noun)
{
    return fmt::format("{} {}{}", grouped(value), noun, value == 1 ? "" : "s");
}

std::string percent(double ratio)
{
    if (ratio > 0 && ratio < 0.0005) return "<0.1 %";
    return fmt::format("{:.1f} %", ratio * 100);
}

std::string duration(double milliseconds)
{
    if (milliseconds < 999.5) return fmt::format("{:.3g} ms", milliseconds);
    const double seconds = milliseconds / 1000;
    return fmt::format("{:.{}f} s", seconds, seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0);
}

std::string intervalText(const Interval& interval)
{
    return fmt::format("[{}, {})", interval.begin, interval.end);
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
