#include "core/planners/auto.h"

#include "core/ir/checked.h"
#include "core/plan/check.h"
#include "core/plan/objective.h"
#include "core/plan/problem_parts.h"
#include "core/plan/report.h"
#include "core/planners/climb/squeaky_wheel.h"
#include "core/planners/common/can_plan.h"
#include "core/planners/common/overflow.h"
#include "core/planners/exact/joint.h"
#include "core/planners/exact/refine.h"
#include "core/planners/improve/improver.h"
#include "core/planners/pools/preferred.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <thread>

namespace stowage {

namespace {

// A node costs 20 to 40 ns for each buffer; so the default stops after about two seconds whatever the size. It counts work and
// not time, so that the plan is the same on every machine.
constexpr std::uint64_t defaultWork = 60'000'000; ///< nodes times buffers
// Beyond this many buffers the search's neighbour lists would outgrow memory before the search could gain anything.
constexpr std::size_t maxBuffersForSearch = 4000;
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

/// The note on who gave the plan.
Diagnostic memberNote(std::string text)
{
    return {Severity::note, Code::autoMember, std::move(text), {}, {}};
}

/// The portfolio: the exact search beside the improver (core/planners/improve) and greedy orders that learn. They run in rounds.
/// In a round each member has a fixed amount of work and knows only what was found before it; what they find is compared when all
/// are done. So the result is the same for any number of threads, each of which takes the next member that nobody has taken; the
/// improver is the last member, and has all threads. A member that reaches the bound stops those that come after it in the list,
/// whose results could not count any more, and no others.
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
        defaultNodes_ = std::max<std::uint64_t>(1000, defaultWork / n);
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
            told += ", and nothing smaller is possible";
        else if (!improved && searched_)
            told += infeasible_ ? ", and nothing fits"
                                : ", and neither the exact search, orders that learn nor the improver found anything smaller";
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

    [[nodiscard]] bool closed() const
    {
        return proved_ || (bound_ > 0 && bestSize_.reaches(bound_) && (rounds_ > 0 || !searching_));
    }
    [[nodiscard]] bool over() const
    {
        return closed() || left_ == 0 || context_.shouldStop(0) || (!searching_ && bound_ == 0) || (refused_ && bound_ == 0);
    }

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
    Bytes bound_ = 0; ///< of the only pool; 0 where only the search works
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

std::string pinsCollide(const Problem& problem, const Violation& pins)
{
    return "nothing was searched: the pins of '" + problem.buffers[at(pins.first)].name + "' and '" +
           problem.buffers[at(pins.second)].name + "' collide";
}

/// A problem whose memories fall into parts that share no buffer: each is planned by itself, with its share of the limits.
class Parts {
public:
    Parts(const Problem& problem, std::vector<ProblemPart> parts, const PlanContext& context, const PlannerInfo& info,
          const OptionValues& options)
        : problem_(problem), parts_(std::move(parts)), context_(context), info_(info), options_(options)
    {
        whole_.planner = info.name;
        whole_.options = options;
        whole_.seed = context.seed;
        whole_.placements.resize(problem.buffers.size());
    }

    Expected<Plan> run()
    {
        std::vector<std::size_t> open; // parts that no bound settles
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            auto start = exact::bestOfHeuristics(parts_[p].problem, quiet());
            if (!start) return start;
            Report report = evaluate(parts_[p].problem, *start);
            if (report.status == Status::feasible && parts_[p].problem.buffers.size() <= maxBuffersForSearch) {
                // Often only a buffer that was passed over keeps the plan from being proved.
                moveToPreferredPools(parts_[p].problem, *start, context_);
                report = evaluate(parts_[p].problem, *start);
            }
            work_ += start->work;
            starts_.push_back(*std::move(start));
            adopt(p, starts_.back());
            if (report.status == Status::infeasible) return refused(p, report);
            if (report.status != Status::optimal) open.push_back(p);
        }
        publish();
        std::string told;
        for (std::size_t i = 0; i < open.size(); ++i) {
            Plan plan = improve(open[i], open.size() - i);
            work_ += plan.work - starts_[open[i]].work;
            adopt(open[i], plan);
            if (plan.stoppedBy != StoppedBy::complete) whole_.stoppedBy = plan.stoppedBy;
            settle(open[i], plan, told);
        }
        for (std::size_t p = 0; p < parts_.size(); ++p)
            if (std::find(open.begin(), open.end(), p) == open.end()) settle(p, starts_[p], told);
        if (told.empty()) told = starts_.front().planner + " gave this plan, and every pool is at its bound";
        if (proved_ && searched_)
            whole_.claims.emplace_back(
                SearchCertificate{.bytes = objectiveOf(problem_, whole_).total, .by = "exact", .nodes = work_});
        whole_.work = work_;
        whole_.diagnostics.push_back(memberNote(std::move(told)));
        return std::move(whole_);
    }

private:
    [[nodiscard]] PlanContext quiet() const
    {
        PlanContext own = context_;
        own.publish = nullptr;
        own.recorder = nullptr;
        return own;
    }

    /// The portfolio on a part, within its share of what is left for `waiting` parts.
    Plan improve(std::size_t p, std::size_t waiting)
    {
        const ProblemPart& part = parts_[p];
        PlanContext own = quiet();
        if (context_.deadline) {
            const auto now = std::chrono::steady_clock::now();
            own.deadline = now + std::max(std::chrono::steady_clock::duration{0}, *context_.deadline - now) /
                                     static_cast<std::int64_t>(waiting);
        }
        if (context_.workLimit > 0)
            own.workLimit = std::max<std::uint64_t>(1, (context_.workLimit - std::min(context_.workLimit - 1, spent_)) / waiting);
        else if (!context_.deadline) // the default of one planning, not of each part
            own.workLimit = std::max<std::uint64_t>(1000, defaultWork / part.buffers.size() / waiting);
        if (context_.publish)
            own.publish = [&](const Incumbent& incumbent) {
                const std::lock_guard lock(mutex_);
                adopt(p, incumbent.plan);
                publish();
            };
        Plan start = starts_[p];
        const std::uint64_t before = start.work;
        Plan plan = Portfolio(part.problem, own, info_, options_, std::move(start)).run();
        spent_ += plan.work - before;
        return plan;
    }

    void adopt(std::size_t p, const Plan& plan)
    {
        const ProblemPart& part = parts_[p];
        for (std::size_t i = 0; i < part.buffers.size(); ++i) {
            Placement placement = plan.placements[i];
            if (placement.placed()) placement.pool = part.pools[at(placement.pool)];
            whole_.placements[at(part.buffers[i])] = std::move(placement);
        }
    }
    void publish() const
    {
        if (context_.publish) context_.publish({whole_, 0, work_});
    }

    /// Takes over what a part's plan says and claims, in the numbers of the whole.
    void settle(std::size_t p, const Plan& plan, std::string& told)
    {
        const ProblemPart& part = parts_[p];
        const Report report = evaluate(part.problem, plan);
        proved_ &= report.status == Status::optimal && report.scope == ProofScope::everyPlan;
        searched_ |= report.proof == ProofKind::search;
        for (const Diagnostic& diagnostic : plan.diagnostics) {
            if (diagnostic.code != Code::autoMember)
                whole_.diagnostics.push_back(diagnostic);
            else
                told += (told.empty() ? "" : "; ") +
                        (parts_.size() > 1 ? part.problem.pools.front().name + ": " : std::string()) + diagnostic.message;
        }
        for (const Certificate& claim : plan.claims) {
            if (const auto* clique = std::get_if<CliqueCertificate>(&claim); clique && clique->pool != none) {
                CliqueCertificate own = *clique;
                own.pool = part.pools[at(own.pool)];
                for (BufferId& id : own.buffers) id = part.buffers[at(id)];
                whole_.claims.emplace_back(std::move(own));
            } else if (const auto* search = std::get_if<SearchCertificate>(&claim)) {
                if (search->pool == none && !search->infeasible) continue; // all parts together: see `run`
                SearchCertificate own = *search;
                for (BufferId& id : own.core) id = part.buffers[at(id)];
                if (own.pool == none)
                    own.bytes = capacities();
                else
                    own.pool = part.pools[at(own.pool)];
                whole_.claims.emplace_back(std::move(own));
            }
        }
    }

    /// Of all pools together; 0 when one has none.
    [[nodiscard]] Bytes capacities() const
    {
        Bytes sum = 0;
        for (const Pool& pool : problem_.pools) {
            if (!pool.capacity) return 0;
            sum = checkedAdd(sum, *pool.capacity).value_or(maxBytes);
        }
        return sum;
    }

    /// A bound says that no memory takes the buffers of part `p`: there is nothing to search.
    Plan refused(std::size_t p, const Report& report)
    {
        for (std::size_t later = p + 1; later < parts_.size(); ++later)
            if (auto plan = exact::bestOfHeuristics(parts_[later].problem, quiet())) adopt(later, *plan);
        std::string names;
        for (const Pool& pool : parts_[p].problem.pools) names += (names.empty() ? "" : ", ") + pool.name;
        std::string text = report.collidingPins
                               ? pinsCollide(parts_[p].problem, *report.collidingPins)
                               : "nothing was searched: a bound (" + report.provedBy + ") is above the capacity of " + names;
        for (PoolId pool = 0; pool < static_cast<PoolId>(problem_.pools.size()); ++pool)
            if (const auto& capacity = problem_.pools[at(pool)].capacity; capacity && whole_.poolSize(problem_, pool) > *capacity)
                whole_.diagnostics.push_back(describeOverflow(problem_, whole_, pool));
        whole_.work = work_;
        whole_.diagnostics.push_back(memberNote(std::move(text)));
        return std::move(whole_);
    }

    const Problem& problem_;
    const std::vector<ProblemPart> parts_;
    const PlanContext& context_;
    const PlannerInfo& info_;
    const OptionValues& options_;
    std::mutex mutex_;
    Plan whole_;
    std::vector<Plan> starts_; ///< by part
    std::uint64_t work_ = 0, spent_ = 0;
    bool proved_ = true, searched_ = false;
};

class Auto : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        if (problem.pools.size() > 1)
            if (auto parts = separateParts(problem); parts.size() > 1 || (!parts.empty() && parts.front().pools.size() > 1))
                return Parts(problem, std::move(parts), context, info_, options).run();
        auto start = exact::bestOfHeuristics(problem, context);
        if (!start) return start;
        const bool pinned = std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& b) { return b.pin; });
        if (const Report report = pinned ? evaluate(problem, *start) : Report{}; report.collidingPins) {
            start->planner = info_.name;
            start->options = options;
            start->seed = context.seed;
            start->diagnostics.push_back(memberNote(pinsCollide(problem, *report.collidingPins)));
            return start;
        }
        return Portfolio(problem, context, info_, options, *std::move(start)).run();
    }

private:
    PlannerInfo info_ = {
        .name = "auto",
        .summary =
            "The best of the quick heuristics, improved by the exact search, by cones filled anew and by orders that learn, "
            "until a proof or its work limit.",
        .source = "Stowage",
        .options = {},
        .takes = {},
        .lowering = {},
        .anytime = true,
    };
};

} // namespace

std::shared_ptr<const Planner> autoPlanner()
{
    return std::make_shared<Auto>();
}

} // namespace stowage
