#include "app/charts/chart_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace stowage {

std::vector<Bucket> logarithmicBuckets(std::span<const std::int64_t> values, std::size_t most)
{
    std::vector<Bucket> buckets;
    if (values.empty() || most == 0) return buckets;
    const auto classOf = [](std::int64_t value) {
        return std::size_t(std::bit_width(std::uint64_t(std::max<std::int64_t>(value, 1))) - 1);
    };
    const auto [least, greatest] = std::ranges::minmax(values);
    const std::size_t highest = classOf(greatest);
    const std::size_t lowest = std::max(classOf(least), highest + 1 > most ? highest + 1 - most : 0);
    buckets.resize(highest - lowest + 1);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        buckets[i].low = std::int64_t{1} << (lowest + i);
        buckets[i].high = lowest + i >= 62 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (lowest + i + 1)) - 1;
    }
    buckets.front().low = std::min(least, buckets.front().low);
    for (const std::int64_t value : values) ++buckets[std::max(classOf(value), lowest) - lowest].count;
    return buckets;
}

} // namespace stowage
