// Makes a `Fit` from input, log and options, for `fit` and `render --view fit`.
#pragma once

#include "app/cli/options.h"
#include "app/session/fit.h"

#include <string>
#include <variant>

namespace stowage::cli {

struct Fitted {
    Fit fit;
    Model model; ///< lowered for its runtime
};

/// Reads the input for its runtime and the log (a path; empty: none), and plans; or the exit status on an error, which is already
/// reported.
[[nodiscard]] std::variant<Fitted, int> fitInput(const Environment& environment, const InputOptions& input,
                                                 const PlanningOptions& planning, const std::string& log);

/// The file of the input with a plan that leaves space for the scratch in the log (`rewrite --pass plan-memory --log`, `export
/// --as tflm-offline --log`), or the exit status on an error.
[[nodiscard]] std::variant<std::string, int> planBesideScratch(const Environment& environment, const InputOptions& input,
                                                               const PlanningOptions& planning, const std::string& log);

} // namespace stowage::cli
