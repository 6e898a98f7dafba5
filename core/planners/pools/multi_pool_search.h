// The local search of `multi-pool`.
#pragma once

#include "core/ir/random.h"
#include "core/planners/pools/multi_pool_goal.h"

#include <functional>
#include <optional>
#include <vector>

namespace stowage {

/// Order of placement and preferred pools, changed step by step.
class MultiPoolSearch {
public:
    MultiPoolSearch(const Problem& problem, const MultiPoolGoal& goal, const PlanContext& context);

    /// Tries the starting points. `improved` is called after each better plan, now and later.
    void begin(const std::function<void()>& improved);
    /// Goes on from the best one, `attempts` steps (0: until the context's limit). Ends early after `maxWork` placements in all
    /// (0: never).
    void climb(std::uint64_t attempts, std::uint64_t maxWork);
    [[nodiscard]] GoalValue best() const { return bestValue_; }
    [[nodiscard]] std::uint64_t work() const { return engine_.work(); }
    /// The best plan seen. May be called again and again.
    [[nodiscard]] Expected<Plan> bestPlan(const PlannerInfo& info, const OptionValues& options);

private:
    using Pools = std::vector<std::vector<PoolId>>; ///< candidates by buffer, in order of preference
    struct State {
        std::vector<BufferId> order;
        Pools pools;
    };

    /// False when it was stopped.
    bool evaluate();
    bool start(std::vector<BufferId> order, const Pools& pools);
    void prefer(const Pools& pools);
    [[nodiscard]] Pools sortedPools(const std::function<double(BufferId, PoolId)>& cost) const;
    void starts();
    bool step();
    void collectTops();

    const MultiPoolGoal& goal_;
    Problem problem_; ///< whose candidates are in order of preference; the table reads them from here
    BufferTable table_;
    PlacementEngine engine_;
    Dice dice_;
    State state_;
    Pools given_;
    std::vector<BufferId> choosers_; ///< with more than one candidate
    std::vector<BufferId> tops_;
    GoalValue value_;
    GoalValue bestValue_;
    std::optional<PlacementEngine::Layout> best_;
    State bestState_;
    bool first_ = true;
    bool stopped_ = false;
    std::function<void()> improved_;
};

} // namespace stowage
