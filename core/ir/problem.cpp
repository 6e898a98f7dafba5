#include "core/ir/problem.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"

#include <algorithm>

namespace stowage {

namespace {

/// True if two ascending lists of disjoint ranges have a common step. O(a + b).
bool meet(std::span<const Interval> a, std::span<const Interval> b)
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

/// True if `buffer` is live, in every iteration, at one of `steps`.
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

/// True if `other` is occupied together with `early`, a buffer with early ranges: in the iterations of these ranges, or at its
/// other live steps.
bool meetEarly(const Problem& problem, const Buffer& early, const Buffer& other)
{
    for (const Carried& carried : early.carried)
        if (anyOccupied(other, [&](const Occupied& it) { return it.steps.overlaps(carried.live); })) return true;
    return anyOccupied(other, [&](const Occupied& it) {
        if (liveInAll(early, it.steps)) return true;
        return std::any_of(early.early.begin(), early.early.end(), [&](const Early& e) {
            if (!e.live.overlaps(it.steps)) return false;
            if (it.by == Occupying::carried) return e.when.loop != it.round || e.when.iteration >= it.distance;
            // An early range after its loop applies if the loop has ended after that number of iterations. After 0 iterations, no
            // value made in the loop exists.
            const bool after = e.live.begin >= problem.loops[static_cast<std::size_t>(e.when.loop)].live.end;
            return !(after && e.when.iteration == 0 && isInside(problem, other.loop, e.when.loop));
        });
    });
}

bool occupiedTogether(const Problem& problem, const Buffer& a, const Buffer& b)
{
    const auto plain = [](const Buffer& x) { return x.windows.empty() && x.carried.empty() && x.early.empty(); };
    if (plain(a) && plain(b)) return meet(a.live, b.live);
    if (a.hasEarly() && !b.hasEarly()) return meetEarly(problem, a, b);
    if (b.hasEarly() && !a.hasEarly()) return meetEarly(problem, b, a);
    return anyOccupied(
        a, [&](const Occupied& x) { return anyOccupied(b, [&](const Occupied& y) { return x.steps.overlaps(y.steps); }); });
}

} // namespace

bool isInside(const Problem& problem, LoopId loop, LoopId around)
{
    while (loop != none && loop != around) loop = problem.loops[static_cast<std::size_t>(loop)].parent;
    return loop == around && around != none;
}

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
        for (const Carried& carried : buffer.carried) end = std::max(end, carried.live.end); // windows lie inside the hull
    }
    return end;
}

Problem borrowed(const std::shared_ptr<const Problem>& lender)
{
    return {.name = lender->name,
            .axis = lender->axis,
            .pools = lender->pools,
            .buffers = BorrowingList<Buffer>::of({lender, &lender->buffers}),
            .loops = lender->loops,
            .scopes = lender->scopes,
            .penalties = lender->penalties,
            .unknownSizes = lender->unknownSizes};
}

bool conflict(const Problem& problem, BufferId a, BufferId b)
{
    if (a == b) return false;
    const Buffer& first = problem.buffers[static_cast<std::size_t>(a)];
    const Buffer& second = problem.buffers[static_cast<std::size_t>(b)];
    if (first.size == 0 || second.size == 0) return false;
    const auto lists = [](std::span<const BufferId> ids, BufferId id) { return std::binary_search(ids.begin(), ids.end(), id); };
    if (lists(first.mayShare, b) || lists(second.mayShare, a)) return false;
    if (first.unique || second.unique) return true;
    if (lists(first.conflicts, b) || lists(second.conflicts, a)) return true;
    return problem.axis != Axis::dag && occupiedTogether(problem, first, second);
}

} // namespace stowage
