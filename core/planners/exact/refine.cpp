#include "core/planners/exact/refine.h"
#include "core/plan/objective.h"

#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "core/plan/check.h"
#include "core/plan/one_iteration.h"
#include "core/plan/report.h"
#include "core/plan/too_small.h"
#include "core/planners/common/overflow.h"
#include "core/planners/exact/infeasible_set.h"
#include "core/planners/exact/joint.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/exact/search_steps.h"
#include "core/planners/greedy/best_fit_decreasing.h"
#include "core/planners/greedy/greedy.h"
#include "core/planners/greedy/greedy_by_breadth.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "core/planners/greedy/tflm_greedy.h"
#include "core/planners/placement/order.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::exact {

namespace {

/// Up to this number of buffers, each fast heuristic takes far less than a second, so all run to their end.
constexpr std::size_t maxBuffersToFinish = 200'000;

class Refinement {
public:
    Refinement(const Problem& problem, Plan start, const RefineOptions& options, const PlanContext& context)
        : problem_(problem), options_(options), context_(context)
    {
        result_.plan = std::move(start);
        startValid_ = check(problem, result_.plan).valid();
        for (const Buffer& buffer : problem.buffers) confined_ &= buffer.size == 0 || problem.candidates(buffer).size() == 1;
        general_ = !differsByIteration(problem);
        result_.keptPools = !confined_;
        result_.fixedOffsets = !general_;
        if (!context.recorder) return;
        steps_.emplace(problem, *context.recorder);
        if (startValid_) steps_->better(result_.plan, StepRule::quickPlan);
    }

    Expected<Refined> run()
    {
        // If choices of pools are searched afterwards, this part gets only half of the nodes.
        const bool jointly = !confined_ && (options_.pools == PoolChoice::joint || (options_.pools == PoolChoice::untilFits &&
                                                                                    !objectiveOf(problem_, result_.plan).fits()));
        // If a bound proves that nothing fits, there is nothing to search; it only remains to find the buffers that do not fit
        // together.
        if (jointly && options_.fitOnly && tooSmall(problem_)) {
            result_.keptPools = false;
            if (general_) nothingFits(0);
            renewDiagnostics();
            return std::move(result_);
        }
        // Rounded up, because 0 means no limit.
        const std::uint64_t most = jointly ? (options_.nodes + 1) / 2 : options_.nodes;
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool) {
            std::vector<BufferId> members;
            for (std::size_t i = 0; i < problem_.buffers.size(); ++i)
                if (result_.plan.placements[i].pool == pool) members.push_back(static_cast<BufferId>(i));
            if (members.empty()) continue;
            if (auto error = improve(pool, members, most)) return *error;
        }
        if (jointly)
            if (auto error = searchAssignments()) return *error;
        renewDiagnostics();
        if (steps_) steps_->better(result_.plan, StepRule::bestLayout);
        return std::move(result_);
    }

private:
    /// Makes one pool of the plan as small as possible (with `fitOnly`, small enough), and adds what this proves to the claims.
    /// `most`: node limit of all pools together; 0: no limit.
    std::optional<Error> improve(PoolId pool, const std::vector<BufferId>& members, std::uint64_t most)
    {
        PoolLimits limits;
        limits.seed = context_.seed;
        limits.steps = steps_ ? &*steps_ : nullptr;
        if (most > 0) {
            if (nodes_ >= most) {
                result_.proved = false;
                return std::nullopt;
            }
            limits.nodes = most - nodes_;
        }
        const auto& capacity = problem_.pools[at(pool)].capacity;
        if (options_.fitOnly) limits.enough = capacity.value_or(maxBytes); // without a capacity, any valid layout fits
        const std::uint64_t before = result_.plan.work;
        limits.stop = [&] {
            if (const auto why = context_.shouldStop(before)) stoppedBy_ = *why;
            return stoppedBy_ != StoppedBy::complete;
        };
        limits.spent = context_.workLimit > 0 && before >= context_.workLimit;
        const Bytes startSize = result_.plan.poolSize(problem_, pool);
        Bytes published = startSize;
        limits.improved = [&](const PoolLayout& now, std::uint64_t nodes) {
            if (!context_.publish || !startValid_ || now.size >= published) return;
            published = now.size;
            Incumbent incumbent{result_.plan, now.lower, before + nodes};
            apply(now, pool, incumbent.plan);
            context_.publish(incumbent);
        };
        PoolLayout layout;
        if (startValid_) {
            // A pool at the lower bound of its buffers needs no search.
            const Bytes bound = lowerBound(problem_, result_.plan, pool).bytes;
            if (startSize <= bound) {
                layout.size = layout.lower = startSize;
                conclude(pool, members, layout, limits.enough, 0);
                return std::nullopt;
            }
        }
        const auto nodes = minimisePool(problem_, pool, members, startValid_ ? &result_.plan : nullptr, limits, layout);
        if (!nodes) return nodes.error();
        nodes_ += *nodes;
        result_.plan.work += *nodes;
        if (layout.size < startSize || !startValid_) apply(layout, pool, result_.plan);
        conclude(pool, members, layout, limits.enough, *nodes);
        return std::nullopt;
    }

    /// Claims that the layout is the smallest, or that nothing fits into the capacity, if the search has proved it. No claim if
    /// buffers have other candidates or iterations differ: then the proof holds only for this choice of pools, or this iteration.
    void conclude(PoolId pool, const std::vector<BufferId>& members, const PoolLayout& layout, std::optional<Bytes> enough,
                  std::uint64_t nodes)
    {
        const bool decided = layout.closed() || (enough && (layout.lower > *enough || layout.size <= *enough));
        result_.proved &= decided;
        if (!decided) stoppedBefore();
        if (!confined_ || !general_) return;
        SearchCertificate certificate;
        certificate.pool = pool;
        certificate.by = "exact";
        certificate.nodes = nodes;
        if (layout.closed()) {
            certificate.bytes = layout.size;
            result_.plan.claims.emplace_back(certificate);
        }
        const auto& capacity = problem_.pools[at(pool)].capacity;
        if (capacity && layout.lower > *capacity) {
            certificate.bytes = *capacity;
            certificate.infeasible = true;
            blame(pool, members, *capacity, certificate);
            result_.plan.claims.emplace_back(certificate);
        }
    }

    /// Finds a small set of buffers that do not fit, and names it in a diagnostic.
    void blame(PoolId pool, const std::vector<BufferId>& members, Bytes capacity, SearchCertificate& certificate)
    {
        InfeasibleSetLimits limits;
        limits.seed = context_.seed;
        limits.stop = [&] { return context_.shouldStop(0).has_value(); };
        if (options_.nodes > 0) limits.nodes = std::min(limits.nodes, options_.nodes);
        // Buffers that are live together and exceed the capacity are already such a set; it only remains to remove superfluous
        // ones.
        const CliqueCertificate together = lowerBound(problem_, result_.plan, pool);
        const auto say = [&](const InfeasibleSet& set) {
            tell(set, members.size(),
                 fmt::format("of {} cannot fit into its {} bytes", problem_.pools[at(pool)].name, grouped(capacity)), capacity,
                 certificate);
        };
        if (const auto stack = infeasibleStack(problem_, pool, together, capacity)) return say(*stack);
        const bool enough = together.bytes > capacity && !together.buffers.empty();
        const auto found = infeasibleSet(problem_, pool, enough ? together.buffers : members, capacity, limits);
        if (found && *found) say(**found);
    }

    /// The same of all pools together.
    void blameAll(SearchCertificate& certificate)
    {
        InfeasibleSetLimits limits;
        limits.seed = context_.seed;
        limits.stop = [&] { return context_.shouldStop(0).has_value(); };
        if (options_.nodes > 0) limits.nodes = std::min(limits.nodes, options_.nodes);
        const auto found = infeasibleSetOfAll(problem_, result_.plan, limits);
        if (found && *found)
            tell(**found, problem_.buffers.size(), "do not fit into all capacities together, for every choice of pools", 0,
                 certificate);
    }

    /// Names the buffers of `set` in the certificate and in a diagnostic: "3 of the `of` buffers `what`: …". `capacity`: bytes
    /// available for them.
    void tell(const InfeasibleSet& set, std::size_t of, const std::string& what, Bytes capacity, SearchCertificate& certificate)
    {
        certificate.core = set.buffers;
        certificate.irreducible = set.irreducible;
        result_.plan.work += set.nodes;
        constexpr std::size_t named = 12;
        std::string names;
        for (std::size_t i = 0; i < std::min(named, set.buffers.size()); ++i) {
            const Buffer& buffer = problem_.buffers[at(set.buffers[i])];
            names += fmt::format("{}'{}' ({})", i == 0 ? "" : ", ", buffer.name, grouped(buffer.size));
        }
        if (set.buffers.size() > named) names += fmt::format(" and {} more", set.buffers.size() - named);
        std::string message = fmt::format("{} of the {} buffers {}: {}", set.buffers.size(), of, what, names);
        if (set.needs)
            message +=
                fmt::format("; they need {} bytes, {} more than there are", grouped(*set.needs), grouped(*set.needs - capacity));
        if (set.irreducible) message += "; without any one of them the others would fit";
        result_.plan.diagnostics.push_back(
            {Severity::note, Code::infeasibleSet, std::move(message), Position(), "shrink, shorten or move one of these"});
    }

    /// Searches over choices of pools, from the best plan so far, with the remaining nodes. Claims what a complete search proves.
    std::optional<Error> searchAssignments()
    {
        JointLimits limits;
        limits.fitOnly = options_.fitOnly || options_.pools == PoolChoice::untilFits;
        if (options_.nodes > 0) {
            if (nodes_ >= options_.nodes) {
                result_.proved = false;
                stoppedBefore();
                return std::nullopt;
            }
            limits.nodes = options_.nodes - nodes_;
        }
        PlanContext own = context_;
        if (steps_)
            own.publish = [this](const Incumbent& incumbent) {
                steps_->better(incumbent.plan, StepRule::betterPools);
                if (context_.publish) context_.publish(incumbent);
            };
        const auto found = searchJointly(problem_, result_.plan, limits, own);
        if (!found) return found.error();
        result_.plan.work += found->nodes;
        const Objective reached = objectiveOf(problem_, result_.plan);
        result_.proved = found->complete;
        result_.keptPools = !found->complete || (limits.fitOnly && reached.fits()); // the first choice that fits ended the search
        result_.plan.stoppedBy = found->stoppedBy;
        if (!found->complete || !general_) return std::nullopt;
        if (!reached.fits()) {
            nothingFits(nodes_ + found->nodes);
        } else if (!limits.fitOnly && reached.total < Objective::saturated) {
            SearchCertificate certificate;
            certificate.by = "exact";
            certificate.nodes = nodes_ + found->nodes;
            certificate.bytes = reached.total;
            result_.plan.claims.emplace_back(certificate);
        }
        return std::nullopt;
    }

    /// Claims that no plan fits into all capacities, and names buffers that do not fit together.
    void nothingFits(std::uint64_t nodes)
    {
        SearchCertificate certificate;
        certificate.by = "exact";
        certificate.nodes = nodes;
        certificate.infeasible = true;
        for (const Pool& pool : problem_.pools) {
            if (!pool.capacity) {
                certificate.bytes = 0;
                break;
            }
            certificate.bytes = checkedAdd(certificate.bytes, *pool.capacity).value_or(maxBytes);
        }
        blameAll(certificate);
        result_.plan.claims.emplace_back(certificate);
    }

    /// Replaces the diagnostics of the start's planner about capacities and pins, which may not apply any more.
    void renewDiagnostics()
    {
        Plan& plan = result_.plan;
        const bool mended = !startValid_ && check(problem_, plan).valid();
        std::erase_if(plan.diagnostics,
                      [&](const Diagnostic& d) { return d.code == Code::overflow || (mended && d.severity == Severity::error); });
        std::vector<std::pair<Bytes, PoolId>> tooFull; // the largest first: it is the most informative
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool)
            if (const auto& capacity = problem_.pools[at(pool)].capacity; capacity && plan.poolSize(problem_, pool) > *capacity)
                tooFull.emplace_back(-plan.poolSize(problem_, pool), pool);
        std::sort(tooFull.begin(), tooFull.end());
        for (const auto& [size, pool] : tooFull) plan.diagnostics.push_back(describeOverflow(problem_, plan, pool));
    }

    void stoppedBefore() { result_.plan.stoppedBy = stoppedBy_ == StoppedBy::complete ? StoppedBy::workLimit : stoppedBy_; }

    const Problem& problem_;
    const RefineOptions& options_;
    const PlanContext& context_;
    Refined result_;
    bool startValid_ = true; ///< heuristics fail if pins leave them no place
    bool confined_ = true;   ///< each buffer has one candidate pool
    bool general_ = true;    ///< proofs for fixed offsets hold for every plan
    std::uint64_t nodes_ = 0;
    StoppedBy stoppedBy_ = StoppedBy::complete;
    std::optional<SearchSteps> steps_;
};

} // namespace

Expected<Refined> refine(const Problem& problem, Plan start, const RefineOptions& options, const PlanContext& context)
{
    return Refinement(problem, std::move(start), options, context).run();
}

namespace {

/// For buffers that all conflict, such as constants, this order reaches the lower bound; for others it is one more order to try.
std::shared_ptr<const Planner> greedyByAlignment()
{
    PlannerInfo info;
    info.name = "greedy-by-alignment";
    return std::make_shared<GreedyPlanner>(
        std::move(info), [](const BufferTable& table) { return byAlignment(table); }, GapRule::smallest);
}

/// True if some size is not a multiple of its alignment, so that padding follows it.
bool mayPad(const Problem& problem)
{
    return std::any_of(problem.buffers.begin(), problem.buffers.end(), [&](const Buffer& buffer) {
        const std::vector<PoolId> candidates = problem.candidates(buffer);
        return !candidates.empty() && buffer.size % problem.effectiveAlignment(buffer, candidates.front()) != 0;
    });
}

} // namespace

Expected<Plan> bestOfHeuristics(const Problem& problem, const PlanContext& context)
{
    PlanContext quiet = context;
    quiet.publish = nullptr;
    quiet.recorder = nullptr;
    quiet.workLimit = 0;
    // A heuristic that is stopped stacks what is left, which makes a plan of a million buffers 70 times as large. So the first
    // one ignores the time limit, and up to this number of buffers all do.
    quiet.deadline.reset();
    std::optional<Plan> best;
    Objective bestSize;
    bool bestValid = false;
    std::uint64_t work = 0;
    // Only pins can make the plan of a heuristic not valid. A full check would take longer than the heuristics, so it runs only
    // with pins.
    const bool pinned = std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& b) { return b.pin; });
    std::vector<std::shared_ptr<const Planner>> planners{greedyBySize(), greedyByBreadth(), bestFitDecreasing(), tflmGreedy()};
    if (mayPad(problem)) planners.push_back(greedyByAlignment());
    for (const auto& planner : planners) {
        auto plan = planner->plan(problem, {}, quiet);
        if (!plan) return plan;
        if (problem.buffers.size() > maxBuffersToFinish) quiet.deadline = context.deadline;
        work += plan->work;
        const Objective size = objectiveOf(problem, *plan);
        const bool valid = !pinned || check(problem, *plan, 1).valid();
        if (!best || (valid && !bestValid) || (valid == bestValid && size < bestSize)) {
            best = *std::move(plan);
            bestSize = size;
            bestValid = valid;
            if (context.publish) context.publish({*best, 0, work});
        }
        if (quiet.shouldStop(work)) break;
    }
    best->work = work;
    return *std::move(best);
}

} // namespace stowage::exact
