// Files for Stowage that are not models: plans, suites, targets, results of commands, manifests.
#pragma once

#include "core/ir/expected.h"

#include <optional>
#include <string>
#include <string_view>

namespace stowage {

/// The error for a file of Stowage (`"format": "stowage.KIND/…"`), a configuration of a pipeline without programs, or the
/// manifest of a plug-in, that was opened as a model: what it is, and what takes it. Nothing for other files. `head` is the
/// beginning of the file, `path` names it in the error. The code of a plan is `planAlone`, that of all others `notAModel`.
[[nodiscard]] std::optional<Error> notAModel(std::string_view head, const std::string& path);

} // namespace stowage
