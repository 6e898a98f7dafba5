// Pools of pinned buffers that may be in several.
#pragma once

#include "core/ir/problem.h"

#include <optional>
#include <vector>

namespace stowage {

/// By buffer: the pool for a pin that may be in several, such that no two pins in conflict lie on common bytes; none for all
/// others. Empty where no pin has a choice, where there are more than 2,000 pins, or where no such choice was found (at most
/// 100,000 steps of a depth-first search). Pins choose in the order of their ids, each the first candidate that suits it: inside
/// the capacity before above. Requires a checked problem. O(pins^2) where the first choices do.
[[nodiscard]] std::vector<PoolId> poolsOfPins(const Problem& problem);

/// `problem` with each pin confined to its pool of `poolsOfPins`, for planners that would give each its first candidate; nothing
/// where that changes nothing.
[[nodiscard]] std::optional<Problem> withPinsConfined(const Problem& problem);

} // namespace stowage
