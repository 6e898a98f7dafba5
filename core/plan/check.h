// The independent checker. It shares no code with the planners, and judges any plan, also a foreign one.
#pragma once

#include "core/plan/plan.h"

#include <optional>

namespace stowage {

enum class ViolationKind : std::uint8_t {
    notPlaced, wrongPool, negativeOffset, misaligned, offPin, overCapacity, overlap, badRotation,
};

/// One reason why a plan is not valid.
struct Violation {
    ViolationKind kind = ViolationKind::overlap;
    BufferId first = none;
    BufferId second = none; ///< overlap: the other buffer
    PoolId pool = none;
    Step step = -1;         ///< overlap: the first step at which both are live; -1 when they conflict explicitly only
    Bytes low = 0;          ///< the bytes concerned: [low, high)
    Bytes high = 0;
    std::int64_t iteration = -1; ///< rotating placements: the first iteration in which it happens
};

struct Verdict {
    std::vector<Violation> violations; ///< at most `limit`, the earliest overlap first
    bool overCapacity = false;  ///< a capacity is exceeded; such a plan does not fit, but is not invalid by that alone
    std::uint64_t pairsChecked = 0; ///< pairs of buffers whose bytes were compared
    /// No violation other than `overCapacity` ones.
    [[nodiscard]] bool valid() const;
};

/// Judges `plan` against `problem`: every buffer placed once, in a candidate pool, aligned, at its pin, inside the capacity, and
/// no two conflicting buffers on a common byte, in any iteration of rotating placements.
/// O(n log n + overlapping pairs); memory O(n + explicit conflicts).
Verdict check(const Problem& problem, const Plan& plan, std::size_t limit = 16);

/// One sentence: "a [0x40, 0x80) and b [0x60, 0xa0) overlap in sram at step 12 on [0x60, 0x80)".
std::string describe(const Problem& problem, const Violation& violation);

} // namespace stowage
