// The results of a suite compared with its baseline, with the runs of both, for the view and the picture of a regression; and the
// update of the baseline from results.
#pragma once

#include "app/session/regress/suite_run.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// The result of a row at one time.
struct HistoryPoint {
    std::string time;          ///< UTC as ISO 8601
    std::optional<Bytes> size; ///< no value: failed, also with a plan that is not valid
};

struct RegressionRow {
    RowResult result;
    std::shared_ptr<const Run> current;  ///< null: failed, gone, or over `maxBuffers`
    std::shared_ptr<const Run> baseline; ///< null: see `noBaseline`
    std::string noBaseline;              ///< reason why `baseline` is null; empty: it is not
    std::vector<HistoryPoint> history;   ///< oldest first; without the current results
};

struct Regression {
    std::string path; ///< of the suite
    Suite suite;
    std::string written;         ///< date of the baseline, "2026-11-21"; empty: no baseline
    std::string baselineVersion; ///< version in most rows of the baseline
    std::size_t baselineRows = 0;
    std::vector<RegressionRow> rows; ///< worst first
    VerdictCounts counts{};
    double elapsedMs = 0;
};

struct RegressionOptions {
    std::stop_token cancel;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< after each row, from the calling thread
    std::size_t maxBuffers = 2'000'000; ///< limit on the sum of buffers of the runs that are kept in memory, for current runs and
                                        ///< for the baseline each
};

/// Plans the suite and reads the kept runs of its baseline. Errors: those of `loadSuite` and `loadBaseline`, "cancelled".
Expected<Regression> runRegression(const Session& session, const QString& suite, const RegressionOptions& options = {});

/// A row of the baseline that is added, changed or removed.
struct BaselineChange {
    enum class What : std::uint8_t { added, changed, removed } what = What::added;
    std::string key;
};
/// "added", "changed", "removed".
std::string_view toText(BaselineChange::What what);

/// Copies results into the baseline: those with a key in `keys`, or all if it is empty. `kept`: by key, names of kept plans. Rows
/// that failed stay unchanged. Returns the changes.
std::vector<BaselineChange> accept(Baseline& baseline, const std::vector<RowResult>& results, std::span<const std::string> keys,
                                   const std::map<std::string, std::string>& kept);
/// Writes the baseline into the folder of the suite, and removes kept plans that it no longer names. If `cancel` is requested
/// before, both are unchanged, and the error is "cancelled".
std::optional<Error> saveBaseline(const Suite& suite, Baseline& baseline, const std::stop_token& cancel = {});
/// Reads the baseline of the suite, accepts the rows of `regression` with a key in `keys` (empty: all) with their plans, and
/// writes it. Returns the changes. `cancel`: as for `saveBaseline`.
Expected<std::vector<BaselineChange>> acceptRows(const Regression& regression, std::span<const std::string> keys,
                                                 const std::stop_token& cancel = {});

/// The history in the folder of the suite, by key, oldest first; empty if there is none. Unreadable lines are left out.
std::map<std::string, std::vector<HistoryPoint>> loadHistory(const Suite& suite);
/// Appends one line for each result to the history in the folder of the suite, and keeps the last 50 lines of each key. A history
/// that cannot be read is an error, and stays unchanged.
std::optional<Error> appendHistory(const Suite& suite, const std::vector<RowResult>& results);

} // namespace stowage
