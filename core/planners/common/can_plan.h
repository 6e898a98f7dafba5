// The check of every planner before it starts.
#pragma once

#include "core/plan/planner.h"

#include <optional>

namespace stowage {

/// The reason why a planner refuses a problem: an unknown option, a value that the option does not take, or a property of the
/// problem that the planner lacks. Nothing when it can plan. O(buffers + options).
[[nodiscard]] std::optional<Error> cannotPlan(const PlannerInfo& info, const Problem& problem, const OptionValues& options);

} // namespace stowage
