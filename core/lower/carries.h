// Carried values that need not be copied between iterations.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/move_reason.h"

#include <vector>

namespace stowage::lowering {

/// What a carried input of a body is: in iteration i what the body made `distance` iterations before, in iterations before that
/// the loop's inputs one after the other. A value that goes through several inputs (a delay line) has a distance for each.
struct CarriedValue {
    TensorId made = none; ///< made by the body
    std::int32_t distance = 0;
    std::vector<TensorId> initials;         ///< by iteration, `distance` entries: inputs of the loop
    MoveReason obstacle = MoveReason::none; ///< why its bytes have to be moved; empty: they need not
};

/// Follows a carry of a loop of `function`. No move is needed when all that it goes through is of one size, planned, in the same
/// pools, with one slot and without pins, made whole inside the body, and when nothing writes into the inputs, which are the
/// loop's inputs at first. O(ops * depth) for each input that it goes through.
CarriedValue followCarry(const Program& program, const Function& function, const Op& loop, const Carry& carry);

/// True for tensors that may lie where another one does: planned whole, in one slot, without a place that the source fixes, no
/// variables.
bool mayLieElsewhere(const Tensor& tensor);

/// The tensor at the end of a chain of views.
TensorId rootOf(const Function& function, TensorId id);

/// True when an op writes into the bytes of a tensor (no view) that is there already: to a view of it, or of an input that stands
/// for it further inside. O(ops * depth).
bool writtenInside(const Program& program, const Function& function, TensorId tensor);

/// True when an op writes into what a region is given as `tensor`: there, or where a region further out is given the same.
bool writtenAround(const Program& program, const Function& function, TensorId tensor);

/// A carry of one expansion of its loop.
struct PreciseCarry {
    InstanceId instance = none;
    OpId op = none;
    LoopId loop = none;
    TensorId to = none;
    CarriedValue value;
    TensorId result =
        none; ///< of the loop, where it is what the next iteration would have had as `to`, and lies there; none: there is none
};

/// A carry that is done by moving bytes.
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

/// All carries of all expansions of loops.
Carries findCarries(const Expansion& expansion);

} // namespace stowage::lowering
