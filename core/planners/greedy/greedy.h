// A planner that an order of buffers and a gap rule define.
#pragma once

#include "core/planners/common/table_planner.h"
#include "core/planners/placement/placement_engine.h"
#include "core/planners/placement/span_set.h"

#include <functional>
#include <memory>
#include <vector>

namespace stowage {

/// Places the buffers one after the other in a given order (core/planners/placement/placement_engine.h has the rules). Time: that
/// of the order and of the engine.
class GreedyPlanner : public TablePlanner {
public:
    using Order = std::function<std::vector<BufferId>(const BufferTable&)>;

    /// `order` gives all buffers, each once; `rule` chooses among the gaps that a buffer fits into.
    GreedyPlanner(PlannerInfo info, Order order, GapRule rule, PlacementEngine::Ends ends = PlacementEngine::Ends::exact)
        : TablePlanner(std::move(info)), order_(std::move(order)), rule_(rule), ends_(ends)
    {
    }

private:
    [[nodiscard]] Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                       const PlanContext& context) const override;

    Order order_;
    GapRule rule_;
    PlacementEngine::Ends ends_;
};

} // namespace stowage
