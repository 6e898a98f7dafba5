// Random problems and their brute force, for tst_exact_general.cpp, which alone includes this.
#pragma once

#include "core/plan/objective.h"
#include "core/plan/report.h"
#include "core/planners/exact/exact.h"
#include "core/planners/exact/joint.h"
#include "core/planners/exact/pair_search.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/greedy/greedy_by_size.h"

#include <QtTest/QTest>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

using namespace stowage;

namespace {

struct Kind {
    const char* name;
    bool windows = false, share = false, alignment = false, pins = false, conflicts = false, slots = false, unique = false,
         pools = false;
};
constexpr Kind kinds[] = {
    {.name = "windows", .windows = true},
    {.name = "share", .share = true},
    {.name = "windows, alignment", .windows = true, .alignment = true},
    {.name = "windows, pins", .windows = true, .pins = true},
    {.name = "windows, conflicts", .windows = true, .conflicts = true},
    {.name = "share, conflicts, alignment", .share = true, .alignment = true, .conflicts = true},
    {.name = "share, slots, pins", .share = true, .pins = true, .slots = true},
    {.name = "windows, share, alignment, pins, conflicts, slots, unique",
     .windows = true,
     .share = true,
     .alignment = true,
     .pins = true,
     .conflicts = true,
     .slots = true,
     .unique = true},
};
constexpr Kind poolKinds[] = {
    {.name = "pools", .pools = true},
    {.name = "pools, alignment", .alignment = true, .pools = true},
    {.name = "pools, windows", .windows = true, .pools = true},
    {.name = "pools, share, conflicts", .share = true, .conflicts = true, .pools = true},
    {.name = "pools, pins, slots", .pins = true, .slots = true, .pools = true},
    {.name = "pools, everything",
     .windows = true,
     .share = true,
     .alignment = true,
     .pins = true,
     .conflicts = true,
     .slots = true,
     .unique = true,
     .pools = true},
};

constexpr Step horizon = 10;

Problem randomProblem(std::mt19937& random, const Kind& kind, int most)
{
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Problem problem;
    problem.pools.emplace_back().name = "p";
    if (kind.pools) {
        problem.pools.emplace_back().name = "q";
        for (Pool& pool : problem.pools)
            if (below(2)) pool.capacity = 2 + below(8);
        if (below(3) == 0) problem.pools.emplace_back().name = "r";
        if (kind.alignment && !kind.pins) problem.pools[1].alignment = 2;
    }
    problem.loops.push_back({"l", none, {0, horizon}, 4});
    const int count = 2 + below(most - 1);
    for (int i = 0; i < count; ++i) {
        Buffer buffer;
        buffer.name = std::to_string(i);
        buffer.size = 1 + below(5);
        const Step begin = below(4);
        buffer.live = {{begin, begin + 1 + below(3)}};
        if (below(2) || kind.windows) {
            const Step gap = buffer.live[0].end, second = gap + 1 + below(2);
            buffer.live.push_back({second, second + 1 + below(2)});
            if (kind.windows && buffer.size > 1 && below(4) > 0) {
                const Bytes low = below(static_cast<int>(buffer.size));
                buffer.windows.push_back({{gap, second}, low, low + 1 + below(static_cast<int>(buffer.size - low))});
            }
        }
        if (kind.alignment) buffer.alignment = Bytes{1} << below(3);
        if (kind.pins && below(4) == 0) buffer.pin = below(4) * buffer.alignment;
        if (kind.slots && below(4) == 0) {
            buffer.slots = 2;
            buffer.loop = 0;
        }
        buffer.unique = kind.unique && below(6) == 0;
        if (kind.pools && below(3) == 0) buffer.pools.push_back(below(static_cast<int>(problem.pools.size())));
        problem.buffers.push_back(buffer);
    }
    const auto connect = [&](RareList<BufferId> Buffer::*list) {
        const int a = below(count), b = below(count);
        if (a == b) return;
        (problem.buffers[static_cast<std::size_t>(a)].*list).push_back(b);
        (problem.buffers[static_cast<std::size_t>(b)].*list).push_back(a);
    };
    for (int pairs = kind.conflicts ? below(4) : 0; pairs > 0; --pairs) connect(&Buffer::conflicts);
    for (int pairs = kind.share ? 1 + below(3) : 0; pairs > 0; --pairs) connect(&Buffer::mayShare);
    for (const Diagnostic& diagnostic : checkAndRepair(problem))
        if (diagnostic.severity == Severity::error) problem.buffers.clear(); // misaligned for its pool: not a problem
    return problem;
}

/// One slot at one offset: for each step the bytes that it occupies, and all its bytes for explicit conflicts.
struct Held {
    std::array<std::uint64_t, horizon> bytes{};
    std::uint64_t all = 0;
    std::size_t buffer = 0;
};

Held hold(const Buffer& buffer, std::size_t id, Bytes offset)
{
    Held held;
    held.buffer = id;
    const auto bits = [&](Bytes low, Bytes high) { return ((std::uint64_t{1} << (high - low)) - 1) << (offset + low); };
    held.all = bits(0, buffer.size);
    for (const Interval& live : buffer.live)
        for (Step s = live.begin; s < live.end; ++s) held.bytes[static_cast<std::size_t>(s)] = held.all;
    for (const Window& window : buffer.windows)
        for (Step s = window.live.begin; s < window.live.end; ++s)
            held.bytes[static_cast<std::size_t>(s)] = bits(window.low, window.high);
    return held;
}

bool collide(const Problem& problem, const Held& a, const Held& b)
{
    const Buffer &x = problem.buffers[a.buffer], &y = problem.buffers[b.buffer];
    const auto lists = [](std::span<const BufferId> ids, std::size_t id) {
        return std::count(ids.begin(), ids.end(), static_cast<BufferId>(id)) > 0;
    };
    if (a.buffer == b.buffer) return (a.all & b.all) != 0;
    if (lists(x.mayShare, b.buffer)) return false;
    if (x.unique || y.unique || lists(x.conflicts, b.buffer)) return (a.all & b.all) != 0;
    for (std::size_t s = 0; s < horizon; ++s)
        if (a.bytes[s] & b.bytes[s]) return true;
    return false;
}

struct Slot {
    BufferId buffer;
    bool pinned; ///< the first slot of a pinned buffer
};

bool place(const Problem& problem, PoolId pool, const std::vector<Slot>& slots, Bytes capacity, std::vector<Held>& held)
{
    if (held.size() == slots.size()) return true;
    const Slot& slot = slots[held.size()];
    const auto id = static_cast<std::size_t>(slot.buffer);
    const Buffer& buffer = problem.buffers[id];
    const Bytes alignment = problem.effectiveAlignment(buffer, pool);
    for (Bytes offset = 0; offset + buffer.size <= capacity; offset += alignment) {
        if (slot.pinned && offset != *buffer.pin) continue;
        const Held next = hold(buffer, id, offset);
        if (std::any_of(held.begin(), held.end(), [&](const Held& other) { return collide(problem, next, other); })) continue;
        held.push_back(next);
        if (place(problem, pool, slots, capacity, held)) return true;
        held.pop_back();
    }
    return false;
}

bool fits(const Problem& problem, PoolId pool, const std::vector<BufferId>& members, Bytes capacity, bool pinsOnly = false)
{
    std::vector<Slot> slots; // pinned ones first
    for (const bool pinned : {true, false})
        for (const BufferId id : members) {
            const Buffer& buffer = problem.buffers[static_cast<std::size_t>(id)];
            const int free = buffer.slots - (buffer.pin ? 1 : 0);
            slots.insert(slots.end(),
                         pinned     ? (buffer.pin ? 1U : 0U)
                         : pinsOnly ? 0U
                                    : static_cast<std::size_t>(free),
                         Slot{id, pinned});
        }
    std::vector<Held> held;
    return place(problem, pool, slots, capacity, held);
}

constexpr Bytes noneFits = 1000;

Bytes smallest(const Problem& problem, PoolId pool, const std::vector<BufferId>& members)
{
    if (!fits(problem, pool, members, 50, true)) return noneFits; // pins that collide
    for (Bytes capacity = 0; capacity <= 50; ++capacity)
        if (fits(problem, pool, members, capacity)) return capacity;
    return noneFits;
}

/// Excess over the capacities and total size of the best assignment.
std::pair<Bytes, Bytes> bestOf(const Problem& problem, std::size_t depth, std::vector<std::vector<BufferId>>& members)
{
    std::pair<Bytes, Bytes> best{noneFits * 10, noneFits * 10};
    if (depth == problem.buffers.size()) {
        best = {0, 0};
        for (PoolId pool = 0; pool < static_cast<PoolId>(members.size()); ++pool) {
            const Bytes size = smallest(problem, pool, members[static_cast<std::size_t>(pool)]);
            if (size == noneFits) return {noneFits * 10, noneFits * 10};
            if (const auto capacity = problem.pools[static_cast<std::size_t>(pool)].capacity)
                best.first += std::max<Bytes>(0, size - *capacity);
            best.second += size;
        }
        return best;
    }
    for (const PoolId pool : problem.candidates(problem.buffers[depth])) {
        members[static_cast<std::size_t>(pool)].push_back(static_cast<BufferId>(depth));
        best = std::min(best, bestOf(problem, depth + 1, members));
        members[static_cast<std::size_t>(pool)].pop_back();
    }
    return best;
}

} // namespace
