// The text of the reasons that planners record with their steps.
#pragma once

#include "core/ir/problem.h"
#include "core/plan/step_reason.h"

#include <string>

namespace stowage {

/// A clause that follows the description of a step: "the lowest gap that fits". Buffers are called by their names in `problem`;
/// long names lose their beginning. Empty for a reason that states nothing, and for a level of Ascend's planner, whose text
/// core/explain/pipe_run.h makes. O(buffers named).
[[nodiscard]] std::string stepText(const Problem& problem, const StepReason& reason);

/// True for reasons that take more than a line: the choices of allocation graphs.
[[nodiscard]] bool isLong(const StepReason& reason);

} // namespace stowage
