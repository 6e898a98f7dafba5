// Makes the pools of a plan smaller, for as long as it is let.
#pragma once

#include "core/plan/plan.h"
#include "core/planners/improve/pool_improver.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace stowage::improve {

/// The improver on each pool of a plan that may become smaller; buffers stay in their pools. Takes alignments, gaps, windows (as
/// if over all bytes), pins, slots, values carried round loops, explicit conflicts without an order of time (`Axis::dag`), and
/// permissions to share. Pools that `Instance::make` refuses, and pools whose placements it cannot read, stay as they are.
///
/// Each pool has two lanes: searches of its own seed and half of the work each. They work in epochs, and take over the best
/// layout at the end of each epoch only. So the result does not depend on the number of threads, of which up to two for each pool
/// are of use.
class Improver {
public:
    /// `start` is valid. `problem` outlives it.
    Improver(const Problem& problem, const Plan& start, std::uint64_t seed);

    /// False when no pool of the plan can become smaller by it.
    [[nodiscard]] bool open() const;
    /// Goes on until `work` more table entries are read (1 to 3 ns each), nothing is open, or `stop`, which all `threads` (>= 1)
    /// threads ask every few milliseconds. `improved` is called on the caller's thread, after each epoch in which a pool became
    /// smaller. Deterministic in (problem, plans, seed, the work of each call), whatever the threads, unless stopped.
    void run(std::uint64_t work, unsigned threads, const std::function<bool()>& stop, const std::function<void()>& improved);
    /// Takes over the layouts of a valid plan that are lower; all of them when buffers changed their pools.
    void adopt(const Plan& plan);
    /// The plan last taken over with the best layouts found. Valid; where values are carried round loops and a layout found does
    /// not pass the checker, the plan last taken over.
    [[nodiscard]] Plan plan() const;
    /// Table entries read so far, by all lanes.
    [[nodiscard]] std::uint64_t work() const;

private:
    struct PoolState {
        PoolId pool;
        std::vector<BufferId> members;
        Instance instance;
        std::vector<std::unique_ptr<PoolImprover>> lanes;
        /// The lane with the lowest layout; of several the first one.
        [[nodiscard]] const PoolImprover& best() const;
    };
    void begin();
    void runEpoch(std::uint64_t work, unsigned threads, const std::function<bool()>& stop);
    [[nodiscard]] std::vector<std::int32_t> offsetsIn(const Instance& instance, const Plan& plan) const;

    const Problem& problem_;
    Plan base_;
    std::uint64_t seed_;
    std::uint64_t doneBefore_ = 0; ///< work of improvers that are gone
    std::uint64_t granted_ = 0;    ///< work that all epochs so far allowed
    bool carried_ = false;         ///< some buffer's value is carried round a loop
    std::vector<std::unique_ptr<PoolState>> pools_;
};

} // namespace stowage::improve
