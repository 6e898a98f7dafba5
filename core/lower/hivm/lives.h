// When the buffers of a function live on the axis of Ascend's PlanMemory, and which tensors are one buffer.
#pragma once

#include "core/lower/hivm/axis.h"

namespace stowage::lowering {

/// One buffer before in-place merging: tensors that lie in each other's bytes whatever is planned.
struct HivmBuffer {
    TensorId owner = none;        ///< the first planned tensor
    std::vector<TensorId> owners; ///< all planned ones (allocations that alias unconditionally), ascending
    Bytes size = 0;               ///< of the largest, not rounded
    std::int32_t copies = 1;
    RegionId home = 0;        ///< the innermost region around all owners
    Step gen = -1;            ///< first write; -1: never written
    Step kill = -1;           ///< included
    OpId genOp = none;        ///< the leaf op that writes it first; none when a loop's begin counts as the first write
    OpId killOp = none;       ///< the leaf op after which it is dead; none when a region ends there
    bool conditional = false; ///< source of a conditional alias: takes no part in in-place
    bool loaded = false;      ///< an MTE2 op writes it
    bool stored = false;      ///< an MTE3 or FIX op reads it
    bool scalar = false;      ///< an op of the scalar pipe touches it
    std::int32_t order = 0;   ///< of its first write among those of one number

    [[nodiscard]] bool dma() const { return loaded || stored; }
};

struct HivmLives {
    std::vector<HivmBuffer> buffers;    ///< ascending by owner; also those that nothing writes
    std::vector<std::int32_t> ofTensor; ///< by tensor: the buffer that it lies in; none when it is not planned
    std::vector<Bytes> delta;           ///< by tensor: where in it
};

/// The rules:
///  - gen: outputs and scratch of the first op that has them; at a loop's begin all that has been allocated, is used there or
///    later, and is not written yet. Inputs of the function have gen 0.
///  - kill: the end of the last use, seen from the region that holds the allocation (or from a region around it, where an alias
///    leads there): what was allocated outside a loop and is used last inside dies when the loop ends. What a region hands out is
///    used when it ends.
///  - A select's result stands for both of its sources (`conditional`); so does what a branch (cf.br) hands to a block.
///  - `preload`: from the begin to the end of the innermost loop around the allocation.
/// Requires a verified function without calls. O(uses * depth).
HivmLives findHivmLives(const Function& function, const HivmAxis& axis);

} // namespace stowage::lowering
