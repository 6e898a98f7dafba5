#include "core/ir/problem.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage {

namespace {

/// Two ascending lists of disjoint ranges have a step in common. O(a + b).
bool meet(const std::vector<Interval>& a, const std::vector<Interval>& b)
{
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i].overlaps(b[j])) return true;
        if (a[i].end <= b[j].end)
            ++i;
        else
            ++j;
    }
    return false;
}

template <typename Visit>
bool anyOccupied(const Buffer& buffer, Visit visit)
{
    return std::any_of(buffer.live.begin(), buffer.live.end(), visit) ||
           std::any_of(buffer.windows.begin(), buffer.windows.end(), [&](const Window& w) { return visit(w.live); }) ||
           std::any_of(buffer.carried.begin(), buffer.carried.end(), [&](const Carried& c) { return visit(c.live); });
}

/// The steps that are common to a live range of `buffer` and to `steps`, but for those in which it is live in early iterations
/// only.
bool liveInAll(const Buffer& buffer, const Interval& steps)
{
    for (const Interval& live : buffer.live) {
        Step from = std::max(live.begin, steps.begin);
        const Step end = std::min(live.end, steps.end);
        for (bool moved = true; moved && from < end;) {
            moved = false;
            for (const Early& e : buffer.early)
                if (e.live.contains(from)) from = e.live.end, moved = true;
        }
        if (from < end) return true;
    }
    return false;
}

bool isInside(const Problem& problem, LoopId loop, LoopId around)
{
    while (loop != none && loop != around) loop = problem.loops[static_cast<std::size_t>(loop)].parent;
    return loop == around;
}

/// `early` has early ranges: does `other` have anything in use in those turns, or in the rest of its time?
bool meetEarly(const Problem& problem, const Buffer& early, const Buffer& other)
{
    for (const Carried& carried : early.carried)
        if (anyOccupied(other, [&](const Interval& i) { return i.overlaps(carried.live); })) return true;
    // Behind its loop an early range counts where the loop has not run so often: nothing that the loop makes is there then.
    const auto meetsOwn = [&](const Interval& live) {
        return liveInAll(early, live) || std::any_of(early.early.begin(), early.early.end(), [&](const Early& e) {
                   const bool behind = e.live.begin >= problem.loops[static_cast<std::size_t>(e.turn.loop)].live.end;
                   return e.live.overlaps(live) &&
                          !(behind && e.turn.iteration == 0 && isInside(problem, other.loop, e.turn.loop));
               });
    };
    if (std::any_of(other.live.begin(), other.live.end(), meetsOwn)) return true;
    if (std::any_of(other.windows.begin(), other.windows.end(), [&](const Window& w) { return meetsOwn(w.live); })) return true;
    return std::any_of(other.carried.begin(), other.carried.end(), [&](const Carried& carried) {
        const LoopId loop = carried.loop == none ? other.loop : carried.loop;
        return liveInAll(early, carried.live) || std::any_of(early.early.begin(), early.early.end(), [&](const Early& e) {
                   return e.live.overlaps(carried.live) && (e.turn.loop != loop || e.turn.iteration >= carried.distance);
               });
    });
}

bool occupiedTogether(const Problem& problem, const Buffer& a, const Buffer& b)
{
    const auto plain = [](const Buffer& x) { return x.windows.empty() && x.carried.empty() && x.early.empty(); };
    if (plain(a) && plain(b)) return meet(a.live, b.live);
    if (!a.early.empty() && b.early.empty()) return meetEarly(problem, a, b);
    if (!b.early.empty() && a.early.empty()) return meetEarly(problem, b, a);
    return anyOccupied(a, [&](const Interval& i) { return anyOccupied(b, [&](const Interval& j) { return i.overlaps(j); }); });
}

} // namespace

std::vector<PoolId> Problem::candidates(const Buffer& buffer) const
{
    if (!buffer.pools.empty()) return buffer.pools;
    std::vector<PoolId> workspaces;
    for (std::size_t pool = 0; pool < pools.size(); ++pool)
        if (pools[pool].kind == PoolKind::workspace) workspaces.push_back(static_cast<PoolId>(pool));
    return workspaces;
}

Bytes Problem::effectiveAlignment(const Buffer& buffer, PoolId pool) const
{
    const Bytes of = buffer.alignment;
    const Bytes in = pools[static_cast<std::size_t>(pool)].alignment;
    if (of % in == 0) return of;
    return checkedLcm(of, in).value_or(maxBytes);
}

Step Problem::horizon() const
{
    Step end = 0;
    for (const Buffer& buffer : buffers) {
        end = std::max(end, buffer.hull().end);
        for (const Carried& carried : buffer.carried) end = std::max(end, carried.live.end);
    }
    return end;
}

bool conflict(const Problem& problem, BufferId a, BufferId b)
{
    if (a == b) return false;
    const Buffer& first = problem.buffers[static_cast<std::size_t>(a)];
    const Buffer& second = problem.buffers[static_cast<std::size_t>(b)];
    if (first.size == 0 || second.size == 0) return false;
    const auto lists = [](const std::vector<BufferId>& ids, BufferId id) {
        return std::binary_search(ids.begin(), ids.end(), id);
    };
    if (lists(first.mayShare, b) || lists(second.mayShare, a)) return false;
    if (first.unique || second.unique) return true;
    if (lists(first.conflicts, b) || lists(second.conflicts, a)) return true;
    return problem.axis != Axis::dag && occupiedTogether(problem, first, second);
}

} // namespace stowage
