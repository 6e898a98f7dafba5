// Reads a plan file as runs of the functions of its input.
#pragma once

#include "app/cli/options.h"
#include "app/cli/planned.h"
#include "app/session/revision.h"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace stowage::cli {

/// Reads the plan (JSON, CSV with offsets, or a `memory_info.json` of Ascend's compiler) for each function of the model that is
/// planned, and evaluates it. Options of the lowering in the file apply unless the user gives others. Errors go to standard
/// error; then there are no runs.
std::vector<FunctionRun> runsOfPlanFile(const Environment& environment, const Model& model, const PlanningOptions& planning,
                                        const std::string& path);

inline constexpr std::size_t headOfPlan = 4'096; ///< bytes read to recognise a plan document

/// An earlier plan or revision of a model, read once for all functions.
struct EarlierInput {
    std::string path;
    std::variant<std::string, Model> contents; ///< the text of a plan document, or a model
};
/// Errors: those of opening and reading the input at `path`; "-" is standard input.
Expected<EarlierInput> readEarlier(const Environment& environment, const InputOptions& input, const std::string& path);

/// The earlier revision to compare `model` with. A plan document is taken as a plan of the same problem if it does not contradict
/// it, otherwise by the names and sizes in it (`revisionOfPlanFile`). Any other input, also a table with offsets, is a model with
/// live ranges of its own, and is planned as `request` says; `exact` has the work limit of comparisons. The function with the
/// name of `request.function` is taken; if both models have one function, or the earlier one is a problem, the name does not
/// count. Errors: the model cannot be planned; the document has no plan; `noSuchFunction`: the function is not in the earlier
/// input.
Expected<Revision> earlierRevision(const Environment& environment, const PlanningOptions& planning, const Model& model,
                                   const PlanRequest& request, const EarlierInput& earlier);

} // namespace stowage::cli
