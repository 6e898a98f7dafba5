// Which op may write over an input that dies at it, by the rules of Ascend's PlanMemory.
#pragma once

#include "core/ir/program.h"

namespace stowage::lowering {

/// May `op` write `written`, one of its outputs, over `dead`, an input of it? `asIsa`: only what the instruction set itself
/// allows (`restrict-inplace-as-isa`). In this order:
///  - vadd, vsub, vmax, vmin, vor, vand and vmul without inline broadcast or transpose: yes; with `asIsa` nothing else;
///  - an op with scratch: no, unless it is one piece on an op that needs it for a broadcast or a scalar operand;
///  - no element-wise vector op, or one with an inline transpose: no;
///  - an inline broadcast: only where both have one static shape;
///  - all operands of one element type: yes; vsel: yes, but 64-bit integers not over the condition;
///  - by width: as wide as the output yes; a multiple of it yes (a vcast only in one contiguous dimension); else no.
/// Sizes, scopes, copies and aliases are judged elsewhere. O(operands).
[[nodiscard]] bool mayWriteOver(const Function& function, const Op& op, TensorId written, TensorId dead, bool asIsa);

} // namespace stowage::lowering
