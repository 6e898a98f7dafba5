// The independent checker of plans, also of plans from files and plug-ins. It shares no code with the planners.
//
// The rules:
//  - A fixed placement holds its bytes during the buffer's live ranges and carried values, and the bytes of a window during the
//    window.
//  - A buffer with n slots holds n offsets at the same time during its ranges: its placement has at least n offsets without
//    common bytes.
//  - A rotating placement of a buffer with one slot holds one offset at a time: in iteration i the offset `Rotation::index(i)`.
//    The check is exact for all iterations, without unrolling: the values of two iterations are in use together if the
//    congruences of their rotations have a common solution within the trip count (if it is unknown: in any iteration; if it is 0:
//    in one iteration). A carried value may also overlap newer values of its own buffer; an early range is in use in one
//    iteration only. Before its loop a buffer holds the value of iteration 0, after the loop the value of the last iteration.
//  - An explicit conflict covers all bytes, and applies to the values of one iteration and to the carried values of both buffers.
//  - With `Axis::dag`, ranges count only between values of the same buffer.
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

/// How a plan that was read from a file contradicts the problem, which shows that it is a plan of another problem.
enum class MismatchKind : std::uint8_t {
    unknownBuffer, ///< the file places a buffer that the problem does not have
    otherSize,     ///< a buffer has another size than in the problem
    otherPoolSize, ///< the stated size of a pool differs from that of its placements
    otherTensor,   ///< the list of tensors puts one elsewhere than the placement of its buffer, lacks one, or has one too many
};
struct Mismatch {
    MismatchKind kind = MismatchKind::unknownBuffer;
    std::string name;       ///< of the buffer, the pool or the tensor, as in the file
    BufferId buffer = none; ///< otherSize; otherTensor: of the tensor, none when no tensor of that name is planned
    PoolId pool = none;     ///< otherPoolSize, otherTensor; none when the problem has no such pool or tensor
    Bytes stated = 0;       ///< size in the file; otherTensor: offset there, -1 when the list lacks the tensor
    Bytes actual = 0;       ///< size in the problem, or of the placements; otherTensor: offset by the placement

    friend bool operator==(const Mismatch&, const Mismatch&) = default;
};

/// One reason why a plan is not valid.
struct Violation {
    ViolationKind kind = ViolationKind::overlap;
    BufferId first = none;
    BufferId second = none; ///< overlap: the other buffer; the same buffer if two of its values overlap
    PoolId pool = none;
    Step step = -1; ///< overlap: the first step at which both are live; -1 for an explicit conflict only
    Bytes low = 0;  ///< the bytes concerned: [low, high)
    Bytes high = 0;
    Bytes firstOffset = 0;                 ///< offset of `first`
    Bytes secondOffset = 0;                ///< overlap: offset of `second`
    std::int64_t iteration = -1;           ///< rotating or carried values: the first such iteration of the innermost loop
    std::optional<Mismatch> mismatch = {}; ///< only with kind `mismatch`

    friend bool operator==(const Violation&, const Violation&) = default;
};

struct Verdict {
    std::vector<Violation> violations; ///< at most `limit`: first overlaps by step, then others by buffer, capacities last
    bool overCapacity = false;         ///< a capacity is exceeded; this alone does not make a plan not valid
    /// Number of pairs that were compared: those live together in one pool (each range, window and slot counts separately), and
    /// those in explicit conflict.
    std::uint64_t pairsChecked = 0;
    /// True if there are no violations except of kind `overCapacity`.
    [[nodiscard]] bool valid() const;
};

/// Checks `plan` for a checked `problem`: every buffer is placed in a candidate pool, aligned, at its pin, within the capacity,
/// and no two buffers in conflict share a byte in any iteration. Buffers of size 0 need no placement. O(n log n + pairs that
/// overlap in bytes and time), where n counts ranges, windows and slots; memory O(n).
Verdict check(const Problem& problem, const Plan& plan, std::size_t limit = 16);

/// The violation as one sentence: "a [0x40, 0x80) and b [0x60, 0xa0) overlap in sram at step 12 on [0x60, 0x80)".
std::string describe(const Problem& problem, const Violation& violation);

} // namespace stowage
