// A plan file beside its input, as runs of the input's functions.
#pragma once

#include "app/cli/options.h"
#include "app/cli/planned.h"
#include "app/session/revision.h"

namespace stowage::cli {

/// Reads the plan (JSON, CSV with offsets, or a `memory_info.json` of Ascend's compiler) for each function that the model is
/// planned by: lowered as the file says, what is typed wins, and evaluated. What is wrong with the file goes to standard error,
/// and then there is none.
std::vector<FunctionRun> runsOfPlanFile(const Environment& environment, const Model& model, const PlanningOptions& planning,
                                        const std::string& path);

/// An earlier plan to compare `model` with: of the same problem where the core finds nothing that contradicts that, else by the
/// names and sizes in the file (`revisionOfPlanFile`). Errors: those of reading, no plan.
Expected<Revision> revisionOfFile(const Environment& environment, const Model& model, const PlanRequest& request,
                                  const std::string& path);

} // namespace stowage::cli
