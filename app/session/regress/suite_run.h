// Runs a regression suite: opens each model once, plans every row, and judges the results against the baseline.
#pragma once

#include "app/session/regress/verdict.h"
#include "app/session/session.h"
#include "core/io/input_file.h"

#include <functional>
#include <stop_token>

namespace stowage {

/// Cancellation and progress of a suite run.
struct SuiteRunOptions {
    std::stop_token cancel;
    /// Called on the calling thread after each result. `run` is null if the row failed. `done` of `total` rows of the suite are
    /// finished.
    std::function<void(const RowResult& result, const std::shared_ptr<const Run>& run, std::size_t done, std::size_t total)>
        finished;
};

struct SuiteOutcome {
    std::vector<RowResult> results; ///< worst first; equal verdicts in the order of the suite, `gone` rows by key
    bool cancelled = false;         ///< then rows are missing, and no row is `gone`
};

/// Plans every row of the suite on the calling thread. A row that cannot be planned is a result with verdict `failed`. Rows of
/// the baseline without a result are `gone`, unless their model failed. Models stay open while consecutive rows use them.
/// Deterministic, apart from `timeRatio` and rows with a time limit.
SuiteOutcome runSuite(const Session& session, const Suite& suite, const Baseline& baseline, const SuiteRunOptions& options = {});

/// The rows of the baseline for a row of the suite: its own key, and those of its model's functions.
Baseline baselineOf(const Baseline& baseline, const SuiteRow& row);

/// The row of the suite for a key of a result; null if there is none.
const SuiteRow* rowOf(const Suite& suite, const std::string& key);

/// The figures of one run. `timeRatio` is left out.
SuiteFigures figuresOf(const Run& run);

/// 16 hexadecimal digits of a hash (SHA-256) of all placements by name: equal for equal plans on every machine.
std::string planFingerprint(const Run& run);

/// "<folder><name>.baseline.json" and "<folder><name>.history.jsonl".
std::string baselinePath(const Suite& suite);
std::string historyPath(const Suite& suite);

/// The baseline in the folder of the suite; empty if the file does not exist. Errors: those of `readBaseline`, a file that cannot
/// be read.
Expected<Baseline> loadBaseline(const Suite& suite);
/// Reads a suite from a file. Errors: the file cannot be read or is larger than 64 MiB, and those of `readSuite`.
Expected<Suite> loadSuite(const QString& path, io::StopReading stop = {});

/// One line for each result with figures: {"time", "key", "verdict", "status", "size", "bound", "version"}. `time` is a date and
/// time in UTC as ISO 8601.
std::string historyLines(const std::vector<RowResult>& results, const std::string& time);
/// `before` with `lines` appended, cut to the last 50 lines of each key. Lines that are not JSON objects with a key are dropped.
std::string appendedHistory(const std::string& before, const std::string& lines);

} // namespace stowage
