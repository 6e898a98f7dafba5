// How a range of values covers pixels: whole ones, or fractions that add up. No Qt.
#pragma once

#include <algorithm>
#include <cmath>

namespace stowage {

/// Pixels [first, last) along one axis. Ranges of at least a pixel have whole pixels: both edges go to the nearest one, so
/// neighbours that touch share an edge and leave no seam. Thinner ranges keep their exact extent: at most two pixels, with the
/// share of each.
struct PixelRun {
    int first = 0;
    int last = 0;
    float head = 1; ///< covered share of pixel `first`
    float tail = 1; ///< covered share of pixel `last - 1`, when there are two
    bool thin = false;
    bool gap = false; ///< at least three pixels long, before rounding: can give one to the gap between neighbours

    [[nodiscard]] bool empty() const { return last <= first; }
    [[nodiscard]] int length() const { return last - first; }
    [[nodiscard]] float weight(int pixel) const { return !thin ? 1.0F : pixel == first ? head : tail; }
};

/// `low` <= `high` in pixels; both are clamped to 2^29, so that they fit into an int. `ratio`: device pixels for each logical
/// one.
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

/// Buffers are drawn half a pixel in on each side, so that one pixel of the well shows between neighbours. Where half a pixel is
/// not a whole number of device pixels, the trailing edge gives the whole. Ranges below three pixels keep all they have.
[[nodiscard]] inline PixelRun inset(PixelRun run, double ratio)
{
    if (!run.gap) return run;
    const int gap = std::max(1, int(std::lround(ratio)));
    run.first += gap / 2;
    run.last -= gap - gap / 2;
    return run;
}

} // namespace stowage
