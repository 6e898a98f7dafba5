#include "core/planners/common/range_max.h"

#include <algorithm>
#include <bit>

namespace stowage {

RangeMax::RangeMax(std::vector<std::uint64_t> values) : values_(std::move(values))
{
    std::vector<std::uint32_t> blocks;
    for (std::size_t b = 0; b < values_.size(); b += block)
        blocks.push_back(static_cast<std::uint32_t>(scan(b, std::min(b + block, values_.size()))));
    best_.push_back(std::move(blocks));
    for (std::size_t width = 2; width <= best_.front().size(); width *= 2) {
        const std::vector<std::uint32_t>& half = best_.back();
        std::vector<std::uint32_t> whole(best_.front().size() - width + 1);
        for (std::size_t i = 0; i < whole.size(); ++i)
            whole[i] = static_cast<std::uint32_t>(better(half[i], half[i + width / 2]));
        best_.push_back(std::move(whole));
    }
}

std::size_t RangeMax::better(std::size_t a, std::size_t b) const
{
    if (values_[a] != values_[b]) return values_[a] > values_[b] ? a : b;
    return std::min(a, b);
}

std::size_t RangeMax::scan(std::size_t begin, std::size_t end) const
{
    std::size_t best = begin;
    for (std::size_t i = begin + 1; i < end; ++i)
        if (values_[i] > values_[best]) best = i;
    return best;
}

std::size_t RangeMax::operator()(std::size_t begin, std::size_t end) const
{
    const std::size_t first = (begin + block - 1) / block; // whole blocks
    const std::size_t last = end / block;
    if (first >= last) return scan(begin, end);
    const std::size_t level = static_cast<std::size_t>(std::bit_width(last - first)) - 1;
    std::size_t best = better(best_[level][first], best_[level][last - std::bit_floor(last - first)]);
    if (begin < first * block) best = better(scan(begin, first * block), best);
    if (last * block < end) best = better(best, scan(last * block, end));
    return best;
}

} // namespace stowage
