#include "core/planners/hivm/entries.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"
#include "core/ir/random.h"

#include <algorithm>
#include <numeric>

namespace stowage::hivm {

namespace {

enum class Class : std::uint8_t { unique, dma, other, scalar };

/// The first member that has any mark decides, and its marks are asked in this order.
Class classOf(const Buffer& buffer)
{
    const auto of = [](const auto& marked) {
        return marked.unique ? Class::unique : marked.dma ? Class::dma : marked.scalar ? Class::scalar : Class::other;
    };
    if (buffer.members.empty()) return of(buffer);
    for (const BufferMember& member : buffer.members)
        if (const Class its = of(member); its != Class::other) return its;
    return Class::other;
}

/// Of the member that gave the place, not rounded up.
Bytes sizeForOrder(const Buffer& buffer)
{
    return buffer.members.empty() ? buffer.size : buffer.members.back().bytes;
}

bool lists(std::span<const BufferId> ids, BufferId id)
{
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

} // namespace

TouchedBy TouchedBy::of(const Buffer& buffer)
{
    TouchedBy all;
    const auto add = [&](bool byDma, bool byScalar) {
        all.scalar |= byScalar;
        all.dma |= byDma && !byScalar;
        all.other |= !byDma && !byScalar;
    };
    if (buffer.members.empty()) add(buffer.dma, buffer.scalar);
    for (const BufferMember& member : buffer.members) add(member.dma, member.scalar);
    return all;
}

bool anyUnique(const Buffer& buffer)
{
    // Which tightly coupled ones share with which has been settled by the lowering, in conflicts.
    if (buffer.coupled != none) return buffer.unique;
    return buffer.unique ||
           std::any_of(buffer.members.begin(), buffer.members.end(), [](const BufferMember& member) { return member.unique; });
}

bool isWorkspace(const Pool& pool)
{
    return !pool.capacity && pool.core == CoreMemory::outside;
}

std::vector<Entry> entriesOf(const Problem& problem, std::span<const BufferId> buffers, PoolId pool, Zeros zeros)
{
    std::vector<Entry> entries;
    for (const BufferId b : buffers) {
        const Buffer& buffer = problem.buffers[at(b)];
        if (buffer.size == 0 && zeros == Zeros::leftOut) continue;
        Entry entry;
        entry.buffer = b;
        entry.alignment = checkedLcm(buffer.alignment, problem.pools[at(pool)].alignment).value_or(maxBytes);
        entry.size = alignUp(buffer.size, entry.alignment);
        if (problem.axis != Axis::dag) entry.live = occupiedSteps(buffer);
        entries.push_back(std::move(entry));
    }
    const std::size_t firsts = entries.size();
    for (std::size_t i = 0; i < firsts; ++i)
        for (std::int32_t slot = 1; slot < problem.buffers[at(entries[i].buffer)].slots; ++slot) {
            entries[i].others.push_back(static_cast<std::int32_t>(entries.size()));
            Entry entry = entries[i];
            entry.slot = slot;
            entry.others.clear();
            entries.push_back(std::move(entry));
        }
    return entries;
}

std::vector<Entry> ordered(const Problem& problem, std::vector<Entry> entries, const OrderOptions& options)
{
    struct Key {
        int group = 0;
        Bytes size = 0; ///< negative: larger ones first
        std::uint64_t draw = 0;
        std::size_t place = 0;
        auto operator<=>(const Key&) const = default;
    };
    Dice dice(options.shuffle);
    std::vector<Key> keys(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Buffer& buffer = problem.buffers[at(entries[i].buffer)];
        const Class its = classOf(buffer);
        keys[i] = {options.byClass ? static_cast<int>(its) : 0,
                   options.largestFirst && its != Class::unique ? -sizeForOrder(buffer) : 0, options.shuffle == 0 ? 0 : dice(),
                   i};
    }
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });

    std::vector<std::size_t> final;
    final.reserve(order.size());
    for (const std::size_t i : order) {
        if (options.byClass && entries[i].slot > 0) continue; // comes with its first
        final.push_back(i);
        if (options.byClass)
            for (const std::int32_t other : entries[i].others) final.push_back(at(other));
    }
    std::vector<std::int32_t> now(entries.size());
    for (std::size_t i = 0; i < final.size(); ++i) now[final[i]] = static_cast<std::int32_t>(i);
    std::vector<Entry> result;
    result.reserve(entries.size());
    for (const std::size_t i : final) {
        result.push_back(std::move(entries[i]));
        for (std::int32_t& other : result.back().others) other = now[at(other)];
    }
    return result;
}

bool namedToShare(const Problem& problem, BufferId a, BufferId b)
{
    return lists(problem.buffers[at(a)].mayShare, b) || lists(problem.buffers[at(b)].mayShare, a);
}

} // namespace stowage::hivm
