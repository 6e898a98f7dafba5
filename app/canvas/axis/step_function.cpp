#include "app/canvas/axis/step_function.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr std::size_t block = 64;

void include(StepFunction::Range& range, const StepFunction::Range& other)
{
    range.least = std::min(range.least, other.least);
    range.most = std::max(range.most, other.most);
}

/// The range of each block of `count` entries, of which `entry(i)` is one.
template <typename Entry>
std::vector<StepFunction::Range> blocksOf(std::size_t count, Entry entry)
{
    std::vector<StepFunction::Range> blocks;
    blocks.reserve((count + block - 1) / block);
    for (std::size_t i = 0; i < count; ++i) {
        if (i % block == 0) blocks.push_back(entry(i));
        include(blocks.back(), entry(i));
    }
    return blocks;
}

} // namespace

StepFunction::StepFunction(std::vector<std::int64_t> at, std::vector<std::int64_t> values)
    : at_(std::move(at)), values_(std::move(values))
{
    levels_.push_back(blocksOf(values_.size(), [&](std::size_t i) { return Range{values_[i], values_[i]}; }));
    while (levels_.back().size() > block)
        levels_.push_back(blocksOf(levels_.back().size(), [&](std::size_t i) { return levels_.back()[i]; }));
    for (const Range& range : levels_.back()) most_ = std::max(most_, range.most);
}

StepFunction StepFunction::summing(std::vector<WeightedRange> ranges)
{
    std::vector<std::int64_t> at;
    std::vector<std::int64_t> values;
    std::int64_t sum = 0;
    const auto change = [&](std::int64_t position, std::int64_t by) {
        if (by == 0) return;
        sum += by;
        at.push_back(position);
        values.push_back(sum);
    };
    std::erase_if(ranges, [](const WeightedRange& r) { return r.last <= r.first; });
    if (ranges.empty()) return {};
    std::int64_t low = ranges.front().first;
    std::int64_t high = low;
    for (const WeightedRange& r : ranges) {
        low = std::min(low, r.first);
        high = std::max(high, r.last);
    }
    // With no more than a few positions for each range, counting them one by one beats sorting.
    if (high - low < std::int64_t(ranges.size()) * 4 + 1024) {
        std::vector<std::int64_t> changes(std::size_t(high - low) + 1, 0);
        for (const WeightedRange& r : ranges) {
            changes[std::size_t(r.first - low)] += r.weight;
            changes[std::size_t(r.last - low)] -= r.weight;
        }
        for (std::size_t i = 0; i < changes.size(); ++i) change(low + std::int64_t(i), changes[i]);
        return {std::move(at), std::move(values)};
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> changes;
    changes.reserve(2 * ranges.size());
    for (const WeightedRange& r : ranges) {
        changes.emplace_back(r.first, r.weight);
        changes.emplace_back(r.last, -r.weight);
    }
    ranges = std::vector<WeightedRange>(); // the list of changes is as long as this one, and the function will be
    std::sort(changes.begin(), changes.end());
    for (std::size_t i = 0; i < changes.size();) {
        const std::int64_t position = changes[i].first;
        std::int64_t by = 0;
        for (; i < changes.size() && changes[i].first == position; ++i) by += changes[i].second;
        change(position, by);
    }
    at.shrink_to_fit();
    values.shrink_to_fit();
    return {std::move(at), std::move(values)};
}

std::int64_t StepFunction::valueAt(std::int64_t position) const
{
    const auto next = std::upper_bound(at_.begin(), at_.end(), position);
    return next == at_.begin() ? 0 : values_[std::size_t(next - at_.begin()) - 1];
}

StepFunction::Range StepFunction::over(std::int64_t first, std::int64_t last) const
{
    const auto next = std::upper_bound(at_.begin(), at_.end(), first);
    auto i = std::size_t(next - at_.begin());
    const std::int64_t start = i == 0 ? 0 : values_[i - 1];
    Range range{start, start};
    // Values that begin inside (first, last), a level higher wherever a whole block of it is inside.
    auto end = std::size_t(std::lower_bound(next, at_.end(), last) - at_.begin());
    for (; i < end && i % block != 0; ++i) include(range, {values_[i], values_[i]});
    for (; i < end && end % block != 0; --end) include(range, {values_[end - 1], values_[end - 1]});
    for (const std::vector<Range>& level : levels_) {
        if (i >= end) break;
        i /= block;
        end /= block;
        const bool highest = &level == &levels_.back();
        for (; i < end && (highest || i % block != 0); ++i) include(range, level[i]);
        for (; i < end && end % block != 0; --end) include(range, level[end - 1]);
    }
    return range;
}

Curve curveOf(const StepFunction& function, const PixelAxis& axis)
{
    Curve curve;
    const std::int64_t first = axis.unitAt(0);
    const std::int64_t last = axis.unitAt(axis.pixels()) + 1;
    const auto& at = function.at();
    const auto from = std::size_t(std::upper_bound(at.begin(), at.end(), first) - at.begin());
    const auto to = std::size_t(std::lower_bound(at.begin() + std::ptrdiff_t(from), at.end(), last) - at.begin());
    const double left = std::max(0.0, axis.toPixel(axis.low()));
    const double right = std::min(double(axis.pixels()), axis.toPixel(axis.high()));
    if (to - from <= std::size_t(axis.pixels()) * 2) {
        std::int64_t value = function.valueAt(first);
        curve.most.push_back({left, value});
        for (std::size_t i = from; i < to; ++i) {
            const double x = std::max(left, double(axis.edge(at[i])));
            if (x > left) curve.most.push_back({x, value});
            value = function.values()[i];
            curve.most.push_back({x, value});
        }
        curve.most.push_back({right, value});
        return curve;
    }
    for (int x = int(std::floor(left)); x < int(std::ceil(right)); ++x) {
        const std::int64_t begin = axis.unitAt(x);
        const StepFunction::Range range = function.over(begin, std::max(begin + 1, axis.unitAt(x + 1.0)));
        curve.most.push_back({x + 0.5, range.most});
        curve.least.push_back({x + 0.5, range.least});
    }
    return curve;
}

} // namespace stowage
