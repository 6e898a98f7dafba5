#include "core/plan/plan.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage {

Bytes Placement::at(std::span<const std::int64_t> iterations) const
{
    if (rotations.empty() || offsets.empty()) return offset;
    std::size_t index = 0;
    for (std::size_t i = 0; i < rotations.size(); ++i) {
        const std::int64_t iteration = i < iterations.size() ? iterations[i] : 0;
        index = index * static_cast<std::size_t>(rotations[i].extent()) + static_cast<std::size_t>(rotations[i].index(iteration));
    }
    return offsets[index];
}

Bytes Plan::poolSize(const Problem& problem, PoolId pool) const
{
    Bytes size = 0;
    const std::size_t count = std::min(placements.size(), problem.buffers.size());
    for (std::size_t b = 0; b < count; ++b) {
        const Placement& placement = placements[b];
        if (placement.pool != pool || problem.buffers[b].size == 0) continue;
        Bytes last = placement.offset;
        for (const Bytes offset : placement.offsets) last = std::max(last, offset);
        size =
            std::max(size, checkedAdd(last, problem.buffers[b].size).value_or(maxBytes)); // offsets of foreign plans may overflow
    }
    return size;
}

} // namespace stowage
