// One axis of a view: 64-bit values (steps or addresses) to pixels and back, exact at any depth of zoom. No Qt.
#pragma once

#include <cstdint>

namespace stowage {

/// A place on an axis, as finely as a pointer can point: whole + part, 0 <= part < 1.
struct AxisPoint {
    std::int64_t whole = 0;
    double part = 0;

    friend bool operator==(const AxisPoint&, const AxisPoint&) = default;
    /// The point `delta` units further on. |delta| < 2^62.
    [[nodiscard]] AxisPoint plus(double delta) const;
    /// this - other, in units.
    [[nodiscard]] double minus(const AxisPoint& other) const { return double(whole - other.whole) + (part - other.part); }
};

/// What an axis shows: `span` units from `begin` on.
struct AxisRange {
    AxisPoint begin;
    double span = 1;

    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// The range on the way from `from` to `to` at `t` in 0 … 1. Spans change by equal factors, so a zoom looks even, and the point
/// that keeps its pixel under both keeps it on the way.
[[nodiscard]] AxisRange between(const AxisRange& from, const AxisRange& to, double t);

/// Maps values to pixels. Pixel 0 is where the visible range begins, pixels grow with values; who paints addresses upwards turns
/// them.
///
/// A double has 53 bits, addresses have 62: positions are taken from an anchor near the visible range, by integer subtraction.
/// The visible range always begins at a whole pixel from the anchor, so that a value keeps its fraction of a pixel while the view
/// is panned: edges do not shimmer, and tiles painted before stay right.
class PixelAxis {
public:
    PixelAxis() = default;
    /// Shows at most [low, high), and at least `minimumSpan` units (as far as the limits allow). 0 <= low < high <= 2^62.
    PixelAxis(std::int64_t low, std::int64_t high, double minimumSpan, int pixels);

    [[nodiscard]] std::int64_t low() const { return low_; }
    [[nodiscard]] std::int64_t high() const { return high_; }
    [[nodiscard]] int pixels() const { return pixels_; }
    [[nodiscard]] const AxisRange& range() const { return range_; }
    [[nodiscard]] double scale() const { return scale_; } ///< pixels for each unit
    [[nodiscard]] double minimumSpan() const { return minimumSpan_; }
    [[nodiscard]] double maximumSpan() const { return double(high_ - low_); }

    /// Keeps the range shown, as far as the new limits allow it.
    void setLimits(std::int64_t low, std::int64_t high, double minimumSpan);
    /// Keeps the range, changes the scale. At least 1.
    void resize(int pixels);

    void show(const AxisRange& range); ///< clamped
    void fit();                        ///< everything
    /// The range that `zoom` leads to, clamped, without going there. `factor` > 1 shows less.
    [[nodiscard]] AxisRange zoomed(double factor, double pixel) const;
    /// The value under `pixel` stays there within a pixel, unless a limit is met.
    void zoom(double factor, double pixel) { show(zoomed(factor, pixel)); }
    /// Moves the range by whole pixels; positive shows higher values. Returns by how many it moved: less at a limit.
    int pan(int pixels);
    /// The range clamped to the limits.
    [[nodiscard]] AxisRange clamped(const AxisRange& range) const;
    /// The range that shows [low, high) with `margin` pixels on each side.
    [[nodiscard]] AxisRange around(std::int64_t low, std::int64_t high, int margin) const;

    /// Where a value lies, in pixels, not rounded. Exact to 2^-10 of a pixel within a million pixels of the visible range.
    [[nodiscard]] double toPixel(std::int64_t value) const { return double(value - anchor_) * scale_ - origin_; }
    [[nodiscard]] double toPixel(const AxisPoint& point) const { return toPixel(point.whole) + point.part * scale_; }
    /// The pixel edge that is nearest to a value; clamped to 2^29 pixels around the visible range.
    [[nodiscard]] int edge(std::int64_t value) const;
    [[nodiscard]] AxisPoint at(double pixel) const;
    /// The value of the unit under a pixel position, clamped to the limits: a step, a byte.
    [[nodiscard]] std::int64_t unitAt(double pixel) const;

    /// Identifies the pixel grid: equal for two axes whose pictures can be moved over each other by whole pixels.
    struct Grid {
        std::int64_t anchor = 0;
        double scale = 1;
        friend bool operator==(const Grid&, const Grid&) = default;
    };
    [[nodiscard]] Grid grid() const { return {anchor_, scale_}; }
    /// Pixels from the anchor to the begin of the visible range; a whole number.
    [[nodiscard]] std::int64_t origin() const { return std::int64_t(origin_); }

    friend bool operator==(const PixelAxis&, const PixelAxis&) = default;

private:
    std::int64_t low_ = 0;
    std::int64_t high_ = 1;
    double minimumSpan_ = 1;
    int pixels_ = 1;
    AxisRange range_;
    std::int64_t anchor_ = 0;
    double scale_ = 1;
    double origin_ = 0; ///< whole; a double as it is subtracted from doubles
};

} // namespace stowage
