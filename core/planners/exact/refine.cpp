#include "core/planners/exact/refine.h"

#include "core/planners/best_fit_decreasing.h"
#include "core/planners/exact/minimise.h"
#include "core/planners/greedy_by_breadth.h"
#include "core/planners/greedy_by_size.h"
#include "core/planners/tflm_greedy.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace stowage::exact {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// Bytes above the capacities, then bytes in total.
std::pair<Bytes, Bytes> measure(const Problem& problem, const Plan& plan)
{
    std::pair<Bytes, Bytes> result{0, 0};
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) {
        const Bytes size = plan.poolSize(problem, pool);
        const auto& capacity = problem.pools[at(pool)].capacity;
        if (capacity && size > *capacity) result.first += size - *capacity;
        result.second += size;
    }
    return result;
}

/// The offsets of a plan in units of the instance; nothing when one is no multiple of the unit (such a plan is not pushed down).
std::vector<std::int32_t> toUnits(const Instance& instance, const Plan& plan)
{
    std::vector<std::int32_t> offsets;
    std::size_t copy = 0;
    for (std::int32_t i = 0; i < instance.count(); ++i) {
        copy = i > 0 && instance.buffers[at(i)] == instance.buffers[at(i - 1)] ? copy + 1 : 0;
        const Placement& placement = plan.placements[at(instance.buffers[at(i)])];
        const Bytes offset = placement.rotating() ? placement.offsets[copy] : placement.offset;
        if (offset % instance.unit != 0 || offset / instance.unit > std::numeric_limits<std::int32_t>::max() / 2) return {};
        offsets.push_back(static_cast<std::int32_t>(offset / instance.unit));
    }
    return offsets;
}

void apply(const Instance& instance, const std::vector<std::int32_t>& offsets, Plan& plan)
{
    std::size_t copy = 0;
    for (std::int32_t i = 0; i < instance.count(); ++i) {
        copy = i > 0 && instance.buffers[at(i)] == instance.buffers[at(i - 1)] ? copy + 1 : 0;
        Placement& placement = plan.placements[at(instance.buffers[at(i)])];
        const Bytes offset = offsets[at(i)] * instance.unit;
        if (placement.rotating()) placement.offsets[copy] = offset;
        if (copy == 0) placement.offset = offset;
    }
}

class Refinement {
public:
    Refinement(const Problem& problem, Plan start, const RefineOptions& options, const PlanContext& context)
        : problem_(problem), options_(options), context_(context)
    {
        result_.plan = std::move(start);
        for (const Buffer& buffer : problem.buffers) confined_ &= problem.candidates(buffer).size() == 1;
    }

    Expected<Refined> run()
    {
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool) {
            std::vector<BufferId> members;
            for (std::size_t i = 0; i < problem_.buffers.size(); ++i)
                if (result_.plan.placements[i].pool == pool) members.push_back(static_cast<BufferId>(i));
            if (members.empty()) continue;
            if (auto error = improve(pool, members)) return *error;
        }
        return std::move(result_);
    }

private:
    std::optional<Error> improve(PoolId pool, const std::vector<BufferId>& members)
    {
        auto made = Instance::make(problem_, pool, members);
        if (!made) return made.error();
        const Instance& instance = *made;
        Bracket bracket;
        bracket.offsets = toUnits(instance, result_.plan);
        for (std::size_t i = 0; i < bracket.offsets.size(); ++i)
            bracket.best = std::max(bracket.best, bracket.offsets[i] + instance.sizes[i]);

        MinimiseLimits limits;
        if (options_.nodes > 0) {
            if (nodes_ >= options_.nodes) {
                result_.proved = false;
                return std::nullopt;
            }
            limits.nodes = options_.nodes - nodes_;
        }
        const auto& capacity = problem_.pools[at(pool)].capacity;
        if (options_.fitOnly && capacity)
            limits.goodEnough = static_cast<std::int32_t>(std::min<Bytes>(*capacity / instance.unit, std::numeric_limits<std::int32_t>::max() / 2));
        const std::uint64_t before = result_.plan.work;
        limits.stop = [&] {
            if (const auto why = context_.shouldStop(before)) stoppedBy_ = *why;
            return stoppedBy_ != StoppedBy::complete;
        };
        std::int32_t published = bracket.best;
        limits.improved = [&](const Bracket& now, std::uint64_t nodes) {
            if (!context_.publish || now.best >= published) return;
            published = now.best;
            Incumbent incumbent{result_.plan, now.lower * instance.unit, before + nodes};
            apply(instance, now.offsets, incumbent.plan);
            context_.publish(incumbent);
        };
        const std::uint64_t nodes = minimise(instance, problem_, context_.seed, limits, bracket);
        nodes_ += nodes;
        result_.plan.work += nodes;
        apply(instance, bracket.offsets, result_.plan);
        conclude(pool, instance, bracket, limits.goodEnough, nodes);
        return std::nullopt;
    }

    void conclude(PoolId pool, const Instance& instance, const Bracket& bracket, std::int32_t goodEnough, std::uint64_t nodes)
    {
        const bool cannotFit = goodEnough > 0 && bracket.lower > goodEnough;
        const bool decided = bracket.closed() || cannotFit || (goodEnough > 0 && bracket.best <= goodEnough);
        result_.proved &= decided;
        if (!decided) {
            const bool limited = stoppedBy_ == StoppedBy::complete;
            result_.plan.stoppedBy = limited ? StoppedBy::workLimit : stoppedBy_;
        }
        if (!confined_) return;
        SearchCertificate certificate;
        certificate.pool = pool;
        certificate.by = "exact";
        certificate.nodes = nodes;
        if (bracket.closed()) {
            certificate.bytes = bracket.best * instance.unit;
            result_.plan.claims.emplace_back(certificate);
        }
        const auto& capacity = problem_.pools[at(pool)].capacity;
        if (capacity && bracket.lower * instance.unit > *capacity) {
            certificate.bytes = *capacity;
            certificate.infeasible = true;
            result_.plan.claims.emplace_back(certificate);
        }
    }

    const Problem& problem_;
    const RefineOptions& options_;
    const PlanContext& context_;
    Refined result_;
    bool confined_ = true; ///< no buffer has a choice of pools
    std::uint64_t nodes_ = 0;
    StoppedBy stoppedBy_ = StoppedBy::complete;
};

} // namespace

Expected<Refined> refine(const Problem& problem, Plan start, const RefineOptions& options, const PlanContext& context)
{
    return Refinement(problem, std::move(start), options, context).run();
}

Expected<Plan> bestOfHeuristics(const Problem& problem, const PlanContext& context)
{
    PlanContext quiet = context;
    quiet.publish = nullptr;
    quiet.recorder = nullptr;
    quiet.workLimit = 0;
    std::optional<Plan> best;
    std::pair<Bytes, Bytes> bestSize;
    std::uint64_t work = 0;
    for (const auto& planner : {greedyBySize(), greedyByBreadth(), bestFitDecreasing(), tflmGreedy()}) {
        auto plan = planner->plan(problem, {}, quiet);
        if (!plan) return plan;
        work += plan->work;
        const auto size = measure(problem, *plan);
        if (!best || size < bestSize) {
            best = *std::move(plan);
            bestSize = size;
            if (context.publish) context.publish({*best, 0, work});
        }
        if (context.shouldStop(work)) break;
    }
    best->work = work;
    return *std::move(best);
}

} // namespace stowage::exact
