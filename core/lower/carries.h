// Finds carried values that need no copy between iterations.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/move_reason.h"

#include <vector>

namespace stowage::lowering {

/// The value of a carried input of a body. In iteration i >= `distance` it is the tensor `made` of iteration i - `distance`; in
/// iterations before that it is `initials[i]`. A value that passes through several inputs (a delay line) has another distance in
/// each.
struct CarriedValue {
    TensorId made = none; ///< the tensor that the body makes
    std::int32_t distance = 0;
    std::vector<TensorId> initials;         ///< by iteration, `distance` entries: inputs of the loop
    MoveReason obstacle = MoveReason::none; ///< why it has to be copied; `none`: no copy is needed
};

/// Follows a carry of a loop of `function`. No copy is needed under two conditions. All tensors through which the value passes
/// have one size and the same pools, are planned, have one slot and no pin, and the body makes the value as a whole. And no op
/// writes into the inputs through which it passes. O(ops * depth) for each of these inputs.
CarriedValue followCarry(const Program& program, const Function& function, const Op& loop, const Carry& carry);

/// True for a tensor that may get the address of another tensor: it is planned as a whole, has one slot and no fixed address, and
/// is no variable.
bool mayLieElsewhere(const Tensor& tensor);

/// The tensor at the end of a chain of views.
TensorId rootOf(const Function& function, TensorId id);

/// True when an op overwrites bytes of an existing tensor (no view): through a view of it, or through an input of an inner region
/// that stands for it. O(ops * depth).
bool writtenInside(const Program& program, const Function& function, TensorId tensor);

/// True when an op overwrites the value that a region receives as `tensor`, in this region or in an outer region that receives
/// the same value.
bool writtenAround(const Program& program, const Function& function, TensorId tensor);

/// A carry of one expansion of its loop.
struct PreciseCarry {
    InstanceId instance = none;
    OpId op = none;
    LoopId loop = none;
    TensorId to = none;
    CarriedValue value;
    TensorId result = none; ///< the loop's output that would be `to` in the next iteration and lies at its address; none: there
                            ///< is no such output
};

/// A carry that is done by a copy.
struct MovedCarry {
    InstanceId instance = none;
    OpId op = none;
    Carry carry;
    MoveReason reason = MoveReason::none;
};

struct Carries {
    std::vector<PreciseCarry> precise;
    std::vector<MovedCarry> moved;
};

/// The carries of all loops in all their expansions.
Carries findCarries(const Expansion& expansion);

} // namespace stowage::lowering
