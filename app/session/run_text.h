// A run as text in one of the forms that `convert` writes: the same bytes from both programs.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <string>
#include <string_view>

namespace stowage {

/// Writes `run` (its plan counts when `planned`) as "program", "problem", "csv", "dot", "interference" or "allocation". Errors: a
/// program of a run without one; an allocation without a plan; a plan that offsets cannot express; any other name.
[[nodiscard]] Expected<std::string> runText(std::string_view form, const Run& run, bool planned);

} // namespace stowage
