// Writes a plan into the input file: the common part of `rewrite --pass plan-memory` and `export` to such formats.
#pragma once

#include "app/cli/options.h"

#include <optional>
#include <string>
#include <variant>

namespace stowage::cli {

inline constexpr auto planMemory = "plan-memory";

/// Reads the input. If the rewriter of its importer has other defaults of import options for this pass, they apply unless the
/// user names the option.
[[nodiscard]] std::optional<Model> readForPass(const Environment& environment, const InputOptions& input, const std::string& path,
                                               const std::string& pass);

/// Why this pass cannot rewrite this input; no value if it can.
[[nodiscard]] std::optional<Error> passObstacle(const Environment& environment, const Model& model, const std::string& pass);

/// Plans `model` by the options and the pass, and returns the rewritten file; or an exit status if the plan does not fit or on an
/// error, which is already reported. Removes the options of the pass from `planning`.
[[nodiscard]] std::variant<std::string, int> planIntoFile(const Environment& environment, const Model& model,
                                                          const std::string& pass, PlanningOptions& planning);

} // namespace stowage::cli
