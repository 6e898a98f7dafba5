// Time in pipelines: whole picoseconds, so that sums are exact and the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>

namespace stowage::pipeline {

/// A time or a duration in picoseconds; 2^63 of them are 106 days.
using Ticks = std::int64_t;

inline constexpr Ticks ticksPerMicrosecond = 1'000'000;
/// The largest duration of an op, a stage or a transfer: a day.
inline constexpr Ticks maxTicks = Ticks{86'400} * 1'000'000 * ticksPerMicrosecond;

/// The nearest whole number of picoseconds; `maxTicks` for what is longer, and 0 for what is negative or no number.
[[nodiscard]] inline Ticks toTicks(double microseconds)
{
    const double ticks = microseconds * static_cast<double>(ticksPerMicrosecond);
    if (!(ticks > 0)) return 0;
    return ticks >= static_cast<double>(maxTicks) ? maxTicks : static_cast<Ticks>(std::llround(ticks));
}

/// The same duration in microseconds, to the precision of a double.
[[nodiscard]] inline double toMicroseconds(Ticks ticks)
{
    return static_cast<double>(ticks) / static_cast<double>(ticksPerMicrosecond);
}

} // namespace stowage::pipeline
