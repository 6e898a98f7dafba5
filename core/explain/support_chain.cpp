#include "core/explain/support_chain.h"

#include "core/ir/occupied.h"
#include "core/plan/offsets.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

constexpr std::uint64_t exploreLimit = 16'000'000;

} // namespace

SupportFinder::SupportFinder(const Problem& problem, const Plan& plan)
    : problem_(problem), plan_(plan), byTop_(problem.pools.size())
{
    for (std::size_t i = 0; i < std::min(problem.buffers.size(), plan.placements.size()); ++i) {
        const Placement& placement = plan.placements[i];
        if (!placement.placed() || problem.buffers[i].size <= 0) continue;
        for (const Bytes offset : distinctOffsets(placement))
            stretchesOf(BufferId(i), offset, byTop_[std::size_t(placement.pool)]);
    }
    for (Stretches& stretches : byTop_) {
        std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
            return std::tie(a.high, a.live.begin, a.buffer, a.offset) < std::tie(b.high, b.live.begin, b.buffer, b.offset);
        });
        for (std::size_t i = 0; i < stretches.size(); ++i) {
            const bool goesOn = i > 0 && stretches[i - 1].high == stretches[i].high;
            stretches[i].lastEnd = goesOn ? std::max(stretches[i - 1].lastEnd, stretches[i].live.end) : stretches[i].live.end;
        }
    }
    anyUnique_ = std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& b) { return b.unique; });
}

void SupportFinder::stretchesOf(BufferId id, Bytes offset, Stretches& stretches) const
{
    const Buffer& buffer = problem_.buffers[std::size_t(id)];
    forEachOccupied(buffer, [&](const Occupied& it) {
        stretches.push_back({offset + it.low, offset + it.high, it.steps, id, offset, it.by != Occupying::window});
    });
    if (buffer.live.empty()) stretches.push_back({offset, offset + buffer.size, {}, id, offset, true});
}

bool SupportFinder::meet(const Stretch& upper, const Stretch& lower) const
{
    if (upper.buffer == lower.buffer) return upper.offset != lower.offset && upper.live.overlaps(lower.live);
    if (!conflict(problem_, upper.buffer, lower.buffer)) return false;
    if (problem_.axis != Axis::dag && upper.live.overlaps(lower.live)) return true;
    // They are not live together: the conflict is an explicit one, which holds for all their bytes.
    const Buffer& a = problem_.buffers[std::size_t(upper.buffer)];
    const Buffer& b = problem_.buffers[std::size_t(lower.buffer)];
    return upper.whole && lower.whole &&
           (a.unique || b.unique || std::binary_search(a.conflicts.begin(), a.conflicts.end(), lower.buffer) ||
            std::binary_search(b.conflicts.begin(), b.conflicts.end(), upper.buffer));
}

SupportChain SupportFinder::chain(BufferId buffer) const
{
    if (buffer < 0 || std::size_t(buffer) >= plan_.placements.size()) return {};
    return chain(buffer, plan_.placements[std::size_t(buffer)].offset);
}

SupportChain SupportFinder::chain(BufferId buffer, Bytes offset) const
{
    SupportChain result;
    if (buffer < 0 || std::size_t(buffer) >= std::min(plan_.placements.size(), problem_.buffers.size())) return result;
    const PoolId pool = plan_.placements[std::size_t(buffer)].pool;
    if (pool == none) return result;
    const Stretches& byTop = byTop_[std::size_t(pool)];

    struct Visit {
        SupportLink link;
        std::size_t above; ///< the slot that rests on it
    };
    std::vector<Visit> visits{{{buffer, offset, 0, problem_.buffers[std::size_t(buffer)].hull()}, 0}};
    std::set<std::pair<BufferId, Bytes>> seen{{buffer, offset}};
    std::uint64_t explored = 0;
    std::size_t lowest = 0;
    std::size_t deepest = 0;
    bool found = false;
    Stretches bottoms;
    for (std::size_t at = 0; at < visits.size(); ++at) {
        const SupportLink link = visits[at].link;
        const Buffer& upper = problem_.buffers[std::size_t(link.buffer)];
        if (link.offset < visits[lowest].link.offset) lowest = at;
        if (link.offset == 0 || upper.pin) {
            deepest = at;
            result.end = link.offset == 0 ? SupportEnd::ground : SupportEnd::pinned;
            found = true;
            break;
        }
        if (explored > exploreLimit) break;
        const Bytes alignment = problem_.effectiveAlignment(upper, pool);
        bottoms.clear();
        stretchesOf(link.buffer, link.offset, bottoms);
        std::vector<SupportLink> supports;
        for (const Stretch& bottom : bottoms) {
            const auto consider = [&](const Stretch& lower) {
                ++explored;
                if (lower.offset < link.offset && meet(bottom, lower))
                    supports.push_back({lower.buffer, lower.offset, bottom.low - lower.high, bottom.live.common(lower.live)});
            };
            const auto lowerHigh = [](const Stretch& p, Bytes high) { return p.high < high; };
            const auto higherHigh = [](Bytes high, const Stretch& p) { return high < p.high; };
            auto last = std::upper_bound(byTop.begin(), byTop.end(), bottom.low, higherHigh);
            while (last != byTop.begin() && std::prev(last)->high > bottom.low - alignment) {
                const auto first = std::lower_bound(byTop.begin(), last, std::prev(last)->high, lowerHigh);
                if (anyUnique_) {
                    std::for_each(first, last, consider);
                } else {
                    // Stretches that begin before this one ends, latest first, as long as one of the earlier ones can still be
                    // live.
                    auto stretch = std::lower_bound(first, last, bottom.live.end,
                                                    [](const Stretch& p, Step end) { return p.live.begin < end; });
                    while (stretch != first && std::prev(stretch)->lastEnd > bottom.live.begin) consider(*--stretch);
                }
                last = first;
            }
            if (!anyUnique_)
                for (const BufferId other : upper.conflicts) {
                    if (std::size_t(other) >= plan_.placements.size() || plan_.placements[std::size_t(other)].pool != pool)
                        continue;
                    Stretches stretches;
                    for (const Bytes start : distinctOffsets(plan_.placements[std::size_t(other)]))
                        stretchesOf(other, start, stretches);
                    for (const Stretch& lower : stretches)
                        if (lower.high <= bottom.low && lower.high > bottom.low - alignment) consider(lower);
                }
        }
        std::sort(supports.begin(), supports.end(), [](const SupportLink& a, const SupportLink& b) {
            return std::tuple(a.gap, -a.together.length(), a.buffer, a.offset, a.together.begin) <
                   std::tuple(b.gap, -b.together.length(), b.buffer, b.offset, b.together.begin);
        });
        for (const SupportLink& support : supports)
            if (seen.emplace(support.buffer, support.offset).second) visits.push_back({support, at});
    }
    if (!found) deepest = lowest;
    for (std::size_t at = deepest;; at = visits[at].above) {
        result.links.push_back(visits[at].link);
        if (at == 0) break;
    }
    std::reverse(result.links.begin(), result.links.end());
    return result;
}

} // namespace stowage
