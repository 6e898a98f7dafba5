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
    Diagnostics warnings;       ///< patterns without a match, files whose names are not UTF-8
};

/// Reads a specification and lists its runs. Depends on the specification, the files that it names and the build only. Errors:
/// those of `readSweepLists`, no model at all, a model that cannot be read, an unknown planner, target or planner option, more
/// than 1,000,000 runs or 2 GiB of them, and `cancelled`. Reads every model once, to hash it.
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
    double secondsLeft = -1; ///< estimated from the expected costs; -1: unknown
};

struct SweepOptions {
    std::stop_token cancel;
    std::function<void(const SweepProgress&)> progress; ///< after each run, from the calling thread
};

/// Plans `runs` that have no result in `folder`/runs yet, or one that cannot be read, and writes each result there as a file of
/// its own (temporary file, rename), so that a killed sweep continues where it stopped and shards never collide. What fails is a
/// result with an error. Writes `folder`/sweep.json, the list of all runs, first. Counts also what was there: a sweep that is
/// repeated ends as the first time. Errors: a file that cannot be written, another file of the list's name.
Expected<SweepProgress> runSweep(const Session& session, const Sweep& sweep, const std::vector<SweepRun>& runs,
                                 const std::string& folder, const SweepOptions& options = {});

/// Reads what lies in a sweep's folder: a row for each function of each run, in the order of the list, `missing` where there is
/// no result. Errors: no list there, a list that cannot be read, and `cancelled`. A result file that cannot be read counts as
/// missing.
Expected<std::vector<SweepRow>> mergeSweep(const std::string& folder, const std::stop_token& cancel = {});

/// Number of results in the folder that none of `rows` is of: another specification, build or version of a model.
std::size_t unlistedResults(const std::string& folder, std::span<const SweepRow> rows);

} // namespace stowage
