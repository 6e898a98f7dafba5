// Sweeps: the product of models, targets, planners, seeds, limits and lowerings, planned by any number of processes that share
// nothing but a folder.
//
//     {"format": "stowage.sweep/1", "models": ["zoo/**/*.tflite"], "targets": ["*"], "planners": ["all"],
//      "seed": [0, 1, 2], "work_limit": [0], "time_limit": 10, "lower": [{}]}
//
// Paths are relative to the specification's folder; `*`, `?` and `[...]` stand for parts of one name, `**` for any folders.
// A pattern does not match names that are not UTF-8. Absent lists hold one default: no target (the model's own pools), planner
// `auto`, seed 0, no limit, no lowering options. Planner `all` means ours, `plugins` those of plug-ins.
#pragma once

#include "app/session/regress/sweep_files.h"
#include "app/session/session.h"

#include <functional>
#include <stop_token>

namespace stowage {

struct Sweep {
    std::string folder;         ///< of the specification, with a slash at the end; empty: the current one
    std::vector<SweepRun> runs; ///< descending by cost, ties by key
    Diagnostics warnings;       ///< patterns without a match, names that are not UTF-8, a file of the build that cannot be read
    /// False if a file of the build cannot be read: the keys do not tell its results from those of other builds, so every run is
    /// planned again.
    bool reusable = true;
};

/// Reads a specification and lists its runs. Depends only on the specification, the files that it names, those that importers
/// read beside them (`filesBeside`) and the build: the core, the program, the worker and the plug-ins (`fileVersion`). Reads
/// every model once, to hash it; the runs of one that cannot be read fail, and the others are planned. Errors: those of
/// `readSweepLists`, no model, an unknown planner, target or planner option, more than 1,000,000 runs or 2 GiB of them, and
/// `cancelled`.
Expected<Sweep> readSweep(const Session& session, std::string_view text, const std::string& file,
                          const std::stop_token& cancel = {});

/// The runs of shard `index` (1 to `count`): runs are distributed in descending order of cost to shards 1…count, then count…1,
/// and so on.
std::vector<SweepRun> shardOf(const Sweep& sweep, int index, int count);

/// The progress of a sweep.
struct SweepProgress {
    std::size_t done = 0; ///< includes runs that have a result already
    std::size_t total = 0;
    std::size_t failed = 0;
    std::size_t toRepeat = 0;     ///< those of `failed` that the next sweep plans again (`isOfTheMachine`)
    std::optional<Error> machine; ///< why the first of these failed
    std::size_t cut = 0;          ///< those with a plan that a clock cut (`cutBy`)
    double secondsLeft = -1;      ///< estimated from the expected costs; -1: unknown
};

struct SweepOptions {
    std::stop_token cancel;
    std::function<void(const SweepProgress&)> progress; ///< after each run, from the calling thread
};

/// Plans those of `runs` that have no readable result in `folder`/runs, and writes each result there to a file of its own
/// (temporary file, rename), so that a killed sweep continues where it stopped and shards never collide. First writes
/// `folder`/sweep.json, the list of all runs. A run that fails gives a result with an error. A result whose error is one of the
/// machine is a row of a merged sweep like others, but the next sweep plans the run again. The progress counts existing results,
/// so that a repeated sweep returns the same. Errors: a file that cannot be written, another file with the name of the
/// list.
Expected<SweepProgress> runSweep(const Session& session, const Sweep& sweep, const std::vector<SweepRun>& runs,
                                 const std::string& folder, const SweepOptions& options = {});

/// Reads the folder of a sweep: a row for each function of each run, in the order of the list, with the status `missing` if there
/// is no readable result. Errors: the list does not exist or cannot be read, and `cancelled`.
Expected<std::vector<SweepRow>> mergeSweep(const std::string& folder, const std::stop_token& cancel = {});

/// Count of results in the folder without a row in `rows`: of another specification, build or version of a model.
std::size_t unlistedResults(const std::string& folder, std::span<const SweepRow> rows);

} // namespace stowage
