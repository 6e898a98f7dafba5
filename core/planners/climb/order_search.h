// Base of planners that try one order of placement after the other and keep the best plan.
#pragma once

#include "core/planners/common/conflict_graph.h"
#include "core/planners/placement/placement_engine.h"

#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// Places whole orders by first fit, and keeps the best layout.
class OrderSearch {
public:
    using Layout = PlacementEngine::Layout;

    /// All outlive the search. `info` names the planner in what is published.
    OrderSearch(const PlannerInfo& info, const OptionValues& options, const BufferTable& table, const PlanContext& context);

    /// Places all buffers of `order`. False when it was stopped on the way: the layout is then incomplete, and the search over.
    bool tryOrder(std::span<const BufferId> order);
    /// Size of the plan of the order tried last.
    [[nodiscard]] Objective size() const { return size_; }
    [[nodiscard]] const Layout& layout() const { return engine_.layout(); }
    /// True when the order tried last was better than all before it.
    [[nodiscard]] bool improved() const { return improved_; }
    [[nodiscard]] const std::vector<BufferId>& bestOrder() const { return bestOrder_; }
    [[nodiscard]] Objective bestSize() const { return bestSize_; }
    /// True when the best plan fits and its total size equals the lower bound: no plan is better.
    [[nodiscard]] bool closed() const { return bestSize_.reaches(bound_); }
    [[nodiscard]] std::uint64_t work() const { return engine_.work(); }
    /// One past the last byte of a placed buffer, with all of its slots.
    [[nodiscard]] Bytes endOf(const Layout& layout, BufferId b) const;
    /// The best plan. Its steps go to the context's recorder.
    [[nodiscard]] Expected<Plan> finish();

private:
    const PlannerInfo& info_;
    const OptionValues& options_;
    const BufferTable& table_;
    const PlanContext& context_;
    PlacementEngine engine_;
    Bytes bound_ = 0;
    bool first_ = true;
    bool improved_ = false;
    Objective size_;
    Objective bestSize_;
    std::vector<BufferId> bestOrder_;
    std::optional<Layout> best_;
};

} // namespace stowage
