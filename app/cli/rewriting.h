// A file given back with its plan in it: what `rewrite --pass plan-memory` and `export` of such a form share.
#pragma once

#include "app/cli/options.h"

#include <optional>
#include <string>
#include <variant>

namespace stowage::cli {

inline constexpr auto planMemory = "plan-memory";

/// Reads the command's input. Where the rewriter of its importer wants other options of the import for this pass than the
/// importer's defaults, these count unless the user names the option.
[[nodiscard]] std::optional<Model> readForPass(const Environment& environment, const InputOptions& input, const std::string& path,
                                               const std::string& pass);

/// Why this input cannot be given back by this pass; nothing when it can.
[[nodiscard]] std::optional<Error> passObstacle(const Environment& environment, const Model& model, const std::string& pass);

/// Plans `model` as the options and the pass say, and gives its file back; an exit status where that is not to be (the plan does
/// not fit, an error), said already. `planning` loses the options that are the pass's own.
[[nodiscard]] std::variant<std::string, int> planIntoFile(const Environment& environment, const Model& model,
                                                          const std::string& pass, PlanningOptions& planning);

} // namespace stowage::cli
