// The number of iterations of each loop, and the iteration that each is in.
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace stowage::executing {

/// The loops of a problem while it runs. A loop that has not begun in this iteration of the loop around it is in iteration 0, one
/// that has ended in its last one.
class Iterations {
public:
    /// `least`: iterations of a loop that nothing rotates with.
    Iterations(const Problem& problem, const Plan& plan, std::int64_t least);

    /// Iterations that show everything about a loop: 3 x repeat + 2 where something rotates with it or is carried round it, at
    /// least all combinations of what does, as long as those are few.
    [[nodiscard]] std::int64_t usual(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].usual; }
    /// The number of iterations to run of a loop that has `trips`: all, or fewer such that the last one is at the same offsets.
    [[nodiscard]] std::int64_t shortened(LoopId loop, std::int64_t trips) const;

    /// Begins an iteration: the loops inside have not begun.
    void begin(LoopId loop, std::int64_t iteration);
    /// Sets the number alone.
    void set(LoopId loop, std::int64_t iteration) { loops_[static_cast<std::size_t>(loop)].current = iteration; }
    /// Ends a loop after the given number of iterations: from now on it is in its last one.
    void end(LoopId loop, std::int64_t count);
    /// The loops inside are not run, or (`itself`) nor is this one: what they would have made is looked for where their last
    /// iterations, where those are known, would have put it.
    void skip(LoopId loop, bool itself);
    /// Iterations of the last time that it ended.
    [[nodiscard]] std::int64_t ran(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].ran; }
    [[nodiscard]] std::int64_t current(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].current; }
    void reset();

    /// The number of a placement's offset now; where `loop` is one that it rotates with, as it was (or will be) `earlier`
    /// iterations ago; of loops inside `loop` then the one of the last iteration that they had at that time, if that is in the
    /// past. With a loop that the problem does not name: `unnamed` is its iteration. Requires a placement that was checked.
    [[nodiscard]] std::size_t index(const Placement& placement, LoopId loop = none, std::int64_t earlier = 0,
                                    std::int64_t unnamed = 0) const;

private:
    struct LoopState {
        std::int64_t usual = 1;
        std::int64_t cycle = 1; ///< least common multiple of the periods
        std::int64_t current = 0;
        std::int64_t ran = 0;
        std::optional<std::int64_t> trips;
        std::vector<LoopId> inside;       ///< all loops in it
        std::vector<std::int64_t> before; ///< iterations that those have run when each earlier iteration of this one ended
    };
    std::vector<LoopState> loops_;
};

} // namespace stowage::executing
