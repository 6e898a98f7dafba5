// One planning as a value: views, comparison and exports read nothing else.
#pragma once

#include "core/lower/lower.h"
#include "core/plan/recorder.h"
#include "core/plan/report.h"

#include <memory>
#include <span>

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
    std::vector<Mismatch> mismatches; ///< of a plan that was read from a file; such a plan is not valid

    [[nodiscard]] const Problem& problem() const { return lowering->problem; }
};

/// A tensor of a run's program.
struct TensorRef {
    FunctionId function = none;
    TensorId tensor = none;

    friend auto operator<=>(const TensorRef&, const TensorRef&) = default;
};

/// Tensors that planning left out because their size is not known, each once; by function and tensor id.
[[nodiscard]] std::vector<TensorRef> unknownSizes(const Run& run);

/// Makes a report one of a plan that is not of its problem: the mismatches come first among the violations. Nothing without any.
void addMismatches(Report& report, std::span<const Mismatch> mismatches);

/// `evaluate(run.problem(), run.plan)`; what it says is of a part only where sizes are unknown, and a plan with mismatches is not
/// valid: they come first among the violations.
[[nodiscard]] Report evaluate(const Run& run);

} // namespace stowage
