// The values that a loop carries from iteration to iteration: which of them stay in place and which are copied, and the layout of
// memory in one iteration.
#pragma once

#include "core/plan/loop_views.h"

#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// A value that a loop carries to its next iteration. It stays in place when every iteration reads it at the address where the
/// previous iteration wrote it; otherwise it has to be copied.
struct LoopCarry {
    TensorId from = none; ///< of the body's outputs
    TensorId to = none;   ///< of the body's inputs
    std::string fromName;
    std::string toName;
    Bytes bytes = 0; ///< size of the value; 0 when it is unknown or not planned
    bool moved = false;
};

struct LoopStory {
    LoopViews views;
    Interval live;                         ///< steps of one pass through the loop
    std::optional<std::int64_t> tripCount; ///< when known
    std::vector<LoopCarry> carries;        ///< in the order of the program
    Bytes kept = 0;                        ///< bytes of carried values that stay in place, for one iteration
    Bytes moved = 0;                       ///< bytes of carried values that have to be copied, for one iteration

    /// The iteration of `views` that uses the same offsets as iteration i. Requires i >= 0.
    [[nodiscard]] std::int64_t like(std::int64_t i) const
    {
        return i < views.first ? i : views.first + (i - views.first) % views.repeat;
    }
};

/// The loops of the problem that come from ops of the program, in the order of the problem: outer loops before inner ones.
[[nodiscard]] std::vector<LoopId> loopsOf(const Lowering& lowering);

/// The story of a loop, with enclosing loops in their first iteration. No value when the loop comes from no op. O(tensors of the
/// body * iterations).
[[nodiscard]] std::optional<LoopStory> loopStory(const Program& program, const Lowering& lowering, const Plan& plan, LoopId loop);

/// Bytes that a buffer occupies during some steps of one iteration.
struct LoopHold {
    BufferId buffer = none;
    Interval live; ///< steps inside the loop
    PoolId pool = none;
    Bytes offset = 0;
    std::int64_t made = 0; ///< the iteration that made the value; a carried value if it is an earlier one
};

/// All occupied bytes in iteration `iteration` (>= 0) of a loop: the loop's buffers at the offsets of this iteration, carried
/// values at the offsets of the iterations that made them, and buffers that are live throughout. Enclosing loops are in their
/// first iteration. Loops inside are in their first iteration, too; steps after them count one iteration, or the trip count if it
/// is known. Sorted by buffer, then step. O(buffers * (live ranges + early ranges)).
[[nodiscard]] std::vector<LoopHold> loopHolds(const Problem& problem, const Plan& plan, LoopId loop, std::int64_t iteration);

} // namespace stowage
