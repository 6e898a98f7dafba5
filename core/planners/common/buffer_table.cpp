#include "core/planners/common/buffer_table.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

bool meets(const Interval& stretch, std::span<const Interval> ranges)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](const Interval& r) { return r.overlaps(stretch); });
}

/// Do two iterations' copies lie in the same one of `n` slots at the same time?
bool copiesCollide(const Buffer& buffer, std::int32_t n)
{
    for (const Carried& c : buffer.carried) {
        if (c.distance % n == 0 && meets(c.live, buffer.live)) return true;
        for (const Carried& d : buffer.carried)
            if (c.distance > d.distance && (c.distance - d.distance) % n == 0 && c.live.overlaps(d.live)) return true;
    }
    return false;
}

} // namespace

std::int32_t copiesNeeded(const Buffer& buffer)
{
    std::int32_t n = std::max(buffer.slots, 1);
    while (copiesCollide(buffer, n)) ++n; // ends at the largest distance + 1 at the latest
    return n;
}

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
    // The stretches in steps, in the order of their parts: the grid needs them all before it can give ranks.
    std::vector<Interval> steps;
    steps.reserve(buffers.size());
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const Buffer& from = buffers[b];
        Item& item = items_[b];
        item.size = from.size;
        item.alignment = from.alignment;
        item.ownPools = !from.pools.empty();
        if (!from.carried.empty() || from.slots > 1) item.copies = copiesNeeded(from);
        item.timeless = !timed || from.live.empty();
        item.special =
            from.pin || item.copies > 1 || from.unique || item.timeless || !from.conflicts.empty() || !from.mayShare.empty();
        anyUnique_ |= from.unique;
        anyMayShare_ |= !from.mayShare.empty();
        if (from.pin) pinned_.push_back(static_cast<BufferId>(b));
        if (!error_ && from.pools.empty() && workspacePools_.empty())
            error_ = failure(Code::noCandidatePool,
                             fmt::format("'{}' has no candidate pool, and there is no workspace pool", from.name), {},
                             "name a pool for it, or add a workspace pool to the target");
        if (item.timeless) continue;
        item.firstPart = static_cast<std::uint32_t>(steps.size()); // an index into `steps` until the parts are made
        steps.insert(steps.end(), from.live.begin(), from.live.end());
        if (from.windows.empty() && from.carried.empty() && from.live.size() == 1) continue;
        for (const Window& w : from.windows) steps.push_back(w.live);
        for (const Carried& c : from.carried) steps.push_back(c.live);
        item.parts = static_cast<std::uint32_t>(from.live.size() + from.windows.size() + from.carried.size());
    }

    std::vector<Ranks> ranks;
    grid_ = TimeGrid(steps, ranks);
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        Item& item = items_[b];
        if (item.timeless) continue;
        const std::uint32_t first = item.firstPart;
        item.ranks = ranks[first];
        item.firstPart = static_cast<std::uint32_t>(parts_.size());
        if (item.parts == 0) continue;
        const std::vector<Window>& windows = buffers[b].windows;
        const std::size_t live = buffers[b].live.size();
        for (std::size_t i = 0; i < item.parts; ++i) {
            const bool windowed = i >= live && i < live + windows.size();
            parts_.push_back(
                {ranks[first + i], windowed ? windows[i - live].low : 0, windowed ? windows[i - live].high : item.size});
        }
    }
    if (!anyUnique_) return;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        if (!buffers[b].unique) continue;
        items_[b].parts = 0;
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
