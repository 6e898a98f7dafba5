// The units that the planner of Ascend memories places: one entry for each slot of each buffer.
#pragma once

#include "core/ir/problem.h"

#include <span>
#include <vector>

namespace stowage::hivm {

/// One slot of a buffer. A buffer with n slots has n entries; number 0 knows the others.
struct Entry {
    BufferId buffer = none;
    std::int32_t slot = 0;
    Bytes size = 0;                   ///< rounded up to `alignment`, > 0, but 0 with `Zeros::listed`
    Bytes alignment = 1;              ///< of the buffer and its scope together
    std::vector<Interval> live;       ///< ascending; those that touch are one. Windows count in full, and so does what is carried
    std::vector<std::int32_t> others; ///< of slot 0: the entries of the other slots
};

/// A pool that is no memory on the chip and has no limit: a workspace argument in global memory.
[[nodiscard]] bool isWorkspace(const Pool& pool);

/// States whether buffers of 0 bytes have entries: in an end-to-end layout they get addresses; elsewhere they do not matter.
enum class Zeros : std::uint8_t { leftOut, listed };

/// The entries of `buffers` (ascending ids, which is the order of their first writes) in the compiler's list order: slot 0 of
/// each buffer, then the further slots, buffer by buffer. Requires a checked problem whose sizes,
/// rounded up, stay below 2^62 together. O(slots).
[[nodiscard]] std::vector<Entry> entriesOf(const Problem& problem, std::span<const BufferId> buffers, PoolId pool,
                                           Zeros zeros = Zeros::leftOut);

/// The order in which the entries of the unified buffer are placed.
struct OrderOptions {
    bool byClass = true;       ///< unique ones, DMA-touched, others, scalar-touched; else list order
    bool largestFirst = false; ///< inside each class by size
    std::uint64_t shuffle = 0; ///< 0: natural; else inside each class in an order drawn from this number
};

/// The entries in the order in which they are placed, each slot right after its buffer's first one when `byClass` is set.
/// O(n log n).
[[nodiscard]] std::vector<Entry> ordered(const Problem& problem, std::vector<Entry> entries, const OrderOptions& options);

/// Pipes that touch a buffer's members, each by itself.
struct TouchedBy {
    bool scalar = false; ///< the scalar pipe touches some member
    bool dma = false;    ///< a DMA pipe, and not the scalar pipe, touches some member
    bool other = false;  ///< neither touches some member

    [[nodiscard]] static TouchedBy of(const Buffer& buffer);
    /// True when reuse between the two needs synchronisation across pipes. Some pair of members, one of each, then has exactly
    /// one that the scalar pipe touches, or none, and one that a DMA pipe touches.
    [[nodiscard]] bool conflicts(const TouchedBy& with) const
    {
        const bool plain = dma || other, plainWith = with.dma || with.other;
        return (scalar && plainWith) || (plain && with.scalar) || (dma && plainWith) || (plain && with.dma);
    }
};

/// True when reuse of bytes between the two buffers needs synchronisation across pipes (`TouchedBy::conflicts`). Symmetric.
[[nodiscard]] inline bool pipesConflict(const Buffer& a, const Buffer& b)
{
    return TouchedBy::of(a).conflicts(TouchedBy::of(b));
}

/// True when some member shares its bytes with no other buffer. (`Buffer::unique` holds for the member that lives first.)
[[nodiscard]] bool anyUnique(const Buffer& buffer);

/// True when either buffer names the other as one that it may share bytes with (an in-place pair).
[[nodiscard]] bool namedToShare(const Problem& problem, BufferId a, BufferId b);

} // namespace stowage::hivm
