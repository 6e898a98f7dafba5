// What a planner sees: buffers, when they are live, and the pools they may go to.
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

/// Steps in which only the bytes [low, high) of a buffer, counted from its offset, are occupied.
/// The steps lie inside the hull of the buffer's live ranges, in a gap between them.
struct Window {
    Interval live;
    Bytes low = 0;
    Bytes high = 0;

    friend bool operator==(const Window&, const Window&) = default;
};

/// One iteration of a loop, for steps inside the loop. For steps after the loop: the loop has ended after this many iterations
/// (0: its body has not run).
struct LoopIteration {
    LoopId loop = none; ///< none: every iteration
    std::int32_t iteration = 0;

    friend bool operator==(const LoopIteration&, const LoopIteration&) = default;
};

/// Steps in which the value made in iteration i is still live in iteration i + distance. For steps after the loop: the value of
/// the last iteration but `distance`.
struct Carried {
    std::int32_t distance = 1; ///< >= 1
    Interval live;
    LoopId loop = none;      ///< the loop that the value is carried round; none: the buffer's own. A loop further out carries the
                             ///< value that the last iterations of the loops inside it have made
    LoopIteration when = {}; ///< the value is live in this iteration only, of a loop inside the one it is carried round

    friend bool operator==(const Carried&, const Carried&) = default;
};

/// Part of the live ranges in which the buffer is live in one iteration only: an initial value of a carried value. In all other
/// iterations other buffers may use its bytes. A planner that ignores early ranges gives a valid plan.
struct Early {
    Interval live; ///< inside the loop of `when`, or after it
    LoopIteration when;

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

/// The time in which a called function runs: its own buffers are live only there. Planners may plan inside each scope first.
struct Scope {
    std::string name;
    std::vector<Interval> live; ///< steps of its calls, ascending and disjoint

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Accesses to a buffer in one run of the program, where the input tells; all 0: not known.
struct Traffic {
    Bytes read = 0;          ///< bytes, all reads together
    Bytes written = 0;       ///< bytes, all writes together
    std::int64_t reads = 0;  ///< executions of ops that read it
    std::int64_t writes = 0; ///< executions of ops that write it

    friend bool operator==(const Traffic&, const Traffic&) = default;
    [[nodiscard]] bool known() const { return reads > 0 || writes > 0; }
};

/// One of the kernel's allocations that lie in one buffer, because they overwrite one another or name the same value. Ascend's
/// planner applies its rules to each by itself. Set by the lowering of Ascend's order.
struct BufferMember {
    Bytes bytes = 0;     ///< of the allocation, not rounded up
    Step begin = 0;      ///< its first write
    bool dma = false;    ///< touched by a DMA pipe
    bool scalar = false; ///< touched by the scalar pipe
    bool unique = false; ///< marked to share its bytes with no other allocation

    friend bool operator==(const BufferMember&, const BufferMember&) = default;
};

/// When a buffer is occupied. core/ir/occupied.h turns these fields into the bytes that are occupied in a step of an iteration;
/// ask there, except in readers, the lowering and the judges.
struct Lifetime {
    ShortList<Interval> live;  ///< ascending, disjoint, non-empty half-open ranges; between them lie gaps
    RareList<Window> windows;  ///< ascending, disjoint; parts of gaps in which a part of the buffer is occupied
    RareList<Carried> carried; ///< live ranges in iterations after the one that made the value (see `loop`)
    RareList<Early> early;     ///< exceptions from `live`; a step in several of them is live in the iteration of each
    LoopId loop = none;        ///< innermost loop that the buffer belongs to

    friend bool operator==(const Lifetime&, const Lifetime&) = default;
    /// First to last live step, gaps included. [0, 0) without live ranges.
    [[nodiscard]] Interval hull() const { return live.empty() ? Interval{} : Interval{live.front().begin, live.back().end}; }
    [[nodiscard]] bool hasWindows() const { return !windows.empty(); }
    /// A value is held in iterations after the one that made it.
    [[nodiscard]] bool isCarried() const { return !carried.empty(); }
    /// Some live steps hold in single iterations only.
    [[nodiscard]] bool hasEarly() const { return !early.empty(); }
    /// All bytes over one live range in every iteration: the usual case.
    [[nodiscard]] bool isPlain() const { return live.size() == 1 && windows.empty() && carried.empty() && early.empty(); }
};

/// Where a buffer may lie.
struct PlaceRules {
    Bytes alignment = 1;      ///< >= 1; the offset is a multiple of its lcm with the pool's
    RareList<PoolId> pools;   ///< candidates in order of preference; empty: all workspace pools in order
    std::optional<Bytes> pin; ///< fixed offset
    std::int32_t slots = 1;   ///< addresses held at the same time, which rotate with the buffer's loop; >= 1

    friend bool operator==(const PlaceRules&, const PlaceRules&) = default;
};

/// With which buffers a buffer may share bytes.
struct SharingRules {
    RareList<BufferId> conflicts; ///< explicit ones, ascending, closed symmetrically, in addition to those of the ranges
    RareList<BufferId> mayShare;  ///< may occupy the same bytes although both are live (a permitted in-place pair)
    bool unique = false;          ///< shares its bytes with no other buffer
    ScopeId scope = none;         ///< the scope inside which all its live ranges lie; none: outside of every scope

    friend bool operator==(const SharingRules&, const SharingRules&) = default;
};

/// What Ascend's planner asks about a buffer of a kernel.
struct KernelFacts {
    RareList<BufferMember> members; ///< in the planner's order, the one that gave the address and the size last; empty: one,
                                    ///< with the size and the marks of the buffer
    bool dma = false;               ///< touched by a DMA pipe
    bool scalar = false;            ///< touched by the scalar pipe
    std::int32_t coupled = none;    ///< number of the tightly coupled buffer that both cube and vector cores reach; none: not
                                    ///< tightly coupled

    friend bool operator==(const KernelFacts&, const KernelFacts&) = default;
};

/// What is planned. The groups of fields are bases, so that a function can take the one group that it reads.
struct Buffer : Lifetime, PlaceRules, SharingRules, KernelFacts {
    std::string name;
    Bytes size = 0; ///< > 0 in a checked problem; 0 is accepted and conflicts with nothing
    BufferKind kind = BufferKind::intermediate;
    Traffic traffic;

    friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// Two buffers that may share bytes at a cost, e.g. of a synchronisation or a copy. Planners with the option `pipe-aware=price`
/// weigh the cost against the size.
struct ReusePenalty {
    BufferId first = none;
    BufferId second = none; ///< > first in a checked problem
    Bytes cost = 0;         ///< >= 0; in bytes of size

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

    /// Candidate pools of a buffer in order of preference: its own, else all workspace pools.
    [[nodiscard]] std::vector<PoolId> candidates(const Buffer& buffer) const;
    /// lcm of the buffer's and the pool's alignment. Requires a checked problem.
    [[nodiscard]] Bytes effectiveAlignment(const Buffer& buffer, PoolId pool) const;
    /// One past the last live step of any buffer; 0 without buffers. O(buffers).
    [[nodiscard]] Step horizon() const;
};

/// The same problem, whose buffers stay those of `lender` until one of them is changed. O(1) in the number of buffers.
[[nodiscard]] Problem borrowed(const std::shared_ptr<const Problem>& lender);

/// Whether `loop` is `around` or nested in it, at any depth. False when `around` is none. O(depth). Requires a checked problem.
[[nodiscard]] bool isInside(const Problem& problem, LoopId loop, LoopId around);

/// True when the two may not share a byte: they are occupied in a common step, or conflict explicitly, or one is unique. False
/// for pairs that may share, and for buffers of size 0. Windows count as if they covered all bytes (the checker compares bytes).
/// An early range does not meet a carried value that cannot exist in the early range's iteration. With an axis of `dag` only
/// explicit conflicts and uniqueness count. O(ranges + log conflicts); O(entries a * entries b) when one has windows or is
/// carried. Requires a checked problem.
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
