// A planner that is nothing but an order and a gap rule.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/common/buffer_table.h"
#include "core/planners/placement/placement_engine.h"
#include "core/planners/placement/span_set.h"

#include <functional>
#include <memory>
#include <vector>

namespace stowage {

/// Places the buffers in an order fixed beforehand; see PlacementEngine for all else.
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
