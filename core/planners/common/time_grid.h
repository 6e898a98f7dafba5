// The time axis for the placement engine: steps as small numbers, divided into blocks with about equal numbers of events.
#pragma once

#include "core/ir/types.h"
#include "core/planners/common/large_pages.h"

#include <span>
#include <vector>

namespace stowage {

/// A half-open range of ranks (see TimeGrid).
struct Ranks {
    std::int32_t begin = 0;
    std::int32_t end = 0;

    friend bool operator==(const Ranks&, const Ranks&) = default;
};

/// Numbers the steps of a set of intervals, leaving out steps that no interval covers, and divides these numbers ("ranks") into
/// blocks in which about `eventsPerBlock` intervals begin or end. Memory O(intervals).
class TimeGrid {
public:
    static constexpr std::int32_t eventsPerBlock = 192;

    static constexpr std::int32_t maxBlock = 65534; ///< maximum ranks in a block, so that a position in it fits into 16 bits

    TimeGrid() = default;
    /// `ranks` becomes the intervals in ranks, in the order given. Requires non-empty intervals, fewer than 2^30 of them.
    /// O(intervals) where the steps are dense, O(intervals log intervals) otherwise.
    TimeGrid(std::span<const Interval> intervals, std::vector<Ranks>& ranks);

    /// One past the last rank.
    [[nodiscard]] std::int32_t size() const { return blockBegin_.back(); }
    [[nodiscard]] std::int32_t blocks() const { return static_cast<std::int32_t>(blockBegin_.size()) - 1; }
    /// The block that holds `rank`. Requires 0 <= rank < size().
    [[nodiscard]] std::int32_t blockOf(std::int32_t rank) const { return blockOf_[static_cast<std::size_t>(rank)]; }
    /// First rank of a block; of block `blocks()`: size().
    [[nodiscard]] std::int32_t blockBegin(std::int32_t block) const { return blockBegin_[static_cast<std::size_t>(block)]; }

private:
    LargeVector<std::int32_t> blockOf_;
    std::vector<std::int32_t> blockBegin_{0};
};

} // namespace stowage
