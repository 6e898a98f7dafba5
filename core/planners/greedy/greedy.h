// A planner that an order of buffers and a gap rule define.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/common/buffer_table.h"
#include "core/planners/placement/placement_engine.h"
#include "core/planners/placement/span_set.h"

#include <functional>
#include <memory>
#include <vector>

namespace stowage {

/// Places the buffers one after the other in a given order (core/planners/placement/placement_engine.h has the rules). Time: that
/// of the order and of the engine.
class GreedyPlanner : public Planner {
public:
    using Order = std::function<std::vector<BufferId>(const BufferTable&)>;

    GreedyPlanner(PlannerInfo info, Order order, GapRule rule, PlacementEngine::Ends ends = PlacementEngine::Ends::exact)
        : info_(std::move(info)), order_(std::move(order)), rule_(rule), ends_(ends)
    {
    }

    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override;

private:
    PlannerInfo info_;
    Order order_;
    GapRule rule_;
    PlacementEngine::Ends ends_;
};

} // namespace stowage
