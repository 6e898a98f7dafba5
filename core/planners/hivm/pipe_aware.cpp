#include "core/planners/hivm/pipe_aware.h"
#include "core/plan/objective.h"

#include "core/ir/checked.h"
#include "core/plan/offsets.h"
#include "core/plan/recorder.h"
#include "core/planners/common/overflow.h"
#include "core/planners/hivm/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

namespace stowage {

namespace {

constexpr std::string_view optionName = "pipe-aware";
constexpr std::size_t fewPairs = 10; ///< all subsets of this number of pairs are tried
constexpr int maxPlannings = 200;
constexpr std::uint64_t workOfOnePlanning = 20'000;
constexpr Bytes doubleBufferFactor = 4;

const Buffer& bufferOf(const Problem& problem, BufferId b)
{
    return problem.buffers[static_cast<std::size_t>(b)];
}

bool share(const Problem& problem, const Plan& plan, BufferId a, BufferId b)
{
    const Placement& x = plan.placements[static_cast<std::size_t>(a)];
    const Placement& y = plan.placements[static_cast<std::size_t>(b)];
    if (!x.placed() || x.pool != y.pool) return false;
    const Bytes sizeX = bufferOf(problem, a).size;
    const Bytes sizeY = bufferOf(problem, b).size;
    for (const Bytes low : offsetsOf(x))
        for (const Bytes other : offsetsOf(y))
            if (low < other + sizeY && other < low + sizeX) return true;
    return false;
}

/// The problem in which those pairs conflict, and may not even share in place.
Problem withConflicts(Problem problem, const std::vector<PipePair>& pairs)
{
    for (const PipePair& pair : pairs)
        for (const auto& [here, there] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)}) {
            Buffer& buffer = problem.buffers[static_cast<std::size_t>(here)];
            buffer.conflicts.push_back(there);
            eraseEqual(buffer.mayShare, there);
        }
    for (Buffer& buffer : problem.buffers) {
        std::sort(buffer.conflicts.begin(), buffer.conflicts.end());
        buffer.conflicts.erase(std::unique(buffer.conflicts.begin(), buffer.conflicts.end()), buffer.conflicts.end());
    }
    return problem;
}

Bytes priceOf(const std::vector<PipePair>& pairs)
{
    Bytes sum = 0;
    for (const PipePair& pair : pairs) sum = std::min(maxBytes, sum + pair.price);
    return sum;
}

class PriceSearch {
public:
    PriceSearch(const Planner& planner, const Problem& problem, const OptionValues& options, const PlanContext& context,
                std::vector<PipePair> pairs)
        : planner_(planner), problem_(problem), options_(options), context_(context), pairs_(std::move(pairs))
    {
        trial_ = context;
        trial_.publish = nullptr;
        trial_.recorder = nullptr;
        // The limit is one for all plannings together.
        const std::uint64_t share =
            std::max<std::uint64_t>(workOfOnePlanning, context.workLimit / static_cast<std::uint64_t>(maxPlannings));
        if (planner.info().anytime) trial_.workLimit = context.workLimit > 0 ? std::min(share, context.workLimit) : share;
    }

    Expected<Plan> run()
    {
        if (auto error = tryWith({})) return *std::move(error);
        if (auto error = tryWith(pairs_)) return *std::move(error);
        if (pairs_.size() <= fewPairs)
            tryAllSets();
        else
            forbidTheDearest();
        Plan plan = std::move(best_->plan);
        plan.work = work_;
        plan.stoppedBy = stopped_.value_or(StoppedBy::complete);
        return plan;
    }

private:
    struct Candidate {
        Plan plan;
        std::vector<PipePair> sharing;
        Objective objective;
        Bytes price = 0;
    };

    [[nodiscard]] auto worth(const Candidate& it) const
    {
        return std::tuple(it.objective.excess, saturatedSum(it.price, it.objective.total), it.price);
    }

    /// Plans with those pairs apart, and keeps what is better. An error only from the very first planning.
    std::optional<Error> tryWith(const std::vector<PipePair>& apart)
    {
        if (stopped_) return std::nullopt;
        ++plannings_;
        auto plan = planner_.plan(withConflicts(problem_, apart), options_, trial_);
        if (!plan) return best_ ? std::nullopt : std::optional<Error>(plan.error());
        work_ += plan->work;
        stopped_ = context_.shouldStop(work_);
        Candidate found;
        found.sharing = sharingPairs(problem_, *plan, pairs_);
        found.price = priceOf(found.sharing);
        found.objective = objectiveOf(problem_, *plan);
        found.plan = *std::move(plan);
        if (!best_ || worth(found) < worth(*best_)) {
            best_ = std::move(found);
            improved_ = true;
        }
        return std::nullopt;
    }

    /// Sets of pairs that are allowed to share, the cheapest first, as long as one could still be better.
    void tryAllSets()
    {
        struct Allowed {
            Bytes price = 0;
            unsigned set = 0;
        };
        std::vector<Allowed> sets;
        for (unsigned set = 1; set + 1 < (1U << pairs_.size()); ++set) {
            Allowed allowed{0, set};
            for (std::size_t i = 0; i < pairs_.size(); ++i)
                if (set >> i & 1U) allowed.price = std::min(maxBytes, allowed.price + pairs_[i].price);
            sets.push_back(allowed);
        }
        std::stable_sort(sets.begin(), sets.end(), [](const Allowed& a, const Allowed& b) { return a.price < b.price; });
        for (const Allowed& allowed : sets) {
            if (best_->objective.fits() && allowed.price > saturatedSum(best_->price, best_->objective.total)) return;
            std::vector<PipePair> apart;
            for (std::size_t i = 0; i < pairs_.size(); ++i)
                if (!(allowed.set >> i & 1U)) apart.push_back(pairs_[i]);
            (void)tryWith(apart);
            if (stopped_) return;
        }
    }

    /// What does not share now stays apart; of what does, the dearest pair is to be parted, too.
    void forbidTheDearest()
    {
        for (improved_ = true; improved_ && !stopped_ && plannings_ < maxPlannings;) {
            improved_ = false;
            std::vector<PipePair> sharing = best_->sharing;
            std::stable_sort(sharing.begin(), sharing.end(),
                             [](const PipePair& x, const PipePair& y) { return x.price > y.price; });
            const auto shares = [&](const PipePair& pair) {
                return std::any_of(sharing.begin(), sharing.end(),
                                   [&](const PipePair& s) { return s.a == pair.a && s.b == pair.b; });
            };
            std::vector<PipePair> apart;
            for (const PipePair& pair : pairs_)
                if (!shares(pair)) apart.push_back(pair);
            for (const PipePair& pair : sharing) {
                apart.push_back(pair);
                (void)tryWith(apart);
                if (improved_ || stopped_ || plannings_ >= maxPlannings) break;
                apart.pop_back();
            }
        }
    }

    const Planner& planner_;
    const Problem& problem_;
    const OptionValues& options_;
    const PlanContext& context_;
    std::vector<PipePair> pairs_;
    PlanContext trial_;
    bool improved_ = false;
    int plannings_ = 0;
    std::uint64_t work_ = 0;
    std::optional<StoppedBy> stopped_;
    std::optional<Candidate> best_;
};

class PipeAware : public Planner {
public:
    explicit PipeAware(std::shared_ptr<const Planner> planner) : planner_(std::move(planner)), info_(planner_->info())
    {
        info_.options.push_back(
            {.name = std::string(optionName),
             .type = OptionType::choice,
             .defaultValue = "ignore",
             .description =
                 "Ascend: buffers that different pipes touch may share (ignore), may not (forbid), or at a price (price).",
             .choices = {"forbid", "price", "ignore"}});
    }

    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = checkOptions(info_, options)) return *error;
        const std::string_view mode = optionValue(info_, options, optionName);
        OptionValues own = options;
        std::erase_if(own, [](const auto& option) { return option.first == optionName; });
        const std::vector<PipePair> pairs = mode == "ignore" ? std::vector<PipePair>() : pipePairs(problem);
        auto plan = pairs.empty()      ? planner_->plan(problem, own, context)
                    : mode == "forbid" ? forbidding(problem, own, context, pairs)
                                       : PriceSearch(*planner_, problem, own, context, pairs).run();
        if (!plan) return plan;
        plan->options = options;
        if (pairs.empty()) return plan;
        plan->claims.clear();
        withdrawProofs(problem, *plan, problem, *plan,
                       mode == "forbid" ? "with the pairs kept apart" : "in the best of several plannings");
        tell(problem, pairs, mode, *plan);
        if (mode == "price" && context.recorder) record(*plan, *context.recorder);
        return plan;
    }

private:
    [[nodiscard]] Expected<Plan> forbidding(const Problem& problem, const OptionValues& options, const PlanContext& context,
                                            const std::vector<PipePair>& pairs) const
    {
        PlanContext quiet = context;
        quiet.publish = nullptr; // its bounds would be those of another problem
        return planner_->plan(withConflicts(problem, pairs), options, quiet);
    }

    static void tell(const Problem& problem, const std::vector<PipePair>& pairs, std::string_view mode, Plan& plan)
    {
        const std::vector<PipePair> sharing = sharingPairs(problem, plan, pairs);
        const auto broken =
            std::count_if(sharing.begin(), sharing.end(), [](const PipePair& pair) { return pair.breaksDoubleBuffer; });
        plan.diagnostics.push_back({Severity::note,
                                    Code::pipeAware,
                                    fmt::format("pipe-aware={}: {} of {} pairs with a price share bytes, {} of them break a "
                                                "double buffer; their price is {} bytes",
                                                mode, sharing.size(), pairs.size(), broken, priceOf(sharing)),
                                    {},
                                    {}});
    }

    static void record(const Plan& plan, StepRecorder& recorder)
    {
        const std::uint16_t why = recorder.reason(StepRule::bestPrice);
        for (std::size_t b = 0; b < plan.placements.size(); ++b)
            for (const Bytes offset : offsetsOf(plan.placements[b]))
                recorder.add({StepKind::place, why, static_cast<BufferId>(b), plan.placements[b].pool, offset});
    }

    std::shared_ptr<const Planner> planner_;
    PlannerInfo info_;
};

/// Adds what the input says that sharing costs to what the pipes cost.
std::vector<PipePair> withPenalties(const Problem& problem, std::vector<PipePair> pairs,
                                    const std::function<bool(const Buffer&, const Buffer&)>& samePool)
{
    const auto order = [](const PipePair& x, const PipePair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); };
    const auto ofPipes = static_cast<std::ptrdiff_t>(pairs.size());
    for (const ReusePenalty& penalty : problem.penalties) {
        if (penalty.cost == 0) continue;
        const Buffer& a = bufferOf(problem, penalty.first);
        const Buffer& b = bufferOf(problem, penalty.second);
        const PipePair pair{penalty.first, penalty.second, false, penalty.cost};
        const auto found = std::lower_bound(pairs.begin(), pairs.begin() + ofPipes, pair, order);
        if (found != pairs.begin() + ofPipes && found->a == pair.a && found->b == pair.b)
            found->price = std::min(maxBytes, found->price + pair.price);
        else if (a.size > 0 && b.size > 0 && samePool(a, b) && !conflict(problem, pair.a, pair.b))
            pairs.push_back(pair);
    }
    std::sort(pairs.begin(), pairs.end(), order);
    return pairs;
}

} // namespace

std::vector<PipePair> pipePairs(const Problem& problem)
{
    std::vector<PipePair> pairs;
    const auto samePool = [&](const Buffer& a, const Buffer& b) {
        const std::vector<PoolId> x = problem.candidates(a);
        const std::vector<PoolId> y = problem.candidates(b);
        return std::any_of(x.begin(), x.end(), [&](PoolId p) { return std::find(y.begin(), y.end(), p) != y.end(); });
    };
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Buffer& a = problem.buffers[i];
        if (a.size == 0) continue;
        for (std::size_t j = i + 1; j < problem.buffers.size(); ++j) {
            const Buffer& b = problem.buffers[j];
            if (b.size == 0 || !hivm::pipesConflict(a, b)) continue;
            const auto first = static_cast<BufferId>(i);
            const auto second = static_cast<BufferId>(j);
            if (!samePool(a, b) || conflict(problem, first, second)) continue;
            const bool breaks = a.loop != none && a.loop == b.loop && (a.slots > 1 || b.slots > 1);
            const Bytes smaller = std::min(a.size, b.size);
            pairs.push_back({first, second, breaks,
                             breaks ? std::min(maxBytes / doubleBufferFactor, smaller) * doubleBufferFactor : smaller});
        }
    }
    return withPenalties(problem, std::move(pairs), samePool);
}

std::vector<PipePair> sharingPairs(const Problem& problem, const Plan& plan, const std::vector<PipePair>& pairs)
{
    std::vector<PipePair> sharing;
    for (const PipePair& pair : pairs)
        if (share(problem, plan, pair.a, pair.b)) sharing.push_back(pair);
    return sharing;
}

std::shared_ptr<const Planner> pipeAware(std::shared_ptr<const Planner> planner)
{
    return std::make_shared<PipeAware>(std::move(planner));
}

} // namespace stowage
