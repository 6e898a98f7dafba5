#include "core/planners/exact/pool_search.h"

#include "core/planners/exact/minimise.h"
#include "core/planners/exact/pair_search.h"

#include <algorithm>
#include <limits>

namespace stowage::exact {

namespace {

constexpr std::uint64_t firstPairLimit = 500; ///< nodes of a first run of the pair search

/// The slots with size > 0, each given by its buffer, in the order of both instances.
std::vector<BufferId> slotsOf(const Problem& problem, std::span<const BufferId> members)
{
    std::vector<BufferId> slots;
    for (const BufferId id : members)
        if (const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)]; buffer.size > 0)
            slots.insert(slots.end(), static_cast<std::size_t>(buffer.slots), id);
    return slots;
}

Bytes topOf(const Problem& problem, const PoolLayout& layout)
{
    Bytes top = 0;
    for (std::size_t i = 0; i < layout.buffers.size(); ++i)
        top = std::max(top, layout.offsets[i] + problem.buffers[static_cast<std::size_t>(layout.buffers[i])].size);
    return top;
}

/// The offsets of the start; empty if a buffer has fewer offsets than slots, or if its only slot rotates.
std::vector<Bytes> startOffsets(const Problem& problem, const Plan& plan, const std::vector<BufferId>& slots)
{
    std::vector<Bytes> offsets;
    std::size_t slot = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        slot = i > 0 && slots[i] == slots[i - 1] ? slot + 1 : 0;
        const Placement& placement = plan.placements[static_cast<std::size_t>(slots[i])];
        if (placement.rotating() ? slot >= placement.offsets.size() : slot > 0) return {};
        const auto moves = [&](Bytes offset) { return offset != placement.offsets.front(); };
        if (problem.buffers[static_cast<std::size_t>(slots[i])].slots == 1 &&
            std::any_of(placement.offsets.begin(), placement.offsets.end(), moves))
            return {};
        offsets.push_back(placement.rotating() ? placement.offsets[slot] : placement.offset);
    }
    return offsets;
}

/// Minimises a pool without windows, by `minimise`. `layout` contains a lower bound in bytes, and a start if it has offsets; a
/// start with offsets that are not multiples of the unit is ignored. Stores the best layout and bound in `layout`; returns the
/// nodes.
std::uint64_t searchSkyline(const Instance& instance, const Problem& problem, PoolId pool, const PoolLimits& limits,
                            PoolLayout& layout)
{
    constexpr Bytes largest = std::numeric_limits<std::int32_t>::max() / 2;
    Bracket bracket;
    bracket.lower = static_cast<std::int32_t>(std::min(layout.lower / instance.unit, largest));
    const bool inUnits = std::all_of(layout.offsets.begin(), layout.offsets.end(), [&](Bytes offset) {
        return offset % instance.unit == 0 && offset / instance.unit < largest;
    });
    if (inUnits && layout.size / instance.unit < largest) {
        for (const Bytes offset : layout.offsets) bracket.offsets.push_back(static_cast<std::int32_t>(offset / instance.unit));
        bracket.best = static_cast<std::int32_t>(layout.size / instance.unit);
    }
    const auto take = [&](const Bracket& now) {
        layout.lower = now.lower * instance.unit;
        const Bytes size = now.best * instance.unit;
        if (now.offsets.empty() || (!layout.offsets.empty() && size >= layout.size)) return false;
        layout.size = size;
        layout.offsets.clear();
        for (const std::int32_t offset : now.offsets) layout.offsets.push_back(offset * instance.unit);
        return true;
    };
    MinimiseLimits own;
    own.nodes = limits.nodes;
    own.stop = limits.stop;
    own.spent = limits.spent;
    // At least 1, because 0 means no limit. Nothing fits into less than one unit.
    if (limits.enough) own.goodEnough = static_cast<std::int32_t>(std::clamp<Bytes>(*limits.enough / instance.unit, 1, largest));
    own.steps = limits.steps;
    if (limits.steps) limits.steps->enter(pool, layout.buffers, instance.unit);
    own.improved = [&](const Bracket& now, std::uint64_t nodes) {
        if (!take(now)) return;
        if (limits.steps) limits.steps->better(pool, layout.buffers, layout.offsets, StepRule::betterLayout);
        if (limits.improved) limits.improved(layout, nodes);
    };
    const std::uint64_t nodes = minimise(instance, problem, limits.seed, own, bracket);
    take(bracket);
    return nodes;
}

/// True if no layout has the pins, with any capacity: two of them collide, or one is not a multiple of its alignment.
bool pinsCannotHold(const PairInstance& instance)
{
    for (std::size_t i = 0; i < instance.pins.size(); ++i)
        if (instance.pins[i] >= 0 && instance.pins[i] % instance.alignments[i] != 0) return true;
    return std::any_of(instance.pairs.begin(), instance.pairs.end(), [&](const PairInstance::Pair& pair) {
        const std::int64_t first = instance.pins[static_cast<std::size_t>(pair.first)],
                           second = instance.pins[static_cast<std::size_t>(pair.second)];
        return first >= 0 && second >= 0 &&
               std::any_of(instance.forbidden.begin() + pair.begin, instance.forbidden.begin() + pair.end,
                           [&](const PairInstance::Forbidden& range) {
                               return range.low < second - first && second - first < range.high;
                           });
    });
}

/// The same for a pool with windows. `layout` must have offsets. Searches for layouts of given sizes: first of the lower bound,
/// then, while searches reach the node limit, of sizes halfway between the last size and the best one. When no size is left,
/// repeats this with three times the limit.
std::uint64_t searchPairs(const PairInstance& instance, PoolId pool, const PoolLimits& limits, PoolLayout& layout)
{
    PairSearch search(instance);
    if (limits.steps) limits.steps->enter(pool, layout.buffers, instance.unit);
    search.stepsTo(limits.steps);
    std::uint64_t nodes = 0, limit = firstPairLimit;
    layout.lower = std::max(layout.lower, instance.bound * instance.unit);
    const auto done = [&] {
        return layout.closed() || (limits.enough && (layout.size <= *limits.enough || layout.lower > *limits.enough)) ||
               (limits.nodes > 0 && nodes >= limits.nodes) || (limits.stop && limits.stop());
    };
    // There is no layout of any size: proves this for all sizes at once, not unit by unit.
    if (!done() && pinsCannotHold(instance)) {
        layout.lower = (layout.size + instance.unit - 1) / instance.unit * instance.unit;
        return 0;
    }
    // The size of the start is rounded up to units: a layout of the instance with that size exists, because rounding up is
    // monotone.
    std::int64_t easiest = 0; // targets below it exceeded the current limit
    while (!done()) {
        const std::int64_t lower = (layout.lower + instance.unit - 1) / instance.unit,
                           best = (layout.size + instance.unit - 1) / instance.unit;
        const std::int64_t low = std::max(lower, easiest);
        if (low >= best) {
            if (lower >= best) break; // no smaller size in units, so no smaller size in bytes
            easiest = 0;
            limit *= 3;
            continue;
        }
        const std::int64_t target = limits.enough  ? std::max(lower, *limits.enough / instance.unit)
                                    : easiest == 0 ? low
                                                   : low + (best - 1 - low + 1) / 2;
        const std::uint64_t left = limits.nodes > 0 ? limits.nodes - nodes : ~std::uint64_t{0};
        const Outcome outcome = search.run(target, std::min(limit, left), limits.stop);
        nodes += std::max<std::uint64_t>(1, search.nodes());
        if (outcome == Outcome::stopped) break;
        if (outcome == Outcome::found) {
            std::int64_t top = 0;
            layout.offsets.clear();
            for (std::int32_t i = 0; i < instance.count(); ++i) {
                const std::int64_t offset = search.offsets()[static_cast<std::size_t>(i)];
                layout.offsets.push_back(offset * instance.unit);
                top = std::max(top, offset + instance.sizes[static_cast<std::size_t>(i)]);
            }
            layout.size = top * instance.unit;
            if (limits.steps) limits.steps->better(pool, layout.buffers, layout.offsets, StepRule::betterLayout);
            if (limits.improved) limits.improved(layout, nodes);
        } else if (outcome == Outcome::impossible) {
            layout.lower = (target + 1) * instance.unit;
            if (limits.improved) limits.improved(layout, nodes);
        } else {
            easiest = limits.enough ? best : target + 1;
        }
    }
    return nodes;
}

} // namespace

Expected<std::uint64_t> minimisePool(const Problem& problem, PoolId pool, std::span<const BufferId> members, const Plan* start,
                                     const PoolLimits& limits, PoolLayout& layout)
{
    layout.buffers = slotsOf(problem, members);
    layout.offsets.clear();
    layout.size = 0;
    if (layout.buffers.empty()) {
        layout.lower = 0;
        return std::uint64_t{0};
    }
    if (start) layout.offsets = startOffsets(problem, *start, layout.buffers);
    const bool windows = std::any_of(members.begin(), members.end(), [&](BufferId id) {
        return problem.buffers[static_cast<std::size_t>(id)].hasWindows() && problem.axis != Axis::dag;
    });
    if (!windows) {
        auto instance = Instance::make(problem, pool, members);
        if (!instance) return instance.error();
        if (!layout.offsets.empty()) layout.size = topOf(problem, layout);
        return searchSkyline(*instance, problem, pool, limits, layout);
    }
    auto instance = PairInstance::make(problem, pool, members);
    if (!instance) return instance.error();
    if (layout.offsets.empty()) { // end to end, above every pin
        Bytes top = 0;
        for (std::size_t i = 0; i < layout.buffers.size(); ++i)
            if (instance->pins[i] >= 0) top = std::max(top, (instance->pins[i] + instance->sizes[i]) * instance->unit);
        for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
            const Bytes alignment = instance->alignments[i] * instance->unit;
            const Bytes offset =
                instance->pins[i] >= 0 ? instance->pins[i] * instance->unit : (top + alignment - 1) / alignment * alignment;
            layout.offsets.push_back(offset);
            top = std::max(top, offset + instance->sizes[i] * instance->unit);
        }
    }
    layout.size = topOf(problem, layout);
    return searchPairs(*instance, pool, limits, layout);
}

void apply(const PoolLayout& layout, PoolId pool, Plan& plan)
{
    const std::size_t count = std::min(layout.buffers.size(), layout.offsets.size());
    for (std::size_t i = 0, next = 0; i < count; i = next) {
        while (next < count && layout.buffers[next] == layout.buffers[i]) ++next;
        const std::span<const Bytes> slots = std::span(layout.offsets).subspan(i, next - i);
        Placement& placement = plan.placements[static_cast<std::size_t>(layout.buffers[i])];
        placement.pool = pool;
        placement.offset = slots.front();
        if (!placement.rotating()) continue;
        if (placement.offsets.size() > slots.size()) {
            // The other offsets are those of the old layout.
            const Rotation innermost{placement.rotations.back().loop, static_cast<std::int32_t>(slots.size()), false};
            placement.offsets.resize(slots.size() > 1 ? slots.size() : 0);
            placement.rotations.clear();
            if (slots.size() > 1) placement.rotations.push_back(innermost);
        }
        std::copy_n(slots.begin(), std::min(slots.size(), placement.offsets.size()), placement.offsets.begin());
    }
}

} // namespace stowage::exact
