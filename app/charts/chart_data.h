// Histogram data for charts, without widgets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// Values in [low, high] (both inclusive).
struct Bucket {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::size_t count = 0;
    friend bool operator==(const Bucket&, const Bucket&) = default;
};

/// Counts of values in classes of powers of two: [1, 1], [2, 3], [4, 7], … up to the class of the largest value, from that of the
/// smallest. If there are more than `most` classes, the lowest ones are joined. Values below 1 count in the first class. Every
/// value is in exactly one class. O(values).
[[nodiscard]] std::vector<Bucket> logarithmicBuckets(std::span<const std::int64_t> values, std::size_t most);

} // namespace stowage
