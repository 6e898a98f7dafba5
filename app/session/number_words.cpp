#include "app/session/number_words.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

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

std::optional<Bytes> parseBytes(std::string_view text)
{
    if (text.starts_with("0x") || text.starts_with("0X")) {
        Bytes value = 0;
        const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
        if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > maxBytes) return std::nullopt;
        return value;
    }
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string_view unit = text.substr(digits);
    int shift = 0;
    if (!unit.empty() && unit != "B") {
        constexpr std::string_view prefixes = "KMGT";
        const auto prefix = prefixes.find(unit[0] == 'k' ? 'K' : unit[0]);
        if (prefix == std::string_view::npos || (unit.size() > 1 && unit.substr(1) != "iB" && unit.substr(1) != "B"))
            return std::nullopt;
        shift = 10 * (static_cast<int>(prefix) + 1);
    }
    const std::string_view number = text.substr(0, digits);
    if (number.find('.') == std::string_view::npos) {
        Bytes value = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
        const auto bytes = checkedMultiply(value, Bytes{1} << shift);
        return bytes && *bytes <= maxBytes ? bytes : std::nullopt;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
    value = std::ldexp(value, shift);
    if (value != std::floor(value) || value > std::ldexp(1.0, 52)) return std::nullopt; // "1.5" bytes are a mistake
    return static_cast<Bytes>(value);
}

std::size_t width(std::string_view utf8)
{
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace stowage
