#include "core/planners/order.h"

#include "core/planners/range_max.h"

#include <algorithm>
#include <array>
#include <limits>

namespace stowage {

namespace {

/// A buffer with what it is sorted by, the largest first, the first key first. Ties are broken by index.
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

/// Bytes live at each rank. Modulo 2^64: what a hostile file makes of it only changes an order.
std::vector<std::uint64_t> liveBytes(const BufferTable& table)
{
    std::vector<std::uint64_t> live(static_cast<std::size_t>(table.grid().size()) + 1);
    for (BufferId b = 0; b < table.size(); ++b) {
        const Item& item = table.item(b);
        table.forEachPart(item, [&](const Part& part) {
            const std::uint64_t bytes =
                static_cast<std::uint64_t>(part.high - part.low) * static_cast<std::uint64_t>(item.copies);
            live[static_cast<std::size_t>(part.ranks.begin)] += bytes;
            live[static_cast<std::size_t>(part.ranks.end)] -= bytes;
        });
    }
    std::uint64_t sum = 0;
    for (std::uint64_t& l : live) l = sum += l;
    return live;
}

} // namespace

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

std::vector<BufferId> byDurationThenSize(const BufferTable& table)
{
    return descending<2>(table, [&](BufferId b) {
        return std::array<Bytes, 2>{table.buffer(b).hull().length(), table.item(b).size};
    });
}

std::vector<BufferId> byBreadth(const BufferTable& table)
{
    const RangeMax fullest(liveBytes(table));
    return descending<3>(table, [&](BufferId b) {
        const Item& item = table.item(b);
        std::uint64_t breadth = 0;
        std::size_t at = 0;
        if (item.timeless) {
            at = std::numeric_limits<std::int32_t>::max();
            breadth = static_cast<std::uint64_t>(item.size);
            for (const BufferId other : table.buffer(b).conflicts) breadth += static_cast<std::uint64_t>(table.item(other).size);
        }
        table.forEachPart(item, [&](const Part& part) {
            const std::size_t step =
                fullest(static_cast<std::size_t>(part.ranks.begin), static_cast<std::size_t>(part.ranks.end));
            if (fullest.value(step) > breadth || (fullest.value(step) == breadth && step < at)) {
                breadth = fullest.value(step);
                at = step;
            }
        });
        return std::array<Bytes, 3>{static_cast<Bytes>(breadth), -static_cast<Bytes>(at), item.size};
    });
}

} // namespace stowage
