// Tensors that need not be there between two of their uses: their contents can lie in another memory meanwhile, or be computed
// anew. Compilers call these spilling and rematerialisation.
#pragma once

#include "core/lower/lower.h"

#include <vector>

namespace stowage {

/// How a tensor that was given up between two uses gets its contents back.
enum class Regain : std::uint8_t {
    copy,    ///< they were copied to another memory after the use before, and are copied back
    compute, ///< the op that made them runs a second time
};

/// Of the entry function that was lowered.
struct LifeSplit {
    Regain by = Regain::copy;
    TensorId tensor = none;
    OpId producer = none; ///< the one op that writes it
    OpId reader = none;   ///< the first use after the gap
    Step after = 0;       ///< step of the last use before the gap
    Step before = 0;      ///< step of `reader`; > after + 1
};

/// The splits that free bytes at `step`: for each buffer among `buffers` the gap between the uses of its tensor around `step`,
/// once for each way that gives the same values, in the order of `buffers`.
///
/// Taken are intermediate tensors that share their buffer with no other, and that one op writes and others read, all in the
/// listed order of the entry function, none in a loop, branch or called function. An op runs twice only when it is known to
/// depend on its operands alone and has no other result, and when each operand is written by one op at most. O(ops + tensors).
[[nodiscard]] std::vector<LifeSplit> lifeSplits(const Program& program, const Lowering& lowering, Step step,
                                                const std::vector<BufferId>& buffers);

/// The program with an op in front of the reader that makes the tensor again, as one of another name, which is read from there
/// on: a second execution of the producer, or one of kind "reload", which takes it from the other memory. Ids of what was there
/// stay. O(program). Requires a split that `lifeSplits` found for the program.
[[nodiscard]] Program withSplit(Program program, FunctionId function, const LifeSplit& split);

} // namespace stowage
