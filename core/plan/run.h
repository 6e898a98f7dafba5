// One planning as a value: views, comparison and exports read nothing else.
#pragma once

#include "core/lower/lower.h"
#include "core/plan/recorder.h"
#include "core/plan/report.h"

#include <memory>

namespace stowage {

/// Immutable once made; shared as `std::shared_ptr<const Run>`.
struct Run {
    std::shared_ptr<const Program> program;   ///< null when the input was a problem
    std::shared_ptr<const Lowering> lowering; ///< holds the problem; its bindings are empty when there is no program
    Plan plan;
    Report report;
    std::shared_ptr<const StepRecorder> steps; ///< null when nothing was recorded
    double elapsedMs = 0;                      ///< wall time of the planner alone
    std::string targetName;

    [[nodiscard]] const Problem& problem() const { return lowering->problem; }
};

} // namespace stowage
