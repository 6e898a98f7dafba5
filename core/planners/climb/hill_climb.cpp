#include "core/planners/climb/hill_climb.h"

#include "core/ir/random.h"
#include "core/planners/climb/climbing_order.h"
#include "core/planners/climb/order_search.h"
#include "core/planners/common/table_planner.h"
#include "core/planners/placement/order.h"

#include <algorithm>

namespace stowage {

namespace {

// Placements tried without a limit or a number of attempts of the caller's: some seconds. Counted and not timed, so that the plan
// is the same everywhere.
constexpr std::uint64_t defaultWork = 20'000'000;
constexpr unsigned farther = 74;                 ///< percent of exchanges with a conflict's conflict
constexpr std::size_t attemptsWithoutGain = 200; ///< attempts without a better plan before it starts again

class Climb {
public:
    Climb(OrderSearch& search, const BufferTable& table, const ConflictGraph& graph, std::uint64_t seed)
        : search_(search), table_(table), graph_(graph), dice_(seed), at_(static_cast<std::size_t>(table.size()))
    {
    }

    /// Improves until an attempt is stopped, `attempts` are over (0: never), the bound is reached, or, unless it is `limited`
    /// otherwise, for `defaultWork`.
    void run(std::uint64_t attempts, bool limited)
    {
        begin(search_.bestOrder());
        std::size_t stuck = 0;
        for (std::uint64_t i = 0; (attempts == 0 || i < attempts) && !search_.closed(); ++i) {
            if (!limited && search_.work() >= defaultWork) return;
            if (stuck >= attemptsWithoutGain || !exchange()) {
                if (!search_.tryOrder(restart())) return;
                begin(at_.order());
                stuck = search_.improved() ? 0 : stuck >= attemptsWithoutGain ? 0 : stuck + 1;
                continue;
            }
            if (!search_.tryOrder(at_.order())) return;
            stuck = search_.improved() ? 0 : stuck + 1;
            if (search_.size() <= at_.size() || dice_.chance(worseAccepted(stuck)))
                accept();
            else
                at_.takeBack();
        }
    }

private:
    /// A little more daring the longer nothing helps.
    static unsigned worseAccepted(std::size_t stuck) { return stuck < attemptsWithoutGain / 2 ? 2 : 5; }

    void begin(const std::vector<BufferId>& order)
    {
        at_.begin(order, search_);
        collectTops();
    }

    void accept()
    {
        at_.accept(search_);
        collectTops();
    }

    /// Buffers that end where their pool does: without moving one of them no pool shrinks. Over a capacity only those pools
    /// count.
    void collectTops()
    {
        tops_.clear();
        const std::vector<Pool>& pools = table_.problem().pools;
        const OrderSearch::Layout& layout = at_.layout();
        for (BufferId b = 0; b < table_.size(); ++b) {
            const auto p = static_cast<std::size_t>(layout.pools[static_cast<std::size_t>(b)]);
            if (table_.buffer(b).pin || search_.endOf(layout, b) < layout.tops[p]) continue;
            if (at_.size().excess > 0 && !(pools[p].capacity && layout.tops[p] > *pools[p].capacity)) continue;
            tops_.push_back(b);
        }
    }

    /// Exchanges two of the order; false when there is nothing to exchange.
    bool exchange()
    {
        if (tops_.empty()) return false;
        const BufferId top = tops_[dice_.below(tops_.size())];
        const std::size_t place = at_.placeOf(top);
        const auto earlier = [&](BufferId b) { return at_.placeOf(b) < place && !table_.buffer(b).pin; };
        near_.clear();
        far_.clear();
        for (const BufferId b : graph_.neighbours(top))
            if (earlier(b)) near_.push_back(b);
        if (near_.empty()) return false;
        BufferId other = near_[dice_.below(near_.size())];
        if (dice_.chance(farther)) {
            for (const BufferId b : graph_.neighbours(other))
                if (b != top && earlier(b)) far_.push_back(b);
            if (!far_.empty()) other = far_[dice_.below(far_.size())];
        }
        at_.exchange(place, at_.placeOf(other));
        return true;
    }

    /// The next order to begin from: the classical ones first, then the best one with a few exchanges, then any.
    const std::vector<BufferId>& restart()
    {
        std::vector<BufferId>& order = at_.order();
        const std::size_t n = order.size();
        switch (restarts_++) {
        case 0: order = byBreadth(table_); break;
        case 1: order = byDurationThenSize(table_); break;
        default:
            order = search_.bestOrder();
            if (restarts_ % 3 == 0)
                for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[dice_.below(i)]);
            else
                for (std::size_t i = 0; i < 2 + n / 16; ++i) std::swap(order[dice_.below(n)], order[dice_.below(n)]);
        }
        return order;
    }

    OrderSearch& search_;
    const BufferTable& table_;
    const ConflictGraph& graph_;
    Dice dice_;
    ClimbingOrder at_;
    std::vector<BufferId> tops_, near_, far_;
    std::size_t restarts_ = 0;
};

class HillClimb : public TablePlanner {
public:
    HillClimb()
        : TablePlanner({
              .name = "hill-climb",
              .summary =
                  "Exchanges buffers at the top with some placed before them, keeps the best plan, starts again when stuck.",
              .source = "Apache TVM's hill_climb, with restarts",
              .options = {{.name = "attempts",
                           .type = OptionType::integer,
                           .defaultValue = "4000",
                           .description = "Maximum number of orders tried; 0: no maximum. A time or work limit takes the place "
                                          "of the default; without one, the default and 0 also end after some seconds of work.",
                           .choices = {},
                           .minimum = 0,
                           .maximum = 1e12}},
              .takes = {},
              .lowering = {},
              .anytime = true,
          })
    {
    }

private:
    [[nodiscard]] Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                       const PlanContext& context) const override
    {
        OrderSearch search(info(), options, table, context);
        Diagnostics said;
        if (search.tryOrder(bySize(table)) && table.size() > 1 && !search.closed()) {
            const bool limited = context.workLimit > 0 || context.deadline;
            if (const auto graph = ConflictGraph::make(table, maxClimbPairs)) {
                const bool given =
                    std::any_of(options.begin(), options.end(), [](const auto& o) { return o.first == "attempts"; });
                const std::int64_t attempts = limited && !given ? 0 : optionInteger(info(), options, "attempts");
                Climb(search, table, *graph, context.seed)
                    .run(static_cast<std::uint64_t>(attempts), limited || (given && attempts > 0));
            } else if (search.tryOrder(byBreadth(table)) && search.tryOrder(byDurationThenSize(table))) {
                said.push_back(tooManyToClimb("only the starting orders were tried"));
            }
        }
        auto plan = search.finish();
        if (plan) plan->diagnostics.insert(plan->diagnostics.end(), said.begin(), said.end());
        return plan;
    }
};

} // namespace

std::shared_ptr<const Planner> hillClimb()
{
    return std::make_shared<HillClimb>();
}

} // namespace stowage
