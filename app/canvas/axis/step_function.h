// A value that is constant between positions: bytes live at each step, uses of each address. No Qt.
#pragma once

#include "app/canvas/axis/pixel_axis.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// A range of positions with a weight.
struct WeightedRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t weight = 1;
};

/// values[i] holds in [at[i], at[i + 1]); the value before at[0] is 0. The minimum and maximum over a range take O(log n), as
/// there are blocks of 64 values, blocks of 64 blocks, and so on: 20 million changes are seen whole in every frame.
class StepFunction {
public:
    struct Range {
        std::int64_t least = 0;
        std::int64_t most = 0;
        friend bool operator==(const Range&, const Range&) = default;
    };

    StepFunction() = default;
    /// `at`: strictly ascending, of the same length as `values`.
    StepFunction(std::vector<std::int64_t> at, std::vector<std::int64_t> values);
    /// By position: the sum of the weights of the ranges that contain it. O(n log n); O(n) if there are few positions.
    static StepFunction summing(std::vector<WeightedRange> ranges);

    [[nodiscard]] std::size_t size() const { return at_.size(); }
    [[nodiscard]] const std::vector<std::int64_t>& at() const { return at_; }
    [[nodiscard]] const std::vector<std::int64_t>& values() const { return values_; }
    [[nodiscard]] std::int64_t valueAt(std::int64_t position) const;
    /// Minimum and maximum over [first, last); the value at `first` if the range is empty.
    [[nodiscard]] Range over(std::int64_t first, std::int64_t last) const;
    [[nodiscard]] std::int64_t most() const { return most_; }

private:
    std::vector<std::int64_t> at_;
    std::vector<std::int64_t> values_;
    std::vector<std::vector<Range>> levels_; ///< [0]: of 64 values each, [1]: of 64 of those
    std::int64_t most_ = 0;
};

/// A corner of a curve, in pixels and values.
struct CurvePoint {
    double x = 0;
    std::int64_t value = 0;

    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// The curve of a function over the visible range of an axis. With at most two changes a pixel, the exact line, corner by corner.
/// With more, the maximum and the minimum in each pixel, so that no peak is lost; then `most` and `least` differ.
struct Curve {
    std::vector<CurvePoint> most;
    std::vector<CurvePoint> least; ///< empty if the line is exact
};
[[nodiscard]] Curve curveOf(const StepFunction& function, const PixelAxis& axis);

} // namespace stowage
