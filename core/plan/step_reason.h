// The reason of a recorded step, as a value. core/explain/step_text.h makes its text.
#pragma once

#include "core/ir/types.h"
#include "core/plan/reuse_level.h"

#include <compare>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace stowage {

/// The rule that a step follows. `searchBegins` and `movesNotRecorded` have a number in `RuleApplied`.
enum class StepRule : std::uint8_t {
    unstated,
    // Greedy placement in gaps.
    smallestGap,
    lowestGap,
    bottom,       ///< at offset 0: no buffer in conflict lies below
    above,        ///< no gap fits
    pinned,       ///< the input fixes the offset
    inPlace,      ///< on the bytes of a buffer with which it may share
    overCapacity, ///< in the last candidate pool, above its capacity
    endToEnd,     ///< no bytes are shared
    stoppedEarly, ///< above all buffers, because a limit was reached
    poolFull,
    noBytes,
    // The exact search.
    branch,     ///< tried at its lowest place first
    onlyFiller, ///< no other buffer can lie low enough
    unblocked,  ///< no unplaced buffer can reach into its place
    lowest,     ///< as low as possible, before collisions are resolved
    pushed,     ///< moved up by a buffer in conflict
    restored,   ///< back to its earlier place
    noLayout,   ///< removed: no layout was found with it
    liesHigher, ///< rejected at its lowest place: it lies higher
    newSearch,
    searchBegins, ///< number: capacity in bytes
    searchFound,
    searchProved, ///< proved that no layout exists
    searchTurns,  ///< continues with another order
    searchStopped,
    movesNotRecorded, ///< number: maximum number of recorded placements
    quickPlan,
    betterLayout,
    bestLayout,
    betterPools,
    // Storage tokens (graph executor), blocks of operators, whole plans.
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

/// The kind of edge of an allocation graph (NNC) into which tensors are inserted.
enum class EdgeKind : std::uint8_t {
    inner, ///< between two tensors
    one,   ///< one end is the source or the sink
    fresh, ///< a new edge from source to sink
};

/// A buffer and its bytes, all slots included.
struct SizedBuffer {
    BufferId buffer = none;
    Bytes bytes = 0;

    friend auto operator<=>(const SizedBuffer&, const SizedBuffer&) = default;
};

/// Why the allocation graph planner inserts these buffers next.
struct EdgeSelection {
    SizedBuffer chosen;
    std::int32_t interference = 0;   ///< number of unassigned buffers in conflict with `chosen`: the maximum
    std::int32_t ties = 1;           ///< number of buffers with this interference, `chosen` included
    std::int32_t passedOver = 0;     ///< number of larger ones that were tried first
    std::vector<BufferId> others;    ///< up to three others of these
    std::vector<SizedBuffer> larger; ///< inserted together with it
    EdgeKind edge = EdgeKind::fresh;

    friend auto operator<=>(const EdgeSelection&, const EdgeSelection&) = default;
};

/// The edge of an allocation graph that buffers are inserted into.
struct EdgeInsertion {
    bool fresh = false;               ///< true: a new edge; then only `top` is set
    Bytes top = 0;                    ///< size of the pool with the new edge
    BufferId from = none;             ///< none: the source
    BufferId to = none;               ///< none: the sink
    Bytes offset = 0;                 ///< where the edge begins
    Bytes bytes = 0;                  ///< size of the edge
    std::vector<SizedBuffer> members; ///< buffers inserted into the edge
    std::int64_t idleSteps = 0;       ///< number of steps in which the bytes of the edge are idle

    friend auto operator<=>(const EdgeInsertion&, const EdgeInsertion&) = default;
};

using StepReason = std::variant<RuleApplied, hivm::Level, EdgeSelection, EdgeInsertion>;

/// Replaces each buffer in a reason by `origins[buffer]`, to convert it from a derived problem to the original one.
void renumber(StepReason& reason, std::span<const BufferId> origins);

} // namespace stowage
