// Reads a plan file as runs of the functions of its input.
#pragma once

#include "app/cli/options.h"
#include "app/cli/planned.h"
#include "app/session/revision.h"

namespace stowage::cli {

/// Reads the plan (JSON, CSV with offsets, or a `memory_info.json` of Ascend's compiler) for each function of the model that is
/// planned, and evaluates it. Options of the lowering in the file apply unless the user gives others. Errors go to standard
/// error; then there are no runs.
std::vector<FunctionRun> runsOfPlanFile(const Environment& environment, const Model& model, const PlanningOptions& planning,
                                        const std::string& path);

/// An earlier plan to compare `model` with: as a plan of the same problem if the file does not contradict it, otherwise by the
/// names and sizes in the file (`revisionOfPlanFile`). Errors: the file cannot be read, or has no plan.
Expected<Revision> revisionOfFile(const Environment& environment, const Model& model, const PlanRequest& request,
                                  const std::string& path);

} // namespace stowage::cli
