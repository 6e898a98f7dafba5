#include "core/planners/placement/order.h"

#include "core/ir/checked.h"
#include "core/planners/common/conflict_graph.h"
#include "core/planners/common/range_max.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace stowage {

namespace {

/// A buffer and its keys: sorted by the first key, then by the next, all descending. Ties are broken by id.
template <std::size_t n>
struct Keyed {
    std::array<Bytes, n> keys;
    BufferId buffer;
};

template <std::size_t n, typename Keys>
std::vector<BufferId> descending(const BufferTable& table, Keys keysOf, Ties ties = Ties::earlierFirst)
{
    std::vector<Keyed<n>> all(static_cast<std::size_t>(table.size()));
    for (BufferId b = 0; b < table.size(); ++b) all[static_cast<std::size_t>(b)] = {keysOf(b), b};
    std::sort(all.begin(), all.end(), [ties](const Keyed<n>& a, const Keyed<n>& b) {
        for (std::size_t k = 0; k < n; ++k)
            if (a.keys[k] != b.keys[k]) return a.keys[k] > b.keys[k];
        return ties == Ties::earlierFirst ? a.buffer < b.buffer : a.buffer > b.buffer;
    });
    std::vector<BufferId> order(all.size());
    std::transform(all.begin(), all.end(), order.begin(), [](const Keyed<n>& k) { return k.buffer; });
    return order;
}

/// Sorted by keys, on a tie by name, descending.
template <typename Keys>
std::vector<BufferId> descendingByName(const BufferTable& table, Keys keysOf)
{
    std::vector<Keyed<2>> all(static_cast<std::size_t>(table.size()));
    for (BufferId b = 0; b < table.size(); ++b) all[static_cast<std::size_t>(b)] = {keysOf(b), b};
    std::sort(all.begin(), all.end(), [&](const Keyed<2>& a, const Keyed<2>& b) {
        if (a.keys != b.keys) return a.keys > b.keys;
        const int names = table.buffer(a.buffer).name.compare(table.buffer(b.buffer).name);
        return names != 0 ? names > 0 : a.buffer < b.buffer;
    });
    std::vector<BufferId> order(all.size());
    std::transform(all.begin(), all.end(), order.begin(), [](const Keyed<2>& k) { return k.buffer; });
    return order;
}

/// The maximum of the bytes live during the live ranges of a buffer, and the first rank with it.
std::pair<std::uint64_t, std::int32_t> fullestStep(const BufferTable& table, const RangeMax& live, BufferId b)
{
    const Item& item = table.item(b);
    std::pair<std::uint64_t, std::int32_t> best{0, 0};
    if (item.timeless) {
        best = {static_cast<std::uint64_t>(item.size), std::numeric_limits<std::int32_t>::max()};
        for (const BufferId other : table.buffer(b).conflicts) best.first += static_cast<std::uint64_t>(table.item(other).size);
    }
    table.forEachStretch(item, [&](const RankStretch& stretch) {
        const std::size_t step = live(static_cast<std::size_t>(stretch.ranks.begin), static_cast<std::size_t>(stretch.ranks.end));
        const auto rank = static_cast<std::int32_t>(step);
        if (live.value(step) > best.first || (live.value(step) == best.first && rank < best.second))
            best = {live.value(step), rank};
    });
    return best;
}

} // namespace

std::vector<std::uint64_t> liveBytes(const BufferTable& table)
{
    std::vector<std::uint64_t> live(static_cast<std::size_t>(table.grid().size()) + 1);
    for (BufferId b = 0; b < table.size(); ++b) {
        const Item& item = table.item(b);
        table.forEachStretch(item, [&](const RankStretch& stretch) {
            const std::uint64_t bytes =
                static_cast<std::uint64_t>(stretch.high - stretch.low) * static_cast<std::uint64_t>(item.slots);
            live[static_cast<std::size_t>(stretch.ranks.begin)] += bytes;
            live[static_cast<std::size_t>(stretch.ranks.end)] -= bytes;
        });
    }
    std::uint64_t sum = 0;
    for (std::uint64_t& l : live) l = sum += l;
    return live;
}

std::vector<BufferId> bySizeThenConflicts(const BufferTable& table)
{
    const std::vector<std::int32_t> conflicts = conflictCounts(table);
    return descendingByName(table, [&](BufferId b) {
        return std::array<Bytes, 2>{table.item(b).size, conflicts[static_cast<std::size_t>(b)]};
    });
}

std::vector<BufferId> byConflictsThenSize(const BufferTable& table)
{
    const std::vector<std::int32_t> conflicts = conflictCounts(table);
    return descendingByName(table, [&](BufferId b) {
        return std::array<Bytes, 2>{conflicts[static_cast<std::size_t>(b)], table.item(b).size};
    });
}

std::vector<BufferId> byUrgency(const BufferTable& table)
{
    const RangeMax live(liveBytes(table));
    return descending<4>(table, [&](BufferId b) {
        const Interval hull = table.buffer(b).hull();
        return std::array<Bytes, 4>{static_cast<Bytes>(fullestStep(table, live, b).first), hull.length(), -hull.begin,
                                    table.item(b).size};
    });
}

std::vector<BufferId> bySize(const BufferTable& table, Ties ties)
{
    return descending<1>(
        table, [&](BufferId b) { return std::array{table.item(b).size}; }, ties);
}

std::vector<BufferId> bySizeThenDuration(const BufferTable& table)
{
    return descending<2>(table, [&](BufferId b) {
        return std::array<Bytes, 2>{table.item(b).size, table.buffer(b).hull().length()};
    });
}

std::vector<BufferId> byAlignment(const BufferTable& table)
{
    return descending<3>(table, [&](BufferId b) -> std::array<Bytes, 3> {
        const Bytes size = table.item(b).size;
        const Bytes alignment = table.candidates(b).empty() ? 1 : table.alignmentIn(b, table.candidates(b).front());
        return {alignment, -(alignUp(size, alignment) - size), size};
    });
}

std::vector<BufferId> byDurationThenSize(const BufferTable& table)
{
    return descending<2>(table, [&](BufferId b) {
        return std::array<Bytes, 2>{table.buffer(b).hull().length(), table.item(b).size};
    });
}

std::vector<BufferId> byBreadth(const BufferTable& table)
{
    const RangeMax live(liveBytes(table));
    return descending<3>(table, [&](BufferId b) {
        const auto [breadth, step] = fullestStep(table, live, b);
        return std::array<Bytes, 3>{static_cast<Bytes>(breadth), -static_cast<Bytes>(step), table.item(b).size};
    });
}

} // namespace stowage
