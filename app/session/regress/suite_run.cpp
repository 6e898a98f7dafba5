#include "app/session/regress/suite_run.h"

#include "app/session/build_id.h"
#include "app/session/native_path.h"
#include "app/session/planning.h"
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
#include <utility>

namespace stowage {

namespace {

constexpr double quickPlannerMs = 200; ///< below this a first try may be slow as it is the first
constexpr std::size_t keptHistory = 50;
constexpr Bytes maxSuiteFile = Bytes{64} << 20;

/// True for a key that the row gives for some function.
bool isOfSomeFunction(const KeyParts& parts, std::string_view key)
{
    const std::size_t known = parts.head.size() + 1 + parts.tail.size();
    return key.size() > known && key.starts_with(parts.head) && key[parts.head.size()] == '#' && key.ends_with(parts.tail);
}

/// Planner time over that of greedy-by-size on the problem of `run`, now. Of both the quicker one of two tries counts, unless one
/// try of the planner takes long enough. Errors: those of `runPlanner` with greedy-by-size.
Expected<double> timeRatio(const Session& session, const Model& model, const PlanRequest& request, const Run& run,
                           const std::stop_token& cancel)
{
    std::vector<double> own{run.elapsedMs};
    if (run.elapsedMs < quickPlannerMs)
        if (const auto again = session.planNow(model, request, cancel)) own.push_back((*again)->elapsedMs);

    PlanRequest asGreedy = request;
    asGreedy.planner = "greedy-by-size";
    asGreedy.options.clear();
    const auto greedy = session.planners().require(asGreedy.planner);
    if (!greedy) return greedy.error();
    const LoweringCache::Answer problem{run.lowering, run.program};
    PlanContext context;
    context.cancel = cancel;
    std::vector<double> peer;
    for (int i = 0; i < 2; ++i) {
        const auto base = runPlanner(**greedy, problem, asGreedy, context, {});
        if (!base) return base.error();
        peer.push_back((*base)->elapsedMs);
    }
    return ratioOfTimes(own, peer);
}

/// By pool: true if the growth of the pool is a regression of its own (`PoolFigure::scarce`).
std::vector<bool> scarcePools(const std::vector<Pool>& pools)
{
    std::vector<bool> scarce(pools.size());
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const auto sameKind = [kind = pools[i].kind](const Pool& pool) { return pool.kind == kind; };
        const auto at = pools.begin() + static_cast<std::ptrdiff_t>(i);
        scarce[i] = pools[i].capacity || std::any_of(at + 1, pools.end(), sameKind) || std::none_of(pools.begin(), at, sameKind);
    }
    return scarce;
}

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

SuiteRunner::SuiteRunner(const Session& session, const Suite& suite, const Baseline& baseline, std::stop_token cancel)
    : session_(session),
      suite_(suite),
      baseline_(baseline),
      cancel_(std::move(cancel)),
      model_(failure(Code::notOpened, "no model was opened"))
{
}

void SuiteRunner::plan(std::size_t index, const Sink& sink)
{
    const SuiteRow& row = suite_.rows[index];
    if (!opened_ || !sameInput(row, *opened_)) {
        opened_ = nullptr;
        model_ = openModel(session_, suite_.folder, row, cancel_);
        if (cancelled()) return;
        opened_ = &row;
    }
    if (!model_) return fail(row, {}, model_.error(), sink);
    if (planFunctions(row, sink) && !cancelled()) settled_.insert(keyOf(row, row.function));
}

bool SuiteRunner::planFunctions(const SuiteRow& row, const Sink& sink)
{
    const auto functions = Session::functions(*model_);
    auto request = requestOf(session_, suite_.folder, row, *model_);
    if (!request) {
        fail(row, {}, std::move(request).error(), sink);
        return false;
    }
    bool all = true;
    for (const std::string& function : functions) {
        if (cancelled()) return false;
        request->function = function;
        const std::string named = functions.size() > 1 || !row.function.empty() ? function : std::string();
        const auto run = session_.planNow(*model_, *request, cancel_);
        if (cancelled()) return false;
        if (!run) {
            fail(row, named, run.error(), sink);
            all = false;
            continue;
        }
        SuiteFigures figures = figuresOf(**run);
        std::optional<Error> noTimeRatio;
        if (row.tolerance.time) {
            auto ratio = timeRatio(session_, *model_, *request, **run, cancel_);
            if (cancelled()) return false;
            if (ratio)
                figures.timeRatio = *ratio;
            else
                noTimeRatio = std::move(ratio).error();
        }
        const std::string key = keyOf(row, named);
        RowResult result = judge(key, figures, baseline_.find(key), row.tolerance);
        result.noTimeRatio = std::move(noTimeRatio);
        result.cut = cutBy(**run);
        if (const auto& violations = (*run)->report.verdict.violations; result.error && !violations.empty())
            result.error->message += ": " + describe((*run)->problem(), violations.front());
        finish(std::move(result), row, named, *run, sink);
    }
    return all;
}

void SuiteRunner::fail(const SuiteRow& row, const std::string& function, Error error, const Sink& sink)
{
    RowResult result;
    result.key = keyOf(row, function);
    result.verdict = RowVerdict::failed;
    if (const SuiteFigures* before = baseline_.find(result.key)) result.baseline = *before;
    result.error = std::move(error);
    finish(std::move(result), row, function, nullptr, sink);
}

void SuiteRunner::finish(RowResult result, const SuiteRow& row, const std::string& function,
                         const std::shared_ptr<const Run>& run, const Sink& sink)
{
    result.model = row.model;
    result.planner = row.planner;
    result.target = row.target;
    result.settings = settingsOf(row, function);
    result.tolerance = row.tolerance;
    if (result.error && !result.error->where.known()) result.error->where = row.where;
    given_.insert(result.key);
    sink(std::move(result), run);
}

std::vector<RowResult> SuiteRunner::gone() const
{
    std::set<std::string_view> open;
    for (const SuiteRow& row : suite_.rows)
        if (!settled_.contains(keyOf(row, row.function)))
            for (const std::string_view key : baselineKeysOf(baseline_, row)) open.insert(key);
    std::vector<RowResult> results;
    for (const BaselineRow& row : baseline_.rows) {
        if (given_.contains(row.key) || open.contains(row.key)) continue;
        RowResult& result = results.emplace_back();
        result.key = row.key;
        result.verdict = RowVerdict::gone;
        result.baseline = row.figures;
    }
    return results;
}

SuiteOutcome runSuite(const Session& session, const Suite& suite, const Baseline& baseline, const SuiteRunOptions& options)
{
    SuiteRunner runner(session, suite, baseline, options.cancel);
    SuiteOutcome outcome;
    for (std::size_t row = 0; row < suite.rows.size() && !options.cancel.stop_requested(); ++row)
        runner.plan(row, [&](RowResult result, const std::shared_ptr<const Run>& run) {
            outcome.results.push_back(std::move(result));
            if (options.finished) options.finished(outcome.results.back(), run, row + 1, suite.rows.size());
        });
    outcome.cancelled = options.cancel.stop_requested();
    if (!outcome.cancelled)
        for (RowResult& result : runner.gone()) outcome.results.push_back(std::move(result));
    std::stable_sort(outcome.results.begin(), outcome.results.end(),
                     [](const RowResult& a, const RowResult& b) { return a.verdict < b.verdict; });
    return outcome;
}

std::vector<std::string_view> baselineKeysOf(const Baseline& baseline, const SuiteRow& row)
{
    std::vector<std::string_view> keys;
    const std::string own = keyOf(row, row.function);
    if (const auto same = baseline.startingWith(own); !same.empty() && same.front().key == own) keys.push_back(same.front().key);
    if (!row.function.empty()) return keys;
    const KeyParts parts = keyPartsOf(row);
    for (const BaselineRow& entry : baseline.startingWith(parts.head + '#'))
        if (isOfSomeFunction(parts, entry.key)) keys.push_back(entry.key);
    return keys;
}

const SuiteRow* rowOf(const Suite& suite, std::string_view key)
{
    const SuiteRow* found = nullptr;
    std::size_t known = 0; // bytes of the key that are the row's own
    for (const SuiteRow& row : suite.rows) {
        if (keyOf(row, row.function) == key) return &row;
        const KeyParts parts = keyPartsOf(row);
        const std::size_t own = parts.head.size() + parts.tail.size();
        if (!row.function.empty() || own <= known || !isOfSomeFunction(parts, key)) continue;
        found = &row;
        known = own;
    }
    return found;
}

SuiteFigures figuresOf(const Run& run)
{
    SuiteFigures figures;
    const Report& report = run.report;
    figures.status = report.status;
    figures.size = report.totalSize();
    figures.bound = report.totalBound();
    figures.excess = report.totalExcess();
    figures.unknownSizes = unknownSizeNames(run).size();
    figures.ofTensors = run.program != nullptr;
    const std::vector<bool> scarce = scarcePools(run.problem().pools);
    for (const PoolReport& pool : report.pools) {
        const auto at = static_cast<std::size_t>(pool.pool);
        if (pool.buffers > 0) figures.pools.push_back({run.problem().pools[at].name, pool.size, scarce[at]});
        for (const BufferId id : pool.certificate.buffers) {
            const Buffer& buffer = run.problem().buffers[static_cast<std::size_t>(id)];
            figures.peak.emplace_back(buffer.name, buffer.size);
        }
    }
    std::sort(figures.peak.begin(), figures.peak.end(),
              [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    figures.peakCount = figures.peak.size();
    if (figures.peak.size() > maxPeakBuffers) figures.peak.resize(maxPeakBuffers);
    if (const auto pipes = analysePipes(run)) figures.stalls = pipes->report.stall();
    figures.plan = planFingerprint(run);
    figures.version = programVersion();
    return figures;
}

double ratioOfTimes(std::span<const double> own, std::span<const double> peer)
{
    constexpr double shortestMs = 1e-3; // a clock may show 0
    return *std::ranges::min_element(own) / std::max(*std::ranges::min_element(peer), shortestMs);
}

std::optional<PlanCut> cutBy(const Run& run)
{
    const auto found = std::ranges::find(run.plan.diagnostics, Code::timedOut, &Diagnostic::code);
    if (found != run.plan.diagnostics.end()) return PlanCut{true, found->remedy};
    return run.plan.stoppedBy == StoppedBy::deadline ? std::optional(PlanCut{}) : std::nullopt;
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
            if (result.current && result.verdict != RowVerdict::failed) {
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
