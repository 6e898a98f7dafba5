// Plans an input as the options say, one run for each function, with progress and the verdict that the exit status is made from.
#pragma once

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/table.h"
#include "app/session/verdicts.h"
#include "core/plan/run.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage::cli {

struct FunctionRun {
    std::string function; ///< empty for a problem
    std::shared_ptr<const Run> run;
};

/// One run for each function that the model is planned by. Errors go to standard error, and no run is returned; the
/// error of a planner's failed run (`RunFailure`) is kept in `failedRun`, where that is given.
std::vector<FunctionRun> planFunctions(const Environment& environment, const Model& model, const PlanningOptions& options,
                                       std::optional<Error>* failedRun = nullptr);

/// 0, 1 or 3, for the worst of the runs.
int exitStatusOf(const std::vector<FunctionRun>& runs);
int exitStatusOf(const Run& run);

/// The first lines of a report: the verdict with each memory's use, and its proof.
std::string verdictText(const Run& run, const OutputOptions& output);
/// One line for the runs of several functions: the worst of them decides.
std::string verdictOfAll(const std::vector<FunctionRun>& runs, const OutputOptions& output);

/// size, lower bound, gap, capacity, … a row for each pool.
Table poolTable(const Run& run);
/// One line for each pool with displaced buffers: which ones, and what a few more bytes of the pool gain. Empty without any.
std::string displacementLines(const Run& run);
/// Reuse by kind and what it costs the pipes in a sentence or two, for runs on Ascend's axis; else empty.
std::string pipeLines(const Run& run);
/// The edges of it that need synchronisation, the worst first; those that touch one of `buffers` only, unless it is empty.
Table reuseTable(const Run& run, const std::vector<std::string>& buffers = {});
/// Where each buffer lies: by pool, address and time. The first `most` rows: a row takes several hundred bytes.
Table placementTable(const Run& run, const std::string& function, std::size_t most = std::numeric_limits<std::size_t>::max());

/// The op that first writes a buffer; empty for inputs, constants and problems.
std::string producerName(const Run& run, BufferId buffer);

/// "31 buffers, 30 steps, order=linear …": what was planned.
std::string problemLine(const Lowering& lowering);

} // namespace stowage::cli
