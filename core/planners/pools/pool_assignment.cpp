#include "core/planners/pools/pool_assignment.h"

#include "core/plan/report.h"
#include "core/planners/common/one_pool.h"
#include "core/planners/exact/exact.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace stowage {

namespace {

constexpr std::size_t maxAssignments = 4096;
constexpr std::size_t maxBuffers = 60;
constexpr std::uint64_t packingWork = 20'000; ///< nodes of the exact search for one set of buffers

class Assigning {
public:
    Assigning(const Problem& problem, const MultiPoolGoal& goal, const GoalValue& start, const PlanContext& context,
              std::uint64_t spent)
        : problem_(problem),
          goal_(goal),
          context_(context),
          spent_(spent),
          packings_(problem.pools.size()),
          members_(problem.pools.size()),
          sizes_(problem.pools.size()),
          where_(problem.buffers.size(), none)
    {
        result_.value = start;
        order_.resize(problem.buffers.size());
        std::iota(order_.begin(), order_.end(), 0);
        const auto size = [&](BufferId b) { return problem.buffers[at(b)].size; };
        std::stable_sort(order_.begin(), order_.end(), [&](BufferId a, BufferId b) { return size(a) > size(b); });
        for (const Buffer& buffer : problem.buffers) candidates_.push_back(problem.candidates(buffer));
    }

    std::optional<PoolAssignment> run()
    {
        result_.proved = true;
        descend(0);
        if (cannot_) return std::nullopt;
        return std::move(result_);
    }

private:
    struct Packing {
        Bytes size = 0;
        bool proved = true;
        bool possible = true;              ///< false: pins of these members collide, or the pool's alignment does not suit one
        std::vector<Placement> placements; ///< by member, ascending
    };

    [[nodiscard]] std::vector<BufferId> membersOf(std::uint64_t mask) const
    {
        std::vector<BufferId> members;
        for (BufferId b = 0; b < static_cast<BufferId>(where_.size()); ++b)
            if (mask >> b & 1) members.push_back(b);
        return members;
    }

    /// The members alone in one pool without a limit.
    [[nodiscard]] Problem alone(PoolId pool, const std::vector<BufferId>& members) const
    {
        Pool unlimited = problem_.pools[at(pool)];
        unlimited.capacity.reset();
        unlimited.kind = PoolKind::workspace;
        return inOnePool(problem_, members, std::move(unlimited));
    }

    /// The smallest plan of a set of buffers (a bit for each) in `pool` that is found; each set is planned once.
    const Packing& pack(PoolId pool, std::uint64_t mask)
    {
        const auto [found, added] = packings_[at(pool)].try_emplace(mask);
        Packing& packing = found->second;
        if (!added || mask == 0) return packing;
        const Problem part = alone(pool, membersOf(mask));
        PlanContext limited;
        limited.cancel = context_.cancel;
        limited.deadline = context_.deadline;
        limited.workLimit = packingWork;
        auto plan = exactPlanner()->plan(part, {}, limited);
        if (!plan) {
            cannot_ = true;
            return packing;
        }
        result_.work += std::max<std::uint64_t>(1, plan->work);
        const Report report = evaluate(part, *plan);
        packing.proved = report.status == Status::optimal;
        packing.possible = report.verdict.valid(); // the pool has no limit, so that only pins can stand in the way
        packing.size = plan->poolSize(part, 0);
        packing.placements = std::move(plan->placements);
        return packing;
    }

    [[nodiscard]] bool over()
    {
        if (!cannot_ && !stopped_) stopped_ = context_.shouldStop(spent_ + result_.work).has_value();
        if (cannot_ || stopped_) result_.proved = false;
        return cannot_ || stopped_;
    }

    /// Depth first over `order_`; leaves a branch whose bound is not below the best value.
    void descend(std::size_t depth)
    {
        if (over()) return;
        if (depth == order_.size()) return found();
        const BufferId b = order_[depth];
        for (const PoolId pool : candidates_[at(b)]) {
            members_[at(pool)] ^= std::uint64_t{1} << b;
            const Bytes was = sizes_[at(pool)];
            const Packing& packing = pack(pool, members_[at(pool)]);
            if (!packing.possible) { // nor with more members
                members_[at(pool)] ^= std::uint64_t{1} << b;
                continue;
            }
            // A packing that was not proved smallest bounds nothing: then the set without `b` does.
            sizes_[at(pool)] = packing.proved ? packing.size : was;
            result_.proved &= packing.proved;
            where_[at(b)] = pool;
            if (!cannot_ && bound(depth + 1) < result_.value) descend(depth + 1);
            where_[at(b)] = none;
            sizes_[at(pool)] = was;
            members_[at(pool)] ^= std::uint64_t{1} << b;
            if (over()) return;
        }
    }

    /// Lower bound of every completion: the buffers not yet assigned take no bytes and the least time.
    [[nodiscard]] GoalValue bound(std::size_t depth) const
    {
        GoalValue value = goal_.value(sizes_, where_);
        if (goal_.kind() == MultiPoolGoal::Kind::traffic) {
            // In order of index, as the value itself is summed: no rounding may make a bound larger than what it bounds.
            value.goal = 0;
            std::vector<bool> assigned(where_.size());
            for (std::size_t i = 0; i < depth; ++i) assigned[at(order_[i])] = true;
            for (std::size_t b = 0; b < where_.size(); ++b) {
                double least = goal_.time(static_cast<BufferId>(b), assigned[b] ? where_[b] : candidates_[b].front());
                if (!assigned[b])
                    for (const PoolId pool : candidates_[b]) least = std::min(least, goal_.time(static_cast<BufferId>(b), pool));
                value.goal += least;
            }
        }
        return value;
    }

    /// All buffers have a pool: keeps the assignment if it is better than the best one.
    void found()
    {
        std::vector<Bytes> sizes;
        for (std::size_t p = 0; p < members_.size(); ++p) sizes.push_back(pack(static_cast<PoolId>(p), members_[p]).size);
        const GoalValue value = goal_.value(sizes, where_);
        if (!(value < result_.value)) return;
        result_.value = value;
        result_.improved = true;
        result_.plan.placements.assign(where_.size(), {});
        for (std::size_t p = 0; p < members_.size(); ++p) {
            const Packing& packing = pack(static_cast<PoolId>(p), members_[p]);
            const std::vector<BufferId> members = membersOf(members_[p]);
            for (std::size_t i = 0; i < members.size(); ++i) {
                Placement& to = result_.plan.placements[at(members[i])];
                to = packing.placements[i];
                to.pool = static_cast<PoolId>(p);
            }
        }
    }

    const Problem& problem_;
    const MultiPoolGoal& goal_;
    const PlanContext& context_;
    std::uint64_t spent_;
    PoolAssignment result_;
    std::vector<BufferId> order_;
    std::vector<std::vector<PoolId>> candidates_;
    std::vector<std::unordered_map<std::uint64_t, Packing>> packings_; ///< by pool; looked up, never iterated
    std::vector<std::uint64_t> members_;                               ///< by pool: a bit for each buffer
    std::vector<Bytes> sizes_;                                         ///< by pool: no completion needs less
    std::vector<PoolId> where_;
    bool cannot_ = false;
    bool stopped_ = false;
};

} // namespace

bool fewAssignments(const Problem& problem)
{
    if (problem.buffers.size() > maxBuffers) return false;
    std::size_t assignments = 1;
    for (const Buffer& buffer : problem.buffers) {
        assignments *= problem.candidates(buffer).size();
        if (assignments > maxAssignments) return false;
    }
    return true;
}

std::optional<PoolAssignment> bestAssignment(const Problem& problem, const MultiPoolGoal& goal, const GoalValue& start,
                                             const PlanContext& context, std::uint64_t spent)
{
    return Assigning(problem, goal, start, context, spent).run();
}

} // namespace stowage
