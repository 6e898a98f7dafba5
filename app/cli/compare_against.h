// compare A --against B: the difference of two revisions of a model, of a model and an earlier plan, or of two plans of different
// files, tensor by tensor.
#pragma once

#include "app/cli/options.h"
#include "app/cli/output.h"

#include <string>

namespace stowage::cli {

/// Plans the only input and `against` (another input, or a plan file) and writes `stowage.difference/1` or a text. Two plan files
/// are compared without planning. Returns an exit status: that of the input's plan; of plan files, that they were read.
int compareAgainst(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                   const OutputOptions& output, const std::string& against);

} // namespace stowage::cli
