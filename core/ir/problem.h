// The input of a planner: buffers with their live ranges, and the pools in which they may be placed.
#pragma once

#include "core/ir/borrowing_list.h"
#include "core/ir/lists.h"
#include "core/ir/program.h"
#include "core/ir/types.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

enum class BufferKind : std::uint8_t { intermediate, input, output, constant, variable };

/// Steps in which only the bytes [low, high) of a buffer, counted from its offset, are occupied. The steps lie in a gap between
/// two live ranges.
struct Window {
    Interval live;
    Bytes low = 0;
    Bytes high = 0;

    friend bool operator==(const Window&, const Window&) = default;
};

/// Restricts steps to one iteration of a loop. For steps inside the loop: `iteration` is the current iteration. For steps after
/// the loop: `iteration` is the number of iterations that have run (0: the body has not run).
struct LoopIteration {
    LoopId loop = none; ///< none: no restriction
    std::int32_t iteration = 0;

    friend bool operator==(const LoopIteration&, const LoopIteration&) = default;
};

/// A carried value: the value made in iteration i is still live at these steps of iteration i + distance. For steps after the
/// loop: the value made `distance` iterations before the last iteration.
struct Carried {
    std::int32_t distance = 1; ///< >= 1
    Interval live;
    LoopId loop = none; ///< the loop whose iterations the value is carried across; none: the buffer's own loop. An outer loop
                        ///< carries the value that the last iterations of its inner loops have made
    LoopIteration when = {}; ///< restricts the steps to one iteration of a loop inside `loop`

    friend bool operator==(const Carried&, const Carried&) = default;
};

/// A part of the live ranges in which the buffer is live in one iteration only, because it holds the initial value of a carried
/// value. In all other iterations other buffers may use its bytes. A planner may ignore early ranges: its plan is still valid.
struct Early {
    Interval live; ///< inside the loop of `when`, or after it
    LoopIteration when;

    friend bool operator==(const Early&, const Early&) = default;
};

/// A loop of the program. Offsets of its buffers may rotate with its iterations.
struct Loop {
    std::string name;
    LoopId parent = none;                  ///< the innermost loop around it
    Interval live;                         ///< steps of one pass through it
    std::optional<std::int64_t> tripCount; ///< iterations, when known

    friend bool operator==(const Loop&, const Loop&) = default;
};

/// The steps in which a called function (an operator) runs. Its own buffers are live only there. A planner may plan the buffers
/// of each scope first.
struct Scope {
    std::string name;
    std::vector<Interval> live; ///< steps of its calls, ascending and disjoint

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Accesses to a buffer in one run of the program; all 0: unknown.
struct Traffic {
    Bytes read = 0;          ///< bytes, all reads together
    Bytes written = 0;       ///< bytes, all writes together
    std::int64_t reads = 0;  ///< executions of ops that read it
    std::int64_t writes = 0; ///< executions of ops that write it

    friend bool operator==(const Traffic&, const Traffic&) = default;
    [[nodiscard]] bool known() const { return reads > 0 || writes > 0; }
};

/// An allocation of a kernel. Several allocations form one buffer if they overwrite each other or name the same value; Ascend's
/// planner applies its rules to each of them. Set by the lowering to Ascend's order.
struct BufferMember {
    Bytes bytes = 0;     ///< size of the allocation, not rounded up
    Step begin = 0;      ///< step of its first write
    bool dma = false;    ///< touched by a DMA pipe
    bool scalar = false; ///< touched by the scalar pipe
    bool unique = false; ///< marked to share its bytes with no other allocation

    friend bool operator==(const BufferMember&, const BufferMember&) = default;
};

/// When a buffer is occupied. core/ir/occupied.h computes from these fields which bytes are occupied in which steps of which
/// iteration; use it instead of the fields, except in readers and writers, the lowering, the checkers and the executor.
struct Lifetime {
    ShortList<Interval> live;  ///< ascending, disjoint, non-empty half-open ranges; between them lie gaps
    RareList<Window> windows;  ///< ascending, disjoint; steps inside gaps in which a part of the bytes is occupied
    RareList<Carried> carried; ///< live ranges in later iterations than the one that made the value
    RareList<Early> early;     ///< exceptions to `live`; at a step in several of them the buffer is live in the iteration of each
    LoopId loop = none;        ///< innermost loop that the buffer belongs to

    friend bool operator==(const Lifetime&, const Lifetime&) = default;
    /// From the first to the last live step, gaps included. [0, 0) without live ranges.
    [[nodiscard]] Interval hull() const { return live.empty() ? Interval{} : Interval{live.front().begin, live.back().end}; }
    [[nodiscard]] bool hasWindows() const { return !windows.empty(); }
    /// True if a value is still live in a later iteration than the one that made it.
    [[nodiscard]] bool isCarried() const { return !carried.empty(); }
    /// True if some live steps hold in a single iteration only.
    [[nodiscard]] bool hasEarly() const { return !early.empty(); }
    /// True in the usual case: all bytes are occupied in one live range, in every iteration.
    [[nodiscard]] bool isPlain() const { return live.size() == 1 && windows.empty() && carried.empty() && early.empty(); }
};

/// Where a buffer may be placed.
struct PlaceRules {
    Bytes alignment = 1;      ///< >= 1; the offset is a multiple of the lcm of this and the pool's alignment
    RareList<PoolId> pools;   ///< candidates in order of preference; empty: all workspace pools, by id
    std::optional<Bytes> pin; ///< fixed offset
    /// Addresses that the buffer occupies at the same time, used in turn by the iterations of its loop; >= 1.
    std::int32_t slots = 1;

    friend bool operator==(const PlaceRules&, const PlaceRules&) = default;
};

/// With which other buffers a buffer may share bytes.
struct SharingRules {
    RareList<BufferId> conflicts; ///< explicit conflicts, in addition to those of the live ranges; ascending, symmetric
    RareList<BufferId> mayShare;  ///< buffers that may occupy the same bytes although both are live (permitted in-place pairs)
    bool unique = false;          ///< shares its bytes with no other buffer
    ScopeId scope = none;         ///< the scope that contains all its live ranges; none: no scope

    friend bool operator==(const SharingRules&, const SharingRules&) = default;
};

/// Facts about a buffer of a kernel, for Ascend's planner.
struct KernelFacts {
    RareList<BufferMember> members; ///< in the planner's order; the last one gave the buffer its address and size. Empty: one
                                    ///< member with the size and marks of the buffer
    bool dma = false;               ///< touched by a DMA pipe
    bool scalar = false;            ///< touched by the scalar pipe
    /// Number of the tightly coupled buffer, which both cube and vector cores access; none: not tightly coupled.
    std::int32_t coupled = none;

    friend bool operator==(const KernelFacts&, const KernelFacts&) = default;
};

/// A buffer: the object that is planned. The groups of fields are base classes, so that a function can take only the group that
/// it reads.
struct Buffer : Lifetime, PlaceRules, SharingRules, KernelFacts {
    std::string name;
    Bytes size = 0; ///< >= 0; a buffer of size 0 conflicts with no other
    BufferKind kind = BufferKind::intermediate;
    Traffic traffic;

    friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// Two buffers that may share bytes at a cost, for example of a synchronisation or a copy. Planners with the option
/// `pipe-aware=price` add the cost to the size that they minimise.
struct ReusePenalty {
    BufferId first = none;
    BufferId second = none; ///< > first in a checked problem
    Bytes cost = 0;         ///< >= 0; in the unit of sizes

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
    BorrowingList<Buffer> buffers;
    std::vector<Loop> loops;
    std::vector<Scope> scopes;
    std::vector<ReusePenalty> penalties; ///< in a checked problem ascending by buffers, one a pair

    friend bool operator==(const Problem&, const Problem&) = default;

    /// Candidate pools of a buffer in order of preference: those of the buffer; if it names none, all workspace pools.
    [[nodiscard]] std::vector<PoolId> candidates(const Buffer& buffer) const;
    /// The lcm of the alignments of the buffer and the pool, in bytes. Requires a checked problem.
    [[nodiscard]] Bytes effectiveAlignment(const Buffer& buffer, PoolId pool) const;
    /// One past the last step at which a buffer is live or holds a carried value; 0 without buffers. O(buffers).
    [[nodiscard]] Step horizon() const;
};

/// A copy that shares the buffers of `lender` until one of them is changed. O(1) in the number of buffers.
[[nodiscard]] Problem borrowed(const std::shared_ptr<const Problem>& lender);

/// True if `loop` is `around` or nested in it, at any depth. False if `around` is none. O(depth). Requires a checked problem.
[[nodiscard]] bool isInside(const Problem& problem, LoopId loop, LoopId around);

/// True if the two buffers may not share a byte: they are occupied at a common step, conflict explicitly, or one is unique. False
/// for pairs that may share, and for buffers of size 0. Windows count as if they covered all bytes; only the checker compares the
/// bytes of windows. An early range does not conflict with a carried value that cannot exist in the iteration of the early range.
/// With `Axis::dag` only explicit conflicts and uniqueness count. O(ranges + log conflicts); if a buffer has windows, carried
/// values or early ranges, O(entries of a * entries of b). Requires a checked problem.
[[nodiscard]] bool conflict(const Problem& problem, BufferId a, BufferId b);

/// Checks `problem` and repairs it in place. A problem with errors must not be planned. Checked: sizes, alignments, ranges and
/// ids are in range; sums are at most 2^62; names are unique; windows lie in gaps; pins are aligned. Repaired with a warning:
/// conflicts listed by one side only; overlapping live ranges; a permission to share that a conflict or uniqueness contradicts;
/// with `Axis::dag`, pairs without a conflict that are live together in the order shown. Repaired silently: the order of ranges
/// and lists; adjacent ranges are joined; penalties of one pair are added. Returns at most 100 messages, and one with the number
/// of the others. `where` gives the position of a buffer in its file for the messages; may be empty. O(n log n); with `dag` also
/// the pairs that are live together.
Diagnostics checkAndRepair(Problem& problem, const std::function<Position(BufferId)>& where = {});

} // namespace stowage
