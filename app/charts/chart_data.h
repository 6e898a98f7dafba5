// What charts draw: step functions thinned out to the pixels there are, and counts by powers of two. No window.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// A value that holds from `x` until the next sample's `x`.
struct ChartSample {
    double x = 0;
    double y = 0;
};

struct ChartPoint {
    double x = 0;
    double y = 0;
    friend bool operator==(const ChartPoint&, const ChartPoint&) = default;
};

/// The corners of the step function of `samples` (ascending in x; the last value holds to the end) over [begin, end), as a line
/// to be drawn into `columns` pixels. At most 2 * columns points: when there are more corners, each column has its least and its
/// greatest value, so that no peak is lost. O(samples in the range).
[[nodiscard]] std::vector<ChartPoint> stepLine(std::span<const ChartSample> samples, double begin, double end, int columns);

/// Values in [low, high] (both inclusive).
struct Bucket {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::size_t count = 0;
    friend bool operator==(const Bucket&, const Bucket&) = default;
};

/// Counts by powers of two: [1, 1], [2, 3], [4, 7], … times `unit`, from the class of the least value to that of the greatest;
/// beyond `most` classes the lower ones are one. Values below 1 fall into the first class. Every value is in exactly one bucket.
/// O(values).
[[nodiscard]] std::vector<Bucket> logarithmicBuckets(std::span<const std::int64_t> values, std::size_t most);

} // namespace stowage
