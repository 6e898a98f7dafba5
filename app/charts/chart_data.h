// What charts draw: step functions thinned out to the pixels there are, and counts by powers of two. No window.
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

/// Counts by powers of two: [1, 1], [2, 3], [4, 7], … times `unit`, from the class of the least value to that of the greatest;
/// beyond `most` classes the lower ones are one. Values below 1 fall into the first class. Every value is in exactly one bucket.
/// O(values).
[[nodiscard]] std::vector<Bucket> logarithmicBuckets(std::span<const std::int64_t> values, std::size_t most);

} // namespace stowage
