// compare A --against B: the difference of two revisions of a model, or of a model and an earlier plan, tensor by tensor.
#pragma once

#include "app/cli/options.h"
#include "app/cli/output.h"

#include <string>

namespace stowage::cli {

/// Plans the only input and `against` (another input, or a plan file) and writes `stowage.difference/1` or a text. Returns an
/// exit status: that of the input's plan.
int compareAgainst(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                   const OutputOptions& output, const std::string& against);

} // namespace stowage::cli
