// Texts for the reasons that planners record with their steps.
#pragma once

#include "core/ir/problem.h"
#include "core/plan/step_reason.h"

#include <string>

namespace stowage {

/// A clause that follows the description of a step: "the lowest gap that fits". Buffers appear with their names in `problem`; the
/// beginning of a long name is cut off. Empty for a step without a reason, and for a level of Ascend's planner, for which
/// `meaningOf` (core/explain/pipe_run.h) has the text. O(buffers named).
[[nodiscard]] std::string stepText(const Problem& problem, const StepReason& reason);

/// True for reasons whose text is longer than a line: the choices of allocation graphs.
[[nodiscard]] bool isLong(const StepReason& reason);

} // namespace stowage
