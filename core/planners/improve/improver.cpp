#include "core/planners/improve/improver.h"

#include "core/plan/check.h"
#include "core/planners/exact/pool_search.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace stowage::improve {

namespace {

constexpr int lanesOfPool = 2;
// The work of an epoch is large enough to be worth starting threads. It is an eighth of the work so far, so that lanes of large
// pools, with long steps, rarely wait for each other.
constexpr std::uint64_t shortestEpoch = 10'000'000; ///< work
constexpr std::uint64_t epochsBefore = 8;           ///< work so far, relative to the next epoch

} // namespace

Improver::Improver(const Problem& problem, const Plan& start, std::uint64_t seed) : problem_(problem), base_(start), seed_(seed)
{
    carried_ =
        std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& buffer) { return buffer.isCarried(); });
    begin();
}

const PoolImprover& Improver::PoolState::best() const
{
    const auto lower = [](const auto& a, const auto& b) { return a->height() < b->height(); };
    return **std::min_element(lanes.begin(), lanes.end(), lower);
}

void Improver::begin()
{
    doneBefore_ = work();
    pools_.clear();
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool) {
        std::vector<BufferId> members;
        for (std::size_t i = 0; i < problem_.buffers.size(); ++i)
            if (base_.placements[i].pool == pool && problem_.buffers[i].size > 0) members.push_back(static_cast<BufferId>(i));
        auto instance = Instance::make(problem_, pool, members);
        if (!instance || instance->sections == 0) continue;
        auto state = std::make_unique<PoolState>();
        state->pool = pool;
        state->members = std::move(members);
        state->instance = *std::move(instance);
        const std::vector<std::int32_t> offsets = offsetsIn(state->instance, base_);
        if (offsets.empty()) continue;
        for (int lane = 0; lane < lanesOfPool; ++lane)
            state->lanes.push_back(std::make_unique<PoolImprover>(
                state->instance, offsets, mix64(mix64(seed_) + static_cast<std::uint64_t>(lane)) + at(pool), lane));
        pools_.push_back(std::move(state));
    }
}

/// The offsets of the plan in units; empty if one is not a multiple of the unit, or if a buffer has another number of slots.
std::vector<std::int32_t> Improver::offsetsIn(const Instance& instance, const Plan& plan) const
{
    std::vector<std::int32_t> offsets;
    std::size_t slot = 0;
    for (std::size_t i = 0; i < instance.buffers.size(); ++i) {
        const Placement& placement = plan.placements[at(instance.buffers[i])];
        slot = i > 0 && instance.buffers[i] == instance.buffers[i - 1] ? slot + 1 : 0;
        const bool last = i + 1 == instance.buffers.size() || instance.buffers[i + 1] != instance.buffers[i];
        if (last && std::max<std::size_t>(1, placement.offsets.size()) != slot + 1) return {};
        const Bytes offset = slot < placement.offsets.size() ? placement.offsets[slot] : placement.offset;
        if (offset % instance.unit != 0 || offset / instance.unit > (Bytes{1} << 30)) return {};
        offsets.push_back(static_cast<std::int32_t>(offset / instance.unit));
    }
    return offsets;
}

bool Improver::open() const
{
    return std::any_of(pools_.begin(), pools_.end(), [](const auto& state) { return !state->best().closed(); });
}

std::uint64_t Improver::work() const
{
    std::uint64_t sum = doneBefore_;
    for (const auto& state : pools_)
        for (const auto& lane : state->lanes) sum += lane->work();
    return sum;
}

void Improver::runEpoch(std::uint64_t work, unsigned threads, const std::function<bool()>& stop)
{
    std::vector<PoolImprover*> lanes;
    for (const auto& state : pools_)
        if (!state->best().closed())
            for (const auto& lane : state->lanes) lanes.push_back(lane.get());
    const std::uint64_t share = std::max<std::uint64_t>(1, work / lanes.size());
    std::atomic<std::size_t> next{0};
    const auto help = [&] {
        for (std::size_t k; (k = next.fetch_add(1)) < lanes.size();) lanes[k]->run(share, stop);
    };
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, lanes.size()); ++t) helpers.emplace_back(help);
    help();
}

void Improver::run(std::uint64_t work, unsigned threads, const std::function<bool()>& stop, const std::function<void()>& improved)
{
    while (work > 0 && open() && !stop()) {
        const std::uint64_t now = std::min(work, std::max(shortestEpoch, granted_ / epochsBefore));
        work -= now;
        granted_ += now;
        std::vector<std::int32_t> before;
        for (const auto& state : pools_) before.push_back(state->best().height());
        runEpoch(now, threads, stop);
        bool lower = false;
        for (std::size_t k = 0; k < pools_.size(); ++k) {
            const PoolImprover& best = pools_[k]->best();
            lower |= best.height() < before[k];
            for (const auto& lane : pools_[k]->lanes) lane->adopt(best.best());
        }
        if (lower) improved();
    }
}

void Improver::adopt(const Plan& plan)
{
    const auto samePool = [](const Placement& a, const Placement& b) { return a.pool == b.pool; };
    if (!std::equal(plan.placements.begin(), plan.placements.end(), base_.placements.begin(), base_.placements.end(), samePool)) {
        base_ = plan;
        begin();
        return;
    }
    for (const auto& state : pools_)
        if (const auto offsets = offsetsIn(state->instance, plan); !offsets.empty())
            for (const auto& lane : state->lanes) lane->adopt(offsets);
}

Plan Improver::plan() const
{
    Plan plan = base_;
    for (const auto& state : pools_) {
        exact::PoolLayout layout;
        layout.buffers = state->instance.buffers;
        for (const std::int32_t offset : state->best().best()) layout.offsets.push_back(offset * state->instance.unit);
        exact::apply(layout, state->pool, plan);
    }
    if (carried_ && !check(problem_, plan, 1).valid()) return base_;
    return plan;
}

} // namespace stowage::improve
