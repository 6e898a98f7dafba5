#include "app/charts/chart_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace stowage {

std::vector<ChartPoint> stepLine(std::span<const ChartSample> samples, double begin, double end, int columns)
{
    std::vector<ChartPoint> line;
    if (samples.empty() || end <= begin || columns < 1) return line;
    // The sample that holds at `begin`: the last one at or before it.
    auto first =
        std::upper_bound(samples.begin(), samples.end(), begin, [](double x, const ChartSample& sample) { return x < sample.x; });
    if (first != samples.begin()) --first;
    const auto last =
        std::lower_bound(first, samples.end(), end, [](const ChartSample& sample, double x) { return sample.x < x; });
    const std::size_t count = std::size_t(last - first);
    if (count == 0) return line;

    if (2 * count <= 2 * std::size_t(columns)) {
        for (auto sample = first; sample != last; ++sample) {
            const double from = std::max(sample->x, begin);
            const double to = std::next(sample) == last ? end : std::next(sample)->x;
            if (to <= begin) continue;
            line.push_back({from, sample->y});
            line.push_back({to, sample->y});
        }
        return line;
    }

    const double width = (end - begin) / columns;
    auto sample = first;
    double holding = first->y;
    for (int column = 0; column < columns; ++column) {
        const double left = begin + column * width, right = column + 1 == columns ? end : begin + (column + 1) * width;
        double least = holding, greatest = holding;
        while (sample != last && sample->x < right) {
            if (sample->x <= left) least = greatest = sample->y; // replaced before the column begins
            holding = sample->y;
            least = std::min(least, holding);
            greatest = std::max(greatest, holding);
            ++sample;
        }
        const double middle = (left + right) / 2;
        // Upwards and downwards in turn, so that neighbouring columns are joined by short lines.
        if (column % 2 == 0)
            line.push_back({middle, least}), line.push_back({middle, greatest});
        else
            line.push_back({middle, greatest}), line.push_back({middle, least});
    }
    line.front().x = begin;
    line.back().x = end;
    return line;
}

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
