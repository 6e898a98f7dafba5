// Which op may write over an input that dies at it, by the rules of Ascend's PlanMemory.
#pragma once

#include "plugins/hivm/types.h"

#include <string_view>
#include <vector>

namespace stowage::hivm {

/// What the rules ask of an op `hivm.hir.NAME ins(…) outs(…) temp_buffer(…)`. Types are those of the op's own operands.
struct InPlaceOp {
    std::string_view name;    ///< "vadd"; empty for ops of other dialects
    std::vector<Type> inputs; ///< scalars too
    std::vector<Type> outputs;
    std::size_t scratch = 0; ///< operands of temp_buffer
    bool broadcast = false;  ///< inline, and not of no dimension
    bool transpose = false;  ///< …
};

/// The instruction itself allows it: vadd, vsub, vmax, vmin, vor, vand and vmul without inline broadcast or transpose. The only
/// ops that do so with `restrict-inplace-as-isa`.
[[nodiscard]] bool allowedByIsa(const InPlaceOp& op);

/// May output number `output` be written over input number `input`? All inputs that are no scalars and the first output have one
/// layout offset ("?" is like "?"), and then, in this order:
///  - what the instruction allows: yes;
///  - no element-wise vector op, or one with an inline transpose: no;
///  - an op with scratch: no, unless it is one piece on an op that needs it for a broadcast or a scalar operand;
///  - an inline broadcast: only where both have the same extents ("?" is like "?");
///  - all operands of one element type: yes; vsel: yes, but 64-bit integers not over the condition;
///  - by width: the first input that is as wide as the output, or a multiple of it, decides: yes, but of a multiple a vcast only
///    in one contiguous dimension; without such an input no.
/// Sizes, memories, copies and aliases are judged by the lowering. O(operands).
[[nodiscard]] bool mayWriteOver(const InPlaceOp& op, std::size_t output, std::size_t input);

} // namespace stowage::hivm
