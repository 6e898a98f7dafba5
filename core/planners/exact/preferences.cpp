#include "core/planners/exact/preferences.h"

#include "core/ir/random.h"
#include "core/planners/exact/seen_states.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace stowage::exact {

namespace {

using Keys = std::vector<double>;

constexpr std::size_t leading = 4; ///< attempts without noise
constexpr std::int32_t tries = 8;  ///< of one branch with look-ahead

/// Ranks of the buffers by two keys, descending: the first buffer gets n, the last gets 1.
Keys ranked(const Keys& first, const Keys& second)
{
    const std::size_t n = first.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return first[a] != first[b] ? first[a] > first[b] : second[a] > second[b];
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
    Keys total(n), width(n), size(n), area(n), late(n), early(n), covered(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(instance.buffers[i])];
        size[i] = instance.sizes[i];
        for (const Interval& live : buffer.live) width[i] += static_cast<double>(live.length());
        late[i] = static_cast<double>(buffer.hull().end);
        early[i] = -static_cast<double>(buffer.hull().begin);
        area[i] = size[i] * width[i];
        for (const SectionRange& range : instance.ranges(static_cast<std::int32_t>(i)))
            for (std::int32_t s = range.begin; s < range.end; ++s) {
                total[i] = std::max(total[i], load[static_cast<std::size_t>(s)]);
                ++covered[i];
            }
    }
    basic_ = {{ranked(total, width), 2, 1.0},  {ranked(early, size), 3, 1.0}, {ranked(late, size), 4, 1.0},
              {ranked(covered, size), 4, 1.0}, {ranked(late, early), 3, 0.5}, {ranked(late, area), 2, 0.25},
              {ranked(width, area), 2, 0.25},  {ranked(total, area), 3, 0.25}};
}

void Preferences::disturb(Attempt& attempt, double spread, std::uint64_t run) const
{
    const double width = spread * static_cast<double>(attempt.preference.size());
    for (std::size_t i = 0; i < attempt.preference.size(); ++i) {
        const std::uint64_t bits = mix64(seed_ ^ mix64(run * 0x9e3779b97f4a7c15U + i));
        attempt.preference[i] += width * (static_cast<double>(bits >> 11) * 0x1p-53 - 0.5);
    }
}

Attempt Preferences::attempt(std::uint64_t pass, std::size_t which) const
{
    Attempt attempt = basic_[which];
    // The noise is 3 % of the ranks in the second pass, grows to 30 % in the eleventh, and then begins again.
    if (pass > 0 && which >= leading)
        disturb(attempt, 0.03 * static_cast<double>(1 + (pass - 1) % 10), pass * basic_.size() + which);
    return attempt;
}

Attempt Preferences::ahead(std::uint64_t run) const
{
    Attempt attempt = basic_[0];
    attempt.lookAhead = tries;
    if (run > 0) disturb(attempt, 0.1, run);
    return attempt;
}

} // namespace stowage::exact
