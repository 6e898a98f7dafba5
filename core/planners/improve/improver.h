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
/// if over all bytes), pins, slots, explicit conflicts and permissions to share; pools that `Instance::make` refuses stay as they
/// are.
class Improver {
public:
    /// `start` is valid. `problem` outlives it.
    Improver(const Problem& problem, const Plan& start, std::uint64_t seed);

    /// False when no pool of the plan can become smaller by it.
    [[nodiscard]] bool open() const;
    /// Goes on until `work` more table entries are read (1 to 3 ns each), nothing is open, or `stop`. `improved` is called after
    /// each slice of that in which a pool became smaller. Deterministic in (problem, plans, seed, the work of each call) unless
    /// stopped.
    void run(std::uint64_t work, const std::function<bool()>& stop, const std::function<void()>& improved);
    /// Takes over the layouts of a valid plan that are lower; all of them when buffers changed their pools.
    void adopt(const Plan& plan);
    /// The plan last taken over with the best layouts found.
    [[nodiscard]] Plan plan() const;
    [[nodiscard]] std::uint64_t work() const;

private:
    struct PoolState {
        PoolId pool;
        std::vector<BufferId> members;
        Instance instance;
        std::unique_ptr<PoolImprover> improver;
    };
    void begin();
    [[nodiscard]] std::vector<std::int32_t> offsetsIn(const Instance& instance, const Plan& plan) const;

    const Problem& problem_;
    Plan base_;
    std::uint64_t seed_;
    std::uint64_t doneBefore_ = 0; ///< work of improvers that are gone
    std::vector<std::unique_ptr<PoolState>> pools_;
};

} // namespace stowage::improve
