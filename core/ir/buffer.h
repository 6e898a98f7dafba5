// What is planned: a buffer, when which of its bytes are occupied, and where it may lie.
#pragma once

#include "core/ir/lists.h"
#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <string>

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

} // namespace stowage
