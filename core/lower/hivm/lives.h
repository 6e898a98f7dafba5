// Live ranges of a function's allocations on the axis of Ascend's PlanMemory, and allocations that are folded into one buffer.
#pragma once

#include "core/lower/hivm/axis.h"

#include <utility>

namespace stowage::lowering {

/// One allocation: a planned tensor that is no view.
struct HivmBuffer {
    TensorId owner = none;
    Bytes size = 0; ///< not rounded
    std::int32_t slots = 1;
    Step gen = -1;                 ///< first write; -1: never written
    Step kill = -1;                ///< included
    OpId genOp = none;             ///< the leaf op that writes it first; none when a loop's begin counts as the first write
    OpId killOp = none;            ///< the leaf op after which it is dead; none when a region ends there
    bool keptOutOfInPlace = false; ///< scratch, a source of a conditional alias, or aliased with another allocation
    bool loaded = false;           ///< an MTE2 op writes it
    bool stored = false;           ///< an MTE3 or FIX op reads it
    bool scalar = false;           ///< an op of the scalar pipe touches it
    bool unique = false;           ///< shares its bytes with no other allocation, not even with its aliases
    bool meetsLoad = false;        ///< a load from global memory touches it
    bool meetsStore = false;       ///< a store to global memory touches it
    std::int32_t order = 0;        ///< position of its first write among the first writes of the same number

    [[nodiscard]] bool dma() const { return loaded || stored; }
};

struct HivmLives {
    std::vector<HivmBuffer> buffers;    ///< ascending by owner; includes allocations that nothing writes
    std::vector<std::int32_t> ofTensor; ///< by tensor: the buffer that it lies in; none when it is not planned
    std::vector<Bytes> delta;           ///< by tensor: offset in that buffer
    /// Pairs of allocations that are aliases unconditionally and are not unique. Pair by pair, the first allocation is folded
    /// into the second.
    std::vector<std::pair<std::int32_t, std::int32_t>> aliases;
};

/// The rules:
///  - gen: outputs and scratch of the first op that has them or an alias (core/lower/hivm/aliases.h), among those that have been
///    allocated by then; at a loop's begin all that has been allocated, is used there or later, and is not written yet. An op
///    that chooses writes nothing. Inputs of the function have gen 0.
///  - kill: the end of the last use of any alias, conditional ones included, seen from the region that holds the allocation (or
///    from a region around it, where an alias leads there): what was allocated outside a loop and is used last inside dies when
///    the loop ends. What a region hands out is used when it ends.
///  - Aliased allocations: those of a class that are not unique. The first one's place goes into that of each other one, in the
///    order in which they became its aliases, so that the last of these gives the position.
///  - `preload`: from the begin to the end of the innermost loop around the allocation.
/// `coupledApart`: a coupled buffer of the function's own core is unique. Requires a verified function without calls. O(uses *
/// depth * regions that hold allocations of one class).
HivmLives findHivmLives(const Function& function, const HivmAxis& axis, bool coupledApart);

} // namespace stowage::lowering
