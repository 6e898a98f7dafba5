// Some buffers of a problem alone in one pool, for planners that plan these first.
#pragma once

#include "core/ir/problem.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// The buffers `members`, ascending, renumbered from 0, all in `pool`. Conflicts and permissions to share stay
/// where both buffers are members. The buffers belong to no operator. Steps and loops are those of `problem`. O(loops +
/// references * log members).
[[nodiscard]] inline Problem inOnePool(const Problem& problem, std::span<const BufferId> members, Pool pool)
{
    Problem part;
    part.axis = problem.axis;
    part.loops = problem.loops;
    part.pools.push_back(std::move(pool));
    const auto among = [&](RareList<BufferId>& ids) {
        std::vector<BufferId> kept;
        for (const BufferId id : ids)
            if (const auto found = std::lower_bound(members.begin(), members.end(), id); found != members.end() && *found == id)
                kept.push_back(static_cast<BufferId>(found - members.begin()));
        ids = kept;
    };
    for (const BufferId b : members) {
        Buffer& buffer = part.buffers.emplace_back(problem.buffers[at(b)]);
        buffer.pools.clear();
        buffer.scope = none;
        among(buffer.conflicts);
        among(buffer.mayShare);
    }
    return part;
}

} // namespace stowage
