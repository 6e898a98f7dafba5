#include "app/session/regress/sweep.h"

#include "app/session/build_id.h"
#include "app/session/regress/glob.h"
#include "app/session/regress/row_request.h"
#include "app/session/regress/suite_run.h"
#include "core/io/input_file.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/io/output_file.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

namespace stowage {

namespace {

constexpr std::size_t maxRuns = 1'000'000;
constexpr double weightOfAnytime = 20; ///< of a planner that improves while it runs, against one that does not

/// The lists of a specification.
struct Lists {
    std::vector<std::string> models;
    std::vector<std::string> targets;
    std::vector<std::string> planners;
    std::vector<std::uint64_t> seeds;
    std::vector<std::uint64_t> workLimits;
    double timeLimit = 0;
    std::vector<OptionValues> lowerings;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
};

Expected<Lists> readLists(std::string_view text, const std::string& file)
{
    io::JsonReader in(text, file);
    Lists lists;
    const auto strings = [&in](std::vector<std::string>& to) { in.array([&] { to.emplace_back(in.string()); }); };
    const auto numbers = [&in](std::vector<std::uint64_t>& to) { in.array([&] { to.push_back(in.unsignedInteger()); }); };
    in.object({"format", "models"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.sweep/1");
        else if (key == "models")
            strings(lists.models);
        else if (key == "targets")
            strings(lists.targets);
        else if (key == "planners")
            strings(lists.planners);
        else if (key == "seed")
            numbers(lists.seeds);
        else if (key == "work_limit")
            numbers(lists.workLimits);
        else if (key == "time_limit") {
            lists.timeLimit = in.number();
            if (in.ok() && !(lists.timeLimit >= 0 && lists.timeLimit <= 1e9))
                in.fail(Code::outOfRange, "a time limit is a number of seconds from 0 to 10^9");
        } else if (key == "lower")
            in.array([&] {
                OptionValues values;
                in.object([&](std::string_view name) {
                    std::string option(name);
                    values.emplace_back(std::move(option), in.string());
                });
                lists.lowerings.push_back(std::move(values));
            });
        else if (key == "bind")
            in.object([&](std::string_view name) {
                std::string dimension(name);
                lists.bindings.emplace_back(std::move(dimension), in.integer(0));
            });
    });
    if (!in.finish()) return in.error();
    if (lists.targets.empty()) lists.targets = {std::string()};
    if (lists.planners.empty()) lists.planners = {"auto"};
    if (lists.seeds.empty()) lists.seeds = {0};
    if (lists.workLimits.empty()) lists.workLimits = {0};
    if (lists.lowerings.empty()) lists.lowerings = {{}};
    return lists;
}

template <typename T>
void dropRepeated(std::vector<T>& list)
{
    std::vector<T> once;
    for (T& value : list)
        if (std::find(once.begin(), once.end(), value) == once.end()) once.push_back(std::move(value));
    list = std::move(once);
}

Expected<QByteArray> hashOf(const std::string& path)
{
    // A device has no end, and a pipe can be read only once.
    const auto input = io::InputFile::open(path);
    if (!input) return input.error();
    if (input->isStream() && !QFileInfo(QString::fromStdString(path)).isFile())
        return failure(Code::cannotOpen, "this is no regular file", {path, 0, 0, -1}, "name a file");
    QFile file(QString::fromStdString(path));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return failure(Code::cannotOpen, fmt::format("{} cannot be read: {}", path, file.errorString().toStdString()), {path});
    return hash.result();
}

/// Names of files are no part of it: the same bytes are planned once.
std::string keyOfRun(SuiteRow row, const QByteArray& inputHash, const std::string& memories)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(inputHash);
    row.model.clear();
    row.target.clear();
    const std::string rest = fmt::format("\n{}\n{}\nwork={} time={}\n{}\n", memories, keyOf(row, row.function), row.workLimit,
                                         row.timeLimit, buildId());
    hash.addData(QByteArrayView(rest.data(), static_cast<qsizetype>(rest.size())));
    return hash.result().toHex().toStdString();
}

/// The memories of a target, as far as plans depend on them.
std::string memoriesOf(const Target& target)
{
    std::string text;
    for (const Pool& pool : target.pools)
        text += fmt::format("{} {} {} {}\n", pool.name, pool.capacity ? *pool.capacity : -1, pool.alignment,
                            static_cast<int>(pool.kind));
    return text;
}

std::string loweringText(const OptionValues& values)
{
    std::string text;
    for (const auto& [name, value] : values) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

QString fileOfRun(const QString& folder, const std::string& key)
{
    return folder + "/runs/" + QString::fromStdString(key) + ".json";
}

void writeWhat(io::JsonWriter& out, const SweepRun& run)
{
    const SuiteRow& row = run.row;
    out.field("key", run.key);
    out.field("model", row.model);
    if (!row.target.empty()) out.field("target", row.target);
    out.field("planner", row.planner);
    if (row.seed != 0) out.field("seed", row.seed);
    if (row.workLimit != 0) out.field("work_limit", row.workLimit);
    if (row.timeLimit > 0) out.field("time_limit", row.timeLimit);
    if (!row.lowering.empty()) out.field("lower", loweringText(row.lowering));
}

std::string listOf(const Sweep& sweep)
{
    io::JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.sweep-list/1");
        out.field("build", buildId());
        out.array("runs", [&] {
            for (const SweepRun& run : sweep.runs) out.object(io::JsonWriter::compact, [&] { writeWhat(out, run); });
        });
    });
    return std::move(out).text();
}

/// What one run gave, one entry for each function.
struct FunctionResult {
    std::string function;
    std::shared_ptr<const Run> run; ///< null: failed
    std::optional<Error> error;
};

std::string resultOf(const SweepRun& run, const std::vector<FunctionResult>& results)
{
    io::JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.sweep-run/1");
        writeWhat(out, run);
        out.field("build", buildId());
        out.array("results", [&] {
            for (const FunctionResult& result : results)
                out.object(io::JsonWriter::compact, [&] {
                    if (!result.function.empty()) out.field("function", result.function);
                    if (result.error) {
                        out.field("status", "failed");
                        out.field("error", result.error->message);
                        return;
                    }
                    const SuiteFigures figures = figuresOf(*result.run);
                    out.field("status", toText(figures.status));
                    out.field("size", figures.size);
                    out.field("bound", figures.bound);
                    out.field("plan", figures.plan);
                    out.field("elapsed_ms", result.run->elapsedMs);
                    out.object("pools", [&] {
                        for (const auto& [name, bytes] : figures.pools) out.field(name, bytes);
                    });
                });
        });
    });
    return std::move(out).text();
}

/// Plans one run with a model that stays open while the next one needs it too.
class RunPlanner {
public:
    RunPlanner(const Session& session, std::string folder, std::stop_token cancel)
        : session_(session), folder_(std::move(folder)), cancel_(std::move(cancel))
    {
    }

    std::vector<FunctionResult> plan(const SuiteRow& row)
    {
        if (!opened_ || !sameInput(*opened_, row)) {
            model_ = openModel(session_, folder_, row, cancel_);
            opened_ = row;
        }
        if (!model_) return {{{}, nullptr, model_.error()}};
        auto request = requestOf(session_, folder_, row, *model_);
        if (!request) return {{{}, nullptr, request.error()}};
        std::vector<FunctionResult> results;
        const auto functions = Session::functions(*model_);
        for (const std::string& function : functions) {
            request->function = function;
            const auto run = session_.planNow(*model_, *request, cancel_);
            FunctionResult result;
            if (functions.size() > 1) result.function = function;
            if (run)
                result.run = *run;
            else
                result.error = run.error();
            results.push_back(std::move(result));
        }
        return results;
    }

private:
    const Session& session_;
    std::string folder_;
    std::stop_token cancel_;
    std::optional<SuiteRow> opened_; ///< row that `model_` was opened for
    Expected<Model> model_ = failure(Code::notOpened, "no model was opened");
};

bool anyFailed(const std::vector<FunctionResult>& results)
{
    return std::any_of(results.begin(), results.end(), [](const FunctionResult& result) { return result.error.has_value(); });
}

Expected<std::string> textOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(Code::cannotOpen,
                       fmt::format("{} cannot be read: {}", path.toStdString(), file.errorString().toStdString()),
                       {path.toStdString()});
    return file.readAll().toStdString();
}

/// A field of `writeWhat`; false: it is none of them.
bool readWhat(io::JsonReader& in, std::string_view key, SweepRow& row)
{
    if (key == "key")
        in.read(row.key);
    else if (key == "model")
        in.read(row.model);
    else if (key == "target")
        in.read(row.target);
    else if (key == "planner")
        in.read(row.planner);
    else if (key == "seed")
        row.seed = in.unsignedInteger();
    else if (key == "work_limit")
        row.workLimit = in.unsignedInteger();
    else if (key == "time_limit")
        in.read(row.timeLimit);
    else if (key == "lower")
        in.read(row.lowering);
    else
        return false;
    return true;
}

/// The rows of a result file; empty when it cannot be read.
std::vector<SweepRow> rowsIn(const QString& path, const SweepRow& listed)
{
    const auto text = textOf(path);
    if (!text) return {};
    io::JsonReader in(*text, path.toStdString());
    std::vector<SweepRow> rows;
    SweepRow ignored;
    in.object({"format", "key", "results"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.sweep-run/1");
        else if (key == "build")
            in.skip();
        else if (key == "results")
            in.array([&] {
                SweepRow row = listed;
                in.object({"status"}, [&](std::string_view name) {
                    if (name == "function")
                        in.read(row.function);
                    else if (name == "status")
                        in.read(row.status);
                    else if (name == "size")
                        in.read(row.size);
                    else if (name == "bound")
                        in.read(row.bound);
                    else if (name == "elapsed_ms")
                        in.read(row.elapsedMs);
                    else if (name == "error")
                        in.read(row.error);
                    else if (name == "plan" || name == "pools")
                        in.skip();
                });
                rows.push_back(std::move(row));
            });
        else
            readWhat(in, key, ignored);
    });
    if (!in.finish()) return {};
    return rows;
}

} // namespace

Expected<Sweep> readSweep(const Session& session, std::string_view text, const std::string& file)
{
    auto read = readLists(text, file);
    if (!read) return std::move(read).error();
    Lists lists = *std::move(read);
    Sweep sweep;
    const auto slash = file.rfind('/');
    if (slash != std::string::npos) sweep.folder = file.substr(0, slash + 1);

    std::set<std::string> models;
    for (const std::string& pattern : lists.models) {
        const auto found = filesMatching(sweep.folder, pattern);
        if (found.empty()) sweep.warnings.push_back(warning(Code::noMatch, fmt::format("no file matches {}", pattern), {file}));
        models.insert(found.begin(), found.end());
    }
    if (models.empty())
        return failure(Code::noModels, "no file matches any of \"models\"", {file}, "paths are relative to the specification");

    std::vector<std::string> targets;
    for (const std::string& target : lists.targets)
        if (target == "*")
            for (const Target& installed : session.targets()) targets.push_back(installed.name.toStdString());
        else
            targets.push_back(target);
    dropRepeated(targets);
    std::vector<std::string> memories;
    for (const std::string& target : targets) {
        if (target.empty()) {
            memories.emplace_back();
            continue;
        }
        const auto found = targetOf(session, sweep.folder, target);
        if (!found) return found.error();
        memories.push_back(memoriesOf(*found));
    }
    std::vector<std::string> planners;
    for (const std::string& planner : lists.planners)
        if (planner == "all")
            for (const auto& known : session.planners().all()) planners.push_back(known->info().name);
        else
            planners.push_back(planner);
    dropRepeated(planners);
    std::vector<double> weights;
    for (const std::string& planner : planners) {
        const auto known = session.planners().require(planner.substr(0, planner.find(':')));
        if (!known) return known.error();
        weights.push_back((*known)->info().anytime ? weightOfAnytime : 1);
    }
    double count = static_cast<double>(models.size());
    for (const std::size_t factor :
         {targets.size(), planners.size(), lists.seeds.size(), lists.workLimits.size(), lists.lowerings.size()})
        count *= static_cast<double>(factor);
    if (count > static_cast<double>(maxRuns))
        return failure(Code::tooManyRuns, fmt::format("{:.0f} runs, more than {}", count, maxRuns), {file},
                       "make several sweeps of it");

    for (const std::string& model : models) {
        const std::string path = pathFrom(sweep.folder, model);
        const auto hash = hashOf(path);
        if (!hash) return hash.error();
        const auto bytes = static_cast<double>(QFileInfo(QString::fromStdString(path)).size());
        SuiteRow row;
        row.model = model;
        row.bindings = lists.bindings;
        row.timeLimit = lists.timeLimit;
        for (std::size_t t = 0; t < targets.size(); ++t)
            for (std::size_t p = 0; p < planners.size(); ++p)
                for (const std::uint64_t seed : lists.seeds)
                    for (const std::uint64_t workLimit : lists.workLimits)
                        for (const OptionValues& lowering : lists.lowerings) {
                            row.target = targets[t];
                            row.planner = planners[p];
                            row.seed = seed;
                            row.workLimit = workLimit;
                            row.lowering = lowering;
                            sweep.runs.push_back({row, keyOfRun(row, *hash, memories[t]), bytes * weights[p]});
                        }
    }
    const auto order = [](const SweepRun& run) {
        return std::tuple(-run.cost, std::string_view(run.key), std::string_view(run.row.model));
    };
    std::sort(sweep.runs.begin(), sweep.runs.end(), [&](const SweepRun& a, const SweepRun& b) { return order(a) < order(b); });
    return sweep;
}

std::vector<SweepRun> shardOf(const Sweep& sweep, int index, int count)
{
    std::vector<SweepRun> runs;
    const auto shards = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
        const std::size_t round = i / shards;
        const std::size_t place = i % shards;
        const std::size_t shard = round % 2 == 0 ? place : shards - 1 - place;
        if (shard + 1 == static_cast<std::size_t>(index)) runs.push_back(sweep.runs[i]);
    }
    return runs;
}

Expected<SweepProgress> runSweep(const Session& session, const Sweep& sweep, const std::vector<SweepRun>& runs,
                                 const std::string& folder, const SweepOptions& options)
{
    const QString root = QString::fromStdString(folder);
    if (!QDir().mkpath(root + "/runs"))
        return failure(Code::cannotWrite, fmt::format("the folder {}/runs cannot be made", folder), {folder},
                       "choose a folder that may be written");
    if (auto error = io::writeFile(folder + "/sweep.json", listOf(sweep))) return *std::move(error);

    SweepProgress progress;
    progress.total = runs.size();
    std::vector<const SweepRun*> left;
    double costLeft = 0;
    for (const SweepRun& run : runs) {
        if (QFileInfo::exists(fileOfRun(root, run.key))) {
            ++progress.done;
            continue;
        }
        left.push_back(&run);
        costLeft += run.cost;
    }
    // Runs of one model together, so that it is opened once; the most expensive models first.
    std::stable_sort(left.begin(), left.end(), [](const SweepRun* a, const SweepRun* b) { return a->row.model < b->row.model; });

    RunPlanner planner(session, sweep.folder, options.cancel);
    const auto begin = std::chrono::steady_clock::now();
    double costDone = 0;
    for (const SweepRun* run : left) {
        if (options.cancel.stop_requested()) break;
        if (QFileInfo::exists(fileOfRun(root, run->key))) { // the same bytes under another name, or another process was quicker
            ++progress.done;
            continue;
        }
        const auto results = planner.plan(run->row);
        if (options.cancel.stop_requested()) break; // what was interrupted is no result
        if (auto error = io::writeFile(fileOfRun(root, run->key).toStdString(), resultOf(*run, results)))
            return *std::move(error);
        ++progress.done;
        if (anyFailed(results)) ++progress.failed;
        costDone += run->cost;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (costDone > 0) progress.secondsLeft = seconds / costDone * (costLeft - costDone);
        if (options.progress) options.progress(progress);
    }
    return progress;
}

Expected<std::vector<SweepRow>> mergeSweep(const std::string& folder)
{
    const QString root = QString::fromStdString(folder);
    const QString list = root + "/sweep.json";
    const auto text = textOf(list);
    if (!text) return text.error();
    io::JsonReader in(*text, list.toStdString());
    std::vector<SweepRow> runs;
    in.object({"format", "runs"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.sweep-list/1");
        else if (key == "build")
            in.skip();
        else if (key == "runs")
            in.array([&] {
                SweepRow row;
                in.object({"key", "model", "planner"}, [&](std::string_view name) { readWhat(in, name, row); });
                runs.push_back(std::move(row));
            });
    });
    if (!in.finish()) return in.error();

    std::vector<SweepRow> rows;
    for (const SweepRow& run : runs) {
        auto results = rowsIn(fileOfRun(root, run.key), run);
        if (results.empty()) {
            rows.push_back(run);
            rows.back().status = "missing";
        }
        std::move(results.begin(), results.end(), std::back_inserter(rows));
    }
    return rows;
}

} // namespace stowage
