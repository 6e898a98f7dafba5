#include "app/canvas/axis/pixel_axis.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

/// Pixels around the anchor up to which positions are computed: 2^40 leaves 12 bits of a double below the pixel.
constexpr double anchorReach = 1099511627776.0;
constexpr double edgeReach = 536870912.0; // 2^29: differences of two edges fit into an int

/// At or below `value`, and a multiple of a power of two beyond `low`: the power is at least `anchorReach` pixels long, so that
/// an axis which shows everything begins exactly at `low`.
std::int64_t anchorFor(std::int64_t low, std::int64_t value, double scale)
{
    const double units = anchorReach / scale;
    if (!(units < 4611686018427387904.0)) return low;
    int bits = 0;
    while (std::ldexp(1.0, bits) < units) ++bits;
    return bits >= 62 ? low : low + ((value - low) & ~((std::int64_t{1} << bits) - 1));
}

} // namespace

AxisPoint AxisPoint::plus(double delta) const
{
    const double sum = part + delta;
    const double floor = std::floor(sum);
    AxisPoint result{whole + std::int64_t(floor), sum - floor};
    if (result.part >= 1.0) result = {result.whole + 1, 0.0}; // -1e-20 rounds up to 1
    return result;
}

AxisRange between(const AxisRange& from, const AxisRange& to, double t)
{
    if (t <= 0) return from;
    if (t >= 1) return to;
    const double shift = to.begin.minus(from.begin);
    const double ratio = to.span / from.span;
    if (std::abs(ratio - 1) < 1e-9) return {from.begin.plus(shift * t), from.span};
    // The fixed point of the zoom lies at `from.begin + shift / (1 - ratio)`; begin runs so that it stays where it is.
    const double span = from.span * std::pow(ratio, t);
    return {from.begin.plus(shift * (from.span - span) / (from.span - to.span)), span};
}

PixelAxis::PixelAxis(std::int64_t low, std::int64_t high, double minimumSpan, int pixels) : pixels_(std::max(1, pixels))
{
    setLimits(low, high, minimumSpan);
    fit();
}

void PixelAxis::setLimits(std::int64_t low, std::int64_t high, double minimumSpan)
{
    low_ = low;
    high_ = std::max(high, low + 1);
    minimumSpan_ = std::clamp(minimumSpan, 1e-3, maximumSpan());
    show(range_);
}

void PixelAxis::resize(int pixels)
{
    pixels_ = std::max(1, pixels);
    show(range_);
}

void PixelAxis::fit()
{
    show({{low_, 0.0}, maximumSpan()});
}

AxisRange PixelAxis::clamped(const AxisRange& range) const
{
    AxisRange result = range;
    result.span = std::clamp(std::isnan(range.span) ? maximumSpan() : range.span, minimumSpan_, maximumSpan());
    const AxisPoint first{low_, 0.0};
    const AxisPoint last = AxisPoint{high_, 0.0}.plus(-result.span);
    if (result.begin.minus(last) > 0) result.begin = last;
    if (result.begin.minus(first) < 0) result.begin = first;
    return result;
}

void PixelAxis::show(const AxisRange& range)
{
    range_ = clamped(range);
    scale_ = double(pixels_) / range_.span;
    anchor_ = anchorFor(low_, range_.begin.whole, scale_);
    origin_ = std::nearbyint((double(range_.begin.whole - anchor_) + range_.begin.part) * scale_);
    // From now on the range begins where its first pixel does: what is seen is what is stored, and panning does not creep.
    range_.begin = AxisPoint{anchor_, 0.0}.plus(origin_ / scale_);
}

AxisRange PixelAxis::zoomed(double factor, double pixel) const
{
    const double span = std::clamp(range_.span / factor, minimumSpan_, maximumSpan());
    const AxisPoint fixed = at(pixel);
    return clamped({fixed.plus(-span * pixel / double(pixels_)), span});
}

int PixelAxis::pan(int pixels)
{
    // Limits in whole pixels of the present grid, so that a pan never changes the scale or the fraction of a pixel.
    const double first = std::ceil(double(low_ - anchor_) * scale_ - 0.5);
    const double last = std::floor(double(high_ - anchor_) * scale_ - double(pixels_) + 0.5);
    const double target = std::clamp(origin_ + pixels, std::min(first, origin_), std::max(last, origin_));
    const int moved = int(target - origin_);
    origin_ = target;
    range_.begin = AxisPoint{anchor_, 0.0}.plus(origin_ / scale_);
    if (std::abs(origin_) > 4 * anchorReach) show(range_);
    return moved;
}

AxisRange PixelAxis::around(std::int64_t low, std::int64_t high, int margin) const
{
    const double inner = std::max(1.0, double(pixels_ - 2 * margin));
    const double wanted = double(std::max<std::int64_t>(1, high - low)) * double(pixels_) / inner;
    const double span = std::clamp(wanted, minimumSpan_, maximumSpan());
    const AxisPoint middle = AxisPoint{low, 0.0}.plus(double(high - low) / 2);
    return clamped({middle.plus(-span / 2), span});
}

int PixelAxis::edge(std::int64_t value) const
{
    return int(std::floor(std::clamp(toPixel(value), -edgeReach, edgeReach) + 0.5));
}

AxisPoint PixelAxis::at(double pixel) const
{
    return AxisPoint{anchor_, 0.0}.plus((pixel + origin_) / scale_);
}

std::int64_t PixelAxis::unitAt(double pixel) const
{
    return std::clamp(at(pixel).whole, low_, high_ - 1);
}

} // namespace stowage
