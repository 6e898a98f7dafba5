// One axis of a view: converts 64-bit values (steps or addresses) to pixels and back, exactly at every zoom. No Qt.
#pragma once

#include <cstdint>

namespace stowage {

/// A position on an axis, finer than its units: whole + part, 0 <= part < 1.
struct AxisPoint {
    std::int64_t whole = 0;
    double part = 0;

    friend bool operator==(const AxisPoint&, const AxisPoint&) = default;
    /// The point `delta` units after this one. |delta| < 2^62.
    [[nodiscard]] AxisPoint plus(double delta) const;
    /// this - other, in units.
    [[nodiscard]] double minus(const AxisPoint& other) const { return double(whole - other.whole) + (part - other.part); }
};

/// The visible range of an axis: `span` units from `begin`.
struct AxisRange {
    AxisPoint begin;
    double span = 1;

    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// The range between `from` and `to` at `t` in [0, 1], for animations. Spans change by equal factors, so that the zoom looks
/// even, and a point that has the same pixel in both keeps it.
[[nodiscard]] AxisRange between(const AxisRange& from, const AxisRange& to, double t);

/// Maps values to pixels. Pixel 0 is the begin of the visible range; pixels grow with values. To paint addresses upwards, the
/// caller mirrors them.
///
/// A double has 53 bits, but addresses have 62; so positions are computed relative to an anchor near the visible range, by
/// integer subtraction. The visible range always begins at a whole pixel from the anchor: a value keeps its fraction of a pixel
/// while the view is panned, edges do not flicker, and tiles painted before stay right.
class PixelAxis {
public:
    PixelAxis() = default;
    /// Shows at most [low, high), and at least `minimumSpan` units if the limits allow it. 0 <= low < high <= 2^62.
    PixelAxis(std::int64_t low, std::int64_t high, double minimumSpan, int pixels);

    [[nodiscard]] std::int64_t low() const { return low_; }
    [[nodiscard]] std::int64_t high() const { return high_; }
    [[nodiscard]] int pixels() const { return pixels_; }
    [[nodiscard]] const AxisRange& range() const { return range_; }
    [[nodiscard]] double scale() const { return scale_; } ///< pixels for each unit
    [[nodiscard]] double minimumSpan() const { return minimumSpan_; }
    [[nodiscard]] double maximumSpan() const { return double(high_ - low_); }

    /// Keeps the visible range as far as the new limits allow it.
    void setLimits(std::int64_t low, std::int64_t high, double minimumSpan);
    /// Changes the count of pixels (at least 1) and so the scale, and keeps the visible range.
    void resize(int pixels);

    void show(const AxisRange& range); ///< clamped
    void fit();                        ///< shows the whole axis
    /// The range that `zoom` would show, clamped. `factor` > 1 shows fewer units.
    [[nodiscard]] AxisRange zoomed(double factor, double pixel) const;
    /// Zooms so that the value under `pixel` stays within a pixel of it, unless a limit prevents it.
    void zoom(double factor, double pixel) { show(zoomed(factor, pixel)); }
    /// Moves the range by whole pixels; positive: to higher values. Returns the pixels moved, fewer at a limit.
    int pan(int pixels);
    /// The range clamped to the limits.
    [[nodiscard]] AxisRange clamped(const AxisRange& range) const;
    /// The range that shows [low, high) with `margin` pixels on each side.
    [[nodiscard]] AxisRange around(std::int64_t low, std::int64_t high, int margin) const;

    /// The position of a value in pixels, not rounded. Exact to 2^-10 of a pixel within a million pixels of the visible range.
    [[nodiscard]] double toPixel(std::int64_t value) const { return double(value - anchor_) * scale_ - origin_; }
    [[nodiscard]] double toPixel(const AxisPoint& point) const { return toPixel(point.whole) + point.part * scale_; }
    /// The pixel edge that is nearest to a value; clamped to 2^29 pixels around the visible range.
    [[nodiscard]] int edge(std::int64_t value) const;
    [[nodiscard]] AxisPoint at(double pixel) const;
    /// The unit (a step, a byte) at a pixel position, clamped to the limits.
    [[nodiscard]] std::int64_t unitAt(double pixel) const;

    /// Identifies the pixel grid: equal for two axes whose pictures can be moved over each other by whole pixels.
    struct Grid {
        std::int64_t anchor = 0;
        double scale = 1;
        friend bool operator==(const Grid&, const Grid&) = default;
    };
    [[nodiscard]] Grid grid() const { return {anchor_, scale_}; }
    /// Pixels from the anchor to the begin of the visible range; an integer.
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
    double origin_ = 0; ///< an integer, stored as a double because it is subtracted from doubles
};

} // namespace stowage
