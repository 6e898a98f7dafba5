#include "core/planners/portfolio.h"

#include "core/plan/check.h"
#include "core/plan/objective.h"
#include "core/plan/report.h"
#include "core/planners/climb/squeaky_wheel.h"
#include "core/planners/common/overflow.h"
#include "core/planners/exact/joint.h"
#include "core/planners/exact/refine.h"
#include "core/planners/improve/improver.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <thread>

namespace stowage {

namespace {

// Beyond this many one pass over all buffers takes as long as all else.
constexpr std::size_t maxBuffersForOrders = 200'000;
// Placing a buffer greedily costs about as much as a node does for a hundred.
constexpr std::uint64_t nodesOfPlacement = 100;
constexpr std::uint64_t endless = std::uint64_t{1} << 60; ///< nodes: more than any clock allows
// A node costs as much for each buffer as that many entries of the improver's tables; with fewer buffers the search does well
// alone.
constexpr std::uint64_t entriesOfNode = 10;
constexpr std::size_t minBuffersToImprove = 100;

/// Hands on better plans only, from any thread.
class Publisher {
public:
    Publisher(const Problem& problem, const PlanContext& context) : problem_(problem), publish_(context.publish) {}
    /// What has been published before.
    void startFrom(Objective size) { best_ = size; }
    void operator()(const Incumbent& incumbent)
    {
        if (!publish_) return;
        const Objective size = objectiveOf(problem_, incumbent.plan);
        const std::lock_guard lock(mutex_);
        if (best_ && size >= *best_) return;
        best_ = size;
        publish_(incumbent);
    }

private:
    const Problem& problem_;
    const std::function<void(const Incumbent&)>& publish_;
    std::mutex mutex_;
    std::optional<Objective> best_;
};

/// See the header.
class Portfolio {
public:
    Portfolio(const Problem& problem, const PlanContext& context, const PlannerInfo& info, const OptionValues& options,
              Plan start)
        : problem_(problem),
          context_(context),
          info_(info),
          options_(options),
          publisher_(problem, context),
          best_(std::move(start))
    {
        member_ = startMember_ = best_.planner;
        name(best_);
        bestSize_ = objectiveOf(problem, best_);
        publisher_.startFrom(bestSize_);
        const std::size_t n = std::max<std::size_t>(1, problem.buffers.size());
        searching_ = problem.buffers.size() <= maxBuffersForSearch;
        defaultNodes_ = std::max<std::uint64_t>(1000, portfolioWork / n);
        // A time limit alone takes the place of the default.
        left_ = context.workLimit ? context.workLimit : context.deadline ? endless : defaultNodes_;
        if (n <= maxBuffersForOrders && SqueakyWheel::applies(problem) && !problem.buffers.empty())
            bound_ = lowerBound(problem, problem.candidates(problem.buffers.front()).front()).bytes;
    }

    Plan run()
    {
        // Most inputs are easy for the search: it goes alone at first, and shortly.
        for (std::uint64_t nodes = defaultNodes_ / 8; !over();
             nodes = std::max(nodes, std::min(defaultNodes_ / 8 * 7, nodes * 7))) {
            const std::uint64_t now = std::min(left_, std::max<std::uint64_t>(nodes, 100));
            left_ -= now;
            round(now);
            ++rounds_;
            if (rounds_ > 2) nodes *= 2;
        }
        best_.work += work_;
        if (closed())
            best_.stoppedBy = StoppedBy::complete;
        else if (const auto why = context_.shouldStop(0))
            best_.stoppedBy = *why;
        else if (left_ == 0)
            best_.stoppedBy = StoppedBy::workLimit;
        keepInfeasibility();
        const bool improved = member_ != startMember_;
        std::string told = member_ + " gave this plan";
        if (!improved && searched_ && closed())
            told += ", and nothing smaller is possible" + premise();
        else if (!improved && searched_)
            told += infeasible_ ? ", and nothing fits"
                                : ", and neither the exact search, the learned order nor the improver found anything smaller";
        best_.diagnostics.push_back(memberNote(std::move(told)));
        return std::move(best_);
    }

private:
    void name(Plan& plan) const
    {
        plan.planner = info_.name;
        plan.options = options_;
        plan.seed = context_.seed;
    }

    [[nodiscard]] bool atBound() const { return bound_ > 0 && bestSize_.reaches(bound_); }
    [[nodiscard]] bool closed() const { return proved_ || (atBound() && (rounds_ > 0 || !searching_)); }
    /// The plans that the proof is about, unless it holds for every plan.
    [[nodiscard]] std::string premise() const
    {
        if (atBound() || !(keptPools_ || fixedOffsets_)) return {};
        if (!keptPools_) return " with fixed offsets";
        return fixedOffsets_ ? " with these pools and fixed offsets" : " with these pools";
    }
    [[nodiscard]] bool over() const
    {
        return closed() || left_ == 0 || context_.shouldStop(0) || (!searching_ && bound_ == 0) || (refused_ && bound_ == 0);
    }

    /// One round of the members that apply, with `nodes` together: the search and the tracks of the squeaky wheel beside one
    /// another, on as many threads as the context allows, then the improver. A member that reaches the bound cancels those
    /// after it only, so the result does not depend on the number of threads.
    void round(std::uint64_t nodes)
    {
        const bool search = searching_ && !refused_;
        const bool wheel = bound_ > 0 && (rounds_ > 0 || !search);
        if (wheel && !wheel_) {
            table_.emplace(problem_);
            if (table_->error())
                bound_ = 0;
            else
                wheel_.emplace(*table_, context_, bound_, context_.seed);
        } else if (wheel) {
            wheel_->halve();
            if (adopted_ != member_ && member_ == exactName) wheel_->adopt(best_);
            adopted_ = member_;
        }
        const std::size_t tracks = wheel && wheel_ ? wheel_->tracks() : 0;
        bool improve = startImprover();
        // The improver has three quarters of the work, and more when it gave the best plan.
        const std::uint64_t improverNodes = !improve ? 0 : member_ == improverName ? nodes / 8 * 7 : nodes / 4 * 3;
        nodes -= improverNodes;
        std::optional<Expected<exact::Refined>> refined;
        worked_.clear();
        for (std::size_t track = 0; track < tracks; ++track) worked_.push_back(wheel_->workOf(track));
        const std::uint64_t passes = tracks == 0 ? 0 : std::max<std::uint64_t>(1, nodes / nodesOfPlacement / tracks);
        // Member 0 is the search; then come the tracks, and last, by itself with all threads, the improver.
        const std::size_t members = tracks + 1;
        std::vector<std::atomic<bool>> cancelled(members);
        std::atomic<bool> reachedBound{false};
        std::atomic<std::size_t> next{search ? 0U : 1U};
        const auto work = [&] {
            for (std::size_t k; (k = next.fetch_add(1)) < members;) {
                bool reached = false;
                if (k == 0) {
                    refined = searchOnce(tracks > 0 ? nodes / 2 : nodes);
                    reached = *refined && (*refined)->proved;
                } else {
                    const Bytes before = wheel_->bestOf(k - 1);
                    wheel_->run(k - 1, passes, cancelled[k]);
                    reached = wheel_->closed(k - 1);
                    publishTrack(k - 1, before);
                }
                if (!reached) continue;
                reachedBound = true;
                for (std::size_t later = k + 1; later < members; ++later) cancelled[later] = true;
            }
        };
        const unsigned threads = std::max(1U, context_.threads);
        {
            std::vector<std::jthread> helpers;
            for (unsigned t = 1; t < std::min<std::size_t>(threads, members - (search ? 0 : 1)); ++t) helpers.emplace_back(work);
            work();
        }
        improve = improve && !reachedBound;
        if (improve)
            improver_->run(
                improverNodes * problem_.buffers.size() * entriesOfNode, threads,
                [&] { return context_.shouldStop(0).has_value(); },
                [&] {
                    if (context_.publish) publisher_({improvedPlan(), bound_, 0});
                });
        take(refined, improve, tracks);
    }

    /// The improver, from the best plan known; false where it has nothing to do.
    bool startImprover()
    {
        if (rounds_ == 0 && searching_) return false;
        if (improver_)
            improver_->adopt(best_);
        else if (!improverTried_ && problem_.buffers.size() >= minBuffersToImprove && check(problem_, best_, 1).valid())
            improver_.emplace(problem_, best_, context_.seed);
        improverTried_ = true;
        if (improver_) improverWorked_ = improver_->work();
        return improver_ && improver_->open();
    }

    [[nodiscard]] Plan improvedPlan() const
    {
        Plan plan = improver_->plan();
        name(plan);
        plan.claims.clear();
        std::erase_if(plan.diagnostics, [](const Diagnostic& d) { return d.code == Code::overflow; });
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool)
            if (const auto& capacity = problem_.pools[at(pool)].capacity; capacity && plan.poolSize(problem_, pool) > *capacity)
                plan.diagnostics.push_back(describeOverflow(problem_, plan, pool));
        return plan;
    }

    /// The search from the best plan known. Rounds differ in their seeds, so that none repeats another.
    Expected<exact::Refined> searchOnce(std::uint64_t nodes)
    {
        PlanContext own = context_;
        own.seed = context_.seed + rounds_;
        own.workLimit = 0;
        own.recorder = nullptr; // other members run beside it: what is recorded of the portfolio are its better plans
        own.publish = [this](const Incumbent& incumbent) { publisher_(incumbent); };
        exact::RefineOptions refine;
        refine.nodes = std::max<std::uint64_t>(1, nodes);
        // What fits stays in the pools that its buffers prefer; what does not is worth another assignment.
        refine.pools = exact::PoolChoice::untilFits;
        Plan start = best_;
        start.claims.clear();
        std::erase_if(start.diagnostics, [](const Diagnostic& d) { return d.code == Code::infeasibleSet; });
        return exact::refine(problem_, std::move(start), refine, own);
    }

    void publishTrack(std::size_t track, Bytes before)
    {
        if (!context_.publish || wheel_->bestOf(track) >= before || wheel_->bestOf(track) == maxBytes) return;
        if (auto plan = wheel_->planOf(track, info_, options_)) publisher_({*std::move(plan), bound_, 0});
    }

    /// Takes over the best plan of a round, member by member in their order, up to the first that has reached the bound.
    void take(std::optional<Expected<exact::Refined>>& refined, bool improved, std::size_t tracks)
    {
        bool ended = false;                        // a member has reached the bound: later members do not count
        if (refined && !*refined) refused_ = true; // what the search cannot represent; the others go on
        if (refined && *refined) {
            searched_ = true;
            exact::Refined& found = **refined;
            work_ += found.plan.work - best_.work;
            if (!infeasible_ && hasInfeasibility(found.plan)) infeasible_ = found.plan;
            const Objective size = objectiveOf(problem_, found.plan);
            if (size < bestSize_) member_ = exactName;
            if (size <= bestSize_) {
                found.plan.work = best_.work;
                adopt(std::move(found.plan), size);
            }
            proved_ = ended = found.proved;
            keptPools_ = found.keptPools;
            fixedOffsets_ = found.fixedOffsets;
        }
        std::optional<std::size_t> winner;
        for (std::size_t track = 0; track < tracks && !ended; ++track) {
            work_ += wheel_->workOf(track) - worked_[track];
            searched_ = true;
            ended = wheel_->closed(track);
            if (!winner || wheel_->bestOf(track) < wheel_->bestOf(*winner)) winner = track;
        }
        if (winner && wheel_->bestOf(*winner) != Objective::saturated)
            if (auto plan = wheel_->planOf(*winner, info_, options_)) adoptLower(*std::move(plan), "squeaky-wheel");
        if (!improved || ended) return;
        work_ += (improver_->work() - improverWorked_) / entriesOfNode / nodesOfPlacement;
        searched_ = true;
        adoptLower(improvedPlan(), improverName);
    }

    /// Adopts the plan of `member` if it is valid and smaller than the best one.
    void adoptLower(Plan plan, const char* member)
    {
        const Objective size = objectiveOf(problem_, plan);
        if (size >= bestSize_ || !check(problem_, plan, 1).valid()) return;
        plan.work = best_.work;
        member_ = member;
        adopt(std::move(plan), size);
    }

    static bool infeasibility(const Certificate& claim)
    {
        const auto* search = std::get_if<SearchCertificate>(&claim);
        return search && search->infeasible;
    }
    static bool hasInfeasibility(const Plan& plan) { return std::any_of(plan.claims.begin(), plan.claims.end(), infeasibility); }
    /// That nothing fits was proved in one round, holds for all plans, and is not proved again.
    void keepInfeasibility()
    {
        if (!infeasible_ || hasInfeasibility(best_)) return;
        std::copy_if(infeasible_->claims.begin(), infeasible_->claims.end(), std::back_inserter(best_.claims), infeasibility);
        for (const Diagnostic& diagnostic : infeasible_->diagnostics)
            if (diagnostic.code == Code::infeasibleSet) best_.diagnostics.push_back(diagnostic);
    }

    void adopt(Plan plan, Objective size)
    {
        name(plan);
        best_ = std::move(plan);
        bestSize_ = size;
    }

    static constexpr const char* exactName = "exact";
    static constexpr const char* improverName = "improver";

    const Problem& problem_;
    const PlanContext& context_;
    const PlannerInfo& info_;
    const OptionValues& options_;
    Publisher publisher_;
    Plan best_;
    Objective bestSize_;
    std::string member_, startMember_, adopted_;
    bool searching_ = true, refused_ = false, searched_ = false, proved_ = false;
    bool keptPools_ = false, fixedOffsets_ = false; ///< see `exact::Refined`
    Bytes bound_ = 0;                               ///< of the only pool; 0 where only the search works
    std::uint64_t defaultNodes_ = 0, left_ = 0, work_ = 0;
    std::uint64_t rounds_ = 0;
    std::optional<Plan> infeasible_;    ///< of a round in which that was proved
    std::vector<std::uint64_t> worked_; ///< by track, before the round
    std::optional<BufferTable> table_;
    std::optional<SqueakyWheel> wheel_;
    std::optional<improve::Improver> improver_;
    std::uint64_t improverWorked_ = 0; ///< before the round
    bool improverTried_ = false;
};

} // namespace

Diagnostic memberNote(std::string text)
{
    return {Severity::note, Code::autoMember, std::move(text), {}, {}};
}

Plan improvedByPortfolio(const Problem& problem, const PlanContext& context, const PlannerInfo& info, const OptionValues& options,
                         Plan start)
{
    return Portfolio(problem, context, info, options, std::move(start)).run();
}

} // namespace stowage
