#include "app/session/regress/sweep.h"

#include "app/session/build_id.h"
#include "app/session/files_beside.h"
#include "app/session/number_words.h"
#include "app/session/planner_spec.h"
#include "app/session/reader.h"
#include "app/session/regress/glob.h"
#include "app/session/regress/row_request.h"
#include "app/session/regress/suite_run.h"
#include "core/io/input_file.h"
#include "core/io/output_file.h"
#include "core/io/pool_json.h"
#include "plugins/host/plugin_host.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>

namespace stowage {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxRuns = 1'000'000;
constexpr double weightOfAnytime = 20; ///< of a planner that improves while it runs, against one that does not
constexpr Bytes maxResultFile = Bytes{64} << 20;
constexpr double maxRunBytes = 2147483648.0;  ///< that all runs take
constexpr Bytes maxListFile = Bytes{1} << 30; ///< of a million runs

/// Keeps the first of equal names. O(names log names).
void dropRepeated(std::vector<SweepName>& names)
{
    std::set<std::string> seen;
    std::erase_if(names, [&](const SweepName& name) { return !seen.insert(name.text).second; });
}

/// `error`, with the place of the name that it is about.
Error placedAt(Error error, const SweepName& name, const std::string& file)
{
    if (error.where.known()) return error;
    error.where = name.where;
    error.where.file = file;
    return error;
}

/// Memory that the options of a run take.
double memoryOf(const OptionValues& options)
{
    double bytes = 0;
    for (const auto& [name, value] : options) bytes += static_cast<double>(2 * sizeof(std::string) + name.size() + value.size());
    return bytes;
}

/// Memory that the longest name takes.
double memoryOf(std::span<const SweepName> names)
{
    std::size_t longest = 0;
    for (const SweepName& name : names) longest = std::max(longest, name.text.size());
    return static_cast<double>(longest);
}

Expected<QByteArray> hashOf(const std::string& path)
{
    // A device has no end, and a pipe can be read only once.
    const auto input = io::InputFile::open(path);
    if (!input) return input.error();
    std::error_code gone;
    if (input->isStream() && !fs::is_regular_file(path, gone))
        return failure(Code::cannotOpen, "this is not a regular file", {path, 0, 0, -1}, "name a file");
    QFile file; // opened by its descriptor: Qt takes no name that is not UTF-8
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto unread = [&] {
        return failure(Code::cannotRead, fmt::format("it cannot be read: {}", file.errorString().toStdString()), {path, 0, 0, -1},
                       "check that you may read it");
    };
    if (descriptor < 0 || !file.open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle))
        return unread();
    QByteArray part(1 << 20, Qt::Uninitialized);
    for (;;) {
        const qint64 count = file.read(part.data(), part.size());
        if (count < 0) return unread();
        if (count == 0) return hash.result();
        hash.addData(QByteArrayView(part.constData(), count));
    }
}

void addText(QCryptographicHash& hash, std::string_view text)
{
    hash.addData(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
}

/// Hash of all that an importer looks at: the bytes of the file, those of the files that it reads beside it, and the part of the
/// name that tells the format. Errors: the file itself cannot be read.
Expected<QByteArray> inputHash(const std::string& path)
{
    auto own = hashOf(path);
    if (!own) return own;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(*own);
    addText(hash, formatInName(path));
    for (const std::string& beside : filesBeside(path)) {
        const auto bytes = hashOf(beside);
        addText(hash, "\nbeside: ");
        addText(hash, bytes ? bytes->toHex().toStdString() : "absent");
    }
    return hash.result();
}

/// In place of the hash of a model that cannot be read. The results under such keys are failures.
QByteArray hashOfUnread(const std::string& model)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    addText(hash, "not read: ");
    addText(hash, model);
    return hash.result();
}

/// What else than the input and the options decides about a plan: the core, the program, which reads and lowers, the worker, the
/// plug-ins that read files, and the plug-in that brings the planner.
class Builds {
public:
    explicit Builds(const Session& session) : session_(session)
    {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        addFile(hash, coreFile());
        addFile(hash, programFile());
        if (const QString worker = Reader::worker(); QFileInfo::exists(worker)) addFile(hash, worker);
        for (const PluginRow& row : session.plugins().rows())
            if (row.state == PluginState::usable && !row.importers.empty()) addPlugin(hash, row);
        common_ = hash.result().toHex().toStdString();
    }
    [[nodiscard]] std::string of(std::string_view planner)
    {
        for (const PluginRow& row : session_.plugins().rows()) {
            const bool brings = std::any_of(row.planners.begin(), row.planners.end(),
                                            [&](const PlannerInfo& info) { return info.name == planner; });
            if (row.state != PluginState::usable || !brings || own(planner)) continue;
            QCryptographicHash hash(QCryptographicHash::Sha256);
            addPlugin(hash, row);
            return common_ + ' ' + hash.result().toHex().toStdString();
        }
        return common_;
    }
    /// The first file that cannot be read: what it does is not in the keys.
    [[nodiscard]] const std::optional<QString>& unread() const { return unread_; }

private:
    void addFile(QCryptographicHash& hash, const QString& file)
    {
        const auto version = fileVersion(file);
        if (!version && !unread_) unread_ = file;
        hash.addData(QByteArray::fromStdString(version.value_or("unknown") + '\n'));
    }
    void addPlugin(QCryptographicHash& hash, const PluginRow& row)
    {
        for (const QString& file : filesOf(row)) addFile(hash, file);
    }
    [[nodiscard]] bool own(std::string_view planner) const
    {
        const auto ours = session_.planners().all().first(session_.ownPlanners());
        return std::any_of(ours.begin(), ours.end(), [&](const auto& each) { return each->info().name == planner; });
    }

    const Session& session_;
    std::string common_; ///< 64 hexadecimal digits
    std::optional<QString> unread_;
};

/// Names of files are no part of it beyond `inputHash`: the same bytes are planned once.
std::string keyOfRun(SuiteRow row, const QByteArray& input, const std::string& memories, const std::string& build)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(input);
    row.model.clear();
    row.target.clear();
    const std::string rest =
        fmt::format("\n{}\n{}\nwork={} time={}\n{}\n", memories, keyOf(row, row.function), row.workLimit, row.timeLimit, build);
    addText(hash, rest);
    return hash.result().toHex().toStdString();
}

/// The memories of a target, with all that plans depend on: not only sizes, also who reaches them, their rates and their part in
/// an Ascend core.
std::string memoriesOf(const Target& target)
{
    std::vector<Pool> pools = target.pools;
    for (Pool& pool : pools) pool.description.clear();
    io::JsonWriter text;
    io::writePools(text, pools);
    return std::move(text).text();
}

constexpr std::string_view resultSuffix = ".json";

std::string fileOfRun(const std::string& folder, const std::string& key)
{
    return fmt::format("{}/runs/{}{}", folder, key, resultSuffix);
}

/// Plans one run with a model that stays open while the next one needs it too.
class RunPlanner {
public:
    RunPlanner(const Session& session, std::string folder, std::stop_token cancel)
        : session_(session), folder_(std::move(folder)), cancel_(std::move(cancel))
    {
    }

    std::vector<SweepFunctionResult> plan(const SweepRun& run)
    {
        if (run.unread) return {{{}, nullptr, *run.unread}};
        const SuiteRow& row = run.row;
        if (!opened_ || !sameInput(*opened_, row)) {
            model_ = openModel(session_, folder_, row, cancel_);
            opened_ = row;
        }
        if (!model_) return {{{}, nullptr, model_.error()}};
        auto request = requestOf(session_, folder_, row, *model_);
        if (!request) return {{{}, nullptr, request.error()}};
        std::vector<SweepFunctionResult> results;
        const auto functions = Session::functions(*model_);
        for (const std::string& function : functions) {
            request->function = function;
            const auto planned = session_.planNow(*model_, *request, cancel_);
            SweepFunctionResult result;
            if (functions.size() > 1) result.function = function;
            if (planned)
                result.run = *planned;
            else
                result.error = planned.error();
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

/// Counts a run that was planned.
void countPlanned(const std::vector<SweepFunctionResult>& results, SweepProgress& progress)
{
    ++progress.done;
    const auto failed = [](const SweepFunctionResult& result) { return result.error.has_value(); };
    const auto ofTheMachine = [](const SweepFunctionResult& result) { return result.error && isOfTheMachine(*result.error); };
    if (std::any_of(results.begin(), results.end(), failed)) ++progress.failed;
    if (const auto found = std::find_if(results.begin(), results.end(), ofTheMachine); found != results.end()) {
        ++progress.toRepeat;
        if (!progress.machine) progress.machine = found->error;
    }
    if (std::any_of(results.begin(), results.end(), [](const auto& result) { return result.run && cutBy(*result.run); }))
        ++progress.cut;
}

/// The rows of a run's file; empty where there is none, or one that cannot be read: such a run is planned again.
std::vector<SweepRow> rowsIn(const std::string& folder, const SweepRow& listed)
{
    const std::string path = fileOfRun(folder, listed.key);
    std::error_code gone;
    if (!fs::is_regular_file(path, gone)) return {};
    const auto text = io::readFile(path, {maxResultFile, maxResultFile});
    if (!text) return {};
    auto rows = readSweepResult(*text, path, listed);
    return rows ? *std::move(rows) : std::vector<SweepRow>();
}

/// "" would be the folder of all files, "/".
std::optional<Error> refuseEmpty(const std::string& folder)
{
    if (!folder.empty()) return std::nullopt;
    return failure(Code::badValue, "the name of the results' folder is empty", {}, "name one; '.' is the current folder");
}

/// An error if a file lies where the list of the runs goes, and is none: a specification that is called so, for one.
std::optional<Error> refuseOther(const std::string& list)
{
    constexpr std::size_t head = 4096;
    std::error_code gone;
    if (!fs::is_regular_file(list, gone)) return std::nullopt;
    const auto file = io::InputFile::open(list);
    if (!file) return file.error();
    const auto begin = file->head(head);
    if (!begin) return begin.error();
    if (isSweepListText(*begin)) return std::nullopt;
    return failure(Code::cannotWrite, "the list of the runs goes here, but there is another file of this name", {list, 0, 0, -1},
                   "choose another folder with --out, or rename the file");
}

/// Counts a result that is there already; false: there is none, or one that is to be repeated and not `ours`, of this sweep.
bool countDone(const std::string& folder, const SweepRun& run, SweepProgress& progress, bool ours = false)
{
    SweepRow listed;
    listed.key = run.key;
    const auto rows = rowsIn(folder, listed);
    const bool repeat = std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return row.repeat; });
    if (rows.empty() || (repeat && !ours)) return false;
    ++progress.done;
    if (std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return !row.error.empty(); })) ++progress.failed;
    if (repeat) ++progress.toRepeat;
    if (std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return row.cut; })) ++progress.cut;
    return true;
}

} // namespace

Expected<Sweep> readSweep(const Session& session, std::string_view text, const std::string& file, const std::stop_token& cancel)
{
    auto read = readSweepLists(text, file);
    if (!read) return std::move(read).error();
    SweepLists lists = *std::move(read);
    for (auto* names : {&lists.models, &lists.targets, &lists.planners}) dropRepeated(*names);
    const auto cancelled = [&file] { return failure(Code::cancelled, "it was interrupted", {file, 0, 0, -1}); };
    Sweep sweep;
    const auto slash = file.rfind('/');
    if (slash != std::string::npos) sweep.folder = file.substr(0, slash + 1);

    std::set<std::string> models;
    for (const SweepName& pattern : lists.models) {
        const auto found = filesMatching(sweep.folder, pattern.text, cancel);
        Position where = pattern.where;
        where.file = file;
        if (found.empty())
            sweep.warnings.push_back(warning(Code::noMatch, fmt::format("no file matches {}", pattern.text), where));
        if (const auto left = filesOutsideUtf8(sweep.folder, pattern.text, cancel); left > 0)
            sweep.warnings.push_back(
                warning(Code::noMatch,
                        fmt::format("{} where {} looks have names that are not UTF-8: no pattern matches them",
                                    counted(std::int64_t(left), "file"), pattern.text),
                        where, "rename them"));
        if (cancel.stop_requested()) return cancelled();
        models.insert(found.begin(), found.end());
    }
    if (models.empty())
        return failure(Code::noModels, "no file matches any of \"models\"", {file, 0, 0, -1},
                       "paths are relative to the specification");

    std::vector<SweepName> targets;
    for (const SweepName& target : lists.targets)
        if (target.text == "*")
            for (const Target& installed : session.targets()) targets.push_back({installed.name.toStdString(), target.where});
        else
            targets.push_back(target);
    dropRepeated(targets);
    std::vector<std::string> memories;
    for (const SweepName& target : targets) {
        if (target.text.empty()) {
            memories.emplace_back();
            continue;
        }
        const auto found = targetOf(session, sweep.folder, target.text);
        if (!found) return placedAt(found.error(), target, file);
        memories.push_back(memoriesOf(*found));
        if (cancel.stop_requested()) return cancelled();
    }
    std::vector<SweepName> planners;
    for (const SweepName& planner : lists.planners)
        if (planner.text == "all" || planner.text == "plugins") {
            const auto known = session.planners().all();
            const auto ours = session.ownPlanners();
            for (const auto& each : planner.text == "all" ? known.first(ours) : known.subspan(ours))
                planners.push_back({each->info().name, planner.where});
        } else {
            planners.push_back(planner);
        }
    dropRepeated(planners);
    std::vector<double> weights;
    std::vector<std::string> builds;
    Builds buildOf(session);
    for (const SweepName& planner : planners) {
        const PlannerSpec spec = plannerSpec(planner.text);
        const auto known = session.planners().require(spec.name);
        if (!known) return placedAt(known.error(), planner, file);
        if (auto error = checkOptions((*known)->info(), spec.options)) return placedAt(*std::move(error), planner, file);
        builds.push_back(buildOf.of(spec.name));
        if (cancel.stop_requested()) return cancelled();
        weights.push_back((*known)->info().anytime ? weightOfAnytime : 1);
    }
    if (const auto& unread = buildOf.unread()) {
        sweep.reusable = false;
        sweep.warnings.push_back(
            warning(Code::cannotRead,
                    "it cannot be read, so results of other builds are not told from those of this one: every "
                    "run is planned, also those that have a result",
                    {unread->toStdString(), 0, 0, -1}, "check that you may read it"));
    }
    double count = static_cast<double>(models.size());
    for (const std::size_t factor :
         {targets.size(), planners.size(), lists.seeds.size(), lists.workLimits.size(), lists.lowerings.size()})
        count *= static_cast<double>(factor);
    if (count > static_cast<double>(maxRuns))
        return failure(Code::tooManyRuns, fmt::format("{:.0f} runs, more than {}", count, maxRuns), {file, 0, 0, -1},
                       "make several sweeps of it");
    double bytes = sizeof(SweepRun) + memoryOf(lists.targets) + memoryOf(lists.planners);
    for (const auto& [name, size] : lists.bindings) bytes += static_cast<double>(sizeof(std::string) + sizeof size + name.size());
    double longest = 0;
    for (const std::string& model : models) longest = std::max(longest, static_cast<double>(model.size()));
    bytes += longest;
    longest = 0;
    for (const OptionValues& lowering : lists.lowerings) longest = std::max(longest, memoryOf(lowering));
    bytes += longest;
    if (count * bytes > maxRunBytes)
        return failure(Code::tooManyRuns, fmt::format("{:.0f} runs with these names and sizes take more than 2 GiB", count),
                       {file, 0, 0, -1}, "make several sweeps of it");

    for (const std::string& model : models) {
        if (cancel.stop_requested()) return cancelled();
        const std::string path = pathFrom(sweep.folder, model);
        const auto hash = inputHash(path);
        const QByteArray input = hash ? *hash : hashOfUnread(model);
        const auto unread = hash ? nullptr : std::make_shared<const Error>(hash.error());
        std::error_code gone;
        const auto size = unread ? 0 : static_cast<double>(fs::file_size(path, gone));
        SuiteRow row;
        row.model = model;
        row.bindings = lists.bindings;
        row.timeLimit = lists.timeLimit;
        for (std::size_t t = 0; t < targets.size(); ++t)
            for (std::size_t p = 0; p < planners.size(); ++p)
                for (const std::uint64_t seed : lists.seeds)
                    for (const std::uint64_t workLimit : lists.workLimits)
                        for (const OptionValues& lowering : lists.lowerings) {
                            row.target = targets[t].text;
                            row.planner = planners[p].text;
                            row.seed = seed;
                            row.workLimit = workLimit;
                            row.lowering = lowering;
                            sweep.runs.push_back({row, keyOfRun(row, input, memories[t], builds[p]), size * weights[p], unread});
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
    if (auto error = refuseEmpty(folder)) return *std::move(error);
    std::error_code failed;
    fs::create_directories(folder + "/runs", failed);
    if (failed)
        return failure(Code::cannotWrite, fmt::format("the folder cannot be made: {}", failed.message()),
                       {folder + "/runs", 0, 0, -1}, "choose a folder that may be written");
    if (auto error = refuseOther(folder + "/sweep.json")) return *std::move(error);
    const auto write = [&options](const std::string& path, const std::string& text) {
        if (auto error = refuseFifo(path)) return error;
        return io::writeFile(path, text, [&options] { return options.cancel.stop_requested(); });
    };
    if (auto error = write(folder + "/sweep.json", writeSweepList(sweep.runs))) return *std::move(error);

    SweepProgress progress;
    progress.total = runs.size();
    std::vector<const SweepRun*> left;
    double costLeft = 0;
    for (const SweepRun& run : runs) {
        if (sweep.reusable && countDone(folder, run, progress)) continue;
        left.push_back(&run);
        costLeft += run.cost;
    }
    // Runs of one model together, so that it is opened once; of these the most expensive ones first.
    std::stable_sort(left.begin(), left.end(), [](const SweepRun* a, const SweepRun* b) { return a->row.model < b->row.model; });

    RunPlanner planner(session, sweep.folder, options.cancel);
    const auto begin = std::chrono::steady_clock::now();
    double costDone = 0;
    std::set<std::string_view> planned; // keys
    for (const SweepRun* run : left) {
        if (options.cancel.stop_requested()) break;
        const bool ours = planned.contains(run->key); // the same bytes under another name
        // Or another process was quicker.
        if ((ours || sweep.reusable) && countDone(folder, *run, progress, ours)) {
            costLeft -= run->cost;
            continue;
        }
        const auto results = planner.plan(*run);
        if (options.cancel.stop_requested()) break; // what was interrupted is no result
        if (auto error = write(fileOfRun(folder, run->key), writeSweepResult(*run, results))) return *std::move(error);
        planned.insert(run->key);
        countPlanned(results, progress);
        costDone += run->cost;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (costDone > 0) progress.secondsLeft = seconds / costDone * (costLeft - costDone);
        if (options.progress) options.progress(progress);
    }
    return progress;
}

Expected<std::vector<SweepRow>> mergeSweep(const std::string& folder, const std::stop_token& cancel)
{
    if (auto error = refuseEmpty(folder)) return *std::move(error);
    const std::string list = folder + "/sweep.json";
    if (auto error = refuseFifo(list)) return *std::move(error);
    const auto text = io::readFile(list, {maxListFile, maxListFile}, [&cancel] { return cancel.stop_requested(); });
    if (!text) return text.error();
    const auto runs = readSweepList(*text, list);
    if (!runs) return runs.error();

    std::vector<SweepRow> rows;
    for (const SweepRow& run : *runs) {
        if (cancel.stop_requested()) return failure(Code::cancelled, "it was interrupted", {list, 0, 0, -1});
        auto results = rowsIn(folder, run);
        if (results.empty()) rows.push_back(run);
        std::move(results.begin(), results.end(), std::back_inserter(rows));
    }
    return rows;
}

std::size_t unlistedResults(const std::string& folder, std::span<const SweepRow> rows)
{
    std::set<std::string_view> listed;
    for (const SweepRow& row : rows) listed.insert(row.key);
    std::size_t count = 0;
    std::error_code error; // of a folder that is not there: it has no results
    for (fs::directory_iterator it(folder + "/runs", error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().native();
        const auto length = name.size() - std::min(name.size(), resultSuffix.size());
        const std::string_view key(name.data(), length);
        if (name.ends_with(resultSuffix) && isSweepKey(key) && !listed.contains(key)) ++count;
    }
    return count;
}

} // namespace stowage
