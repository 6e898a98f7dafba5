// Pools for pinned buffers that have several candidates, and pins that no plan can keep.
#pragma once

#include "core/plan/check.h"

#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// Two pins that overlap, as proof that no plan is valid.
struct PinCollision {
    Violation pair;
    /// True: a pin of these has other candidates. Every choice of pools ends with such a pair, and this is one of them. False:
    /// these two alone prove it.
    bool ofChoices = false;
};

/// What overlaps, in words; says whether it is an example.
[[nodiscard]] std::string describe(const Problem& problem, const PinCollision& collision);

struct PinnedPools {
    /// By buffer: the pool of a pinned buffer with several candidates, so that no two pins collide; `none` for all other buffers.
    /// Empty when no pin has a choice, when more than 2,000 buffers are pinned, or when no solution was found (within 100,000
    /// steps of a depth-first search).
    std::vector<PoolId> pools;
    std::optional<PinCollision> collision;
};

/// Chooses pools for the pinned buffers. Pins choose in the order of their ids. Each takes its first candidate whose alignment
/// suits it, without a collision; candidates in which it lies inside the capacity come first.
///
/// Two pins collide in a pool if the checker finds an overlap when both lie there in every iteration. If no choice avoids all of
/// these, only those count that are in every plan, and these alone are a proof: overlaps in the first iteration of all loops, as
/// later values of a buffer may lie elsewhere; and overlaps at any time of two buffers that are in no loop or hold several slots.
/// Requires a checked problem. O(n log n) for n pins; if some choose, also their colliding pairs and the search.
[[nodiscard]] PinnedPools poolsOfPins(const Problem& problem);

/// `problem` with each pinned buffer restricted to its pool of `poolsOfPins`, for planners that give a pin its first candidate.
/// No value when nothing changes.
[[nodiscard]] std::optional<Problem> withPinsConfined(const Problem& problem);

} // namespace stowage
