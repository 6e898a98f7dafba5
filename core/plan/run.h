// One planning as a value: the input of views, comparisons and exports.
#pragma once

#include "core/lower/lower.h"
#include "core/plan/recorder.h"
#include "core/plan/report.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace stowage {

/// Immutable once made; shared as `std::shared_ptr<const Run>`.
struct Run {
    std::shared_ptr<const Program> program;   ///< null if the input is a problem
    std::shared_ptr<const Lowering> lowering; ///< contains the problem; no bindings if the input is a problem
    Plan plan;
    Report report;
    std::shared_ptr<const StepRecorder> steps; ///< null if no steps were recorded
    double elapsedMs = 0;                      ///< wall time of the planner, in milliseconds
    std::string targetName;
    std::vector<Mismatch> mismatches; ///< contradictions of a plan that was read from a file, which make it not valid

    [[nodiscard]] const Problem& problem() const { return lowering->problem; }
};

/// A tensor of a run's program.
struct TensorRef {
    FunctionId function = none;
    TensorId tensor = none;

    friend auto operator<=>(const TensorRef&, const TensorRef&) = default;
};

/// The tensors that were left out of planning because their size is unknown, each once; by function and tensor id.
[[nodiscard]] std::vector<TensorRef> unknownSizes(const Run& run);
/// Names of everything that was left out because its size is unknown: buffers of the problem, then tensors of the program. They
/// are texts of the run.
[[nodiscard]] std::vector<std::string_view> unknownSizeNames(const Run& run);

/// Adds mismatches to a report, before all other violations, those of the list of tensors after them; the status becomes
/// `invalid`. No effect without mismatches.
void addMismatches(Report& report, std::span<const Mismatch> mismatches);

/// `evaluate(run.problem(), run.plan)`, with `Report::partial` set if sizes are unknown, and with the mismatches of the run.
[[nodiscard]] Report evaluate(const Run& run);

} // namespace stowage
