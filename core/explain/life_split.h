// Splits the lifetime of a tensor between two of its uses: in the gap its contents lie in another memory (spilling), or they are
// computed again after the gap (rematerialisation).
#pragma once

#include "core/lower/lower.h"

#include <vector>

namespace stowage {

/// How a tensor gets its contents back after the gap.
enum class Regain : std::uint8_t {
    copy,    ///< they are copied to another memory after the last use before the gap, and copied back
    compute, ///< the op that made them is executed a second time
};

/// A split in the entry function of a lowered program.
struct LifeSplit {
    Regain by = Regain::copy;
    TensorId tensor = none;
    OpId producer = none; ///< the one op that writes it
    OpId last = none;     ///< the last use before the gap
    OpId reader = none;   ///< the first use after the gap
    Step after = 0;       ///< step of `last`
    Step before = 0;      ///< step of `reader`; > after + 1
};

/// The splits that free bytes at `step`: for each of `buffers`, in this order, the gap around `step` between two uses of its
/// tensor, once for each `Regain` that preserves the values.
///
/// Candidates are intermediate tensors that are alone in their buffer, are written by one op, and are used only by ops at the top
/// level of the entry function (not in a loop, branch or called function). Copying requires that the last use before the gap does
/// not have to overwrite the tensor. Recomputation requires an op that depends on its operands alone and has no other result, and
/// operands whose bytes nothing writes after it: no op, also through views and in place, and no called function.
/// O((ops + tensors + steps) * depth of the nesting).
[[nodiscard]] std::vector<LifeSplit> lifeSplits(const Program& program, const Lowering& lowering, Step step,
                                                const std::vector<BufferId>& buffers);

/// The program after a split: an op before `reader` makes the tensor again under another name, and `reader` and all later ops
/// read that one. The op is a second execution of the producer, or one of kind "reload" that copies from the other memory; then
/// the last use before the gap loses the permission to overwrite the tensor. Existing ids stay valid. Requires a split that
/// `lifeSplits` found for this program. O(program).
[[nodiscard]] Program withSplit(Program program, FunctionId function, const LifeSplit& split);

} // namespace stowage
