// Decides whether an op may write its output over an input that dies at the op, by the rules of Ascend's PlanMemory.
#pragma once

#include "plugins/hivm/types.h"

#include <string_view>
#include <vector>

namespace stowage::hivm {

/// The facts about an op `hivm.hir.NAME ins(…) outs(…) temp_buffer(…)` that the rules need. Types are those of its operands.
struct InPlaceOp {
    std::string_view name;    ///< "vadd"; empty for ops of other dialects
    std::vector<Type> inputs; ///< scalars included
    std::vector<Type> outputs;
    std::size_t scratch = 0; ///< number of operands of temp_buffer
    bool broadcast = false;  ///< it has an inline broadcast of one or more dimensions
    bool transpose = false;  ///< it has an inline transpose of one or more dimensions
};

/// True if the instruction set permits it: for vadd, vsub, vmax, vmin, vor, vand and vmul without inline broadcast or transpose.
/// With `restrict-inplace-as-isa` no other op may write over an input.
[[nodiscard]] bool allowedByIsa(const InPlaceOp& op);

/// True if output number `output` may be written over input number `input`, both from 0. All inputs that are not scalars and the
/// first output must have the same layout offset ("?" equals "?"). Then the first rule that applies decides:
///  - the instruction set permits it: yes;
///  - an op that is no element-wise vector op, or has an inline transpose: no;
///  - an op with scratch: no, except for one operand of temp_buffer that a broadcast or a scalar operand needs;
///  - an inline broadcast: only if both have the same extents ("?" equals "?");
///  - all operands of one element type: yes; vsel: yes, but 64-bit integers not over the condition;
///  - the first input whose element width is the width of the output or a multiple of it: yes, but a vcast with a multiple only
///  for
///    one contiguous dimension; without such an input: no.
/// The lowering checks sizes, pools, copies and aliases. O(operands).
[[nodiscard]] bool mayWriteOver(const InPlaceOp& op, std::size_t output, std::size_t input);

} // namespace stowage::hivm
