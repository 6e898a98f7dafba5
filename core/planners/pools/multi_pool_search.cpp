#include "core/planners/pools/multi_pool_search.h"

#include "core/planners/placement/order.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t patience = 150;

Problem withCandidates(Problem problem)
{
    for (Buffer& buffer : problem.buffers) buffer.pools = problem.candidates(buffer);
    return problem;
}

} // namespace

MultiPoolSearch::MultiPoolSearch(const Problem& problem, const MultiPoolGoal& goal, const PlanContext& context)
    : goal_(goal), problem_(withCandidates(problem)), table_(problem_), engine_(table_, context, nullptr), dice_(context.seed)
{
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        given_.push_back(problem_.buffers[b].pools);
        if (given_.back().size() > 1 && !problem_.buffers[b].pin) choosers_.push_back(static_cast<BufferId>(b));
    }
}

void MultiPoolSearch::prefer(const Pools& pools)
{
    for (std::size_t b = 0; b < pools.size(); ++b) problem_.buffers[b].pools = pools[b];
}

bool MultiPoolSearch::evaluate()
{
    if (!first_) engine_.reset(nullptr);
    engine_.place(state_.order, GapRule::first);
    stopped_ = engine_.stopped();
    if (stopped_ && !first_) return false;
    const auto& layout = engine_.layout();
    value_ = goal_.value(layout.tops, {layout.pools.data(), layout.pools.size()});
    const bool better = first_ || value_ < bestValue_;
    first_ = false;
    if (!better || stopped_) return !stopped_;
    bestValue_ = value_;
    best_ = layout;
    bestState_ = state_;
    if (improved_) improved_();
    return true;
}

bool MultiPoolSearch::start(std::vector<BufferId> order, const Pools& pools)
{
    if (stopped_) return false;
    state_ = {std::move(order), pools};
    prefer(state_.pools);
    return evaluate();
}

MultiPoolSearch::Pools MultiPoolSearch::sortedPools(const std::function<double(BufferId, PoolId)>& cost) const
{
    Pools pools = given_;
    for (const BufferId b : choosers_)
        std::stable_sort(pools[at(b)].begin(), pools[at(b)].end(), [&](PoolId x, PoolId y) { return cost(b, x) < cost(b, y); });
    return pools;
}

void MultiPoolSearch::starts()
{
    if (!start(bySize(table_), given_) || choosers_.empty()) return; // TVM's rule
    if (!start(byBreadth(table_), given_)) return;
    switch (goal_.kind()) {
    case MultiPoolGoal::Kind::total:
        for (PoolId p = 0; p < static_cast<PoolId>(problem_.pools.size()); ++p)
            if (!start(bySize(table_), sortedPools([&](BufferId, PoolId x) { return x == p ? 0.0 : 1.0; }))) return;
        break;
    case MultiPoolGoal::Kind::slow: {
        const Pools away = sortedPools([&](BufferId, PoolId x) { return x == goal_.slow() ? 1.0 : 0.0; });
        if (!start(bySize(table_), away) || !start(byBreadth(table_), away) || !start(byDurationThenSize(table_), away)) return;
        break;
    }
    case MultiPoolGoal::Kind::traffic: {
        const Pools quick = sortedPools([&](BufferId b, PoolId x) { return goal_.time(b, x); });
        // What gains most from the quick memory for each byte of it comes first.
        std::vector<double> gain(problem_.buffers.size());
        for (const BufferId b : choosers_) {
            const Item& item = table_.item(b);
            gain[at(b)] = (goal_.time(b, quick[at(b)].back()) - goal_.time(b, quick[at(b)].front())) /
                          static_cast<double>(std::max<Bytes>(1, item.size));
        }
        std::vector<BufferId> order = bySize(table_);
        std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) { return gain[at(a)] > gain[at(b)]; });
        if (!start(std::move(order), quick) || !start(bySize(table_), quick)) return;
        break;
    }
    }
}

void MultiPoolSearch::collectTops()
{
    tops_.clear();
    const auto& layout = engine_.layout();
    for (BufferId b = 0; b < table_.size(); ++b) {
        const PoolId p = layout.pools[at(b)];
        if (p == none || table_.buffer(b).pin) continue;
        if (layout.offsets[at(b)] + table_.item(b).size == layout.tops[at(p)]) tops_.push_back(b);
    }
}

/// One change and its judgement; false when it was stopped.
bool MultiPoolSearch::step()
{
    State before = state_;
    const GoalValue was = value_;
    const bool pool = !choosers_.empty() && dice_.chance(45);
    if (pool) {
        BufferId b = choosers_[dice_.below(choosers_.size())];
        if (!tops_.empty() && dice_.chance(40)) { // rather one that its pool's size hangs on
            const BufferId top = tops_[dice_.below(tops_.size())];
            if (state_.pools[at(top)].size() > 1) b = top;
        }
        auto& mine = state_.pools[at(b)];
        const auto chosen = mine.begin() + 1 + static_cast<std::ptrdiff_t>(dice_.below(mine.size() - 1));
        std::rotate(mine.begin(), chosen, chosen + 1);
        prefer(state_.pools);
    } else {
        const std::size_t n = state_.order.size();
        std::size_t from = dice_.below(n);
        if (!tops_.empty() && dice_.chance(70)) {
            const BufferId top = tops_[dice_.below(tops_.size())];
            from = static_cast<std::size_t>(std::find(state_.order.begin(), state_.order.end(), top) - state_.order.begin());
        }
        const std::size_t to = from > 0 && dice_.chance(80) ? dice_.below(from) : dice_.below(n);
        if (dice_.chance(50))
            std::swap(state_.order[from], state_.order[to]);
        else if (to < from)
            std::rotate(state_.order.begin() + static_cast<std::ptrdiff_t>(to),
                        state_.order.begin() + static_cast<std::ptrdiff_t>(from),
                        state_.order.begin() + static_cast<std::ptrdiff_t>(from) + 1);
    }
    if (!evaluate()) return false;
    if (!(was < value_) || dice_.chance(2)) {
        collectTops();
    } else {
        state_ = std::move(before);
        value_ = was;
        prefer(state_.pools);
    }
    return true;
}

void MultiPoolSearch::begin(const std::function<void()>& improved)
{
    improved_ = improved;
    starts();
}

void MultiPoolSearch::climb(std::uint64_t attempts, std::uint64_t maxWork)
{
    if (stopped_ || table_.size() < 2) return;
    std::size_t stuck = patience; // begin from the best start
    for (std::uint64_t i = 0; attempts == 0 || i < attempts; ++i) {
        if (maxWork != 0 && engine_.work() >= maxWork) return;
        if (stuck >= patience) {
            stuck = 0;
            state_ = bestState_;
            prefer(state_.pools);
            if (i > 0)
                for (std::size_t k = 0; k < 1 + state_.order.size() / 16; ++k)
                    std::swap(state_.order[dice_.below(state_.order.size())], state_.order[dice_.below(state_.order.size())]);
            if (!evaluate()) return;
            collectTops();
        }
        const GoalValue before = bestValue_;
        if (!step()) return;
        stuck = bestValue_ < before ? 0 : stuck + 1;
    }
}

Expected<Plan> MultiPoolSearch::bestPlan(const PlannerInfo& info, const OptionValues& options)
{
    if (best_) engine_.restore(*best_);
    return engine_.finish(info, options);
}

} // namespace stowage
