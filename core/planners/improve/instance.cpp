#include "core/planners/improve/instance.h"

#include "core/ir/occupied.h"
#include "core/planners/common/buffer_table.h"
#include "core/planners/common/conflict_graph.h"

#include <algorithm>
#include <numeric>

namespace stowage::improve {

namespace {

constexpr Bytes largestSum = Bytes{1} << 30;
constexpr std::size_t maxEntries = 10'000;
constexpr std::size_t maxPairs = std::size_t{1} << 26;

/// Calls visit(Interval) for disjoint ranges of all steps at which some byte is occupied in some iteration.
template <typename Visit>
void forEachStretch(const Buffer& buffer, const Visit& visit)
{
    if (!buffer.isCarried()) return forEachOccupied(buffer, [&](const Occupied& it) { visit(it.steps); });
    for (const Interval& steps : occupiedSteps(buffer)) visit(steps); // steps with carried values may overlap live ranges
}

/// Sets the loads of buffers that may share, directly or through others, to 0, except for the largest.
void countSharedOnce(const Problem& problem, const std::vector<BufferId>& buffers, std::vector<std::int32_t>& loads)
{
    std::vector<BufferId> group(problem.buffers.size()), largest(problem.buffers.size(), none);
    std::iota(group.begin(), group.end(), 0);
    const auto groupOf = [&](BufferId id) {
        while (group[at(id)] != id) id = group[at(id)] = group[at(group[at(id)])];
        return at(id);
    };
    for (const BufferId id : buffers)
        for (const BufferId other : problem.buffers[at(id)].mayShare) group[groupOf(id)] = static_cast<BufferId>(groupOf(other));
    for (const BufferId id : buffers)
        if (BufferId& best = largest[groupOf(id)]; best == none || problem.buffers[at(id)].size > problem.buffers[at(best)].size)
            best = id;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (largest[groupOf(buffers[i])] != buffers[i]) loads[i] = 0;
}

} // namespace

std::int32_t Instance::heaviestSection() const
{
    std::vector<std::int32_t> change(at(sections) + 1, 0);
    for (std::int32_t i = 0; i < count(); ++i)
        for (const SectionRange& range : rangesOf(i)) {
            change[at(range.begin)] += loads[at(i)];
            change[at(range.end)] -= loads[at(i)];
        }
    std::int32_t live = 0, heaviest = 0;
    for (const std::int32_t by : change) heaviest = std::max(heaviest, live += by);
    return heaviest;
}

void Instance::cutSections()
{
    std::vector<std::int32_t> begins, ends;
    for (const SectionRange& range : ranges) {
        begins.push_back(range.begin);
        ends.push_back(range.end);
    }
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    std::sort(ends.begin(), ends.end());
    // The set at a begin is contained in the set at the next begin unless a range ends in between.
    std::vector<std::int32_t> kept;
    for (std::size_t k = 0, ended = 0; k < begins.size(); ++k) {
        while (ended < ends.size() && ends[ended] <= begins[k]) ++ended;
        if (k + 1 == begins.size() || (ended < ends.size() && ends[ended] <= begins[k + 1])) kept.push_back(begins[k]);
    }
    sections = static_cast<std::int32_t>(kept.size());
    const auto sectionOf = [&](std::int32_t place) {
        return static_cast<std::int32_t>(std::lower_bound(kept.begin(), kept.end(), place) - kept.begin());
    };
    std::vector<SectionRange> cut;
    for (std::size_t i = 0; i + 1 < rangeBegin.size(); ++i) {
        const std::int32_t first = rangeBegin[i];
        rangeBegin[i] = static_cast<std::int32_t>(cut.size());
        for (std::int32_t k = first; k < rangeBegin[i + 1]; ++k) {
            const SectionRange range{sectionOf(ranges[at(k)].begin), sectionOf(ranges[at(k)].end)};
            if (range.begin < range.end) cut.push_back(range);
        }
    }
    rangeBegin.back() = static_cast<std::int32_t>(cut.size());
    ranges = std::move(cut);
}

std::optional<Instance> Instance::make(const Problem& problem, PoolId pool, std::span<const BufferId> members)
{
    Instance made;
    made.plain = problem.axis != Axis::dag;
    Bytes unit = 0;
    std::vector<std::int32_t> firstSlot(problem.buffers.size(), none);
    std::vector<Step> steps;
    for (const BufferId id : members) {
        const Buffer& buffer = problem.buffers[at(id)];
        if (buffer.size == 0) continue;
        const auto slots = static_cast<std::size_t>(slotsNeeded(buffer));
        if (slots > maxEntries) return std::nullopt;
        firstSlot[at(id)] = static_cast<std::int32_t>(made.buffers.size());
        made.buffers.insert(made.buffers.end(), slots, id);
        if (made.buffers.size() > maxEntries) return std::nullopt;
        unit = std::gcd(unit, buffer.size);
        if (const Bytes alignment = problem.effectiveAlignment(buffer, pool); alignment > 1) unit = std::gcd(unit, alignment);
        if (buffer.pin) unit = std::gcd(unit, *buffer.pin);
        forEachStretch(buffer, [&](const Interval& it) { steps.insert(steps.end(), {it.begin, it.end}); });
    }
    if (made.buffers.size() < 2) return std::nullopt;
    made.unit = std::max<Bytes>(unit, 1);
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    const auto rank = [&](Step step) {
        return static_cast<std::int32_t>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin());
    };

    Bytes sum = 0;
    for (std::size_t i = 0; i < made.buffers.size(); ++i) {
        const Buffer& buffer = problem.buffers[at(made.buffers[i])];
        const bool first = i == 0 || made.buffers[i - 1] != made.buffers[i];
        const Bytes size = buffer.size / made.unit;
        const Bytes alignment = std::max<Bytes>(problem.effectiveAlignment(buffer, pool) / made.unit, 1);
        const Bytes pin = buffer.pin && first ? *buffer.pin / made.unit : -1;
        // If all buffers are at their lowest feasible offsets, no offset exceeds this sum.
        if (size > largestSum || alignment > largestSum || pin > largestSum) return std::nullopt;
        if ((sum += size + alignment + std::max<Bytes>(pin, 0)) > largestSum) return std::nullopt;
        made.sizes.push_back(static_cast<std::int32_t>(size));
        made.loads.push_back(made.sizes.back());
        made.sharing |= !buffer.mayShare.empty();
        made.alignments.push_back(static_cast<std::int32_t>(alignment));
        made.pins.push_back(static_cast<std::int32_t>(pin));
        forEachStretch(buffer, [&](const Interval& it) { made.ranges.push_back({rank(it.begin), rank(it.end)}); });
        std::sort(made.ranges.begin() + made.rangeBegin.back(), made.ranges.end(),
                  [](const SectionRange& a, const SectionRange& b) { return a.begin < b.begin; });
        made.rangeBegin.push_back(static_cast<std::int32_t>(made.ranges.size()));
        made.plain &= buffer.isPlain() && buffer.conflicts.empty() && buffer.mayShare.empty() && !buffer.unique;
    }
    made.cutSections();
    if (made.sharing) countSharedOnce(problem, made.buffers, made.loads);

    const BufferTable table(problem);
    const auto graph = ConflictGraph::make(table, maxPairs);
    if (!graph) return std::nullopt;
    for (std::size_t i = 0; i < made.buffers.size(); ++i) {
        const BufferId id = made.buffers[i];
        const auto add = [&](BufferId other) {
            const std::int32_t first = firstSlot[at(other)];
            if (first == none) return;
            for (std::int32_t k = first; at(k) < made.buffers.size() && made.buffers[at(k)] == other; ++k)
                if (k != static_cast<std::int32_t>(i)) made.neighbours.push_back(k);
        };
        add(id); // the other slots of the buffer
        for (const BufferId other : graph->neighbours(id)) add(other);
        if (made.neighbours.size() > maxPairs) return std::nullopt;
        made.neighbourBegin.push_back(static_cast<std::int64_t>(made.neighbours.size()));
    }
    return made;
}

Instance Instance::part(std::span<const std::int32_t> members, std::vector<std::int32_t>& indexOf) const
{
    Instance made;
    made.unit = unit;
    made.plain = plain;
    made.sharing = sharing;
    for (std::size_t k = 0; k < members.size(); ++k) indexOf[at(members[k])] = static_cast<std::int32_t>(k);
    for (const std::int32_t member : members) {
        made.sizes.push_back(sizes[at(member)]);
        made.loads.push_back(loads[at(member)]);
        made.alignments.push_back(alignments[at(member)]);
        made.pins.push_back(pins[at(member)]);
        for (const SectionRange& range : rangesOf(member)) made.ranges.push_back(range);
        made.rangeBegin.push_back(static_cast<std::int32_t>(made.ranges.size()));
        for (const std::int32_t other : neighboursOf(member))
            if (indexOf[at(other)] >= 0) made.neighbours.push_back(indexOf[at(other)]);
        made.neighbourBegin.push_back(static_cast<std::int64_t>(made.neighbours.size()));
    }
    for (const std::int32_t member : members) indexOf[at(member)] = -1;
    made.cutSections();
    return made;
}

} // namespace stowage::improve
