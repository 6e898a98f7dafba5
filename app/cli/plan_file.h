// Reads a plan file as runs of the functions of its input.
#pragma once

#include "app/cli/options.h"
#include "app/cli/planned.h"
#include "app/session/revision.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stowage::cli {

/// Reads the plan (JSON, CSV with offsets, or a `memory_info.json` of Ascend's compiler) for each function of the model that is
/// planned, and evaluates it. Options of the lowering in the file apply unless the user gives others. Errors go to standard
/// error; then there are no runs.
std::vector<FunctionRun> runsOfPlanFile(const Environment& environment, const Model& model, const PlanningOptions& planning,
                                        const std::string& path);

inline constexpr std::size_t headOfPlan = 4'096; ///< bytes read to recognise a plan document

/// An earlier plan or revision of a model. The text is kept where the input must not be opened again.
struct EarlierInput {
    std::string path;
    std::optional<std::string> text; ///< of a plan document, or of a pipe; no value: a model in a file
};
/// Errors: those of opening and reading the input at `path`; "-" is standard input.
Expected<EarlierInput> readEarlier(const Environment& environment, const std::string& path);

/// The earlier revision to compare `model` with. A plan document is taken as a plan of the same problem if it does not contradict
/// it, otherwise by the names and sizes in it (`revisionOfPlanFile`). Any other input, also a table with offsets, is a model with
/// live ranges of its own, and is planned as `request` says; of several functions the one with the name of `request.function` is
/// taken. Errors: the model cannot be read or planned, or has other functions; the document has no plan.
Expected<Revision> earlierRevision(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                                   const Model& model, const PlanRequest& request, const EarlierInput& earlier);

} // namespace stowage::cli
