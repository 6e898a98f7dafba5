// Values that go from one iteration to the next in place, without a copy.
#pragma once

#include "core/lower/expansion.h"

#include <vector>

namespace stowage::lowering {

/// What the body makes as `from` in one iteration is its input `to` in the next one, in the same bytes; in the first iteration that is
/// the loop's input `initial`, where that lies.
struct PreciseCarry {
    InstanceId instance = none;
    LoopId loop = none;
    TensorId from = none;
    TensorId to = none;
    TensorId initial = none;
};

/// True when a carry of a loop of `function` can be done in place: a loop without a condition; a value made whole inside the body and
/// carried once; all three of one size, planned, in the same pools, without copies and pins of their own; and a first value that is itself
/// no input of a region, so that it lies in one place. Nothing may write into either of these, which are one in the first
/// iteration. O(ops * depth).
bool mayCarryInPlace(const Program& program, const Function& function, const Op& loop, const Carry& carry);

/// All of them, in functions that are expanded once: a storage that several calls share would rotate with several loops.
std::vector<PreciseCarry> preciseCarries(const Expansion& expansion);

} // namespace stowage::lowering
