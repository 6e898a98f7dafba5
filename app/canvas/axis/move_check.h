// May this buffer lie there? Asked while it is dragged, for every place that the pointer passes. No Qt.
#pragma once

#include "core/plan/run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stowage {

/// What comes of a place for the buffer.
struct MoveVerdict {
    enum class Kind {
        free,      ///< nothing is in the way
        displaces, ///< others lie there; the rest is planned anew round the buffer
        collides,  ///< a pinned buffer lies there, which stays
        outside,   ///< above the capacity
    } kind = Kind::free;
    Bytes offset = 0;
    std::vector<BufferId> inTheWay; ///< ascending; those that collide where it does, else those displaced

    [[nodiscard]] bool legal() const { return kind == Kind::free || kind == Kind::displaces; }
};

/// Knows what conflicts with one buffer in one pool. The run must outlive it. Making one is O(buffers), each question
/// O(conflicts).
class MoveCheck {
public:
    MoveCheck(const Run& run, BufferId buffer, PoolId pool);

    /// False for what has several places (slots), is not placed, or may not lie in this pool.
    [[nodiscard]] bool movable() const { return movable_; }
    /// The legal address next to `wanted`: a multiple of the alignment, not below 0. Within `reach` bytes it goes to where the
    /// buffer touches the ground or something that conflicts with it, the nearest of them; the lower one of two.
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
