// The pixels that a range of values covers: whole pixels, or shares of pixels that add up. No Qt.
#pragma once

#include <algorithm>
#include <cmath>

namespace stowage {

/// Pixels [first, last) along one axis. A range of at least a pixel has whole pixels: both edges are rounded, so that neighbours
/// that touch share an edge without a seam. A thinner range keeps its exact extent: at most two pixels, with the covered share of
/// each.
struct PixelRun {
    int first = 0;
    int last = 0;
    float head = 1; ///< covered share of pixel `first`
    float tail = 1; ///< covered share of pixel `last - 1`, if there are two pixels
    bool thin = false;
    bool gap = false; ///< at least three pixels long before rounding, so that `inset` may shorten it

    [[nodiscard]] bool empty() const { return last <= first; }
    [[nodiscard]] int length() const { return last - first; }
    [[nodiscard]] float weight(int pixel) const { return !thin ? 1.0F : pixel == first ? head : tail; }
};

/// Requires `low` <= `high`, in pixels; both are clamped to 2^29, so that they fit into an int. `ratio`: device pixels for each
/// logical pixel.
[[nodiscard]] inline PixelRun pixelRun(double low, double high, double ratio)
{
    constexpr double reach = 536870912.0;
    if (high - low >= 1.0) {
        return {int(std::floor(std::clamp(low, -reach, reach) + 0.5)),
                int(std::floor(std::clamp(high, -reach, reach) + 0.5)),
                1,
                1,
                false,
                high - low >= 3 * ratio};
    }
    const double at = std::clamp(low, -reach, reach);
    const double extent = high - low;
    const double first = std::floor(at);
    const double next = first + 1;
    if (at + extent <= next) return {int(first), int(first) + 1, float(extent), float(extent), true, false};
    return {int(first), int(first) + 2, float(next - at), float(at + extent - next), true, false};
}

/// Shortens a range by half a logical pixel on each side, so that one pixel of the background is visible between neighbouring
/// buffers. If half a pixel is not a whole count of device pixels, the trailing edge is shortened more. Ranges below three pixels
/// stay unchanged.
[[nodiscard]] inline PixelRun inset(PixelRun run, double ratio)
{
    if (!run.gap) return run;
    const int gap = std::max(1, int(std::lround(ratio)));
    run.first += gap / 2;
    run.last -= gap - gap / 2;
    return run;
}

} // namespace stowage
