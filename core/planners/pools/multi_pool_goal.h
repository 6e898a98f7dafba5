// The objective of a plan over several pools.
#pragma once

#include "core/plan/objective.h"
#include "core/planners/placement/placement_engine.h"

#include <span>
#include <string>
#include <vector>

namespace stowage {

/// The cost of a plan; less is better. Bytes above the capacities count first, then the goal, then all bytes together.
struct GoalValue {
    Objective objective;
    double goal = 0; ///< bytes or nanoseconds

    friend bool operator<(const GoalValue& a, const GoalValue& b)
    {
        if (a.objective.excess != b.objective.excess) return a.objective.excess < b.objective.excess;
        if (a.goal != b.goal) return a.goal < b.goal;
        return a.objective.total < b.objective.total;
    }
};

class MultiPoolGoal {
public:
    enum class Kind : std::uint8_t { total, slow, traffic };

    /// `slowPool` empty: the workspace pool of least read bandwidth (clock times bytes per cycle) where all have one, else the
    /// last one. Errors: a pool that is not there; a goal of `traffic` with a candidate pool whose clock or bandwidth is not
    /// known.
    static Expected<MultiPoolGoal> make(const Problem& problem, Kind kind, const std::string& slowPool);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] PoolId slow() const { return slow_; }
    /// Nanoseconds of `b` in `pool`; 0 unless the goal is traffic.
    [[nodiscard]] double time(BufferId b, PoolId pool) const
    {
        return times_.empty() ? 0 : times_[static_cast<std::size_t>(b) * pools_ + static_cast<std::size_t>(pool)];
    }
    /// Of pools of these sizes that hold the buffers as `where` says.
    [[nodiscard]] GoalValue value(std::span<const Bytes> sizes, std::span<const PoolId> where) const;

private:
    Kind kind_ = Kind::total;
    PoolId slow_ = none;
    std::size_t pools_ = 0;
    std::vector<Bytes> capacities_; ///< maxBytes without one
    std::vector<double> times_;     ///< by buffer, then pool
};

} // namespace stowage
