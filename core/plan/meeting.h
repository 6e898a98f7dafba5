// Finds iterations in which the values of two buffers are in use at the same time.
#pragma once

#include "core/plan/plan.h"

#include <optional>

namespace stowage {

/// One of the offsets of a placed buffer, with the value that was made `distance` iterations ago.
struct PlacedValue {
    const Buffer* buffer = nullptr;
    const Placement* placement = nullptr;
    std::size_t index = 0;     ///< into the placement's offsets; 0 when fixed
    std::int32_t distance = 0; ///< iterations of the loop that it is carried round
    LoopId round = none;       ///< that loop; none: the buffer's
    LoopIteration when = {};   ///< in use in that iteration only
    bool alternates = false;   ///< the offset is held in some iterations only, which the rotations give; else in every iteration

    [[nodiscard]] Bytes offset() const { return placement->rotating() ? placement->offsets[index] : placement->offset; }
};

/// The first moment at which two values are in use together.
struct Meeting {
    Step step = -1;
    std::int64_t iteration = -1; ///< of the innermost loop that decides; -1 when none does
};

/// The first meeting inside `steps`, in which both values are live, or nothing when no iteration has them both at these offsets.
/// Requires well-formed rotations. O(rotations * loops around them).
std::optional<Meeting> firstMeeting(const Problem& problem, const PlacedValue& a, const PlacedValue& b, const Interval& steps);

/// The same for explicit conflicts, whatever the steps: an iteration in which both values are in use.
std::optional<Meeting> firstMeeting(const Problem& problem, const PlacedValue& a, const PlacedValue& b);

/// A placement's rotations are such that `Placement::at` is defined: nested loops around the buffer, outermost first, with an
/// offset for each combination, enough for the slots. A rotation without loop is one with a loop that the problem does not name.
bool wellFormed(const Problem& problem, const Buffer& buffer, const Placement& placement);

} // namespace stowage
