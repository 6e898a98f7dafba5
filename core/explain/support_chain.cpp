#include "core/explain/support_chain.h"

#include "core/ir/occupied.h"
#include "core/plan/offsets.h"

#include <algorithm>
#include <set>
#include <span>
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
        stretchesOf(BufferId(i), byTop_[std::size_t(placement.pool)]);
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

void SupportFinder::stretchesOf(BufferId id, Stretches& stretches, std::optional<Bytes> only) const
{
    const Buffer& buffer = problem_.buffers[std::size_t(id)];
    const Placement& placement = plan_.placements[std::size_t(id)];
    const bool alternates = placement.rotating() && buffer.slots == 1 && wellFormed(problem_, buffer, placement);
    const std::span<const Bytes> offsets = offsetsOf(placement);
    for (std::uint32_t i = 0; i < offsets.size(); ++i) {
        const Bytes offset = offsets[i];
        if (only && offset != *only) continue;
        const auto add = [&](const Occupied& it) {
            stretches.push_back({.low = offset + it.low,
                                 .high = offset + it.high,
                                 .live = it.steps,
                                 .buffer = id,
                                 .offset = offset,
                                 .index = i,
                                 .distance = it.distance,
                                 .round = it.round,
                                 .when = it.when,
                                 .whole = it.by != Occupying::window,
                                 .alternates = alternates});
        };
        forEachOccupied<Iterations::each>(buffer, add);
        if (buffer.live.empty()) add(Occupied{{}, 0, buffer.size});
    }
}

PlacedValue SupportFinder::valueIn(const Stretch& stretch) const
{
    return {.buffer = &problem_.buffers[std::size_t(stretch.buffer)],
            .placement = &plan_.placements[std::size_t(stretch.buffer)],
            .index = stretch.index,
            .distance = stretch.distance,
            .round = stretch.round,
            .when = stretch.when,
            .alternates = stretch.alternates};
}

std::optional<Interval> SupportFinder::together(const Stretch& upper, const Stretch& lower) const
{
    const Interval common = upper.live.common(lower.live);
    const bool same = upper.buffer == lower.buffer;
    if (same) {
        if (upper.offset == lower.offset) return std::nullopt;
        if (!upper.alternates) // several slots, which are in use together in every iteration
            return common.empty() ? std::nullopt : std::optional(common);
        if (upper.distance == lower.distance && upper.round == lower.round) return std::nullopt; // one value, at one offset
    } else if (!conflict(problem_, upper.buffer, lower.buffer)) {
        return std::nullopt;
    }
    PlacedValue above = valueIn(upper), below = valueIn(lower);
    if (!common.empty() && (same || problem_.axis != Axis::dag))
        if (const auto first = firstMeeting(problem_, above, below, common)) return common.common({first->step, common.end});
    // They are not live together: the conflict is an explicit one, which holds for all their bytes and at all steps.
    if (same || !upper.whole || !lower.whole) return std::nullopt;
    const Interval shown = problem_.axis == Axis::dag ? common : Interval{};
    const Buffer &a = *above.buffer, &b = *below.buffer;
    if (a.unique || b.unique) return shown;
    if (!std::binary_search(a.conflicts.begin(), a.conflicts.end(), lower.buffer) &&
        !std::binary_search(b.conflicts.begin(), b.conflicts.end(), upper.buffer))
        return std::nullopt;
    if (above.distance > 0 && below.distance > 0) return std::nullopt; // one of them is the current iteration's value
    for (PlacedValue* value : {&above, &below})
        if (value->distance == 0) value->when = {};
    return firstMeeting(problem_, above, below) ? std::optional(shown) : std::nullopt;
}

SupportChain SupportFinder::chain(BufferId buffer) const
{
    if (buffer < 0 || std::size_t(buffer) >= plan_.placements.size()) return {};
    return chain(buffer, offsetsOf(plan_.placements[std::size_t(buffer)]).front());
}

SupportChain SupportFinder::highest(PoolId pool) const
{
    BufferId buffer = none;
    Bytes top = -1, from = 0;
    for (std::size_t i = 0; i < std::min(problem_.buffers.size(), plan_.placements.size()); ++i) {
        const Placement& placement = plan_.placements[i];
        const Bytes size = problem_.buffers[i].size;
        if (placement.pool != pool || size <= 0) continue;
        for (const Bytes offset : offsetsOf(placement))
            if (offset + size > top) top = offset + size, from = offset, buffer = BufferId(i);
    }
    return chain(buffer, from);
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
        stretchesOf(link.buffer, bottoms, link.offset);
        std::vector<SupportLink> supports;
        for (const Stretch& bottom : bottoms) {
            const auto consider = [&](const Stretch& lower) {
                ++explored;
                if (lower.offset >= link.offset) return;
                if (const auto steps = together(bottom, lower))
                    supports.push_back({lower.buffer, lower.offset, bottom.low - lower.high, *steps});
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
                    stretchesOf(other, stretches);
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
