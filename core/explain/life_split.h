// Buffers that need not be there between two of their uses: their contents can lie in another memory meanwhile, or be computed
// anew. Compilers call these spilling and rematerialisation.
#pragma once

#include "core/ir/change.h"
#include "core/lower/lower.h"

#include <vector>

namespace stowage {

/// How a buffer that was given up between two uses gets its contents back.
enum class Regain : std::uint8_t {
    copy,    ///< they were copied to another memory after the use before, and are copied back
    compute, ///< the op that made them runs a second time
};

struct LifeSplit {
    Regain by = Regain::copy;
    BufferId buffer = none;
    Step after = 0;              ///< step of the last use before the gap
    Step before = 0;             ///< step of the first use after the gap; > after + 1
    OpId producer = none;        ///< `compute`: the op of the entry function that runs twice
    std::vector<Change> changes; ///< by ids: the buffer with the gap, then what else has to live longer for it
};

/// The splits that free bytes at `step`: for each buffer among `buffers` the gap between its uses around `step`, once for each
/// way that is safe, in the order of `buffers`. What runs anew, or is copied, counts as if it ran in the step of the use after
/// the gap, where more is live than between the two steps: a plan of the changed problem is valid for a program with the op or
/// the copies inserted there.
///
/// Taken are intermediate buffers with one live range, whose uses are all by ops in the listed order of the entry function, none
/// in a loop, branch or called function. An op runs twice only when it is known to depend on its operands alone and has no other
/// result, is all that writes the buffer, and its operands are constants, or written once at most and not overwritten in place.
/// O(ops + tensors), plus the operands of each op that could run twice.
[[nodiscard]] std::vector<LifeSplit> lifeSplits(const Program& program, const Lowering& lowering, Step step,
                                                const std::vector<BufferId>& buffers);

} // namespace stowage
