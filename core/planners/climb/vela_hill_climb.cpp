#include "core/planners/climb/vela_hill_climb.h"

#include "core/ir/checked.h"
#include "core/ir/random.h"
#include "core/planners/climb/climbing_order.h"
#include "core/planners/climb/order_search.h"
#include "core/planners/common/table_planner.h"
#include "core/planners/placement/order.h"

#include <algorithm>

namespace stowage {

namespace {

class Rounds {
public:
    Rounds(OrderSearch& search, const BufferTable& table, const ConflictGraph& graph, std::uint64_t seed)
        : search_(search),
          table_(table),
          graph_(graph),
          dice_(seed),
          at_(static_cast<std::size_t>(table.size())),
          seen_(static_cast<std::size_t>(table.size()))
    {
    }

    void run(std::int64_t rounds)
    {
        at_.begin(search_.bestOrder(), search_);
        for (std::int64_t round = 0; round < rounds && !search_.closed(); ++round) {
            collectPlaces();
            if (exchanged_.size() < 2) return; // nothing stands below the bottleneck: the order does not matter
            const std::size_t first = exchanged_[dice_.below(exchanged_.size())];
            std::size_t second = exchanged_[dice_.below(exchanged_.size() - 1)];
            if (second == first) second = exchanged_.back();
            at_.exchange(first, second);
            if (!search_.tryOrder(at_.order())) return;
            if (search_.size() <= at_.size())
                at_.accept(search_);
            else
                at_.takeBack();
        }
    }

private:
    [[nodiscard]] PoolId poolOf(BufferId b) const { return at_.layout().pools[static_cast<std::size_t>(b)]; }

    /// The pool that decides: the one most bytes over its capacity, else the largest.
    [[nodiscard]] PoolId worstPool() const
    {
        const std::vector<Pool>& pools = table_.problem().pools;
        PoolId worst = 0;
        std::pair<Bytes, Bytes> most{-1, -1};
        for (std::size_t p = 0; p < pools.size(); ++p) {
            const Bytes top = at_.layout().tops[p];
            const std::pair<Bytes, Bytes> now{pools[p].capacity ? std::max<Bytes>(0, top - *pools[p].capacity) : 0, top};
            if (now > most) most = now, worst = static_cast<PoolId>(p);
        }
        return worst;
    }

    /// What `b` rests on: the neighbour whose end gave it its address; none at the bottom.
    [[nodiscard]] BufferId below(BufferId b) const
    {
        const Bytes offset = at_.layout().offsets[static_cast<std::size_t>(b)];
        if (offset == 0 || table_.buffer(b).pin) return none;
        const Bytes alignment = table_.alignmentIn(b, poolOf(b));
        for (const BufferId other : graph_.neighbours(b)) {
            if (poolOf(other) != poolOf(b)) continue;
            const Bytes end = search_.endOf(at_.layout(), other);
            if (end <= offset && offset - end < alignment) return other;
        }
        return none;
    }

    void addChain(BufferId b)
    {
        for (; b != none && !seen_[static_cast<std::size_t>(b)]; b = below(b)) {
            seen_[static_cast<std::size_t>(b)] = true;
            touched_.push_back(b);
            if (!table_.buffer(b).pin) exchanged_.push_back(at_.placeOf(b));
        }
    }

    void collectPlaces()
    {
        exchanged_.clear();
        const PoolId worst = worstPool();
        BufferId bottleneck = none;
        for (BufferId b = 0; b < table_.size() && bottleneck == none; ++b)
            if (poolOf(b) == worst && search_.endOf(at_.layout(), b) == at_.layout().tops[static_cast<std::size_t>(worst)])
                bottleneck = b;
        addChain(bottleneck);
        if (bottleneck != none)
            for (const BufferId b : graph_.neighbours(bottleneck)) addChain(b);
        for (const BufferId b : touched_) seen_[static_cast<std::size_t>(b)] = false;
        touched_.clear();
        std::sort(exchanged_.begin(), exchanged_.end());
    }

    OrderSearch& search_;
    const BufferTable& table_;
    const ConflictGraph& graph_;
    Dice dice_;
    ClimbingOrder at_;
    std::vector<std::size_t> exchanged_; ///< places in the order, ascending
    std::vector<BufferId> touched_;
    std::vector<bool> seen_;
};

class VelaHillClimb : public TablePlanner {
public:
    VelaHillClimb()
        : TablePlanner({
              .name = "vela-hill-climb",
              .summary = "Arm Vela's: by urgency, then exchanges under the buffer that ends highest, as long as nothing grows.",
              .source = "Arm Vela, hillclimb_allocation",
              .options = {{.name = "rounds",
                           .type = OptionType::integer,
                           .defaultValue = "500",
                           .description = "Maximum number of exchanges tried.",
                           .choices = {},
                           .minimum = 1,
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
        bool tooLarge = false;
        if (search.tryOrder(byUrgency(table)) && table.size() > 1 && !search.closed()) {
            if (const auto graph = ConflictGraph::make(table, maxClimbPairs))
                Rounds(search, table, *graph, context.seed).run(optionInteger(info(), options, "rounds"));
            else
                tooLarge = true;
        }
        auto plan = search.finish();
        if (plan && tooLarge) plan->diagnostics.push_back(tooManyToClimb("only the start was planned"));
        return plan;
    }
};

} // namespace

std::shared_ptr<const Planner> velaHillClimb()
{
    return std::make_shared<VelaHillClimb>();
}

} // namespace stowage
