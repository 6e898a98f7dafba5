#include "core/planners/exact/joint.h"
#include "core/plan/objective.h"

#include "core/ir/checked.h"
#include "core/plan/check.h"
#include "core/planners/exact/pool_search.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace stowage::exact {

namespace {

class Search {
public:
    Search(const Problem& problem, Plan& plan, const JointLimits& limits, const PlanContext& context)
        : problem_(problem),
          plan_(plan),
          limits_(limits),
          context_(context),
          best_(objectiveOf(problem, plan)),
          members_(problem.pools.size()),
          loads_(problem.pools.size()),
          most_(problem.pools.size(), 0)
    {
        for (BufferId id = 0; id < static_cast<BufferId>(problem.buffers.size()); ++id)
            if (problem.buffers[at(id)].size > 0) order_.push_back(id);
        // Buffers with one candidate come first: they only make the bounds stronger.
        std::stable_sort(order_.begin(), order_.end(), [&](BufferId a, BufferId b) {
            const bool chooseA = problem.candidates(problem.buffers[at(a)]).size() > 1,
                       chooseB = problem.candidates(problem.buffers[at(b)]).size() > 1;
            return chooseA != chooseB ? chooseB : problem.buffers[at(a)].size > problem.buffers[at(b)].size;
        });
        for (const Buffer& buffer : problem.buffers)
            for (const Interval& live : buffer.live) steps_.push_back(live.begin);
        std::sort(steps_.begin(), steps_.end());
        steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
        for (auto& load : loads_) load.assign(steps_.size(), 0);
        // A plan that is not valid gives no upper bound.
        if (!check(problem, plan).valid()) best_ = Objective::worst();
    }

    Expected<JointResult> run()
    {
        search();
        if (error_) return *error_;
        result_.complete = !stopped_;
        return result_;
    }

private:
    /// The pools of one buffer of `order_`.
    struct Choice {
        std::vector<PoolId> pools; ///< its pool in the best plan first
        std::size_t tried = 0;     ///< number of pools tried; the buffer is in the last of them
        Bytes maxBefore = 0;       ///< `most_` of that pool without the buffer
    };

    /// A lower bound for the assigned buffers. Ignores windows, alignments, explicit conflicts, and buffers that may share.
    [[nodiscard]] Objective bound() const
    {
        Objective sum;
        for (std::size_t pool = 0; pool < most_.size(); ++pool) sum.add(most_[pool], problem_.pools[pool].capacity);
        return sum;
    }

    /// Adds the buffer to the load of `pool` at each of `steps_` (`sign` 1), or removes it (-1). Returns the largest load at
    /// these steps afterwards; 0 for buffers that may share, which do not count. O(live steps).
    Bytes load(BufferId id, PoolId pool, int sign)
    {
        const Buffer& buffer = problem_.buffers[at(id)];
        Bytes most = 0;
        if (!buffer.mayShare.empty()) return most;
        for (const Interval& live : buffer.live) {
            const auto begin = std::lower_bound(steps_.begin(), steps_.end(), live.begin) - steps_.begin();
            const auto end = std::lower_bound(steps_.begin(), steps_.end(), live.end) - steps_.begin();
            for (auto step = begin; step < end; ++step)
                most = std::max(most, loads_[at(pool)][static_cast<std::size_t>(step)] += sign * buffer.size * buffer.slots);
        }
        return most;
    }

    /// Assigns the buffer to the next pool of its choice.
    void assign(BufferId id, Choice& choice)
    {
        const PoolId pool = choice.pools[choice.tried++];
        const Buffer& buffer = problem_.buffers[at(id)];
        Bytes& most = most_[at(pool)];
        choice.maxBefore = most;
        members_[at(pool)].push_back(id);
        most = std::max({most, buffer.size + buffer.pin.value_or(0), load(id, pool, 1)});
    }

    /// Undoes the last `assign`: later buffers have been removed before.
    void remove(BufferId id, const Choice& choice)
    {
        const PoolId pool = choice.pools[choice.tried - 1];
        load(id, pool, -1);
        members_[at(pool)].pop_back();
        most_[at(pool)] = choice.maxBefore;
    }

    /// True if the search must end, for any reason. Reads the clock at every 64th node.
    bool stop()
    {
        if (stopped_ || error_) return true;
        if (limits_.nodes > 0 && result_.nodes >= limits_.nodes)
            result_.stoppedBy = StoppedBy::workLimit;
        else if (const auto why = ++asked_ % 64 == 0 ? told() : std::nullopt)
            result_.stoppedBy = *why;
        stopped_ = result_.stoppedBy != StoppedBy::complete;
        return stopped_;
    }
    /// Why to stop now, if at all.
    [[nodiscard]] std::optional<StoppedBy> told() const
    {
        if (limits_.stop && limits_.stop()) return StoppedBy::cancelled;
        return context_.shouldStop(0);
    }
    [[nodiscard]] bool satisfied() const { return limits_.fitOnly && best_.fits(); }

    /// Depth-first search: tries the pools of one buffer of `order_` after the other, its pool in the best plan first. Keeps the
    /// choices of the assigned buffers in a list: recursion as deep as the number of buffers would exceed the stack.
    void search()
    {
        std::vector<Choice> path;
        const auto descend = [&] {
            if (visit(path.size())) path.push_back(choiceOf(order_[path.size()]));
        };
        descend();
        while (!path.empty() && !stopped_ && !error_ && !satisfied()) {
            Choice& last = path.back();
            const BufferId id = order_[path.size() - 1];
            if (last.tried > 0) remove(id, last);
            if (last.tried == last.pools.size()) {
                path.pop_back();
                continue;
            }
            assign(id, last);
            descend();
        }
    }

    /// Counts a node with `depth` assigned buffers. True if the next buffer is to be assigned: the search goes on, the bound is
    /// better than the best plan, and the assignment is not complete. A complete one is solved.
    bool visit(std::size_t depth)
    {
        if (satisfied() || stop()) return false;
        ++result_.nodes;
        if (limits_.bound && bound() >= best_) return false;
        if (depth < order_.size()) return true;
        solve();
        return false;
    }

    [[nodiscard]] Choice choiceOf(BufferId id) const
    {
        Choice choice{.pools = problem_.candidates(problem_.buffers[at(id)])};
        const auto held = std::find(choice.pools.begin(), choice.pools.end(), plan_.placements[at(id)].pool);
        if (held != choice.pools.end()) std::rotate(choice.pools.begin(), held, held + 1);
        return choice;
    }

    struct Solved {
        PoolLayout layout;
        bool exact = true; ///< true: the smallest size; false: a limit ended the search
    };

    /// Makes every pool of the assignment as small as possible.
    void solve()
    {
        if (remembered_ > limits_.maxRemembered) {
            solved_.clear();
            remembered_ = 0;
        }
        std::vector<const Solved*> solved;
        Objective sum;
        bool exact = true;
        for (PoolId pool = 0; pool < static_cast<PoolId>(members_.size()); ++pool) {
            const Solved* one = solvePool(pool);
            if (!one) return;
            solved.push_back(one);
            exact &= one->exact;
            sum.add(one->layout.size, problem_.pools[at(pool)].capacity);
        }
        if (!exact && !stopped_) { // the limit of the pool was reached: this assignment is not decided
            stopped_ = true;
            result_.stoppedBy = StoppedBy::workLimit;
        }
        if (sum >= best_) return;
        Plan better = plan_;
        for (PoolId pool = 0; pool < static_cast<PoolId>(solved.size()); ++pool) apply(solved[at(pool)]->layout, pool, better);
        // If pinned buffers collide, the assignment has no layout.
        if (!check(problem_, better).valid()) return;
        best_ = sum;
        plan_ = std::move(better);
        result_.improved = true;
        if (context_.publish) context_.publish({plan_, 0, result_.nodes});
    }

    /// The smallest layout of the buffers assigned to `pool`. Each set of buffers is solved once (`JointLimits::remember`). Null
    /// after an error.
    const Solved* solvePool(PoolId pool)
    {
        std::vector<BufferId> key = members_[at(pool)];
        std::sort(key.begin(), key.end());
        const auto [it, isNew] = solved_.try_emplace({pool, key});
        if (!isNew && limits_.remember) return &it->second;
        if (isNew) remembered_ += key.size();
        it->second = {};
        PoolLimits limits;
        limits.seed = context_.seed;
        if (limits_.nodes > 0) limits.nodes = limits_.nodes > result_.nodes ? limits_.nodes - result_.nodes : 1;
        limits.stop = [&] { return told().has_value(); };
        auto nodes = minimisePool(problem_, pool, key, nullptr, limits, it->second.layout);
        if (!nodes) {
            error_ = nodes.error();
            return nullptr;
        }
        result_.nodes += *nodes;
        it->second.exact = it->second.layout.closed();
        if (!it->second.exact)
            if (const auto why = told()) {
                result_.stoppedBy = *why;
                stopped_ = true;
            }
        return &it->second;
    }

    const Problem& problem_;
    Plan& plan_;
    const JointLimits& limits_;
    const PlanContext& context_;
    Objective best_;
    std::vector<BufferId> order_;
    std::vector<Step> steps_;
    std::vector<std::vector<BufferId>> members_;
    std::vector<std::vector<Bytes>> loads_; ///< by pool and position in `steps_`
    std::vector<Bytes> most_;               ///< by pool: its largest load, or the largest end of a buffer at its pin or at 0
    std::map<std::pair<PoolId, std::vector<BufferId>>, Solved> solved_;
    std::size_t remembered_ = 0; ///< buffers in the keys of `solved_`
    std::optional<Error> error_;
    JointResult result_;
    std::uint64_t asked_ = 0;
    bool stopped_ = false;
};

} // namespace

Expected<JointResult> searchJointly(const Problem& problem, Plan& plan, const JointLimits& limits, const PlanContext& context)
{
    return Search(problem, plan, limits, context).run();
}

} // namespace stowage::exact
