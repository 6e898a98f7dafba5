// A suite as it stands today beside its baseline, with the runs of both: what the view and the picture of a regression show, and
// how results become the new baseline.
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

/// What became of a row on one day.
struct HistoryPoint {
    std::string time;          ///< UTC as ISO 8601
    std::optional<Bytes> size; ///< nothing: it failed
};

struct RegressionRow {
    RowResult result;
    std::shared_ptr<const Run> current;  ///< null: it failed or is gone, or there are too many to keep
    std::shared_ptr<const Run> baseline; ///< null: see `noBaseline`
    std::string noBaseline;              ///< why there is no map of the baseline; empty: there is one
    std::vector<HistoryPoint> history;   ///< oldest first; this run is no part of it
};

struct Regression {
    std::string path; ///< of the suite
    Suite suite;
    std::string written;         ///< day on which the baseline was written, "2026-11-21"; empty: there is none
    std::string baselineVersion; ///< of most of its rows
    std::size_t baselineRows = 0;
    std::vector<RegressionRow> rows; ///< worst first
    VerdictCounts counts{};
    double elapsedMs = 0;
};

struct RegressionOptions {
    std::stop_token cancel;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< after each row, from the calling thread
    std::size_t maxBuffers = 2'000'000; ///< of all current runs that are kept, and of all of the baseline
};

/// Plans the suite and finds the runs of its baseline. Errors: those of `loadSuite` and `loadBaseline`, "cancelled".
Expected<Regression> runRegression(const Session& session, const QString& suite, const RegressionOptions& options = {});

/// One line that changes in a baseline.
struct BaselineChange {
    enum class What : std::uint8_t { added, changed, removed } what = What::added;
    std::string key;
};
/// "added", "changed", "removed".
std::string_view toText(BaselineChange::What what);

/// Takes results into the baseline: those with a key in `keys`, or (empty) all. `kept`: by key, names of kept plans. What failed
/// stays as it is. Returns what changed.
std::vector<BaselineChange> accept(Baseline& baseline, const std::vector<RowResult>& results, std::span<const std::string> keys,
                                   const std::map<std::string, std::string>& kept);
/// Writes the baseline beside the suite, and removes kept plans that it no longer names.
std::optional<Error> saveBaseline(const Suite& suite, Baseline& baseline);
/// Reads the baseline of the suite, takes in the rows of `regression` with a key in `keys` (empty: all) with their plans, and
/// writes it. Returns what changed.
Expected<std::vector<BaselineChange>> acceptRows(const Regression& regression, std::span<const std::string> keys);

/// The history beside the suite by key, oldest first; empty without one. What cannot be read is left out.
std::map<std::string, std::vector<HistoryPoint>> loadHistory(const Suite& suite);
/// Appends one line a result to the history beside the suite, and keeps the last 50 of each key. A history that cannot be read is
/// an error, and stays as it is.
std::optional<Error> appendHistory(const Suite& suite, const std::vector<RowResult>& results);

} // namespace stowage
