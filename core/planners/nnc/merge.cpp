#include "core/planners/nnc/merge.h"
#include "core/plan/objective.h"

#include "core/plan/load.h"
#include "core/plan/report.h"
#include "core/planners/climb/hill_climb.h"
#include "core/planners/common/conflict_graph.h"
#include "core/planners/common/table_planner.h"
#include "core/planners/nnc/builder.h"
#include "core/planners/placement/order.h"
#include "core/planners/placement/placement_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace stowage {

namespace {

// All limits count work, not time, so that plans are equal on all machines. Pairs in conflict count twice.
constexpr std::size_t exchangeWork = 8'000'000; ///< orders tried times pairs: about a fifth of a second
constexpr std::size_t minAttempts = 4;
constexpr std::size_t maxAttempts = 1500;
constexpr std::size_t maxPairsForOrders = 4'000'000; ///< with more, an order takes as long as a planner
constexpr std::size_t maxPairsForBound = 1'000'000;  ///< with more, the search for a clique takes several times as long as a plan

/// Keeps the smallest plan tried, and its steps.
class Best {
public:
    /// `clique`: without a time axis, the lower bound may search for a clique.
    Best(const PlannerInfo& info, const OptionValues& options, const Problem& problem, const PlanContext& context, bool clique)
        : info_(info), options_(options), problem_(problem), context_(context), clique_(clique)
    {
    }

    using Make = std::function<Expected<Plan>(const PlanContext&)>;

    /// Makes and compares one more plan. False if the lower bound or a limit is reached.
    bool attempt(std::string_view name, const Make& make)
    {
        if (ended()) return false;
        PlanContext inner = context_;
        inner.publish = nullptr;
        StepRecorder steps;
        if (context_.recorder) inner.recorder = &steps;
        if (context_.workLimit > 0) inner.workLimit = context_.workLimit - work_;
        auto plan = make(inner);
        if (!plan) {
            if (!error_) error_ = plan.error();
            return true; // other ways may succeed
        }
        work_ += plan->work;
        if (plan->stoppedBy != StoppedBy::complete) stoppedBy_ = plan->stoppedBy;
        ++tried_;
        const Objective size = objectiveOf(problem_, *plan);
        if (!best_ || size < size_) {
            best_ = *std::move(plan);
            size_ = size;
            name_ = name;
            steps_ = std::move(steps);
            if (context_.publish) {
                Plan sofar = *best_;
                sofar.planner = info_.name;
                sofar.options = options_;
                context_.publish({std::move(sofar), bound(), work_});
            }
        }
        return !ended();
    }

    Expected<Plan> finish()
    {
        if (!best_) return *error_;
        Plan plan = *std::move(best_);
        plan.planner = info_.name;
        plan.options = options_;
        plan.seed = context_.seed;
        plan.work = work_;
        plan.stoppedBy = stoppedBy_;
        plan.diagnostics.push_back(
            {Severity::note, Code::mergeMember, fmt::format("{} gave this plan, the smallest of {}", name_, tried_), {}, {}});
        if (StepRecorder* to = context_.recorder)
            for (RecordedStep step : steps_.steps()) {
                step.reason = to->reason(steps_.reasons()[step.reason]);
                to->add(step);
            }
        return plan;
    }

private:
    Bytes bound()
    {
        if (bound_ < 0) bound_ = clique_ || problem_.axis != Axis::dag ? lowerBound(problem_, none).bytes : maxLive();
        return bound_;
    }
    /// The maximum of the bytes live at a step of the order shown; these buffers conflict in every order.
    Bytes maxLive() const
    {
        std::vector<BufferId> ids;
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b)
            if (!problem_.buffers[b].isCarried()) ids.push_back(static_cast<BufferId>(b));
        const std::vector<Load> loads = apart(problem_, ids, none);
        const Step step = heaviestStep(loads, false);
        Bytes live = 0;
        for (const Load& load : loads)
            if (load.live.contains(step)) live += load.total();
        return live;
    }
    bool ended()
    {
        if (stoppedBy_ != StoppedBy::complete) return true;
        if (!best_) return false;
        if (context_.workLimit > 0 && work_ >= context_.workLimit) {
            stoppedBy_ = StoppedBy::workLimit;
            return true;
        }
        return size_.reaches(bound());
    }

    const PlannerInfo& info_;
    const OptionValues& options_;
    const Problem& problem_;
    const PlanContext& context_;
    std::optional<Plan> best_;
    std::optional<Error> error_;
    Objective size_;
    std::string name_;
    StepRecorder steps_;
    bool clique_;
    Bytes bound_ = -1; ///< not computed yet
    std::uint64_t work_ = 0;
    int tried_ = 0;
    StoppedBy stoppedBy_ = StoppedBy::complete;
};

class NncMerge : public TablePlanner {
public:
    NncMerge()
        : TablePlanner({
              .name = "nnc-merge",
              .summary = "The allocation graph with neighbouring edges merged, in several orders; never larger than nnc or "
                         "nnc-size-first.",
              .source = "Stowage, after libnnc",
              .options = {},
              .takes = {},
              .lowering = {{"order", "dag"}, {"loops", "precise"}},
          })
    {
    }

private:
    [[nodiscard]] Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                       const PlanContext& context) const override
    {
        std::size_t pairs = static_cast<std::size_t>(table.size());
        for (const std::int32_t count : conflictCounts(table)) pairs += static_cast<std::size_t>(count);
        Best best(info(), options, table.problem(), context, pairs <= maxPairsForBound);
        const auto inOrder = [&](std::vector<BufferId> (*order)(const BufferTable&), GapRule rule) {
            return [&table, order, rule, this, &options](const PlanContext& inner) {
                PlacementEngine engine(table, inner, inner.recorder);
                engine.place(order(table), rule);
                return engine.finish(info(), options);
            };
        };
        std::optional<Expected<nnc::Tensors>> tensors; ///< computed on first use
        const auto inGraph = [&](auto run) {
            return [&table, &tensors, run, this, &options](const PlanContext& inner) -> Expected<Plan> {
                if (!tensors) tensors.emplace(nnc::Tensors::of(table));
                if (!*tensors) return tensors->error();
                nnc::Builder builder(table, **tensors, inner);
                run(builder);
                return builder.finish(info(), options);
            };
        };
        // The fast ways first: most networks need only one or two.
        std::vector<std::pair<std::string_view, Best::Make>> ways{
            {"largest first, then longest", inOrder(bySizeThenDuration, GapRule::smallest)}};
        if (pairs <= maxPairsForOrders) {
            ways.emplace_back("longest first", inOrder(byDurationThenSize, GapRule::first));
            ways.emplace_back("fullest step first", inOrder(byBreadth, GapRule::first));
        }
        if (table.size() <= nnc::Tensors::maxTensors) {
            ways.emplace_back("nnc-size-first", inGraph([](nnc::Builder& builder) { builder.runSizeFirst(); }));
            ways.emplace_back("nnc", inGraph([](nnc::Builder& builder) { builder.runDocument(false); }));
        }
        if (const std::size_t attempts = exchangeWork / std::max<std::size_t>(1, pairs); attempts >= minAttempts)
            ways.emplace_back("exchange of neighbours", [&problem = table.problem(), attempts](const PlanContext& inner) {
                return hillClimb()->plan(problem, {{"attempts", std::to_string(std::min(attempts, maxAttempts))}}, inner);
            });
        for (const auto& [name, make] : ways)
            if (!best.attempt(name, make)) break;
        return best.finish();
    }
};

} // namespace

std::shared_ptr<const Planner> nncMerge()
{
    return std::make_shared<NncMerge>();
}

} // namespace stowage
