// The number of iterations that each loop executes, and the current iteration of each loop.
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace stowage::executing {

/// The state of a problem's loops during an execution. A loop that has not begun in the current iteration of its parent is in
/// iteration 0; one that has ended is in its last iteration.
class Iterations {
public:
    /// `minIterations`: number of iterations of a loop that no buffer rotates with.
    Iterations(const Problem& problem, const Plan& plan, std::int64_t minIterations);

    /// Number of iterations after which the addresses in the loop repeat and each has been used: 3 x repeat + 2 for a loop with
    /// rotating buffers or carried values, and enough for all combinations of their periods as long as these are few.
    [[nodiscard]] std::int64_t usual(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].usual; }
    /// Number of iterations to execute of a loop with trip count `trips`: all of them, or fewer, so that the last one uses the
    /// same offsets as the last one of the whole loop.
    [[nodiscard]] std::int64_t shortened(LoopId loop, std::int64_t trips) const;

    /// Begins an iteration; the loops inside count as not begun.
    void begin(LoopId loop, std::int64_t iteration);
    /// Sets the current iteration and leaves the loops inside as they are.
    void set(LoopId loop, std::int64_t iteration) { loops_[static_cast<std::size_t>(loop)].current = iteration; }
    /// Ends a loop after `count` iterations. From now on it is in its last iteration.
    void end(LoopId loop, std::int64_t count);
    /// Marks the loops inside as skipped, with `itself` also this loop. Values that they would have made are expected at the
    /// addresses of their last iterations, if their trip counts are known.
    void skip(LoopId loop, bool itself);
    /// Number of iterations that the loop had when it ended last.
    [[nodiscard]] std::int64_t ran(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].ran; }
    [[nodiscard]] std::int64_t current(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].current; }
    void reset();

    /// Index of the offset that a placement uses in the current iterations. If it rotates with `loop`, the index of `earlier`
    /// iterations of that loop ago (negative: in the future) is given; loops inside `loop` then count with the last iteration
    /// that they had at that time, if it is in the past. `unnamed` is the iteration of a loop that the problem does not name.
    /// Requires a checked placement.
    [[nodiscard]] std::size_t index(const Placement& placement, LoopId loop = none, std::int64_t earlier = 0,
                                    std::int64_t unnamed = 0) const;

private:
    struct LoopState {
        std::int64_t usual = 1;
        std::int64_t cycle = 1; ///< least common multiple of the periods of its rotations
        std::int64_t current = 0;
        std::int64_t ran = 0;
        std::optional<std::int64_t> trips;
        std::vector<LoopId> inside; ///< all loops inside it
        std::vector<std::int64_t>
            before; ///< iterations that the loops inside had executed at the end of each earlier iteration of this loop
    };
    std::vector<LoopState> loops_;
};

} // namespace stowage::executing
