// Explains the offset of a buffer: the chain of buffers below it that prevent a lower offset, down to address 0.
#pragma once

#include "core/plan/meeting.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace stowage {

/// One buffer of the chain; for a buffer with several offsets, one of its slots.
struct SupportLink {
    BufferId buffer = none;
    Bytes offset = 0;
    Bytes gap = 0;     ///< bytes between its top and the buffer above, lost to the alignment of the latter; 0 for the first link
    Interval together; ///< steps at which it and the buffer above are both live, from the first one at which an iteration has
                       ///< both at these offsets; for the first link its hull; empty when the two only conflict explicitly

    friend bool operator==(const SupportLink&, const SupportLink&) = default;
};

/// The reason for which the chain ends.
enum class SupportEnd : std::uint8_t {
    ground, ///< address 0
    pinned, ///< the last buffer is pinned
    nothing ///< the bytes below the last buffer are free, so that it could move down
};

struct SupportChain {
    std::vector<SupportLink> links; ///< from the requested buffer downwards; empty when that buffer is not placed
    SupportEnd end = SupportEnd::nothing;
};

/// Finds chains in one plan. A buffer rests on another when the two conflict in an iteration that uses these offsets, and its
/// offset is the lowest aligned one above the other's top: 0 <= offset - top < effective alignment. Of several chains, one with
/// the fewest links down to address 0 (or to a pinned buffer) is returned; if there is none, the chain that reaches lowest. Ties:
/// smaller gap, longer common live range, lower id. Problem and plan must outlive it.
class SupportFinder {
public:
    /// O(n log n).
    SupportFinder(const Problem& problem, const Plan& plan);
    /// The chain below `buffer` at `offset`, one of its offsets. Breadth-first search over the slots below; O(alignment + log n)
    /// for each visited slot in a valid plan. After 16 million comparisons it ends and returns the chain that reaches lowest so
    /// far.
    [[nodiscard]] SupportChain chain(BufferId buffer, Bytes offset) const;
    /// The same for its first offset.
    [[nodiscard]] SupportChain chain(BufferId buffer) const;
    /// The chain below the slot that ends highest in `pool`, of several the first one; empty for an empty pool. O(offsets) more.
    [[nodiscard]] SupportChain highest(PoolId pool) const;

private:
    /// Bytes that a value occupies at one offset during some steps: all its bytes in a live range, a part of them in a window.
    struct Stretch {
        Bytes low = 0;
        Bytes high = 0;
        Interval live;
        BufferId buffer = none;
        Bytes offset = 0;
        std::uint32_t index = 0;   ///< into the placement's offsets
        std::int32_t distance = 0; ///< see `Occupied`
        LoopId round = none;
        LoopIteration when = {};
        bool whole = true;
        bool alternates = false; ///< see `PlacedValue`
        Step lastEnd = 0;        ///< latest end of this stretch and the stretches before it with the same top
    };
    using Stretches = std::vector<Stretch>;
    /// Adds the stretches of a placed buffer at all its offsets, or at the offset `only`.
    void stretchesOf(BufferId buffer, Stretches& stretches, std::optional<Bytes> only = {}) const;
    [[nodiscard]] PlacedValue valueIn(const Stretch& stretch) const;
    /// `SupportLink::together` if both values exist at their offsets in one iteration and conflict; otherwise no value.
    [[nodiscard]] std::optional<Interval> together(const Stretch& upper, const Stretch& lower) const;

    const Problem& problem_;
    const Plan& plan_;
    bool anyUnique_ = false;
    std::vector<Stretches> byTop_; ///< by pool; ascending by `high`, then by begin
};

} // namespace stowage
