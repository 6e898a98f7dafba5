// A problem with one thing changed: a multi-buffer dropped or widened, a tile halved or doubled.
#pragma once

#include "core/ir/problem.h"

#include <span>
#include <vector>

namespace stowage::hivm {

/// The same problem with `slots` copies of `buffer`, at least 1. O(problem).
[[nodiscard]] Problem withSlots(Problem problem, BufferId buffer, std::int32_t slots);

/// The same problem with the sizes of `buffers` times `numerator` / `denominator`, rounded up, never below 1 nor above 2^61.
/// O(problem).
[[nodiscard]] Problem withScaledSizes(Problem problem, std::span<const BufferId> buffers, std::int32_t numerator,
                                      std::int32_t denominator);

/// The buffers of `loop` itself, without those of loops inside it: what a tile of that loop is made of. Ascending.
[[nodiscard]] std::vector<BufferId> tileOf(const Problem& problem, LoopId loop);

} // namespace stowage::hivm
