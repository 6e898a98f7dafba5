// What a planner sees: buffers, when they are live, and the memories they may go to.
#pragma once

#include "core/ir/program.h"
#include "core/ir/types.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

enum class BufferKind : std::uint8_t { intermediate, input, output, constant, variable };

/// Steps in which only the bytes [low, high) of a buffer, counted from its offset, are occupied.
/// The steps lie inside the hull of the buffer's live ranges, in a gap between them.
struct Window {
    Interval live;
    Bytes low = 0;
    Bytes high = 0;

    friend bool operator==(const Window&, const Window&) = default;
};

/// One iteration of a loop. Behind the loop: the loop has ended after so many iterations (0: it has run none).
struct Turn {
    LoopId loop = none; ///< none: any iteration of anything
    std::int32_t iteration = 0;

    friend bool operator==(const Turn&, const Turn&) = default;
};

/// Steps in which the copy made in iteration i is still live in iteration i + distance; behind the loop: the copy of the last
/// iteration but `distance`.
struct Carried {
    std::int32_t distance = 1; ///< >= 1
    Interval live;
    LoopId loop = none; ///< that it is carried round: none: the buffer's own; else one around that. Then it is the copy of the
                        ///< last iterations of the loops inside, of so many iterations ago
    Turn turn = {};     ///< only then; a loop inside the one that it is carried round

    friend bool operator==(const Carried&, const Carried&) = default;
};

/// Parts of the live ranges in which the buffer is live in one iteration only: what a loop is given for its first iterations. In
/// the others something else may lie there. A planner that does not look at these is on the safe side.
struct Early {
    Interval live; ///< inside the loop of `turn`, or behind it
    Turn turn;

    friend bool operator==(const Early&, const Early&) = default;
};

/// A loop that offsets may rotate with.
struct Loop {
    std::string name;
    LoopId parent = none;                  ///< the loop around it
    Interval live;                         ///< steps of one pass through it
    std::optional<std::int64_t> tripCount; ///< iterations, when known

    friend bool operator==(const Loop&, const Loop&) = default;
};

/// An operator that has buffers of its own: a function that the entry calls. Planners may share inside it first.
struct Scope {
    std::string name;
    std::vector<Interval> live; ///< steps of its calls, ascending and disjoint

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// How often and how much a buffer is read and written in one run, where the input tells; 0 everywhere: not known.
struct Traffic {
    Bytes read = 0;          ///< bytes, all reads together
    Bytes written = 0;       ///< bytes, all writes together
    std::int64_t reads = 0;  ///< ops that read it, each as often as it runs
    std::int64_t writes = 0; ///< ops that write it, each as often as it runs

    friend bool operator==(const Traffic&, const Traffic&) = default;
    [[nodiscard]] bool known() const { return reads > 0 || writes > 0; }
};

/// One of the kernel's allocations that lie in one buffer: written over one another, or the same value under several names. The
/// rules of Ascend's planner ask each by itself. Filled by the lowering of Ascend's order.
struct BufferMember {
    Bytes bytes = 0;     ///< of the allocation, not rounded up
    Step begin = 0;      ///< its first write
    bool dma = false;    ///< touched by a DMA pipe
    bool scalar = false; ///< touched by the scalar pipe
    bool unique = false; ///< marked to share its place with nothing

    friend bool operator==(const BufferMember&, const BufferMember&) = default;
};

struct Buffer {
    std::string name;
    Bytes size = 0;                  ///< > 0 in a checked problem; 0 is accepted and conflicts with nothing
    Bytes alignment = 1;             ///< >= 1; the offset is a multiple of its lcm with the pool's
    std::vector<Interval> live;      ///< ascending, disjoint, non-empty half-open ranges; between them lie gaps
    std::vector<Window> windows;     ///< ascending, disjoint; parts of gaps in which a part of the buffer is occupied
    std::vector<Carried> carried;    ///< beyond the iteration that made it (see `loop`)
    std::vector<Early> early;        ///< exceptions from `live`; a step may be in several, and is live in the turn of each
    std::vector<BufferId> conflicts; ///< explicit ones, ascending, closed symmetrically, in addition to those of the ranges
    std::vector<PoolId> pools;       ///< candidates in order of preference; empty: all workspace pools in order
    std::optional<Bytes> pin;        ///< the offset is fixed
    BufferKind kind = BufferKind::intermediate;
    std::int32_t slots = 1;            ///< copies live at the same time that rotate with `loop`, >= 1
    LoopId loop = none;                ///< innermost loop that it belongs to
    bool dma = false;                  ///< touched by a DMA pipe
    bool scalar = false;               ///< touched by the scalar pipe
    bool unique = false;               ///< shares its place with nothing
    std::vector<BufferMember> members; ///< in the planner's order, the one that gave the place and the size last; empty: one,
                                       ///< with the size and the marks of the buffer
    std::int32_t coupled =
        none; ///< number of the tightly coupled buffer that it is: reached by cube and vector cores; none: it is not
    std::vector<BufferId> mayShare; ///< may occupy the same bytes although both are live (a remembered in-place pair)
    ScopeId scope = none;           ///< the operator inside which it lives and dies; none: between operators
    Traffic traffic;

    friend bool operator==(const Buffer&, const Buffer&) = default;
    /// First to last live step, gaps included. [0, 0) without live ranges.
    [[nodiscard]] Interval hull() const { return live.empty() ? Interval{} : Interval{live.front().begin, live.back().end}; }
};

/// Two buffers that may share bytes, but at a price: to synchronise or to copy, say. Planners with the option
/// `pipe-aware=price` weigh it against the size.
struct ReusePenalty {
    BufferId first = none;
    BufferId second = none; ///< > first in a checked problem
    Bytes cost = 0;         ///< >= 0; in bytes of size that it is worth

    friend bool operator==(const ReusePenalty&, const ReusePenalty&) = default;
};

/// What the steps of a problem count.
enum class Axis : std::uint8_t {
    ops,  ///< ops in listed order
    hivm, ///< Ascend's pre-order numbering
    dag,  ///< no order: conflicts are explicit; live ranges, where present, only illustrate one topological order
};

struct Problem {
    std::string name;
    Axis axis = Axis::ops;
    std::vector<Pool> pools; ///< at least one in a checked problem
    std::vector<Buffer> buffers;
    std::vector<Loop> loops;
    std::vector<Scope> scopes;
    std::vector<ReusePenalty> penalties; ///< in a checked problem ascending by buffers, one a pair

    friend bool operator==(const Problem&, const Problem&) = default;

    /// Candidate pools of a buffer in order of preference: its own, else all workspace pools.
    [[nodiscard]] std::vector<PoolId> candidates(const Buffer& buffer) const;
    /// lcm of the buffer's and the pool's alignment. Requires a checked problem.
    [[nodiscard]] Bytes effectiveAlignment(const Buffer& buffer, PoolId pool) const;
    /// One past the last live step of any buffer; 0 without buffers. O(buffers).
    [[nodiscard]] Step horizon() const;
};

/// True when the two may not share a byte: their occupied steps meet, or they conflict explicitly, or one is unique; false for
/// pairs that may share, and for buffers of size 0. Occupied are live ranges, windows (as if over all bytes: the checker judges
/// them by bytes), and what is carried into later iterations; what is live in an early iteration does not meet what is carried
/// from one that is none. With an axis of `dag` steps count for nothing. Gaps are honoured. O(ranges + log conflicts); O(pieces a
/// * pieces b) when one has windows or is carried. Requires a checked problem.
[[nodiscard]] bool conflict(const Problem& problem, BufferId a, BufferId b);

/// What is wrong with `problem`; errors keep it from being planned, warnings (a one-sided conflict) were repaired in place.
/// Checked: sizes, alignments, ranges and ids in range, sums at most 2^62, names unique, windows in gaps, pins aligned. Repaired,
/// with a warning: conflicts named by one side only; overlapping live ranges; a permission to share that a conflict or uniqueness
/// contradicts; with an axis of `dag` pairs that are live together in the order shown and have no conflict. Repaired silently:
/// the order of ranges and lists, ranges that touch, penalties of one pair added up. At most 100 messages, and one that counts
/// the rest. `where` gives the place of a buffer in its file, for the messages; may be empty. O(n log n); with `dag` plus pairs
/// live together.
Diagnostics checkAndRepair(Problem& problem, const std::function<Position(BufferId)>& where = {});

} // namespace stowage
