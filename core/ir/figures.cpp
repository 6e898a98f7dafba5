#include "core/ir/figures.h"

#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
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
    if (milliseconds > 0 && milliseconds < 0.0995) return fmt::format("{:.0f} µs", std::max(1.0, milliseconds * 1000));
    if (milliseconds < 999.5) return fmt::format("{:.{}f} ms", milliseconds, milliseconds < 99.95 ? 1 : 0);
    const double seconds = milliseconds / 1000;
    if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
    const auto whole = std::llround(seconds);
    return fmt::format("{} min {} s", whole / 60, whole % 60);
}

} // namespace stowage
