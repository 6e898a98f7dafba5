// Plans an input by the options, one run for each function, with progress; makes the verdict and the exit status.
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

/// One run for each function of the model that is planned. Errors go to standard error, and no run is returned. `failedRun`, if
/// given, receives the error of a failed run of a planner (`RunFailure`).
std::vector<FunctionRun> planFunctions(const Environment& environment, const Model& model, const PlanningOptions& options,
                                       std::optional<Error>* failedRun = nullptr);

/// Plans one function on the calling thread. The line of progress begins with `what`. Errors: those of `Session::planNow`.
Expected<std::shared_ptr<const Run>> planWithProgress(const Environment& environment, const Model& model,
                                                      const PlanRequest& request, const std::string& what);

/// Reports an error of planning. Returns the exit status of the command: `answerIsNo` if the run of a planner failed
/// (`RunFailure`), otherwise `badInput`.
int failPlanning(const Environment& environment, const Error& error);

/// The exit status 0, 1 or 3 of the worst run.
int exitStatusOf(const std::vector<FunctionRun>& runs);
int exitStatusOf(const Run& run);

/// The tone of a verdict, with the same distinction as the colours of the window, pictures and reports.
Tone toneOf(VerdictKind kind);
/// The first lines of a report: the verdict with the use of each pool, and the proof.
std::string verdictText(const Run& run, const OutputOptions& output);
/// One line for the runs of several functions: the verdict of the worst one.
std::string verdictOfAll(const std::vector<FunctionRun>& runs, const OutputOptions& output);

/// A row for each pool: size, lower bound, gap, capacity, ….
Table poolTable(const Run& run);
/// One line for each pool with displaced buffers: which ones, and what a few more bytes of the pool gain. Empty without any.
std::string displacementLines(const Run& run);
/// Reuse by kind and its cost for the pipes, in one or two sentences, for runs with Ascend's axis; otherwise empty.
std::string pipeLines(const Run& run);
/// The reuses that need synchronisation, the most expensive first; only those of `buffers`, unless that is empty.
Table reuseTable(const Run& run, const std::vector<std::string>& buffers = {});
/// The placements of buffers, by pool, address and time. Only the first `most` rows, because a row takes several hundred bytes.
Table placementTable(const Run& run, const std::string& function, std::size_t most = std::numeric_limits<std::size_t>::max());

/// The op that first writes a buffer; empty for inputs, constants and problems.
std::string producerName(const Run& run, BufferId buffer);

/// "31 buffers, 30 steps, order=linear …": what was planned.
std::string problemLine(const Lowering& lowering);

} // namespace stowage::cli
