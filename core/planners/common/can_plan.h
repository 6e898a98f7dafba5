// The check of every planner before it starts.
#pragma once

#include "core/plan/planner.h"

#include <optional>

namespace stowage {

/// An option that the planner does not have or take, or a property of the problem that it cannot plan; nothing when it can.
[[nodiscard]] std::optional<Error> cannotPlan(const PlannerInfo& info, const Problem& problem, const OptionValues& options);

} // namespace stowage
