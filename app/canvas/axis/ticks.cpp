#include "app/canvas/axis/ticks.h"

#include <cmath>

namespace stowage {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 62;

/// The next of 1, 2, 5, 10, …
std::int64_t next125(std::int64_t value)
{
    std::int64_t decade = 1;
    while (decade <= value / 10) decade *= 10;
    return value < 2 * decade ? 2 * decade : value < 5 * decade ? 5 * decade : 10 * decade;
}

} // namespace

TickSpacing stepTicks(double pixelsPerStep, double labelPixels, double markPixels)
{
    TickSpacing result;
    while (double(result.major) * pixelsPerStep < labelPixels && result.major < largest / 10)
        result.major = next125(result.major);
    while ((double(result.minor) * pixelsPerStep < markPixels || result.major % result.minor != 0) && result.minor < result.major)
        result.minor = next125(result.minor);
    return result;
}

TickSpacing addressTicks(double pixelsPerByte, double labelPixels, double markPixels)
{
    TickSpacing result;
    while (double(result.major) * pixelsPerByte < labelPixels && result.major < largest) result.major *= 2;
    while (double(result.minor) * pixelsPerByte < markPixels && result.minor < result.major) result.minor *= 2;
    return result;
}

std::vector<std::int64_t> ticksIn(const PixelAxis& axis, std::int64_t spacing, std::size_t limit)
{
    std::vector<std::int64_t> ticks;
    const AxisPoint first = axis.range().begin;
    const AxisPoint last = first.plus(axis.range().span);
    std::int64_t tick = first.whole / spacing * spacing;
    if (tick < first.whole || (tick == first.whole && first.part > 1e-9)) tick += spacing;
    for (; (tick < last.whole || (tick == last.whole && last.part >= 0)) && ticks.size() < limit; tick += spacing)
        ticks.push_back(tick);
    return ticks;
}

Bytes niceTop(Bytes value)
{
    Bytes power = 4;
    while (power < value && power < largest) power *= 2;
    for (const Bytes quarters : {5, 6, 7})
        if (power / 8 * quarters >= value) return power / 8 * quarters;
    return power;
}

} // namespace stowage
