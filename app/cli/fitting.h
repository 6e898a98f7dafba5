// What `fit` and `render --view fit` share: input, log and request to a `Fit`.
#pragma once

#include "app/cli/options.h"
#include "app/session/fit.h"

#include <optional>
#include <string>
#include <variant>

namespace stowage::cli {

struct Fitted {
    Fit fit;
    Model model; ///< as the runtime means it
};

/// Reads the command's input as its runtime means it and the log (a path; empty: none), and plans. What is wrong goes to standard
/// error, and then there is nothing.
[[nodiscard]] std::optional<Fitted> fitInput(const Environment& environment, const InputOptions& input,
                                             const PlanningOptions& planning, const std::string& log);

/// The file of the input with the plan that leaves room for the scratch in the log (`rewrite --pass plan-memory --log`, `export
/// --as tflm-offline --log`), or the exit status when there is none.
[[nodiscard]] std::variant<std::string, int> planBesideScratch(const Environment& environment, const InputOptions& input,
                                                               const PlanningOptions& planning, const std::string& log);

} // namespace stowage::cli
