#include "app/session/regress/regression.h"

#include "app/session/native_path.h"
#include "app/session/regress/kept_plans.h"
#include "app/session/regress/row_request.h"
#include "core/io/input_file.h"
#include "core/io/json_reader.h"
#include "core/io/output_file.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>

namespace stowage {

namespace {

constexpr Bytes maxHistory = Bytes{64} << 20;

/// Empty if there is no history yet.
Expected<std::string> historyText(const Suite& suite)
{
    const std::string path = historyPath(suite);
    std::error_code unknown; // whoever opens it says why
    if (std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found) return std::string();
    if (auto error = refuseFifo(path)) return *std::move(error);
    auto text = io::readFile(path, {maxHistory, maxHistory});
    if (text) return text;
    Error error = std::move(text).error();
    error.remedy = "move the file away: the next run begins a new one";
    return error;
}

/// The version that most rows have.
std::string versionOf(const Baseline& baseline)
{
    std::map<std::string, std::size_t> counts;
    for (const BaselineRow& row : baseline.rows) ++counts[row.figures.version];
    const auto most =
        std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? std::string() : most->first;
}

/// Finds the baseline's run of each row. What has not changed is the current one.
void addBaselineRuns(const Session& session, const Suite& suite, std::vector<RegressionRow>& rows,
                     const RegressionOptions& options)
{
    std::size_t room = options.maxBuffers;
    std::map<std::string, Expected<std::shared_ptr<const Run>>> read;
    for (RegressionRow& row : rows) {
        if (options.cancel.stop_requested()) return;
        if (!row.result.baseline) {
            row.noBaseline = "not in the baseline";
            continue;
        }
        const std::string& kept = row.result.baseline->kept;
        if (row.current && (row.result.verdict == RowVerdict::same || (!kept.empty() && kept == keptName(*row.current)))) {
            row.baseline = row.current;
            continue;
        }
        if (kept.empty()) {
            row.noBaseline = "the baseline was written without plans";
            continue;
        }
        auto found = read.find(kept);
        if (found == read.end()) found = read.emplace(kept, keptRun(session, suite, kept)).first;
        if (!found->second) {
            row.noBaseline = found->second.error().message;
            continue;
        }
        const std::size_t buffers = (*found->second)->problem().buffers.size();
        if (buffers > room) {
            row.noBaseline = "too many buffers to keep all maps";
            continue;
        }
        room -= buffers;
        row.baseline = *found->second;
    }
}

} // namespace

std::string_view toText(BaselineChange::What what)
{
    constexpr std::array<std::string_view, 3> words{"added", "changed", "removed"};
    return words[static_cast<std::size_t>(what)];
}

Expected<Regression> runRegression(const Session& session, const QString& path, const RegressionOptions& options)
{
    const auto begin = std::chrono::steady_clock::now();
    const io::StopReading stop = [cancel = options.cancel] { return cancel.stop_requested(); };
    auto suite = loadSuite(path, stop);
    if (!suite) return suite.error();
    const auto baseline = loadBaseline(*suite);
    if (!baseline) return baseline.error();

    std::map<std::string, std::shared_ptr<const Run>> runs;
    std::size_t room = options.maxBuffers;
    SuiteRunOptions run;
    run.cancel = options.cancel;
    run.finished = [&](const RowResult& result, const std::shared_ptr<const Run>& made, std::size_t done, std::size_t total) {
        if (made && made->problem().buffers.size() <= room) {
            room -= made->problem().buffers.size();
            runs[result.key] = made;
        }
        if (options.progress) options.progress(done, total);
    };
    SuiteOutcome outcome = runSuite(session, *suite, *baseline, run);
    if (outcome.cancelled) return failure(Code::cancelled, "the suite was cancelled", {nativePath(path), 0, 0, -1});

    Regression regression;
    regression.path = nativePath(path);
    regression.suite = *std::move(suite);
    regression.baselineRows = baseline->rows.size();
    regression.baselineVersion = versionOf(*baseline);
    if (struct stat file{}; stat(baselinePath(regression.suite).c_str(), &file) == 0)
        regression.written = QDateTime::fromSecsSinceEpoch(file.st_mtime, Qt::UTC).date().toString(Qt::ISODate).toStdString();
    regression.counts = countsOf(outcome.results);
    auto history = loadHistory(regression.suite);
    for (RowResult& result : outcome.results) {
        RegressionRow& row = regression.rows.emplace_back();
        if (const auto found = runs.find(result.key); found != runs.end()) row.current = found->second;
        if (const auto found = history.find(result.key); found != history.end()) row.history = std::move(found->second);
        row.result = std::move(result);
    }
    addBaselineRuns(session, regression.suite, regression.rows, options);
    regression.elapsedMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return regression;
}

std::vector<BaselineChange> accept(Baseline& baseline, const std::vector<RowResult>& results, std::span<const std::string> keys,
                                   const std::map<std::string, std::string>& kept)
{
    std::vector<BaselineChange> changes;
    for (const RowResult& result : results) {
        if (!keys.empty() && std::find(keys.begin(), keys.end(), result.key) == keys.end()) continue;
        if (result.verdict == RowVerdict::gone) {
            if (baseline.remove(result.key)) changes.push_back({BaselineChange::What::removed, result.key});
            continue;
        }
        if (!result.current || result.verdict == RowVerdict::failed) continue;
        const auto plan = kept.find(result.key);
        SuiteFigures figures = *result.current;
        if (plan != kept.end()) figures.kept = plan->second;
        // A row that is as it was keeps its line (and the version in it), but for a plan that was not kept before, and for the
        // count of unknown sizes that an older version did not write.
        const SuiteFigures* const there = baseline.find(result.key);
        const bool known = there != nullptr;
        if (there && judge(result.key, figures, there, {}).verdict == RowVerdict::same && there->status == figures.status &&
            there->stalls == figures.stalls) {
            SuiteFigures line = *there;
            if (!figures.kept.empty()) line.kept = figures.kept;
            line.unknownSizes = figures.unknownSizes;
            if (line.kept == there->kept && line.unknownSizes == there->unknownSizes) continue;
            figures = std::move(line);
        }
        baseline.put(result.key, figures);
        changes.push_back({known ? BaselineChange::What::changed : BaselineChange::What::added, result.key});
    }
    return changes;
}

std::optional<Error> saveBaseline(const Suite& suite, Baseline& baseline, const std::stop_token& cancel)
{
    baseline.suite = suite.name;
    const auto stopped = [&cancel] { return cancel.stop_requested(); };
    if (auto error = io::writeUnlessStopped(baselinePath(suite), writeBaseline(baseline), stopped)) return error;
    dropUnnamedPlans(suite, baseline);
    return std::nullopt;
}

Expected<std::vector<BaselineChange>> acceptRows(const Regression& regression, std::span<const std::string> keys,
                                                 const std::stop_token& cancel)
{
    auto baseline = loadBaseline(regression.suite);
    if (!baseline) return baseline.error();
    std::vector<RowResult> results;
    std::map<std::string, std::string> kept;
    for (const RegressionRow& row : regression.rows) {
        if (!keys.empty() && std::find(keys.begin(), keys.end(), row.result.key) == keys.end()) continue;
        results.push_back(row.result);
        if (!row.current || row.result.verdict == RowVerdict::failed) continue;
        if (cancel.stop_requested()) return failure(Code::cancelled, "the writing of the baseline was cancelled");
        auto name = keepPlan(regression.suite, *row.current);
        if (!name) return name.error();
        if (!name->empty()) kept[row.result.key] = *std::move(name);
    }
    auto changes = accept(*baseline, results, keys, kept);
    if (changes.empty()) return changes;
    if (auto error = saveBaseline(regression.suite, *baseline, cancel)) return *std::move(error);
    return changes;
}

std::map<std::string, std::vector<HistoryPoint>> loadHistory(const Suite& suite)
{
    std::map<std::string, std::vector<HistoryPoint>> history;
    const auto text = historyText(suite);
    if (!text) return history;
    for (std::size_t begin = 0; begin < text->size();) {
        const auto end = std::min(text->find('\n', begin), text->size());
        io::JsonReader in(std::string_view(*text).substr(begin, end - begin), "history");
        begin = end + 1;
        std::string key;
        HistoryPoint point;
        in.object([&](std::string_view name) {
            if (name == "key")
                in.read(key);
            else if (name == "time")
                in.read(point.time);
            else if (name == "size")
                in.read(point.size.emplace(), 0);
            else
                in.skip();
        });
        if (in.finish() && !key.empty()) history[key].push_back(std::move(point));
    }
    return history;
}

std::optional<Error> appendHistory(const Suite& suite, const std::vector<RowResult>& results)
{
    const auto before = historyText(suite);
    if (!before) return before.error();
    const std::string now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    return io::writeFile(historyPath(suite), appendedHistory(*before, historyLines(results, now)));
}

} // namespace stowage
