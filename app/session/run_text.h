// Writes a run as text in one of the formats of `convert`: the same bytes in the window and on the command line.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <string>
#include <string_view>

namespace stowage {

struct RunText {
    std::string text;
    Diagnostics diagnostics = {}; ///< warnings: facts of the run that the text does not hold
};

/// `form`: "program", "problem", "csv", "dot", "interference" or "allocation". `planned`: with the plan of `run`. Errors: a
/// program of a run without one; an allocation without a plan; a plan that offsets cannot express; an unknown format.
[[nodiscard]] Expected<RunText> runText(std::string_view form, const Run& run, bool planned);

} // namespace stowage
