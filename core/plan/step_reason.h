// Why a planner took a step, as a value. Its text is made in core/explain/step_text.h, where it is shown.
#pragma once

#include "core/ir/types.h"
#include "core/plan/reuse_level.h"

#include <compare>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace stowage {

/// The rule that a step follows. `searchBegins` and `movesNotRecorded` come with a number, see `RuleApplied`.
enum class StepRule : std::uint8_t {
    unstated,
    // Placements in a list of gaps.
    smallestGap,
    lowestGap,
    bottom,       ///< no conflicting buffer lies below
    above,        ///< no gap fits
    pinned,       ///< the input fixes the offset
    inPlace,      ///< on the bytes of a buffer that it may share with
    overCapacity, ///< above the capacity of the last candidate pool
    endToEnd,     ///< no bytes are shared
    stoppedEarly, ///< the limit is reached: on top of everything
    poolFull,
    noBytes,
    // The exact search.
    branch,     ///< the lowest place left, tried first
    onlyFiller, ///< no other buffer lies low enough
    unblocked,  ///< no waiting buffer reaches into the place
    lowest,     ///< as low as possible, until it meets a conflicting buffer
    pushed,     ///< moved up by a conflicting buffer
    restored,   ///< back to the place before
    noLayout,   ///< taken back
    liesHigher, ///< rejected at its lowest place
    newSearch,
    searchBegins, ///< number: capacity in bytes
    searchFound,
    searchProved, ///< no layout exists
    searchTurns,  ///< to another order
    searchStopped,
    movesNotRecorded, ///< number: placements that are recorded
    quickPlan,
    betterLayout,
    bestLayout,
    betterPools,
    // Storage tokens, blocks of operators, whole plans.
    freshToken,
    freeToken,
    insideOperator,
    betweenOperators,
    bestPrice,
    bestAssignment,
    betterPlan,
    // Ascend's levels.
    restart,
    noLevel,
    rolledBack,
    count
};

/// A rule and its number, 0 for rules without one.
struct RuleApplied {
    StepRule rule = StepRule::unstated;
    std::int64_t number = 0;

    friend auto operator<=>(const RuleApplied&, const RuleApplied&) = default;
};

/// How an allocation graph (libnnc's) takes a tensor.
enum class EdgeKind : std::uint8_t {
    inner, ///< between two tensors
    one,   ///< one end may be the source or the sink
    fresh, ///< new bytes, from source to sink
};

/// A buffer and its bytes, all slots included.
struct SizedBuffer {
    BufferId buffer = none;
    Bytes bytes = 0;

    friend auto operator<=>(const SizedBuffer&, const SizedBuffer&) = default;
};

/// Why an allocation graph inserts these buffers next.
struct EdgeSelection {
    SizedBuffer chosen;
    std::int32_t interference = 0;   ///< unassigned buffers that it meets: the most of all
    std::int32_t ties = 1;           ///< buffers that meet as many, itself included
    std::int32_t passedOver = 0;     ///< larger ones that were asked first
    std::vector<BufferId> others;    ///< up to three more of the ties
    std::vector<SizedBuffer> larger; ///< inserted together with it
    EdgeKind edge = EdgeKind::fresh;

    friend auto operator<=>(const EdgeSelection&, const EdgeSelection&) = default;
};

/// The edge of an allocation graph that buffers are inserted into.
struct EdgeInsertion {
    bool fresh = false;               ///< a new edge: only `top` holds
    Bytes top = 0;                    ///< size of the pool with the new edge
    BufferId from = none;             ///< none: the source
    BufferId to = none;               ///< none: the sink
    Bytes offset = 0;                 ///< where the edge begins
    Bytes bytes = 0;                  ///< that the edge has
    std::vector<SizedBuffer> members; ///< inserted into it
    std::int64_t idleSteps = 0;       ///< steps in which the bytes would hold no data otherwise

    friend auto operator<=>(const EdgeInsertion&, const EdgeInsertion&) = default;
};

using StepReason = std::variant<RuleApplied, hivm::Level, EdgeSelection, EdgeInsertion>;

/// Replaces each buffer in a reason by `origins[buffer]`: from a derived problem to the problem that it was made from.
void renumber(StepReason& reason, std::span<const BufferId> origins);

} // namespace stowage
