#include "tests/core/random_problem.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <stdexcept>

namespace stowage::test {

namespace {

void addRanges(Generator& random, const Kind& kind, Buffer& buffer)
{
    const auto stretch = [&](Step from) {
        return Interval{from, std::min(kind.horizon, from + 1 + random.below(kind.horizon / 2))};
    };
    buffer.live.push_back(stretch(random.below(kind.horizon)));
    while (kind.gaps && !random.chance(3)) {
        const Step from = buffer.live.back().end + 1 + random.below(3);
        if (from >= kind.horizon) break;
        const Interval gap{buffer.live.back().end, from};
        buffer.live.push_back(stretch(from));
        if (!kind.windows || buffer.size < 2 || random.chance(3)) continue;
        const Step begin = gap.begin + random.below(gap.length());
        const Bytes low = random.below(buffer.size);
        buffer.windows.push_back(
            {{begin, begin + 1 + random.below(gap.end - begin)}, low, low + 1 + random.below(buffer.size - low)});
    }
}

/// A range inside `within`, which is not empty.
Interval part(Generator& random, const Interval& within)
{
    const Step begin = within.begin + random.below(within.length());
    return {begin, begin + 1 + random.below(within.end - begin)};
}

/// Adds values that are in use in a single iteration of a loop (`Kind::once`): carried values of loops inside the buffer's own
/// loop, early ranges of loops beside it.
void addOnce(Generator& random, const Problem& problem, Buffer& buffer)
{
    for (LoopId id = 0; id < static_cast<LoopId>(problem.loops.size()); ++id) {
        const Interval& loop = problem.loops[static_cast<std::size_t>(id)].live;
        const LoopIteration when{id, static_cast<std::int32_t>(random.below(3))};
        if (id != buffer.loop && isInside(problem, id, buffer.loop)) {
            const auto distance = static_cast<std::int32_t>(1 + random.below(2));
            if (random.chance(2)) buffer.carried.push_back({distance, part(random, loop), none, when});
        } else if (!isInside(problem, buffer.loop, id)) {
            for (const Interval& live : buffer.live) {
                const Interval after{std::max(live.begin, loop.end), live.end};
                const Interval within = random.chance(2) ? live.common(loop) : after;
                if (!within.empty() && random.chance(2)) buffer.early.push_back({part(random, within), when});
            }
        }
    }
}

} // namespace

Kind kindOf(unsigned bits)
{
    const auto bit = [&](unsigned i) { return (bits >> i & 1) != 0; };
    Kind kind;
    kind.gaps = bit(0);
    kind.windows = bit(0) && bit(1);
    kind.slots = bit(2);
    kind.rotation = bit(3);
    kind.nested = bit(3) && bit(11);
    kind.once = kind.nested && bit(12);
    kind.explicitConflicts = bit(4);
    kind.sharing = bit(5);
    kind.unique = bit(6);
    kind.pools = bit(7);
    kind.alignment = bit(8);
    kind.pins = bit(9);
    kind.dag = bit(10) && !kind.rotation;
    return kind;
}

bool rotatingPinsCollide(const Problem& problem, const Verdict& verdict)
{
    const auto pinned = [&](BufferId id) { return problem.buffers[at(id)].pin.has_value(); };
    return !problem.loops.empty() && std::ranges::any_of(verdict.violations, [&](const Violation& v) {
        return v.kind == ViolationKind::overlap && v.first != v.second && pinned(v.first) && pinned(v.second);
    });
}

Problem Generator::problem(const Kind& kind)
{
    Problem problem;
    problem.name = "random";
    problem.axis = kind.dag ? Axis::dag : Axis::ops;
    problem.pools.push_back({.name = "p"});
    if (kind.pools) problem.pools.push_back({.name = "q", .capacity = 4 + below(16)});
    if (kind.alignment)
        for (Pool& pool : problem.pools) pool.alignment = 1 + below(3);
    if (kind.rotation || kind.nested) {
        const Step begin = below(3);
        problem.loops.push_back(
            {.name = "outer", .live = {begin, begin + 4 + below(std::max<Step>(1, kind.horizon - begin - 4))}});
        if (kind.nested) {
            const Interval outer = problem.loops[0].live;
            const Step from = outer.begin + below(2);
            problem.loops.push_back({.name = "inner", .parent = 0, .live = {from, from + 1 + below(outer.end - from)}});
        }
        for (Loop& loop : problem.loops)
            if (chance(2)) loop.tripCount = below(4);
    }
    for (int b = 0; b < kind.buffers; ++b) {
        Buffer buffer;
        buffer.name = "b" + std::to_string(b);
        buffer.size = chance(12) ? 0 : 1 + below(kind.largest);
        if (kind.alignment) buffer.alignment = Bytes{1} << below(3);
        if (!kind.explicitConflicts || !chance(4)) addRanges(*this, kind, buffer);
        if (!problem.loops.empty() && !chance(3)) {
            buffer.loop = static_cast<LoopId>(below(static_cast<std::int64_t>(problem.loops.size())));
            const Interval& loop = problem.loops[static_cast<std::size_t>(buffer.loop)].live;
            while (kind.rotation && chance(2)) {
                const Step from = loop.begin + below(loop.length());
                buffer.carried.push_back({static_cast<std::int32_t>(1 + below(2)), {from, from + 1 + below(loop.end - from)}});
            }
        }
        if (kind.once) addOnce(*this, problem, buffer);
        if (kind.slots && chance(3)) buffer.slots = static_cast<std::int32_t>(2 + below(2));
        if (kind.unique && chance(6)) buffer.unique = true;
        for (BufferId other = 0; other < kind.buffers; ++other) {
            if (other == b) continue;
            if (kind.explicitConflicts && chance(4))
                buffer.conflicts.push_back(other);
            else if (kind.sharing && chance(6))
                buffer.mayShare.push_back(other);
        }
        if (kind.pools) {
            const std::vector<PoolId> choices[] = {{}, {0}, {1}, {1, 0}};
            buffer.pools = choices[below(4)];
        }
        if (kind.pins && chance(4)) buffer.pin = below(4) * 12; // 12: a multiple of all alignments here
        problem.buffers.push_back(std::move(buffer));
    }
    for (const Diagnostic& d : checkAndRepair(problem))
        if (d.severity == Severity::error) throw std::logic_error("the generator made a bad problem: " + d.message);
    return problem;
}

Plan Generator::plan(const Problem& problem, Bytes span)
{
    Plan plan;
    plan.planner = "random";
    for (const Buffer& buffer : problem.buffers) {
        Placement placement;
        const std::vector<PoolId> candidates = problem.candidates(buffer);
        placement.pool = candidates[static_cast<std::size_t>(below(static_cast<std::int64_t>(candidates.size())))];
        const Bytes alignment = problem.effectiveAlignment(buffer, placement.pool);
        const auto offset = [&] { return alignUp(below(span), alignment); };
        placement.offset = buffer.pin && !chance(6) ? *buffer.pin : offset();
        if (buffer.slots > 1) placement.rotations = {{.loop = buffer.loop, .period = buffer.slots}};
        for (LoopId loop = buffer.loop; buffer.slots == 1 && loop != none;
             loop = problem.loops[static_cast<std::size_t>(loop)].parent)
            if (!chance(3))
                placement.rotations.insert(
                    placement.rotations.begin(),
                    {.loop = loop, .period = static_cast<std::int32_t>(1 + below(3)), .hasFirst = chance(3)});
        std::size_t count = 1;
        for (const Rotation& rotation : placement.rotations) count *= static_cast<std::size_t>(rotation.extent());
        if (placement.rotating()) placement.offsets.push_back(placement.offset);
        while (placement.rotating() && placement.offsets.size() < count) placement.offsets.push_back(offset());
        plan.placements.push_back(std::move(placement));
    }
    return plan;
}

} // namespace stowage::test
