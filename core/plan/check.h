// The independent checker. It shares no code with the planners, and judges any plan, also a foreign one.
//
// What is judged:
//  - A fixed placement holds its bytes over the buffer's live ranges, over its windows in part, and over its carried values.
//  - `slots = n` means n slots, all held over the buffer's ranges at the same time: the placement names at least n offsets
//  without common bytes.
//  - A rotating placement of a buffer with one slot holds one offset at a time: in iteration i number `Rotation::index(i)`.
//    It is checked for every iteration, exactly and without unrolling: the values of two iterations meet where the congruences of
//    their rotations have a common solution within the trip count (any iteration where it is not known, one iteration where it is
//    0). Carried values (`Buffer::carried`) may also meet newer values of their own buffer; early ranges (`Buffer::early`) are
//    held in one iteration only. Before its loop a buffer holds the value of iteration 0, after it the value of the last
//    iteration.
//  - An explicit conflict holds over all bytes, between the values of one iteration and the carried values of either buffer.
//  - With an axis of `dag` ranges count between values of one buffer only.
#pragma once

#include "core/plan/plan.h"

#include <optional>

namespace stowage {

enum class ViolationKind : std::uint8_t {
    notPlaced,
    wrongPool,
    negativeOffset,
    misaligned,
    offPin,
    overCapacity,
    overlap,
    badRotation,
    mismatch, ///< the plan's file contradicts the problem: see `Violation::mismatch`
};

/// A contradiction between a plan read from a file and the problem: it is a plan of another problem.
enum class MismatchKind : std::uint8_t {
    unknownBuffer, ///< it places a buffer that the problem does not have
    otherSize,     ///< a buffer has another size than in the problem
    otherPoolSize, ///< the size that it states for a pool is not that of its placements
};
struct Mismatch {
    MismatchKind kind = MismatchKind::unknownBuffer;
    std::string name;       ///< of the buffer or the pool, as in the file
    BufferId buffer = none; ///< otherSize
    PoolId pool = none;     ///< otherPoolSize; none when the problem has no such pool
    Bytes stated = 0;       ///< by the file
    Bytes actual = 0;       ///< of the problem, or of the placements

    friend bool operator==(const Mismatch&, const Mismatch&) = default;
};

/// One reason why a plan is not valid.
struct Violation {
    ViolationKind kind = ViolationKind::overlap;
    BufferId first = none;
    BufferId second = none; ///< overlap: the other buffer; the same one when two of its values overlap
    PoolId pool = none;
    Step step = -1; ///< overlap: the first step at which both are live; -1 when they conflict explicitly only
    Bytes low = 0;  ///< the bytes concerned: [low, high)
    Bytes high = 0;
    Bytes firstOffset = 0;       ///< where `first` lies
    Bytes secondOffset = 0;      ///< overlap: where `second` lies
    std::int64_t iteration = -1; ///< rotating or carried values: the first iteration of the innermost loop in which it happens
    std::optional<Mismatch> mismatch = {}; ///< of that kind only

    friend bool operator==(const Violation&, const Violation&) = default;
};

struct Verdict {
    std::vector<Violation>
        violations;            ///< at most `limit`: overlaps, the earliest step first, then the others by buffer, capacities last
    bool overCapacity = false; ///< a capacity is exceeded; such a plan does not fit, but is not invalid by that alone
    /// Pairs that had to lie apart and were judged: live together in one pool (each range, window and slot by itself), or in
    /// explicit conflict.
    std::uint64_t pairsChecked = 0;
    /// No violation other than `overCapacity` ones.
    [[nodiscard]] bool valid() const;
};

/// Judges `plan` against a checked `problem`: every buffer placed once, in a candidate pool, aligned, at its pin, inside the
/// capacity, and no two conflicting buffers on a common byte, in any iteration of rotating placements. Buffers of size 0 need no
/// place. O(n log n + pairs that overlap in bytes and time), n counting ranges, windows and slots; memory O(n).
Verdict check(const Problem& problem, const Plan& plan, std::size_t limit = 16);

/// One sentence: "a [0x40, 0x80) and b [0x60, 0xa0) overlap in sram at step 12 on [0x60, 0x80)".
std::string describe(const Problem& problem, const Violation& violation);

} // namespace stowage
