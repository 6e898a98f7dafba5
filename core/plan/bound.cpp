#include "core/plan/bound.h"

#include "core/ir/occupied.h"
#include "core/plan/clique.h"
#include "core/plan/load.h"

#include <algorithm>

namespace stowage {

namespace {

const Buffer& bufferOf(const Problem& problem, BufferId id)
{
    return problem.buffers[static_cast<std::size_t>(id)];
}

/// The blocks of loads that are in use at `step`.
std::vector<Load> at(const std::vector<Load>& loads, Step step)
{
    std::vector<Load> blocks;
    for (const Load& load : loads)
        if (load.live.contains(step)) blocks.push_back(load);
    return blocks;
}

/// All slots of each buffer, independent of steps.
std::vector<Load> wholes(const Problem& problem, std::span<const BufferId> ids, PoolId pool)
{
    std::vector<Load> blocks;
    for (const BufferId id : ids) {
        const Buffer& buffer = bufferOf(problem, id);
        blocks.push_back({{}, buffer.size, pool == none ? 1 : problem.effectiveAlignment(buffer, pool), buffer.slots, id});
    }
    return blocks;
}

/// Facts about a set of buffers, collected in one pass. With a million buffers, a pass over the buffers (four cache lines each)
/// takes as long as sorting them. These facts make further passes unnecessary for most problems.
struct Sorts {
    bool unique = false;
    bool share = false;
    bool conflicts = false;
    BufferId highest = none; ///< the first buffer with the largest `end`
    Bytes end = 0;           ///< end of its bytes at its pin, or at offset 0 without a pin

    Sorts(const Problem& problem, std::span<const BufferId> ids)
    {
        for (const BufferId id : ids) {
            const Buffer& buffer = bufferOf(problem, id);
            unique |= buffer.unique;
            share |= !buffer.mayShare.empty();
            conflicts |= !buffer.conflicts.empty();
            if (buffer.size == 0 || buffer.pin.value_or(0) + buffer.size <= end) continue;
            highest = id;
            end = buffer.pin.value_or(0) + buffer.size;
        }
    }
};

CliqueCertificate boundOf(const Problem& problem, std::span<const BufferId> ids, PoolId pool)
{
    const Sorts sorts(problem, ids);
    CliqueCertificate best;
    best.pool = pool;
    const auto offer = [&](Bytes bytes, Step step, std::vector<BufferId> members) {
        if (bytes <= best.bytes) return;
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        best = {pool, bytes, step, std::move(members)};
    };
    if (problem.axis != Axis::dag) {
        const std::vector<Load> loads = sorts.unique || sorts.share ? apart(problem, ids, pool) : occupied(problem, ids, pool);
        if (const Step step = heaviestStep(loads, pool != none); step >= 0) {
            std::vector<Load> blocks = at(loads, step);
            std::vector<BufferId> members;
            for (const Load& block : blocks) members.push_back(block.buffer);
            offer(packedBytes(std::move(blocks)), step, std::move(members));
        }
    }
    if (sorts.conflicts || sorts.unique) {
        if (std::vector<BufferId> clique = heavyClique(problem, ids); !clique.empty()) {
            const Bytes bytes = packedBytes(wholes(problem, clique, pool));
            offer(bytes, -1, std::move(clique));
        }
    }
    if (sorts.highest != none) offer(sorts.end, -1, {sorts.highest});
    return best;
}

/// True if the buffers are distinct, have a size > 0, and no two of them may share.
bool distinctAndApart(const Problem& problem, const std::vector<BufferId>& sorted)
{
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const BufferId id = sorted[i];
        if (id < 0 || static_cast<std::size_t>(id) >= problem.buffers.size() || (i > 0 && sorted[i - 1] == id)) return false;
        if (bufferOf(problem, id).size == 0) return false;
        for (const BufferId other : bufferOf(problem, id).mayShare)
            if (std::binary_search(sorted.begin(), sorted.end(), other)) return false;
    }
    return true;
}

/// True if the two buffers have disjoint bytes in every plan, in the same iteration of all loops: they conflict explicitly, or
/// their live ranges overlap with values of the same iteration.
bool alwaysApart(const Problem& problem, BufferId a, BufferId b)
{
    const Buffer& x = bufferOf(problem, a);
    const Buffer& y = bufferOf(problem, b);
    if (x.unique || y.unique || std::binary_search(x.conflicts.begin(), x.conflicts.end(), b)) return true;
    if (problem.axis == Axis::dag || x.loop != none || y.loop != none) return false;
    // From its first early range on a live range may hold in other iterations than that of the other buffer.
    return std::any_of(x.live.begin(), x.live.end(), [&](const Interval& i) {
        const Interval own = untilFirstEarly(x, i);
        return !own.empty() && std::any_of(y.live.begin(), y.live.end(), [&](const Interval& j) {
            const Interval other = untilFirstEarly(y, j);
            return !other.empty() && own.overlaps(other);
        });
    });
}

bool conflictPairwise(const Problem& problem, const std::vector<BufferId>& sorted)
{
    for (const BufferId a : sorted) {
        const RareList<BufferId>& conflicts = bufferOf(problem, a).conflicts;
        std::size_t known = 0; // number of the other members found
        for (const BufferId other : conflicts) known += std::binary_search(sorted.begin(), sorted.end(), other) ? 1 : 0;
        if (known + 1 >= sorted.size()) continue;
        for (const BufferId b : sorted)
            if (a != b && !alwaysApart(problem, a, b)) return false;
    }
    return true;
}

/// Checks a certificate, except that its buffers must lie in the pool.
bool holds(const Problem& problem, const CliqueCertificate& certificate)
{
    if (certificate.pool != none && (certificate.pool < 0 || static_cast<std::size_t>(certificate.pool) >= problem.pools.size()))
        return false;
    std::vector<BufferId> members = certificate.buffers;
    std::sort(members.begin(), members.end());
    if (!distinctAndApart(problem, members)) return false;
    if (certificate.bytes <= 0) return true;

    std::vector<Load> blocks;
    if (certificate.step >= 0) {
        if (problem.axis == Axis::dag) return false;
        for (const BufferId id : members) {
            const std::span<const BufferId> one(&id, 1);
            std::vector<Load> own = bufferOf(problem, id).unique ? wholes(problem, one, certificate.pool)
                                                                 : at(occupied(problem, one, certificate.pool), certificate.step);
            if (own.empty()) return false;
            blocks.insert(blocks.end(), own.begin(), own.end());
        }
    } else {
        if (!conflictPairwise(problem, members)) return false;
        blocks = wholes(problem, members, certificate.pool);
    }
    Bytes bytes = packedBytes(std::move(blocks));
    for (const BufferId id : members) bytes = std::max(bytes, bufferOf(problem, id).pin.value_or(0) + bufferOf(problem, id).size);
    return bytes >= certificate.bytes;
}

/// The only workspace pool: the only candidate of buffers that name no pool; none if there are several.
PoolId onlyWorkspace(const Problem& problem)
{
    PoolId only = none;
    for (std::size_t pool = 0; pool < problem.pools.size(); ++pool) {
        if (problem.pools[pool].kind != PoolKind::workspace) continue;
        if (only != none) return none;
        only = static_cast<PoolId>(pool);
    }
    return only;
}

bool confined(const Buffer& buffer, PoolId pool, PoolId workspace)
{
    return buffer.pools.empty() ? workspace == pool : buffer.pools.size() == 1 && buffer.pools.front() == pool;
}

/// True if `plan` places the buffer in `pool`, one of its candidates. `pool` = none: in any of its candidates.
bool putInto(const Problem& problem, const Plan& plan, BufferId id, PoolId pool)
{
    if (static_cast<std::size_t>(id) >= plan.placements.size()) return false;
    const PoolId at = plan.placements[static_cast<std::size_t>(id)].pool;
    if (at < 0 || static_cast<std::size_t>(at) >= problem.pools.size() || (pool != none && at != pool)) return false;
    const RareList<PoolId>& named = bufferOf(problem, id).pools;
    return named.empty() ? problem.pools[static_cast<std::size_t>(at)].kind == PoolKind::workspace
                         : std::find(named.begin(), named.end(), at) != named.end();
}

} // namespace

CliqueCertificate lowerBound(const Problem& problem, PoolId pool)
{
    const PoolId workspace = onlyWorkspace(problem);
    std::vector<BufferId> ids;
    for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id)
        if (pool == none || confined(bufferOf(problem, id), pool, workspace)) ids.push_back(id);
    return boundOf(problem, ids, pool);
}

CliqueCertificate lowerBound(const Problem& problem, const Plan& plan, PoolId pool)
{
    std::vector<BufferId> ids;
    for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id)
        if (putInto(problem, plan, id, pool)) ids.push_back(id);
    return boundOf(problem, ids, pool);
}

bool recheck(const Problem& problem, const CliqueCertificate& certificate)
{
    const PoolId workspace = onlyWorkspace(problem);
    return holds(problem, certificate) &&
           (certificate.pool == none || std::all_of(certificate.buffers.begin(), certificate.buffers.end(), [&](BufferId id) {
                return confined(bufferOf(problem, id), certificate.pool, workspace);
            }));
}

bool recheck(const Problem& problem, const Plan& plan, const CliqueCertificate& certificate)
{
    return holds(problem, certificate) && std::all_of(certificate.buffers.begin(), certificate.buffers.end(),
                                                      [&](BufferId id) { return putInto(problem, plan, id, certificate.pool); });
}

} // namespace stowage
