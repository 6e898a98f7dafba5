#include "app/session/regress/suite_run.h"

#include "app/session/build_id.h"
#include "app/session/native_path.h"
#include "app/session/regress/row_request.h"
#include "core/explain/pipe_run.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"

#include <QCryptographicHash>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace stowage {

namespace {

constexpr std::size_t maxPeakBuffers = 64;
constexpr std::size_t keptHistory = 50;
constexpr Bytes maxSuiteFile = Bytes{64} << 20;

Error failureAt(const SuiteRow& row, Error error)
{
    if (!error.where.known()) error.where = row.where;
    return error;
}

/// A key as `keyOf` makes it where no function is named.
std::string withoutFunction(const std::string& key)
{
    const auto hash = key.find('#');
    if (hash == std::string::npos) return key;
    const auto end = std::min(key.find(' ', hash), key.size());
    return key.substr(0, hash) + key.substr(end);
}

/// Everything of one suite run that rows share.
class SuiteRunner {
public:
    SuiteRunner(const Session& session, const Suite& suite, const Baseline& baseline, const SuiteRunOptions& options)
        : session_(session), suite_(suite), baseline_(baseline), options_(options)
    {
    }

    SuiteOutcome run()
    {
        for (; done_ < suite_.rows.size() && !cancelled(); ++done_) {
            const SuiteRow& row = suite_.rows[done_];
            if (!opened_ || !sameInput(row, *opened_)) {
                model_ = openModel(session_, suite_.folder, row, options_.cancel);
                opened_ = &row;
                if (cancelled()) break;
            }
            if (!model_)
                fail(row, {}, model_.error());
            else
                plan(row);
        }
        SuiteOutcome outcome;
        outcome.cancelled = cancelled();
        if (!outcome.cancelled) addGone();
        std::stable_sort(results_.begin(), results_.end(),
                         [](const RowResult& a, const RowResult& b) { return a.verdict < b.verdict; });
        outcome.results = std::move(results_);
        return outcome;
    }

private:
    [[nodiscard]] bool cancelled() const { return options_.cancel.stop_requested(); }

    void plan(const SuiteRow& row)
    {
        const auto functions = Session::functions(*model_);
        auto request = requestOf(session_, suite_.folder, row, *model_);
        if (!request) return fail(row, {}, std::move(request).error());
        for (const std::string& function : functions) {
            if (cancelled()) return;
            request->function = function;
            const std::string named = functions.size() > 1 || !row.function.empty() ? function : std::string();
            const auto run = session_.planNow(*model_, *request, options_.cancel);
            if (cancelled()) return;
            if (!run) {
                fail(row, named, run.error());
                continue;
            }
            SuiteFigures figures = figuresOf(**run);
            if (row.tolerance.time) figures.timeRatio = timeRatio(*request, **run);
            const std::string key = keyOf(row, named);
            RowResult result = judge(key, figures, baseline_.find(key), row.tolerance);
            name(result, row);
            finish(std::move(result), *run);
        }
    }

    /// Planner time over that of greedy-by-size on the same problem, now; the quicker one of two tries counts.
    std::optional<double> timeRatio(PlanRequest request, const Run& run)
    {
        request.planner = "greedy-by-size";
        request.options.clear();
        std::optional<double> quickest;
        for (int i = 0; i < 2; ++i) {
            const auto base = session_.planNow(*model_, request, options_.cancel);
            if (!base) return std::nullopt;
            quickest = std::min(quickest.value_or((*base)->elapsedMs), (*base)->elapsedMs);
        }
        return run.elapsedMs / std::max(*quickest, 1e-3);
    }

    void fail(const SuiteRow& row, const std::string& function, Error error)
    {
        failedPrefixes_.insert(keyOf(row, {}));
        RowResult result;
        result.key = keyOf(row, function);
        name(result, row);
        result.verdict = RowVerdict::failed;
        if (const SuiteFigures* before = baseline_.find(result.key)) result.baseline = *before;
        result.error = failureAt(row, std::move(error));
        finish(std::move(result), nullptr);
    }

    static void name(RowResult& result, const SuiteRow& row)
    {
        result.model = row.model;
        result.planner = row.planner;
        result.target = row.target;
        result.tolerance = row.tolerance;
    }

    void finish(RowResult result, const std::shared_ptr<const Run>& run)
    {
        results_.push_back(std::move(result));
        if (options_.finished) options_.finished(results_.back(), run, done_ + 1, suite_.rows.size());
    }

    /// What the baseline has and the suite no longer gives; not the functions of a model that failed.
    void addGone()
    {
        std::set<std::string> present;
        for (const RowResult& result : results_) present.insert(result.key);
        for (const BaselineRow& row : baseline_.rows) {
            if (present.contains(row.key) || failedPrefixes_.contains(withoutFunction(row.key))) continue;
            RowResult result;
            result.key = row.key;
            result.verdict = RowVerdict::gone;
            result.baseline = row.figures;
            results_.push_back(std::move(result));
        }
    }

    const Session& session_;
    const Suite& suite_;
    const Baseline& baseline_;
    const SuiteRunOptions& options_;
    const SuiteRow* opened_ = nullptr; ///< row that `model_` was opened for
    Expected<Model> model_ = failure(Code::notOpened, "no model was opened");
    std::vector<RowResult> results_;
    std::set<std::string> failedPrefixes_; ///< keys without function of rows that failed
    std::size_t done_ = 0;
};

/// Devices are refused, and what never ends is left at the limit.
Expected<std::string> textOf(const std::string& path, io::StopReading stop = {})
{
    return io::readFile(path, {maxSuiteFile, maxSuiteFile}, std::move(stop));
}

/// The key in a line of the history; empty when it has none.
std::string keyIn(const std::string& line)
{
    io::JsonReader in(line, "history");
    std::string key;
    in.object([&](std::string_view name) {
        if (name == "key")
            in.read(key);
        else
            in.skip();
    });
    return in.finish() ? key : std::string();
}

} // namespace

SuiteOutcome runSuite(const Session& session, const Suite& suite, const Baseline& baseline, const SuiteRunOptions& options)
{
    return SuiteRunner(session, suite, baseline, options).run();
}

Baseline baselineOf(const Baseline& baseline, const SuiteRow& row)
{
    Baseline part;
    part.suite = baseline.suite;
    const std::string own = keyOf(row, row.function);
    for (const BaselineRow& entry : baseline.rows)
        if (entry.key == own || (row.function.empty() && withoutFunction(entry.key) == own)) part.rows.push_back(entry);
    return part;
}

const SuiteRow* rowOf(const Suite& suite, const std::string& key)
{
    for (const SuiteRow& row : suite.rows) {
        const std::string own = keyOf(row, row.function);
        if (own == key || (row.function.empty() && withoutFunction(key) == own)) return &row;
    }
    return nullptr;
}

SuiteFigures figuresOf(const Run& run)
{
    SuiteFigures figures;
    const Report& report = run.report;
    figures.status = report.status;
    figures.size = report.totalSize();
    figures.bound = report.totalBound();
    figures.excess = report.totalExcess();
    for (const PoolReport& pool : report.pools) {
        if (pool.buffers > 0)
            figures.pools.emplace_back(run.problem().pools[static_cast<std::size_t>(pool.pool)].name, pool.size);
        for (const BufferId id : pool.certificate.buffers) {
            const Buffer& buffer = run.problem().buffers[static_cast<std::size_t>(id)];
            figures.peak.emplace_back(buffer.name, buffer.size);
        }
    }
    std::sort(figures.peak.begin(), figures.peak.end(),
              [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    if (figures.peak.size() > maxPeakBuffers) figures.peak.resize(maxPeakBuffers);
    if (const auto pipes = analysePipes(run)) figures.stalls = pipes->report.stall();
    figures.plan = planFingerprint(run);
    figures.version = programVersion();
    return figures;
}

std::string planFingerprint(const Run& run)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const Problem& problem = run.problem();
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Placement& placement = run.plan.placements[i];
        std::string line = problem.buffers[i].name + '\n';
        line += placement.placed() ? problem.pools[static_cast<std::size_t>(placement.pool)].name : std::string();
        line += fmt::format("\n{}", placement.offset);
        for (const Bytes offset : placement.offsets) line += fmt::format(",{}", offset);
        line += '\n';
        hash.addData(QByteArrayView(line.data(), static_cast<qsizetype>(line.size())));
    }
    return hash.result().toHex().left(16).toStdString();
}

std::string baselinePath(const Suite& suite)
{
    return suite.folder + suite.name + ".baseline.json";
}

std::string historyPath(const Suite& suite)
{
    return suite.folder + suite.name + ".history.jsonl";
}

Expected<Baseline> loadBaseline(const Suite& suite)
{
    const std::string path = baselinePath(suite);
    std::error_code unknown; // whoever opens it says why
    if (std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found) {
        Baseline empty;
        empty.suite = suite.name;
        return empty;
    }
    if (auto error = refuseFifo(path)) return *std::move(error);
    const auto text = textOf(path);
    if (!text) return text.error();
    auto baseline = readBaseline(*text, path);
    if (baseline || !baseline.error().remedy.empty()) return baseline;
    Error error = std::move(baseline).error();
    error.remedy = "restore the file, or move it away and write a new one with --update";
    return error;
}

Expected<Suite> loadSuite(const QString& path, io::StopReading stop)
{
    const std::string file = nativePath(path);
    const auto text = textOf(file, std::move(stop));
    if (!text) return text.error();
    return readSuite(*text, file);
}

std::string historyLines(const std::vector<RowResult>& results, const std::string& time)
{
    std::string lines;
    for (const RowResult& result : results) {
        if (result.verdict == RowVerdict::gone) continue;
        io::JsonWriter out;
        out.object(io::JsonWriter::compact, [&] {
            out.field("time", time);
            out.field("key", result.key);
            out.field("verdict", toText(result.verdict));
            if (result.current) {
                out.field("status", toText(result.current->status));
                out.field("size", result.current->size);
                out.field("bound", result.current->bound);
                out.field("version", result.current->version);
            }
        });
        lines += std::move(out).text();
    }
    return lines;
}

std::string appendedHistory(const std::string& before, const std::string& lines)
{
    const std::string all = before + (before.empty() || before.ends_with('\n') ? "" : "\n") + lines;
    std::vector<std::pair<std::string, std::string>> kept; // key, line
    std::map<std::string, std::size_t> counts;
    for (std::size_t begin = 0; begin < all.size();) {
        const auto end = std::min(all.find('\n', begin), all.size());
        std::string line = all.substr(begin, end - begin);
        begin = end + 1;
        std::string key = keyIn(line);
        if (key.empty()) continue;
        ++counts[key];
        kept.emplace_back(std::move(key), std::move(line));
    }
    std::string text;
    for (const auto& [key, line] : kept) {
        if (counts[key]-- > keptHistory) continue;
        text += line + '\n';
    }
    return text;
}

} // namespace stowage
