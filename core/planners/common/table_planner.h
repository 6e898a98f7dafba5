// What the planners of one table of buffers do before they begin.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/common/buffer_table.h"

#include <utility>

namespace stowage {

/// A planner that works on one `BufferTable`: refuses what it cannot plan, gives each pin that may lie in several pools one of
/// them (`withPinsConfined`), makes the table, and leaves the rest to `place`.
class TablePlanner : public Planner {
public:
    explicit TablePlanner(PlannerInfo info) : info_(std::move(info)) {}

    [[nodiscard]] const PlannerInfo& info() const final { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const final;

private:
    /// `plan` of the problem of `table`, which is one that the planner takes; options are checked, and the table has no error.
    [[nodiscard]] virtual Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                               const PlanContext& context) const = 0;

    PlannerInfo info_;
};

} // namespace stowage
