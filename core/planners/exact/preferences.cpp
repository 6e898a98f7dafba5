#include "core/planners/exact/preferences.h"

#include "core/planners/exact/seen_states.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace stowage::exact {

namespace {

using Keys = std::vector<double>;

/// Ranks by the three keys, largest first: the first buffer gets the count, the last gets 1.
Keys ranked(const std::array<const Keys*, 3>& keys)
{
    const std::size_t n = keys[0]->size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        for (const Keys* key : keys)
            if ((*key)[a] != (*key)[b]) return (*key)[a] > (*key)[b];
        return false;
    });
    Keys rank(n);
    for (std::size_t r = 0; r < n; ++r) rank[order[r]] = static_cast<double>(n - r);
    return rank;
}

} // namespace

Preferences::Preferences(const Instance& instance, const Problem& problem, std::uint64_t seed) : seed_(seed)
{
    const auto n = static_cast<std::size_t>(instance.count());
    Keys load(static_cast<std::size_t>(instance.sections), 0.0);
    for (std::int32_t i = 0; i < instance.count(); ++i)
        for (const SectionRange& range : instance.ranges(i))
            for (std::int32_t s = range.begin; s < range.end; ++s)
                load[static_cast<std::size_t>(s)] += instance.sizes[static_cast<std::size_t>(i)];
    Keys total(n), width(n), size(n), area(n), end(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(instance.buffers[i])];
        size[i] = instance.sizes[i];
        for (const Interval& live : buffer.live) width[i] += static_cast<double>(live.length());
        end[i] = static_cast<double>(buffer.hull().end);
        area[i] = size[i] * width[i];
        for (const SectionRange& range : instance.ranges(static_cast<std::int32_t>(i)))
            for (std::int32_t s = range.begin; s < range.end; ++s) total[i] = std::max(total[i], load[static_cast<std::size_t>(s)]);
    }
    basic_ = {ranked({&total, &width, &area}), ranked({&total, &area, &width}), ranked({&width, &area, &size}),
              ranked({&end, &area, &width}),   ranked({&area, &width, &size}),  ranked({&total, &size, &width})};
}

std::vector<double> Preferences::forRun(std::uint64_t run) const
{
    Keys keys = basic_[run % basic_.size()];
    const std::uint64_t round = run / basic_.size();
    if (round == 0) return keys;
    // From 5 % of the ranks in the second round to 60 % in the twelfth, then over again.
    const double spread = static_cast<double>(keys.size()) * 0.05 * static_cast<double>(1 + (round - 1) % 12);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::uint64_t bits = SeenStates::Key::mix(seed_ ^ SeenStates::Key::mix(run * 0x9e3779b97f4a7c15U + i));
        keys[i] += spread * (static_cast<double>(bits >> 11) * 0x1p-53 - 0.5);
    }
    return keys;
}

} // namespace stowage::exact
