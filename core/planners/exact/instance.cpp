#include "core/planners/exact/instance.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace stowage::exact {

namespace {

constexpr Bytes largestSum = Bytes{1} << 30;
// With 4 bytes for each entry, the lists of neighbours take at most 256 MiB.
constexpr std::int64_t maxNeighbours = std::int64_t{1} << 26;

/// An upper bound, close to exact, of the number of pairs of overlapping ranges, each counted twice. O(n log n).
std::int64_t countMeetings(const Problem& problem, const std::vector<BufferId>& buffers)
{
    std::vector<Step> starts, ends;
    for (const BufferId id : buffers)
        for (const Interval& live : problem.buffers[static_cast<std::size_t>(id)].live) {
            starts.push_back(live.begin);
            ends.push_back(live.end);
        }
    std::sort(starts.begin(), starts.end());
    std::sort(ends.begin(), ends.end());
    std::int64_t meetings = 0;
    std::size_t ended = 0;
    for (std::size_t k = 0; k < starts.size(); ++k) {
        while (ended < ends.size() && ends[ended] <= starts[k]) ++ended;
        meetings += 2 * static_cast<std::int64_t>(k - ended);
    }
    return meetings;
}

/// Why the search does not support a buffer; no value if it does.
std::optional<Error> refuse(const Problem& problem, BufferId id)
{
    const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
    const auto because = [&](std::string_view what) {
        return failure(Code::exactCannotTake, fmt::format("the exact search cannot take buffer '{}': {}", buffer.name, what), {},
                       "use another planner for this problem");
    };
    if (buffer.hasWindows()) return because("it is partly occupied in a hole of its live range (windows)");
    if (buffer.isCarried()) return because("its values outlive their iteration");
    return std::nullopt;
}

} // namespace

Expected<Instance> Instance::make(const Problem& problem, PoolId pool, std::span<const BufferId> members)
{
    Instance instance;
    Bytes unit = 0;
    for (const BufferId id : members) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        if (buffer.size == 0) continue;
        if (auto error = refuse(problem, id)) return *error;
        // The slots of a buffer are live together, so each becomes an entry of its own.
        for (std::int32_t slot = 0; slot < buffer.slots; ++slot) instance.buffers.push_back(id);
        unit = std::gcd(unit, buffer.size);
        if (const Bytes alignment = problem.effectiveAlignment(buffer, pool); alignment > 1) unit = std::gcd(unit, alignment);
        if (buffer.pin) unit = std::gcd(unit, *buffer.pin);
    }
    instance.unit = std::max<Bytes>(unit, 1);
    Bytes sum = 0;
    for (const BufferId id : instance.buffers) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        const Bytes alignment = std::max<Bytes>(problem.effectiveAlignment(buffer, pool) / instance.unit, 1);
        const bool firstSlot = instance.sizes.empty() || instance.buffers[instance.sizes.size() - 1] != id;
        // The end of a layout of all buffers end to end, with all offsets rounded up: no offset in the search is larger.
        sum += (buffer.size / instance.unit) + alignment + (buffer.pin && firstSlot ? *buffer.pin / instance.unit : 0);
        if (sum > largestSum || alignment > largestSum)
            return failure(Code::exactCannotTake, "the sizes need more than 30 bits even in units of their common divisor", {},
                           "use another planner for this problem");
        instance.sizes.push_back(static_cast<std::int32_t>(buffer.size / instance.unit));
        instance.alignments.push_back(static_cast<std::int32_t>(alignment));
        instance.pins.push_back(buffer.pin && firstSlot ? static_cast<std::int32_t>(*buffer.pin / instance.unit) : -1);
    }
    const auto uniques = std::count_if(instance.buffers.begin(), instance.buffers.end(),
                                       [&](BufferId id) { return problem.buffers[static_cast<std::size_t>(id)].unique; });
    if (countMeetings(problem, instance.buffers) + 2 * uniques * instance.count() > maxNeighbours)
        return failure(Code::exactCannotTake, "too many buffers are live together, or unique, for a complete search", {},
                       "use another planner for this problem");
    instance.makeLoads(problem);
    instance.makeSections(problem);
    instance.makeNeighbours(problem);
    return instance;
}

void Instance::makeLoads(const Problem& problem)
{
    loads = sizes;
    if (std::none_of(buffers.begin(), buffers.end(),
                     [&](BufferId id) { return !problem.buffers[static_cast<std::size_t>(id)].mayShare.empty(); }))
        return;
    std::vector<BufferId> group(problem.buffers.size()), largest(problem.buffers.size(), none);
    std::iota(group.begin(), group.end(), 0);
    const auto find = [&](BufferId id) {
        while (group[static_cast<std::size_t>(id)] != id)
            id = group[static_cast<std::size_t>(id)] = group[static_cast<std::size_t>(group[static_cast<std::size_t>(id)])];
        return static_cast<std::size_t>(id);
    };
    for (const BufferId id : buffers)
        for (const BufferId other : problem.buffers[static_cast<std::size_t>(id)].mayShare)
            group[find(id)] = static_cast<BufferId>(find(other));
    const auto sizeOf = [&](BufferId id) {
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
        return buffer.size * buffer.slots;
    };
    for (const BufferId id : buffers)
        if (BufferId& most = largest[find(id)]; most == none || sizeOf(id) > sizeOf(most)) most = id;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (largest[find(buffers[i])] != buffers[i]) loads[i] = 0;
}

void Instance::makeSections(const Problem& problem)
{
    std::vector<Step> starts, ends;
    for (const BufferId id : buffers)
        for (const Interval& live : problem.buffers[static_cast<std::size_t>(id)].live) {
            starts.push_back(live.begin);
            ends.push_back(live.end);
        }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    std::sort(ends.begin(), ends.end());
    // The set at a begin is contained in the set at the next begin unless a range ends in between.
    std::vector<Step> kept;
    for (std::size_t k = 0; k < starts.size(); ++k) {
        const auto end = std::upper_bound(ends.begin(), ends.end(), starts[k]);
        if (k + 1 == starts.size() || (end != ends.end() && *end <= starts[k + 1])) kept.push_back(starts[k]);
    }
    sections = static_cast<std::int32_t>(kept.size());
    steps = kept;
    rangeStart_.assign(1, 0);
    for (const BufferId id : buffers) {
        for (const Interval& live : problem.buffers[static_cast<std::size_t>(id)].live) {
            const auto begin = std::lower_bound(kept.begin(), kept.end(), live.begin) - kept.begin();
            const auto end = std::lower_bound(kept.begin(), kept.end(), live.end) - kept.begin();
            if (begin < end) ranges_.push_back({static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
        }
        rangeStart_.push_back(static_cast<std::int32_t>(ranges_.size()));
    }
}

void Instance::makeNeighbours(const Problem& problem)
{
    const auto n = static_cast<std::size_t>(count());
    // Two ranges meet in the first section of one of them, so that the other sections need not be read.
    std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(sections)), beginning(members.size());
    for (std::int32_t i = 0; i < count(); ++i)
        for (const SectionRange& range : ranges(i)) {
            beginning[static_cast<std::size_t>(range.begin)].push_back(i);
            for (std::int32_t s = range.begin; s < range.end; ++s) members[static_cast<std::size_t>(s)].push_back(i);
        }
    std::vector<std::int32_t> indexOf(problem.buffers.size(), none); // first slot
    for (std::size_t i = n; i-- > 0;) indexOf[static_cast<std::size_t>(buffers[i])] = static_cast<std::int32_t>(i);
    std::vector<std::int32_t> uniques;
    for (std::size_t i = 0; i < n; ++i)
        if (problem.buffers[static_cast<std::size_t>(buffers[i])].unique) uniques.push_back(static_cast<std::int32_t>(i));

    neighbourStart_.assign(1, 0);
    explicitStart_.assign(1, 0);
    std::vector<std::int32_t> seen(n, none), row;
    for (std::int32_t i = 0; i < count(); ++i) {
        seen[static_cast<std::size_t>(i)] = i;
        row.clear();
        const Buffer& buffer = problem.buffers[static_cast<std::size_t>(buffers[static_cast<std::size_t>(i)])];
        for (const BufferId id : buffer.mayShare)
            for (std::int32_t other = indexOf[static_cast<std::size_t>(id)];
                 other != none && other < count() && buffers[static_cast<std::size_t>(other)] == id; ++other)
                seen[static_cast<std::size_t>(other)] = i;
        const auto meet = [&](std::int32_t other) {
            if (seen[static_cast<std::size_t>(other)] == i) return false;
            seen[static_cast<std::size_t>(other)] = i;
            row.push_back(other);
            return true;
        };
        for (const SectionRange& range : ranges(i)) {
            for (const std::int32_t other : members[static_cast<std::size_t>(range.begin)]) meet(other);
            for (std::int32_t s = range.begin + 1; s < range.end; ++s)
                for (const std::int32_t other : beginning[static_cast<std::size_t>(s)]) meet(other);
        }
        const auto meetExplicitly = [&](std::int32_t other) {
            if (meet(other)) explicit_.push_back(other);
        };
        for (const BufferId id : buffer.conflicts) {
            const std::int32_t first = indexOf[static_cast<std::size_t>(id)];
            for (std::int32_t other = first; other != none && other < count() && buffers[static_cast<std::size_t>(other)] == id;
                 ++other)
                meetExplicitly(other);
        }
        // Slots of one buffer conflict even without a common section (if the buffer has no live range).
        for (std::int32_t other = indexOf[static_cast<std::size_t>(buffers[static_cast<std::size_t>(i)])];
             other < count() && buffers[static_cast<std::size_t>(other)] == buffers[static_cast<std::size_t>(i)]; ++other)
            meetExplicitly(other);
        if (buffer.unique)
            for (std::int32_t other = 0; other < count(); ++other) meetExplicitly(other);
        else
            for (const std::int32_t other : uniques) meetExplicitly(other);
        std::sort(row.begin(), row.end());
        neighbours_.insert(neighbours_.end(), row.begin(), row.end());
        neighbourStart_.push_back(static_cast<std::int32_t>(neighbours_.size()));
        explicitStart_.push_back(static_cast<std::int32_t>(explicit_.size()));
    }
}

} // namespace stowage::exact
