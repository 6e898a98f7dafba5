// What `fit` and `render --view fit` share: input, log and request to a `Fit`.
#pragma once

#include "app/cli/options.h"
#include "app/session/fit.h"

#include <optional>
#include <string>

namespace stowage::cli {

struct Fitted {
    Fit fit;
    Model model; ///< as the runtime means it
};

/// Reads the command's input as its runtime means it and the log (a path; empty: none), and plans. What is wrong goes to standard
/// error, and then there is nothing.
[[nodiscard]] std::optional<Fitted> fitInput(const Environment& environment, const InputOptions& input,
                                             const PlanningOptions& planning, const std::string& log);

} // namespace stowage::cli
