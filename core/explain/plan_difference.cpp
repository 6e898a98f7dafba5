#include "core/explain/plan_difference.h"

#include "core/plan/offsets.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>

namespace stowage {

namespace {

bool sameBuffers(const Problem& a, const Problem& b)
{
    return std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
                      [](const Buffer& x, const Buffer& y) { return x.size == y.size && x.name == y.name; });
}

std::string_view poolName(const Problem& problem, PoolId pool)
{
    return pool >= 0 && std::size_t(pool) < problem.pools.size() ? std::string_view(problem.pools[std::size_t(pool)].name)
                                                                 : std::string_view();
}

const Placement* placedIn(const Plan& plan, BufferId id)
{
    if (id < 0 || std::size_t(id) >= plan.placements.size() || !plan.placements[std::size_t(id)].placed()) return nullptr;
    return &plan.placements[std::size_t(id)];
}

} // namespace

std::size_t PlanDifference::moved() const
{
    return count(Moved::higher) + count(Moved::lower) + count(Moved::otherSlots) + count(Moved::otherPool);
}

std::vector<BufferId> matchedByName(const Problem& here, const Problem& there)
{
    std::vector<BufferId> match(here.buffers.size(), none);
    std::vector<std::pair<std::string_view, BufferId>> names;
    names.reserve(there.buffers.size());
    for (std::size_t i = 0; i < there.buffers.size(); ++i) names.emplace_back(there.buffers[i].name, BufferId(i));
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < match.size(); ++i) {
        const std::string_view name = here.buffers[i].name;
        const auto found = std::lower_bound(names.begin(), names.end(), name,
                                            [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
        if (found != names.end() && found->first == name) match[i] = found->second;
    }
    return match;
}

PlanDifference difference(const Problem& here, const Plan& planHere, const Problem& there, const Plan& planThere)
{
    PlanDifference result;
    result.byName = !sameBuffers(here, there);
    std::vector<BufferId> match;
    if (result.byName) {
        match = matchedByName(here, there);
    } else {
        match.resize(here.buffers.size());
        std::iota(match.begin(), match.end(), 0);
    }
    std::vector<bool> met(there.buffers.size(), false);
    result.of.resize(here.buffers.size());
    for (std::size_t i = 0; i < here.buffers.size(); ++i) {
        BufferChange& change = result.of[i];
        change.there = match[i];
        const Placement* const a = placedIn(planHere, BufferId(i));
        const Placement* const b = placedIn(planThere, match[i]);
        if (!a) {
            change.kind = Moved::unplaced;
        } else if (!b) {
            change.kind = Moved::onlyHere;
        } else {
            met[std::size_t(match[i])] = true;
            const std::vector<Bytes> offsetsA = distinctOffsets(*a);
            const std::vector<Bytes> offsetsB = distinctOffsets(*b);
            const Bytes by = offsetsA.front() - offsetsB.front();
            if (poolName(here, a->pool) != poolName(there, b->pool))
                change.kind = Moved::otherPool;
            else if (by != 0)
                change.kind = by > 0 ? Moved::higher : Moved::lower, change.by = by;
            else
                change.kind = offsetsA == offsetsB ? Moved::same : Moved::otherSlots;
            result.furthest = std::max<Bytes>(result.furthest, std::llabs(change.by));
        }
        ++result.counts[std::size_t(change.kind)];
    }
    for (std::size_t id = 0; id < there.buffers.size(); ++id)
        if (!met[id] && placedIn(planThere, BufferId(id))) result.onlyThere.push_back(BufferId(id));
    return result;
}

} // namespace stowage
