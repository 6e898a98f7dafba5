// Makes the pools of a plan smaller within a limit of work.
#pragma once

#include "core/plan/plan.h"
#include "core/planners/improve/pool_improver.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace stowage::improve {

/// Improves each pool of a plan that is above its lower bound; buffers stay in their pools. Supports alignments, gaps, windows
/// (as if over all bytes), pins, slots, carried values, explicit conflicts (also with `Axis::dag`), and permissions to share.
/// Does not change pools that `Instance::make` rejects, or whose placements it cannot represent.
///
/// Each pool has two lanes: searches with their own seeds, which get half of the work each. Lanes run in epochs, and take over
/// the best layout only at the end of an epoch, so the result does not depend on the number of threads. At most two threads for
/// each pool are used.
class Improver {
public:
    /// Requires a valid plan `start`. `problem` must outlive the improver.
    Improver(const Problem& problem, const Plan& start, std::uint64_t seed);

    /// True if some pool may still become smaller.
    [[nodiscard]] bool open() const;
    /// Runs until `work` more table entries are read (1 to 3 ns each), no pool is open, or `stop` returns true; all `threads` (>=
    /// 1) threads ask it every few milliseconds. Calls `improved` on the caller's thread after each epoch in which a pool became
    /// smaller. Unless stopped, deterministic in (problem, plans, seed, work of each call), independent of `threads`.
    void run(std::uint64_t work, unsigned threads, const std::function<bool()>& stop, const std::function<void()>& improved);
    /// Takes over the layouts of a valid plan that are lower than the current ones; all layouts if buffers have other pools than
    /// before.
    void adopt(const Plan& plan);
    /// The plan last taken over, with the best layouts found. Always valid: with carried values, if the checker rejects the
    /// layouts found, it is the plan last taken over.
    [[nodiscard]] Plan plan() const;
    /// Number of table entries read so far, by all lanes.
    [[nodiscard]] std::uint64_t work() const;

private:
    struct PoolState {
        PoolId pool;
        std::vector<BufferId> members;
        Instance instance;
        std::vector<std::unique_ptr<PoolImprover>> lanes;
        /// The lane with the lowest layout; of equal ones the first.
        [[nodiscard]] const PoolImprover& best() const;
    };
    void begin();
    void runEpoch(std::uint64_t work, unsigned threads, const std::function<bool()>& stop);
    [[nodiscard]] std::vector<std::int32_t> offsetsIn(const Instance& instance, const Plan& plan) const;

    const Problem& problem_;
    Plan base_;
    std::uint64_t seed_;
    std::uint64_t doneBefore_ = 0; ///< work of pool improvers that were replaced
    std::uint64_t granted_ = 0;    ///< work granted to all epochs so far
    bool carried_ = false;         ///< some buffer has carried values
    std::vector<std::unique_ptr<PoolState>> pools_;
};

} // namespace stowage::improve
