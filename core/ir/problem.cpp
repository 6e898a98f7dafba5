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

bool occupiedTogether(const Buffer& a, const Buffer& b)
{
    const auto plain = [](const Buffer& x) { return x.windows.empty() && x.carried.empty(); };
    if (plain(a) && plain(b)) return meet(a.live, b.live);
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
    return problem.axis != Axis::dag && occupiedTogether(first, second);
}

} // namespace stowage
