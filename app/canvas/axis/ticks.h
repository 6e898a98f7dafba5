// Ticks of axes. No Qt.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "core/ir/types.h"

#include <cstdint>
#include <vector>

namespace stowage {

/// Ticks at multiples of `major`, with a label, and of `minor`, without one. Both are at least 1, and `minor` divides `major`.
struct TickSpacing {
    std::int64_t major = 1;
    std::int64_t minor = 1;
    friend bool operator==(const TickSpacing&, const TickSpacing&) = default;
};

/// Steps: 1, 2, 5, 10, 20, 50, … with labels at least `labelPixels` apart and marks at least `markPixels` apart.
[[nodiscard]] TickSpacing stepTicks(double pixelsPerStep, double labelPixels = 60, double markPixels = 6);
/// Addresses and sizes: powers of two.
[[nodiscard]] TickSpacing addressTicks(double pixelsPerByte, double labelPixels = 36, double markPixels = 36);

/// Multiples of `spacing` in the visible range of `axis`, ascending. At most `limit` of them.
[[nodiscard]] std::vector<std::int64_t> ticksIn(const PixelAxis& axis, std::int64_t spacing, std::size_t limit = 4096);

/// The top of a scale that starts at 0: the smallest of 5, 6, 7 and 8 times a power of two that is at or above `value`.
[[nodiscard]] Bytes niceTop(Bytes value);

} // namespace stowage
