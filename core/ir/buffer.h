// A buffer: when which of its bytes are occupied, and where it may be placed.
#pragma once

#include "core/ir/lists.h"
#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <string>

namespace stowage {

enum class BufferKind : std::uint8_t { intermediate, input, output, constant, variable };

/// Steps in which only the bytes [low, high) of a buffer, counted from its offset, are occupied. The steps lie in a hole between
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

} // namespace stowage
