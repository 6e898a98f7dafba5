// The buffers of a problem as planners' inner loops read them.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/planners/common/large_pages.h"
#include "core/planners/common/time_grid.h"

#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// Ranks of time in which the bytes [low, high) of a buffer, counted from its offset, are occupied.
struct RankStretch {
    Ranks ranks;
    Bytes low = 0;
    Bytes high = 0;
};

/// One buffer in 40 bytes; `Buffer` takes four cache lines, and refers to further memory.
struct Item {
    Bytes size = 0;
    Bytes alignment = 1;
    Ranks ranks;                    ///< when it is occupied, if `stretches` is 0
    std::uint32_t firstStretch = 0; ///< into the table's stretches
    std::uint32_t stretches = 0;    ///< 0: one stretch over all bytes, which is the usual case
    std::int32_t slots = 1;         ///< held at the same time, >= 1
    bool ownPools = false;          ///< names its candidates
    bool special = false;           ///< pinned, several slots, unique, timeless, in explicit conflict, or may share
    bool timeless = false;          ///< no live range counts: it has explicit conflicts only

    [[nodiscard]] RankStretch whole() const { return {ranks, 0, size}; }
};

/// All buffers, their occupied time in ranks, and their candidates. A stretch is:
///  - each live range, over all bytes; each window, over its own;
///  - each range of a carried value, over all bytes (any slot may hold it);
///  - the whole axis, for a unique buffer.
/// With Axis::dag live ranges do not count. Memory O(buffers and ranges).
class BufferTable {
public:
    /// Requires a checked problem, which outlives the table.
    explicit BufferTable(const Problem& problem);

    [[nodiscard]] const Problem& problem() const { return *problem_; }
    [[nodiscard]] const TimeGrid& grid() const { return grid_; }
    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(items_.size()); }
    [[nodiscard]] const Item& item(BufferId b) const { return items_[static_cast<std::size_t>(b)]; }
    [[nodiscard]] const Buffer& buffer(BufferId b) const { return problem_->buffers[static_cast<std::size_t>(b)]; }
    /// The stretches of `item` when it has more than one, or not over all bytes; empty otherwise (see Item::stretches).
    [[nodiscard]] std::span<const RankStretch> stretches(const Item& item) const
    {
        return std::span(stretches_).subspan(item.firstStretch, item.stretches);
    }
    /// Calls visit(RankStretch) for each stretch.
    template <typename Visit>
    void forEachStretch(const Item& item, Visit visit) const
    {
        if (item.timeless) return;
        if (item.stretches == 0) return visit(item.whole());
        for (const RankStretch& stretch : stretches(item)) visit(stretch);
    }
    /// Candidate pools in order of preference. Empty only if the problem has no workspace pool (see `error`).
    [[nodiscard]] std::span<const PoolId> candidates(BufferId b) const
    {
        return item(b).ownPools ? std::span<const PoolId>(buffer(b).pools) : std::span<const PoolId>(workspacePools_);
    }
    /// lcm of the buffer's and the pool's alignment, limited to `maxBytes`, of which only offset 0 is a multiple.
    [[nodiscard]] Bytes alignmentIn(BufferId b, PoolId pool) const;
    /// A buffer without a candidate pool, if there is one.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    [[nodiscard]] std::span<const BufferId> pinned() const { return pinned_; }
    [[nodiscard]] bool anyUnique() const { return anyUnique_; }
    [[nodiscard]] bool anyMayShare() const { return anyMayShare_; }

private:
    void read();

    const Problem* problem_;
    LargeVector<Item> items_;
    std::vector<RankStretch> stretches_;
    std::vector<PoolId> workspacePools_;
    std::vector<Bytes> poolAlignment_;
    TimeGrid grid_;
    std::vector<BufferId> pinned_;
    std::optional<Error> error_;
    bool anyUnique_ = false;
    bool anyMayShare_ = false;
};

} // namespace stowage
