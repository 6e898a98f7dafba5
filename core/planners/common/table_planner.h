// Base of planners that work on one table of buffers.
#pragma once

#include "core/plan/planner.h"
#include "core/planners/common/buffer_table.h"

#include <utility>

namespace stowage {

/// A planner that works on one `BufferTable`. `plan` refuses problems that the planner cannot take, restricts each pin with
/// several candidate pools to one of them (`withPinsConfined`), makes the table, and calls `place`.
class TablePlanner : public Planner {
public:
    explicit TablePlanner(PlannerInfo info) : info_(std::move(info)) {}

    [[nodiscard]] const PlannerInfo& info() const final { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const final;

private:
    /// Plans the problem of `table`. The planner can take the problem, the options are checked, and the table has no error.
    [[nodiscard]] virtual Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                               const PlanContext& context) const = 0;

    PlannerInfo info_;
};

} // namespace stowage
