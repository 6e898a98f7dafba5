#include "core/plan/problem_parts.h"

#include <algorithm>
#include <numeric>

namespace stowage {

namespace {

PoolId rootOf(std::vector<PoolId>& roots, PoolId pool)
{
    while (roots[static_cast<std::size_t>(pool)] != pool) {
        PoolId& parent = roots[static_cast<std::size_t>(pool)];
        parent = roots[static_cast<std::size_t>(parent)];
        pool = parent;
    }
    return pool;
}

/// Keeps the ids in `list` that belong to the part, renumbered.
void renumber(RareList<BufferId>& list, const std::vector<BufferId>& numbers)
{
    std::size_t kept = 0;
    for (const BufferId id : list)
        if (const BufferId now = numbers[static_cast<std::size_t>(id)]; now != none) list[kept++] = now;
    list.resize(kept);
}

} // namespace

std::vector<ProblemPart> separateParts(const Problem& problem)
{
    std::vector<PoolId> roots(problem.pools.size());
    std::iota(roots.begin(), roots.end(), PoolId{0});
    std::vector<PoolId> first(problem.buffers.size(), none); // candidate of each buffer
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const std::vector<PoolId> candidates = problem.candidates(problem.buffers[b]);
        if (candidates.empty()) continue;
        first[b] = candidates.front();
        if (problem.buffers[b].size == 0) continue;
        for (const PoolId other : candidates) {
            const PoolId a = rootOf(roots, first[b]), c = rootOf(roots, other);
            roots[static_cast<std::size_t>(std::max(a, c))] = std::min(a, c); // the root is the first pool of the part
        }
    }

    std::vector<ProblemPart> parts;
    std::vector<std::size_t> partOf(problem.pools.size(), 0); // by root: number of the part from 1; 0: none yet
    std::vector<std::vector<BufferId>> members(problem.pools.size());
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (first[b] != none) members[static_cast<std::size_t>(rootOf(roots, first[b]))].push_back(static_cast<BufferId>(b));
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) {
        const PoolId root = rootOf(roots, pool);
        if (members[static_cast<std::size_t>(root)].empty()) continue;
        std::size_t& number = partOf[static_cast<std::size_t>(root)];
        if (number == 0) {
            parts.emplace_back();
            number = parts.size();
        }
        parts[number - 1].pools.push_back(pool);
    }

    std::vector<BufferId> numbers(problem.buffers.size(), none);
    std::vector<PoolId> poolNumbers(problem.pools.size(), none);
    for (ProblemPart& part : parts) {
        part.buffers = std::move(members[static_cast<std::size_t>(part.pools.front())]);
        Problem& own = part.problem;
        own.name = problem.name;
        own.axis = problem.axis;
        own.loops = problem.loops;
        own.scopes = problem.scopes;
        for (const PoolId pool : part.pools) {
            poolNumbers[static_cast<std::size_t>(pool)] = static_cast<PoolId>(own.pools.size());
            own.pools.push_back(problem.pools[static_cast<std::size_t>(pool)]);
        }
        for (std::size_t i = 0; i < part.buffers.size(); ++i)
            numbers[static_cast<std::size_t>(part.buffers[i])] = static_cast<BufferId>(i);
        own.buffers.reserve(part.buffers.size());
        for (const BufferId id : part.buffers) {
            Buffer buffer = problem.buffers[static_cast<std::size_t>(id)];
            buffer.pools = problem.candidates(buffer);
            // Candidates of a buffer of size 0 may belong to other parts.
            eraseIf(buffer.pools, [&](PoolId pool) { return rootOf(roots, pool) != part.pools.front(); });
            for (PoolId& pool : buffer.pools) pool = poolNumbers[static_cast<std::size_t>(pool)];
            renumber(buffer.conflicts, numbers);
            renumber(buffer.mayShare, numbers);
            own.buffers.push_back(std::move(buffer));
        }
        for (const BufferId id : part.buffers) numbers[static_cast<std::size_t>(id)] = none;
    }
    return parts;
}

} // namespace stowage
