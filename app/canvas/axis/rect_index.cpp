#include "app/canvas/axis/rect_index.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace stowage {

namespace {

/// Sorts `ids` by `key(id)`, equal keys by id. The keys are fetched once: sorting pairs is three times as fast as chasing them.
template <typename Key>
void sortBy(std::span<std::uint32_t> ids, Key key)
{
    std::vector<std::pair<std::int64_t, std::uint32_t>> keyed;
    keyed.reserve(ids.size());
    for (const std::uint32_t id : ids) keyed.emplace_back(key(id), id);
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = keyed[i].second;
}

} // namespace

void RectIndex::Box::add(const Box& other)
{
    bounds.begin = std::min(bounds.begin, other.bounds.begin);
    bounds.end = std::max(bounds.end, other.bounds.end);
    bounds.low = std::min(bounds.low, other.bounds.low);
    bounds.high = std::max(bounds.high, other.bounds.high);
    longest = std::max(longest, other.longest);
    tallest = std::max(tallest, other.tallest);
    count += other.count;
}

RectIndex::RectIndex(std::span<const StepBytes> rects) : order_(rects.size())
{
    if (rects.empty()) return;
    Step first = std::numeric_limits<Step>::max();
    Step last = std::numeric_limits<Step>::min();
    for (const StepBytes& r : rects) {
        first = std::min(first, r.begin);
        last = std::max(last, r.end);
    }
    std::iota(order_.begin(), order_.end(), 0U);
    const Step longLife = (last - first) / 16;
    const auto middle = std::stable_partition(order_.begin(), order_.end(),
                                              [&](std::uint32_t i) { return rects[i].end - rects[i].begin > longLife; });
    const auto slabs = [&](std::span<std::uint32_t> ids) {
        const auto blocks = (ids.size() + leaf - 1) / leaf;
        const auto across = std::size_t(std::ceil(std::sqrt(double(blocks))));
        if (across == 0) return;
        // A slab holds whole blocks, so that no block mixes two slabs.
        const std::size_t length = (blocks + across - 1) / across * leaf;
        sortBy(ids, [&](std::uint32_t i) { return rects[i].begin; });
        for (std::size_t at = 0; at < ids.size(); at += length)
            sortBy(ids.subspan(at, std::min(length, ids.size() - at)), [&](std::uint32_t i) { return rects[i].low; });
    };
    const auto longOnes = std::size_t(middle - order_.begin());
    sortBy(std::span(order_).first(longOnes), [&](std::uint32_t i) { return rects[i].low; });
    slabs(std::span(order_).subspan(longOnes));

    rects_.reserve(rects.size());
    for (const std::uint32_t i : order_) rects_.push_back(rects[i]);
    std::vector<Box> level((rects_.size() + leaf - 1) / leaf);
    for (std::size_t i = 0; i < rects_.size(); ++i) {
        const StepBytes& r = rects_[i];
        level[i / leaf].add({r, r.end - r.begin, r.high - r.low, 1});
    }
    levels_.push_back(std::move(level));
    while (levels_.back().size() > fanOut) {
        std::vector<Box> above((levels_.back().size() + fanOut - 1) / fanOut);
        for (std::size_t i = 0; i < levels_.back().size(); ++i) above[i / fanOut].add(levels_.back()[i]);
        levels_.push_back(std::move(above));
    }
}

StepBytes RectIndex::bounds() const
{
    if (levels_.empty()) return {};
    Box all;
    for (const Box& box : levels_.back()) all.add(box);
    return all.bounds;
}

std::size_t RectIndex::countAtMost(const StepBytes& box) const
{
    if (levels_.empty()) return 0;
    const auto inside = [&box](const StepBytes& b) {
        return box.begin <= b.begin && b.end <= box.end && box.low <= b.low && b.high <= box.high;
    };
    std::size_t count = 0;
    const auto walk = [&](const auto& self, std::size_t level, std::size_t first, std::size_t last) -> void {
        for (std::size_t i = first; i < last; ++i) {
            const Box& node = levels_[level][i];
            if (!node.bounds.overlaps(box)) continue;
            if (level == 0 || inside(node.bounds))
                count += node.count;
            else
                self(self, level - 1, i * fanOut, std::min((i + 1) * fanOut, levels_[level - 1].size()));
        }
    };
    walk(walk, levels_.size() - 1, 0, levels_.back().size());
    return count;
}

} // namespace stowage
