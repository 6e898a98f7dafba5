// The state of a memory while it is filled: bounds end to end, each with the entries that live in it at any time.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <vector>

namespace stowage::hivm {

/// Steps in which a bound is taken. Of joined lives of several buffers, `owner` is the buffer that began first.
struct Life {
    Interval steps;
    BufferId owner = none;
};

/// An entry and the bytes of a bound that it holds.
struct Held {
    std::int32_t entry = none;
    Bytes offset = 0;
    Bytes size = 0;

    [[nodiscard]] bool overlaps(Bytes low, Bytes high) const { return offset < high && low < offset + size; }
};

/// A range of addresses in which all bytes have the same history.
struct Bound {
    Bytes offset = 0;
    Bytes extent = 0;
    std::vector<Life> lives;  ///< ascending, apart
    std::vector<Held> held;   ///< everything that overlaps it, ascending by entry and offset
    std::int32_t last = none; ///< the entry that was placed here last; none for free memory, and where no entry can follow

    [[nodiscard]] Bytes end() const { return offset + extent; }
};

/// The bounds of one memory, from address 0 on, without gaps between them; and how to undo the last change.
///
/// After AscendNPU-IR's memory outline: a place is always a run of whole bounds, the last one perhaps cut. When several are
/// covered they become one bound with all their lives (or, with `split`, stay apart, each with the new life added).
class Outline {
public:
    Outline(Bytes extent, bool split) : bounds_{Bound{0, extent, {}, {}, none}}, split_(split) {}

    [[nodiscard]] const std::vector<Bound>& bounds() const { return bounds_; }

    /// The data that undo a placement.
    struct Change {
        std::size_t index = 0; ///< of the first bound that was put in
        std::size_t count = 0; ///< of the bounds that were put in
        std::vector<Bound> replaced;
    };

    /// Puts `entry` with `live` on [offset, offset + size) over the bounds `first` to `last`, which contain it; `offset` lies in
    /// `first`. `follow`: the bound remembers the entry as the last one. O(bounds + lives + held), times log when more than four
    /// bounds are covered.
    Change put(std::size_t first, std::size_t last, Bytes offset, Bytes size, const std::vector<Interval>& live, BufferId owner,
               std::int32_t entry, bool follow);
    /// Undoes the latest change that is still in place. O(bounds replaced).
    void undo(Change&& change);

private:
    std::vector<Bound> bounds_;
    bool split_;
};

} // namespace stowage::hivm
