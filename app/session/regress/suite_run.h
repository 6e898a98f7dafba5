// Runs a regression suite: opens the model of consecutive rows once, plans every row, and judges the results against the
// baseline.
#pragma once

#include "app/session/regress/verdict.h"
#include "app/session/session.h"
#include "core/io/input_file.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// Plans the rows of a suite one by one, in any order, on the calling thread. The model of a row stays open for the next call.
/// The session, the suite and the baseline must live as long as the runner. After a cancellation results are missing.
class SuiteRunner {
public:
    /// Takes one result; `run` is null if nothing was planned.
    using Sink = std::function<void(RowResult result, const std::shared_ptr<const Run>& run)>;

    SuiteRunner(const Session& session, const Suite& suite, const Baseline& baseline, std::stop_token cancel = {});

    /// Gives `sink` a result for each function of the model; a row that cannot be planned gives one with verdict `failed`.
    void plan(std::size_t row, const Sink& sink);
    /// The rows of the baseline without a result, by key. A row that failed or was not planned might give some of them: these are
    /// not gone.
    [[nodiscard]] std::vector<RowResult> gone() const;

private:
    [[nodiscard]] bool cancelled() const { return cancel_.stop_requested(); }
    /// False if one of its functions failed.
    bool planFunctions(const SuiteRow& row, const Sink& sink);
    void fail(const SuiteRow& row, const std::string& function, Error error, const Sink& sink);
    void finish(RowResult result, const SuiteRow& row, const std::string& function, const std::shared_ptr<const Run>& run,
                const Sink& sink);

    const Session& session_;
    const Suite& suite_;
    const Baseline& baseline_;
    std::stop_token cancel_;
    const SuiteRow* opened_ = nullptr; ///< row that `model_` was opened for
    Expected<Model> model_;
    std::set<std::string, std::less<>> given_; ///< keys of results
    std::set<std::string> settled_;            ///< keys of rows of which every function was planned
};

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

/// Plans every row of the suite by a `SuiteRunner`, on the calling thread. Rows of the baseline without a result are `gone`,
/// unless their model failed. Deterministic, apart from `timeRatio` and rows with a time limit.
SuiteOutcome runSuite(const Session& session, const Suite& suite, const Baseline& baseline, const SuiteRunOptions& options = {});

/// The keys of the baseline that a row of the suite may give: its own one, and those of all functions of its model unless it
/// names one. Views into `baseline`. O(log rows + rows of the model).
std::vector<std::string_view> baselineKeysOf(const Baseline& baseline, const SuiteRow& row);

/// The row of the suite for a key of a result; null if there is none. A name in a key may contain the characters that separate
/// its parts: of several possible rows it is the one whose own parts are the longest. O(rows).
const SuiteRow* rowOf(const Suite& suite, std::string_view key);

/// The figures of one run. `timeRatio` is left out.
SuiteFigures figuresOf(const Run& run);

/// `SuiteFigures::timeRatio` of measured times in milliseconds, at least one of the planner and one of greedy-by-size: the
/// quickest of each. A peer below a microsecond counts as one.
double ratioOfTimes(std::span<const double> own, std::span<const double> peer);

/// The clock that cut the plan: the time of a plug-in, of which the plan has a warning, or a time limit. No value: none did.
std::optional<PlanCut> cutBy(const Run& run);

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
