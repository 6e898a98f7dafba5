#include "core/planners/auto.h"

#include "core/ir/checked.h"
#include "core/plan/objective.h"
#include "core/plan/pins.h"
#include "core/plan/problem_parts.h"
#include "core/plan/report.h"
#include "core/planners/common/can_plan.h"
#include "core/planners/exact/refine.h"
#include "core/planners/pools/preferred.h"
#include "core/planners/portfolio.h"
#include "core/planners/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace stowage {

namespace {

std::string pinsCollide(const Problem& problem, const PinCollision& pins)
{
    return fmt::format("nothing was searched: {}the pins of '{}' and '{}' collide{}",
                       pins.ofChoices ? "whatever memories they take, some pins collide (for example " : "",
                       problem.buffers[at(pins.pair.first)].name, problem.buffers[at(pins.pair.second)].name,
                       pins.ofChoices ? ")" : "");
}

/// A problem whose pools fall into parts that share no buffer: each is planned by itself, with its share of the limits.
class PartwisePlanning {
public:
    PartwisePlanning(const Problem& problem, std::vector<ProblemPart> parts, const PlanContext& context, const PlannerInfo& info,
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
            if (report.collidingPins) return refused(p, {*report.collidingPins, report.pinsChoose});
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
            own.workLimit = std::max<std::uint64_t>(1000, portfolioWork / part.buffers.size() / waiting);
        if (context_.publish)
            own.publish = [&](const Incumbent& incumbent) {
                const std::lock_guard lock(mutex_);
                adopt(p, incumbent.plan);
                publish();
            };
        Plan start = starts_[p];
        const std::uint64_t before = start.work;
        Plan plan = improvedByPortfolio(part.problem, own, info_, options_, std::move(start));
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
        proved_ &= report.status == Status::optimal && report.among == OptimalAmong::everyPlan;
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

    /// Pins of part `p` collide: there is nothing to search.
    Plan refused(std::size_t p, const PinCollision& pins)
    {
        for (std::size_t later = p + 1; later < parts_.size(); ++later)
            if (auto plan = exact::bestOfHeuristics(parts_[later].problem, quiet())) adopt(later, *plan);
        whole_.work = work_;
        whole_.diagnostics.push_back(memberNote(pinsCollide(parts_[p].problem, pins)));
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
        std::vector<ProblemPart> parts;
        if (problem.pools.size() > 1) parts = separateParts(problem);
        if (auto refused = refusedBeforePlanning(problem, parts, info_, options, context)) return *std::move(refused);
        if (parts.size() > 1 || (!parts.empty() && parts.front().pools.size() > 1))
            return PartwisePlanning(problem, std::move(parts), context, info_, options).run();
        auto start = exact::bestOfHeuristics(problem, context);
        if (!start) return start;
        const bool pinned = std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& b) { return b.pin; });
        if (const Report report = pinned ? evaluate(problem, *start) : Report{}; report.collidingPins) {
            start->planner = info_.name;
            start->options = options;
            start->seed = context.seed;
            start->diagnostics.push_back(memberNote(pinsCollide(problem, {*report.collidingPins, report.pinsChoose})));
            return start;
        }
        return improvedByPortfolio(problem, context, info_, options, *std::move(start));
    }

private:
    PlannerInfo info_ = {
        .name = "auto",
        .summary =
            "The best of the quick heuristics, improved by the exact search, by large-neighbourhood search and by a learned "
            "placement order, until a proof or its work limit.",
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
