// What happens to the values that a loop carries: which stay where they are, which are moved, and what lies where in one
// iteration.
#pragma once

#include "core/plan/loop_views.h"

#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// A value carried round a loop. It stays where it is when the next iteration reads its input where this one has left the value,
/// in every iteration; else it has to be copied.
struct LoopCarry {
    TensorId from = none; ///< of the body's outputs
    TensorId to = none;   ///< of the body's inputs
    std::string fromName;
    std::string toName;
    Bytes bytes = 0; ///< of the value; 0 when not known, or not planned
    bool moved = false;
};

struct LoopStory {
    LoopViews views;
    Interval live;                         ///< steps of one pass through the loop
    std::optional<std::int64_t> tripCount; ///< when known
    std::vector<LoopCarry> carries;        ///< in the order of the program
    Bytes kept = 0;                        ///< bytes that each iteration hands on without a copy
    Bytes moved = 0;                       ///< bytes that each iteration has to copy

    /// Which of the iterations of `views` the iteration i is like. Requires i >= 0.
    [[nodiscard]] std::int64_t like(std::int64_t i) const
    {
        return i < views.first ? i : views.first + (i - views.first) % views.repeat;
    }
};

/// Loops of the problem that an op of the program makes, outermost first as they stand.
[[nodiscard]] std::vector<LoopId> loopsOf(const Lowering& lowering);

/// The story of a loop, with the loops around it in their first iteration. Nothing when the loop has no op. O(tensors of the body
/// * iterations).
[[nodiscard]] std::optional<LoopStory> loopStory(const Program& program, const Lowering& lowering, const Plan& plan, LoopId loop);

/// Bytes that a buffer holds during some steps of one iteration.
struct LoopHold {
    BufferId buffer = none;
    Interval live; ///< inside the loop
    PoolId pool = none;
    Bytes offset = 0;
    std::int64_t made = 0; ///< the iteration of the loop that made what lies there; before this one: it was carried
};

/// What lies where in iteration `iteration` >= 0 of a loop: its own buffers at the offsets of that iteration, what earlier
/// iterations have left to it at theirs, and what is live all through. Loops around it are in their first iteration; loops inside
/// are so too, and have run once or as often as is known before. By buffer, then step. O(buffers * (ranges + early parts)).
[[nodiscard]] std::vector<LoopHold> loopHolds(const Problem& problem, const Plan& plan, LoopId loop, std::int64_t iteration);

} // namespace stowage
