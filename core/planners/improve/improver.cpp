#include "core/planners/improve/improver.h"

#include "core/planners/exact/pool_search.h"

#include <algorithm>

namespace stowage::improve {

namespace {

constexpr std::uint64_t slice = 50'000'000; ///< work between two calls of `improved`

} // namespace

Improver::Improver(const Problem& problem, const Plan& start, std::uint64_t seed) : problem_(problem), base_(start), seed_(seed)
{
    begin();
}

void Improver::begin()
{
    for (const auto& state : pools_) doneBefore_ += state->improver->work();
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
        std::vector<std::int32_t> offsets = offsetsIn(state->instance, base_);
        if (offsets.empty()) continue;
        state->improver = std::make_unique<PoolImprover>(state->instance, std::move(offsets), mix64(seed_) + at(pool));
        pools_.push_back(std::move(state));
    }
}

/// The offsets of the plan in units; empty when one is not a multiple of the unit, or when a slot has none.
std::vector<std::int32_t> Improver::offsetsIn(const Instance& instance, const Plan& plan) const
{
    std::vector<std::int32_t> offsets;
    std::size_t slot = 0;
    for (std::size_t i = 0; i < instance.buffers.size(); ++i) {
        const Placement& placement = plan.placements[at(instance.buffers[i])];
        slot = i > 0 && instance.buffers[i] == instance.buffers[i - 1] ? slot + 1 : 0;
        if (slot > 0 && slot >= placement.offsets.size()) return {};
        const Bytes offset = slot < placement.offsets.size() ? placement.offsets[slot] : placement.offset;
        if (offset % instance.unit != 0 || offset / instance.unit > (Bytes{1} << 30)) return {};
        offsets.push_back(static_cast<std::int32_t>(offset / instance.unit));
    }
    return offsets;
}

bool Improver::open() const
{
    return std::any_of(pools_.begin(), pools_.end(), [](const auto& state) { return !state->improver->closed(); });
}

std::uint64_t Improver::work() const
{
    std::uint64_t sum = doneBefore_;
    for (const auto& state : pools_) sum += state->improver->work();
    return sum;
}

void Improver::run(std::uint64_t work, const std::function<bool()>& stop, const std::function<void()>& improved)
{
    while (work > 0 && open() && !stop()) {
        const std::uint64_t now = std::min(work, slice);
        work -= now;
        bool lower = false;
        std::vector<PoolImprover*> left;
        for (const auto& state : pools_)
            if (!state->improver->closed()) left.push_back(state->improver.get());
        for (PoolImprover* improver : left) {
            const std::int32_t before = improver->height();
            improver->run(std::max<std::uint64_t>(1, now / left.size()), stop);
            lower |= improver->height() < before;
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
        if (const auto offsets = offsetsIn(state->instance, plan); !offsets.empty()) state->improver->adopt(offsets);
}

Plan Improver::plan() const
{
    Plan plan = base_;
    for (const auto& state : pools_) {
        exact::PoolLayout layout;
        layout.buffers = state->instance.buffers;
        for (const std::int32_t offset : state->improver->best()) layout.offsets.push_back(offset * state->instance.unit);
        exact::apply(layout, state->pool, plan);
    }
    return plan;
}

} // namespace stowage::improve
