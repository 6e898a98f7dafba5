// Finds iterations in which the values of two buffers are in use at the same time.
#pragma once

#include "core/plan/plan.h"

#include <optional>

namespace stowage {

/// A value of a placed buffer at one of its offsets: the value that was made `distance` iterations ago.
struct PlacedValue {
    const Buffer* buffer = nullptr;
    const Placement* placement = nullptr;
    std::size_t index = 0;     ///< into the placement's offsets; 0 when fixed
    std::int32_t distance = 0; ///< iterations of `round` since the value was made
    LoopId round = none;       ///< the loop across whose iterations it is carried; none: the buffer's loop
    LoopIteration when = {};   ///< the value is in use in this iteration only
    /// True: the offset is held only in the iterations that the rotations give; false: in every iteration.
    bool alternates = false;

    [[nodiscard]] Bytes offset() const { return placement->rotating() ? placement->offsets[index] : placement->offset; }
};

/// The first step and iteration at which two values are in use together.
struct Meeting {
    Step step = -1;
    std::int64_t iteration = -1; ///< iteration of the innermost loop that matters; -1 if no loop matters
};

/// The first meeting within `steps`, a range in which both values are live; no value if no iteration has both at these offsets.
/// Requires well-formed rotations. O(rotations * loops around them).
std::optional<Meeting> firstMeeting(const Problem& problem, const PlacedValue& a, const PlacedValue& b, const Interval& steps);

/// The same for explicit conflicts, independent of steps: an iteration in which both values are in use.
std::optional<Meeting> firstMeeting(const Problem& problem, const PlacedValue& a, const PlacedValue& b);

/// True if `Placement::at` is defined for the placement: its rotations are with nested loops around the buffer, outermost first,
/// and it has an offset for each combination and enough offsets for the slots. A rotation without a loop refers to a loop that
/// the problem does not list.
bool wellFormed(const Problem& problem, const Buffer& buffer, const Placement& placement);

} // namespace stowage
