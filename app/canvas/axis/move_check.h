// Decides whether a dragged buffer may be placed at an offset, for every position of the pointer. No Qt.
#pragma once

#include "core/plan/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// The reason why a buffer has no single place in a pool, so that it can be neither moved nor pinned there.
enum class Fixed : std::uint8_t {
    notPlaced,
    slots,     ///< it has several slots, used by turns
    empty,     ///< it has no bytes
    otherPool, ///< the pool is none of its candidates
};

/// No value: the buffer can be moved and pinned. O(candidates).
[[nodiscard]] std::optional<Fixed> whyFixed(const Run& run, BufferId buffer, PoolId pool);
/// The reason as a sentence that names the buffer.
[[nodiscard]] std::string fixedText(Fixed why, const Run& run, BufferId buffer);

/// The verdict on an offset.
struct MoveVerdict {
    enum class Kind {
        free,      ///< no conflicting buffer is there
        displaces, ///< conflicting buffers are there; the others are planned again around the buffer
        collides,  ///< a pinned conflicting buffer is there
        outside,   ///< above the capacity
    } kind = Kind::free;
    Bytes offset = 0;
    std::vector<BufferId> inTheWay; ///< ascending; for `collides` the pinned ones, else the displaced ones

    [[nodiscard]] bool legal() const { return kind == Kind::free || kind == Kind::displaces; }
};

/// The blocks in one pool that conflict with one buffer. The run must outlive it. Construction is O(buffers), each query
/// O(conflicts).
class MoveCheck {
public:
    MoveCheck(const Run& run, BufferId buffer, PoolId pool);

    /// False for a buffer with a reason of `whyFixed`.
    [[nodiscard]] bool movable() const { return movable_; }
    /// The legal offset nearest to `wanted`: a multiple of the alignment, not below 0. Offsets within `reach` bytes at which the
    /// buffer touches offset 0, a conflicting block or the capacity are preferred: the nearest, of two the lower one.
    [[nodiscard]] Bytes snapped(Bytes wanted, Bytes reach) const;
    [[nodiscard]] MoveVerdict at(Bytes offset) const;

private:
    struct Block {
        Bytes low = 0;
        Bytes high = 0;
        BufferId buffer = none;
        bool pinned = false;
    };

    bool movable_ = false;
    Bytes size_ = 0;
    Bytes alignment_ = 1;
    std::optional<Bytes> capacity_;
    std::vector<Block> blocks_;
};

} // namespace stowage
