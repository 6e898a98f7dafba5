#include "app/canvas/axis/move_check.h"

#include "core/ir/checked.h"
#include "core/ir/shown_text.h"
#include "core/plan/offsets.h"

#include <algorithm>

namespace stowage {

std::optional<Fixed> whyFixed(const Run& run, BufferId buffer, PoolId pool)
{
    const Problem& problem = run.problem();
    const auto count = std::min(problem.buffers.size(), run.plan.placements.size());
    if (buffer < 0 || std::size_t(buffer) >= count) return Fixed::notPlaced;
    const Buffer& moved = problem.buffers[std::size_t(buffer)];
    const Placement& placement = run.plan.placements[std::size_t(buffer)];
    if (!placement.placed()) return Fixed::notPlaced;
    if (placement.rotating() || moved.slots > 1) return Fixed::slots;
    if (moved.size <= 0) return Fixed::empty;
    const auto candidates = problem.candidates(moved);
    return std::ranges::find(candidates, pool) == candidates.end() ? std::optional(Fixed::otherPool) : std::nullopt;
}

std::string fixedText(Fixed why, const Run& run, BufferId buffer)
{
    const Buffer& fixed = run.problem().buffers[std::size_t(buffer)];
    const std::string name = shownName(fixed.name);
    switch (why) {
    case Fixed::notPlaced: return name + " is not placed in this plan.";
    case Fixed::slots: {
        const std::size_t offsets = distinctOffsets(run.plan.placements[std::size_t(buffer)]).size();
        return name + " has " + std::to_string(std::max(std::size_t(fixed.slots), offsets)) +
               " slots: a pin is for a buffer of one place.";
    }
    case Fixed::empty: return name + " has no bytes.";
    case Fixed::otherPool: return name + " may not lie in this pool.";
    }
    return {};
}

MoveCheck::MoveCheck(const Run& run, BufferId buffer, PoolId pool)
{
    const Problem& problem = run.problem();
    const auto count = std::min(problem.buffers.size(), run.plan.placements.size());
    if (buffer < 0 || std::size_t(buffer) >= count || pool < 0 || std::size_t(pool) >= problem.pools.size()) return;
    const Buffer& moved = problem.buffers[std::size_t(buffer)];
    movable_ = !whyFixed(run, buffer, pool);
    size_ = moved.size;
    alignment_ = problem.effectiveAlignment(moved, pool);
    capacity_ = problem.pools[std::size_t(pool)].capacity;
    if (!movable_) return;
    for (std::size_t i = 0; i < count; ++i) {
        const Placement& other = run.plan.placements[i];
        if (BufferId(i) == buffer || other.pool != pool || problem.buffers[i].size <= 0 ||
            !conflict(problem, buffer, BufferId(i)))
            continue;
        for (const Bytes offset : distinctOffsets(other))
            blocks_.push_back({offset, offset + problem.buffers[i].size, BufferId(i), problem.buffers[i].pin.has_value()});
    }
}

Bytes MoveCheck::snapped(Bytes wanted, Bytes reach) const
{
    const Bytes base = std::clamp<Bytes>(wanted, 0, maxBytes - size_);
    const Bytes below = base - base % alignment_;
    const Bytes nearest = base - below > alignment_ / 2 ? below + alignment_ : below;
    std::optional<Bytes> best;
    const auto offer = [&](Bytes offset) {
        if (offset < 0) return;
        const Bytes far = std::abs(offset - base);
        if (far > reach) return;
        if (!best || std::pair(far, offset) < std::pair(std::abs(*best - base), *best)) best = offset;
    };
    offer(0);
    if (const Bytes under = capacity_ ? *capacity_ - size_ : -1; under >= 0) offer(under - under % alignment_);
    for (const Block& block : blocks_) {
        offer(alignUp(block.high, alignment_));
        if (const Bytes under = block.low - size_; under >= 0) offer(under - under % alignment_);
    }
    return best.value_or(nearest);
}

MoveVerdict MoveCheck::at(Bytes offset) const
{
    MoveVerdict verdict;
    verdict.offset = offset;
    if (capacity_ && offset + size_ > *capacity_) {
        verdict.kind = MoveVerdict::Kind::outside;
        return verdict;
    }
    bool pinned = false;
    for (const Block& block : blocks_)
        if (block.low < offset + size_ && offset < block.high) pinned = pinned || block.pinned;
    for (const Block& block : blocks_)
        if (block.low < offset + size_ && offset < block.high && (block.pinned || !pinned))
            verdict.inTheWay.push_back(block.buffer);
    std::sort(verdict.inTheWay.begin(), verdict.inTheWay.end());
    verdict.inTheWay.erase(std::unique(verdict.inTheWay.begin(), verdict.inTheWay.end()), verdict.inTheWay.end());
    if (pinned)
        verdict.kind = MoveVerdict::Kind::collides;
    else if (!verdict.inTheWay.empty())
        verdict.kind = MoveVerdict::Kind::displaces;
    return verdict;
}

} // namespace stowage
