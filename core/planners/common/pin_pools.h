// Chooses pools for pinned buffers that have several candidate pools.
#pragma once

#include "core/ir/problem.h"

#include <optional>
#include <vector>

namespace stowage {

/// For each buffer: the pool of a pinned buffer with several candidates, so that no two pinned buffers in conflict share bytes;
/// `none` for all other buffers. Empty when no pin has a choice, when there are more than 2,000 pins, or when no solution was
/// found (within 100,000 steps of a depth-first search). Pins choose in the order of their ids. Each takes its first candidate
/// whose alignment suits it, without a collision; candidates in which it lies inside the capacity come first. Requires a checked
/// problem. O(pins^2) without backtracking.
[[nodiscard]] std::vector<PoolId> poolsOfPins(const Problem& problem);

/// `problem` with each pinned buffer restricted to its pool of `poolsOfPins`, for planners that give a pin its first candidate.
/// No value when nothing changes.
[[nodiscard]] std::optional<Problem> withPinsConfined(const Problem& problem);

} // namespace stowage
