#include "core/planners/common/buffer_table.h"

#include "core/ir/checked.h"
#include "core/ir/occupied.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

BufferTable::BufferTable(const Problem& problem) : problem_(&problem)
{
    for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
        const Pool& pool = problem.pools[static_cast<std::size_t>(p)];
        poolAlignment_.push_back(pool.alignment);
        if (pool.kind == PoolKind::workspace) workspacePools_.push_back(p);
    }
    read();
}

void BufferTable::read()
{
    const std::vector<Buffer>& buffers = problem_->buffers;
    const bool timed = problem_->axis != Axis::dag;
    items_.resize(buffers.size());
    // The stretches in steps, in the order of `stretches_`: the grid needs them all before it can give ranks.
    std::vector<Interval> steps;
    steps.reserve(buffers.size());
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const Buffer& from = buffers[b];
        Item& item = items_[b];
        item.size = from.size;
        item.alignment = from.alignment;
        item.ownPools = !from.pools.empty();
        if (from.isCarried() || from.slots > 1) item.slots = slotsNeeded(from);
        item.timeless = !timed || (from.live.empty() && !from.isCarried());
        item.special =
            from.pin || item.slots > 1 || from.unique || item.timeless || !from.conflicts.empty() || !from.mayShare.empty();
        anyUnique_ |= from.unique;
        anyMayShare_ |= !from.mayShare.empty();
        if (from.pin) pinned_.push_back(static_cast<BufferId>(b));
        if (!error_ && from.pools.empty() && workspacePools_.empty())
            error_ = failure(Code::noCandidatePool,
                             fmt::format("'{}' has no candidate pool, and there is no workspace pool", from.name), {},
                             "name a pool for it, or add a workspace pool to the target");
        if (item.timeless) continue;
        item.firstStretch = static_cast<std::uint32_t>(steps.size()); // an index into `steps` until the grid is made
        forEachOccupied(from, [&](const Occupied& it) { steps.push_back(it.steps); });
        const auto stretches = static_cast<std::uint32_t>(steps.size()) - item.firstStretch;
        if (stretches > 1) item.stretches = stretches;
    }

    std::vector<Ranks> ranks;
    grid_ = TimeGrid(steps, ranks);
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        Item& item = items_[b];
        if (item.timeless) continue;
        const std::uint32_t first = item.firstStretch;
        item.ranks = ranks[first];
        item.firstStretch = static_cast<std::uint32_t>(stretches_.size());
        if (item.stretches == 0) continue;
        std::size_t next = first;
        forEachOccupied(buffers[b], [&](const Occupied& it) { stretches_.push_back({ranks[next++], it.low, it.high}); });
    }
    if (!anyUnique_) return;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        if (!buffers[b].unique) continue;
        items_[b].stretches = 0;
        items_[b].ranks = {0, grid_.size()};
        items_[b].timeless = grid_.size() == 0;
    }
}

Bytes BufferTable::alignmentIn(BufferId b, PoolId pool) const
{
    const Bytes of = item(b).alignment;
    const Bytes in = poolAlignment_[static_cast<std::size_t>(pool)];
    if (of % in == 0) return of;
    return checkedLcm(of, in).value_or(maxBytes);
}

} // namespace stowage
