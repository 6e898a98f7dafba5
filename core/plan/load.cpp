#include "core/plan/load.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/ir/sorted_by.h"
#include "core/plan/one_iteration.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <unordered_map>

namespace stowage {

namespace {

constexpr std::size_t maxGrids = 16;
/// Maximum number of values of one buffer, or of loads of one group, for the quadratic computation; above, a weaker bound is
/// used.
constexpr std::size_t maxHeld = 1000;

/// Cuts the steps at all ends of `held` (any type with `live`) and calls visit(interval, members) for each interval in which the
/// same members of `held` are in use, ascending. For the few values of one buffer, or loads of one group: O(held^2).
template <typename Held, typename Visit>
void eachInterval(const std::vector<Held>& held, Visit visit)
{
    std::vector<Step> cuts;
    for (const Held& one : held) {
        cuts.push_back(one.live.begin);
        cuts.push_back(one.live.end);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<const Held*> members;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        members.clear();
        for (const Held& one : held)
            if (one.live.contains(cuts[i])) members.push_back(&one);
        if (!members.empty()) visit(Interval{cuts[i], cuts[i + 1]}, members);
    }
}

/// True if `it` is occupied when all loops are in their last iteration, or have ended after it. False for entries of a single
/// iteration of a loop with an unknown trip count: that iteration may be another one.
bool inLastIteration(const Problem& problem, const Occupied& it)
{
    if (it.when.loop == none) return true;
    const Loop& loop = problem.loops[static_cast<std::size_t>(it.when.loop)];
    if (!loop.tripCount) return false;
    const std::int64_t trips = std::max<std::int64_t>(*loop.tripCount, 1); // at least one, as the checker takes it
    return it.when.iteration == (it.steps.begin < loop.live.end ? trips - 1 : trips);
}

/// True for a carried value of the buffer's own loop that exists when all loops are in their last iteration (in a late one, if
/// the trip count is unknown).
bool counts(const Problem& problem, const Buffer& buffer, const Occupied& carried)
{
    const Loop& loop = problem.loops[static_cast<std::size_t>(buffer.loop)];
    return carried.by == Occupying::carried && (!loop.tripCount || carried.distance < *loop.tripCount) &&
           carried.round == buffer.loop && carried.steps.end <= loop.live.end && inLastIteration(problem, carried);
}

/// The values of a buffer with carried values that are in use at the same time. All loops are taken in their last iteration (in a
/// late one, if it is unknown): the values of one moment must be disjoint, and most carried values exist in that iteration.
/// Values of another single iteration do not count, because they need not meet the values of the last one.
void addCarried(const Problem& problem, const Buffer& buffer, Load load, std::vector<Load>& loads)
{
    struct Value {
        Interval live;
        std::int32_t distance = 0;
    };
    std::vector<Value> values;
    forEachOccupied<Iterations::each>(buffer, [&](const Occupied& it) {
        const bool live = it.by == Occupying::live && inLastIteration(problem, it);
        if (live || counts(problem, buffer, it)) values.push_back({it.steps, it.distance});
    });
    std::vector<std::int32_t> distances;
    eachInterval(values, [&](const Interval& live, const std::vector<const Value*>& members) {
        distances.clear();
        for (const Value* value : members) distances.push_back(value->distance);
        std::sort(distances.begin(), distances.end());
        const auto count = std::unique(distances.begin(), distances.end()) - distances.begin();
        load.live = live;
        load.count = std::max(buffer.slots, static_cast<std::int32_t>(count));
        loads.push_back(load);
    });
}

/// An upper bound of the live ranges, parts of them between early ranges, and carried values of a buffer.
std::size_t entriesOf(const Buffer& buffer)
{
    std::size_t entries = 2 * earlyRanges(buffer);
    forEachOccupied(buffer, [&](const Occupied& it) { entries += it.by != Occupying::window; });
    return entries;
}

/// The steps of a window that count in addition to carried values. With several slots, carried values already count all slots,
/// including the one of the window.
std::vector<Interval> beside(const Problem& problem, const Buffer& buffer, const Interval& window)
{
    std::vector<Interval> left{window};
    if (buffer.slots == 1 || buffer.loop == none) return left;
    forEachOccupied(buffer, [&](const Occupied& it) {
        if (!counts(problem, buffer, it)) return;
        std::vector<Interval> outside;
        for (const Interval& piece : left) {
            const Interval before{piece.begin, std::min(piece.end, it.steps.begin)};
            const Interval after{std::max(piece.begin, it.steps.end), piece.end};
            if (!before.empty()) outside.push_back(before);
            if (!after.empty()) outside.push_back(after);
        }
        left = std::move(outside);
    });
    return left;
}

/// Leads to the representative of a buffer's group. Path halving.
BufferId groupOf(std::unordered_map<BufferId, BufferId>& parent, BufferId id)
{
    while (parent[id] != id) id = parent[id] = parent[parent[id]];
    return id;
}

/// The events of a sweep: loads ordered by begin and by end.
struct EventOrder {
    std::vector<std::uint32_t> byBegin, byEnd;

    explicit EventOrder(std::span<const Load> loads)
        : byBegin(sortedBy(loads.size(), [&](std::size_t i) { return loads[i].live.begin; })),
          byEnd(sortedBy(loads.size(), [&](std::size_t i) { return loads[i].live.end; }))
    {
    }
};

struct Peak {
    Bytes bytes = -1;
    Step step = -1;
};

/// The most loaded step of the loads whose alignment is a multiple of `grid`, with sizes rounded up to `grid`.
Peak sweep(std::span<const Load> loads, const EventOrder& order, Bytes grid)
{
    const auto counts = [&](const Load& load) { return load.alignment % grid == 0; };
    const auto weight = [&](const Load& load) { return alignUp(load.bytes, grid) * load.count; };
    struct Padding {
        Bytes bytes;
        Step end;
        bool operator<(const Padding& other) const { return bytes < other.bytes; }
    };
    std::priority_queue<Padding> paddings; // ended loads are removed when they reach the top
    Peak peak;
    Bytes sum = 0;
    std::size_t ended = 0;
    for (std::size_t begun = 0; begun < loads.size();) {
        const Step step = loads[order.byBegin[begun]].live.begin;
        for (; loads[order.byEnd[ended]].live.end <= step; ++ended)
            if (const Load& load = loads[order.byEnd[ended]]; counts(load)) sum -= weight(load);
        for (; begun < loads.size() && loads[order.byBegin[begun]].live.begin == step; ++begun) {
            const Load& load = loads[order.byBegin[begun]];
            if (!counts(load)) continue;
            sum += weight(load);
            if (const Bytes padding = alignUp(load.bytes, grid) - load.bytes; padding > 0)
                paddings.push({padding, load.live.end});
        }
        while (!paddings.empty() && paddings.top().end <= step) paddings.pop();
        const Bytes needed = sum - (paddings.empty() ? 0 : paddings.top().bytes);
        if (needed > peak.bytes) peak = {needed, step};
    }
    return peak;
}

} // namespace

std::vector<Load> occupied(const Problem& problem, std::span<const BufferId> ids, PoolId pool)
{
    std::vector<Load> loads;
    loads.reserve(ids.size());
    for (const BufferId id : ids) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        if (buffer.size == 0) continue;
        Load load{{}, buffer.size, pool == none ? 1 : problem.effectiveAlignment(buffer, pool), buffer.slots, id};
        if (!buffer.isCarried() || buffer.loop == none || entriesOf(buffer) > maxHeld) {
            for (const Interval& live : buffer.live) {
                load.live = untilFirstEarly(buffer, live); // early ranges do not meet carried values
                if (!load.live.empty()) loads.push_back(load);
            }
        } else {
            addCarried(problem, buffer, load, loads);
        }
        if (!buffer.hasWindows()) continue;
        forEachOccupied(buffer, [&](const Occupied& it) {
            if (it.by != Occupying::window) return;
            for (const Interval& live : beside(problem, buffer, it.steps))
                loads.push_back({live, it.high - it.low, std::gcd(load.alignment, it.low), buffer.slots, id});
        });
    }
    return loads;
}

Bytes heldAt(const Problem& problem, BufferId buffer, Step step)
{
    const std::vector<Load> loads = occupied(problem, std::span(&buffer, 1), none);
    Bytes held = 0;
    for (const Load& load : loads)
        if (load.live.contains(step)) held += load.total();
    const Buffer& all = problem.buffers[static_cast<std::size_t>(buffer)];
    return held > 0 ? held : all.size * all.slots;
}

std::vector<Load> apart(const Problem& problem, std::span<const BufferId> ids, PoolId pool)
{
    std::vector<Load> loads = occupied(problem, ids, pool);
    const bool anyUnique =
        std::any_of(ids.begin(), ids.end(), [&](BufferId id) { return problem.buffers[static_cast<std::size_t>(id)].unique; });
    if (anyUnique) {
        Interval axis{0, std::max<Step>(problem.horizon(), 1)};
        std::erase_if(loads, [&](const Load& load) { return problem.buffers[static_cast<std::size_t>(load.buffer)].unique; });
        for (const BufferId id : ids) {
            const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
            if (buffer.unique && buffer.size > 0)
                loads.push_back(
                    {axis, buffer.size, pool == none ? 1 : problem.effectiveAlignment(buffer, pool), buffer.slots, id});
        }
    }

    std::unordered_map<BufferId, BufferId> parent;
    for (const BufferId id : ids)
        for (const BufferId other : problem.buffers[static_cast<std::size_t>(id)].mayShare) {
            parent.try_emplace(id, id);
            parent.try_emplace(other, other);
            parent[groupOf(parent, id)] = groupOf(parent, other);
        }
    if (parent.empty()) return loads;
    std::unordered_map<BufferId, std::vector<Load>> groups;
    std::vector<BufferId> order; // of groups in order of discovery, because the map has no order
    std::erase_if(loads, [&](const Load& load) {
        if (!parent.contains(load.buffer)) return false;
        std::vector<Load>& group = groups[groupOf(parent, load.buffer)];
        if (group.empty()) order.push_back(groupOf(parent, load.buffer));
        group.push_back(load);
        return true;
    });
    for (const BufferId group : order) {
        std::vector<Load>& members = groups[group];
        const auto smaller = [](const Load& a, const Load& b) { return a.total() < b.total(); };
        if (members.size() > maxHeld) members = {*std::max_element(members.begin(), members.end(), smaller)};
        eachInterval(members, [&](const Interval& live, const std::vector<const Load*>& together) {
            Load largest = **std::max_element(together.begin(), together.end(),
                                              [&](const Load* a, const Load* b) { return smaller(*a, *b); });
            largest.live = live;
            loads.push_back(largest);
        });
    }
    return loads;
}

Bytes packedBytes(std::vector<Load> blocks)
{
    std::sort(blocks.begin(), blocks.end(), [](const Load& a, const Load& b) { return a.alignment > b.alignment; });
    Bytes best = 0;
    Bytes grid = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        grid = std::gcd(grid, blocks[i].alignment);
        if (i + 1 < blocks.size() && std::gcd(grid, blocks[i + 1].alignment) == grid)
            continue; // the next block has the same grid
        Bytes sum = 0, padding = 0;
        for (std::size_t j = 0; j <= i; ++j) {
            const Bytes rounded = alignUp(blocks[j].bytes, grid);
            sum += rounded * blocks[j].count;
            padding = std::max(padding, rounded - blocks[j].bytes);
        }
        best = std::max(best, sum - padding);
    }
    return best;
}

Step heaviestStep(std::span<const Load> loads, bool aligned)
{
    if (loads.empty()) return -1;
    const EventOrder order(loads);
    if (!aligned) return sweep(loads, order, 1).step;
    std::vector<Bytes> grids;
    for (const Load& load : loads)
        if (std::find(grids.begin(), grids.end(), load.alignment) == grids.end() && grids.size() < maxGrids)
            grids.push_back(load.alignment);
    if (std::find(grids.begin(), grids.end(), 1) == grids.end()) {
        Bytes common = 0; // need not be an alignment itself: the gcd of 4 and 6 is 2
        for (const Load& load : loads) common = std::gcd(common, load.alignment);
        if (std::find(grids.begin(), grids.end(), common) == grids.end()) grids.push_back(common);
    }
    std::sort(grids.begin(), grids.end());
    Peak best;
    for (const Bytes grid : grids) {
        const Peak peak = sweep(loads, order, grid);
        if (peak.bytes > best.bytes || (peak.bytes == best.bytes && peak.step < best.step)) best = peak;
    }
    return best.step;
}

} // namespace stowage
