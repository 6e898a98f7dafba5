// Every model of ../shared/models on every shipped target, planned by `auto` as the command line does it: verdict, time and work
// of the planner, sizes, and whether a quick heuristic has every pool at its bound already.
//
//     bench_targets [--write FILE] [--against FILE] [MODEL-PART …]
//
// With parts of names only models whose path contains one of these. `--write` keeps the table as CSV. `--against` compares with a
// kept one, e.g. tests/bench/targets.before.csv, and the exit status is 1 where a pair is not as it has to be: an easy pair that
// is not proved optimal, or takes more than 10 ms; another pair with more work, or clearly more time than before; any pair with a
// worse verdict or size. Work is the same on every machine; times are the best of three runs, and mean something only beside
// times of the same machine. Of a pair that does not fit only the time is compared: it is refused after the quick heuristics,
// whose steps count as work, while the kept table counted only nodes of the search.
#include "app/session/session.h"
#include "core/plan/verdict_words.h"
#include "tests/bench/shared_folder.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>

using namespace stowage;

namespace {

/// The sizes that the references give to free dimensions.
std::vector<std::pair<std::string, std::int64_t>> bindingsOf(const QJsonObject& all, const QString& model)
{
    std::vector<std::pair<std::string, std::int64_t>> found;
    const QJsonObject own = all[model]["dims"].toObject();
    for (auto it = own.begin(); it != own.end(); ++it) found.emplace_back(it.key().toStdString(), it.value().toInteger());
    return found;
}

bool everyMemoryAtItsBound(const Run& run)
{
    return run.report.verdict.valid() && !run.report.verdict.overCapacity &&
           std::ranges::all_of(run.report.pools, [](const PoolReport& pool) { return pool.size == pool.lowerBound; });
}

constexpr double easyMs = 10;       ///< planner time of an easy pair
constexpr double laterFactor = 1.5; ///< times of the same program differ by that much
constexpr double laterMs = 2;       ///< beyond the factor: below that the clock and other programs decide
constexpr int runsOfEach = 3;

/// One model on one target.
struct Row {
    std::string model, target;
    std::string verdict; ///< of the report
    bool partial = false;
    bool easy = false; ///< a quick heuristic has every pool at its bound
    double ms = 0;
    Bytes size = 0, bound = 0;
    std::uint64_t work = 0;

    [[nodiscard]] std::string key() const { return model + "," + target; }
};

constexpr const char* csvHead = "model,target,verdict,partial,easy,ms,size,bound,work";

std::string csvOf(const Row& row)
{
    return fmt::format("{},{},{},{},{},{:.3f},{},{},{}", row.model, row.target, row.verdict, row.partial ? 1 : 0,
                       row.easy ? 1 : 0, row.ms, row.size, row.bound, row.work);
}

/// The rows of a kept table by `Row::key`; nothing where it is not one.
std::optional<std::map<std::string, Row>> kept(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    std::map<std::string, Row> rows;
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.isEmpty() || line.startsWith('#') || line == csvHead) continue;
        const QList<QByteArray> cells = line.split(',');
        if (cells.size() != 9) return std::nullopt;
        Row row{.model = cells[0].toStdString(),
                .target = cells[1].toStdString(),
                .verdict = cells[2].toStdString(),
                .partial = cells[3] == "1",
                .easy = cells[4] == "1",
                .ms = cells[5].toDouble(),
                .size = cells[6].toLongLong(),
                .bound = cells[7].toLongLong(),
                .work = cells[8].toULongLong()};
        rows.emplace(row.key(), row);
    }
    return rows;
}

/// Smaller is better.
int rankOf(std::string_view verdict)
{
    using enum Status;
    constexpr std::array order{optimal, feasible, infeasible, doesNotFit, undecided, invalid};
    return static_cast<int>(std::ranges::find(order, verdict, wordOf) - order.begin());
}

/// What is not as it has to be; empty: nothing.
std::string faultOf(const Row& row, const Row* before)
{
    // A verdict over sizes that are not known is never called optimal.
    if (row.easy && !row.partial && row.verdict != wordOf(Status::optimal)) return "easy, and not proved";
    if (row.easy && row.ms > easyMs) return "easy, and slow";
    if (!before) return {};
    if (rankOf(row.verdict) > rankOf(before->verdict)) return "was " + before->verdict;
    if (row.size > before->size) return fmt::format("took {} bytes", before->size);
    if (row.easy) return {};
    if (row.verdict != wordOf(Status::infeasible) && row.work > before->work) return fmt::format("had work of {}", before->work);
    if (row.ms > before->ms * laterFactor + laterMs) return fmt::format("took {:.2f} ms", before->ms);
    return {};
}

Row measured(const Session& session, const Model& model, const Target& target, const std::string& name)
{
    Row row{.model = name, .target = target.name.toStdString(), .verdict = "refused"};
    PlanRequest request;
    request.target = target;
    for (const char* quick : {"greedy-by-size", "greedy-by-breadth", "best-fit-decreasing", "tflm-greedy"}) {
        request.planner = quick;
        const auto run = session.planNow(model, request);
        row.easy |= run && everyMemoryAtItsBound(**run);
    }
    request.planner = "auto";
    for (int again = 0; again < runsOfEach; ++again) {
        const auto run = session.planNow(model, request);
        if (!run) return row;
        const Report& report = (*run)->report;
        row.ms = again == 0 ? (*run)->elapsedMs : std::min(row.ms, (*run)->elapsedMs);
        row.verdict = toText(report.status);
        row.partial = report.partial;
        row.size = report.totalSize();
        row.bound = report.totalBound();
        row.work = (*run)->plan.work;
        if (row.ms > 1000) break; // long enough to tell
    }
    return row;
}

} // namespace

int main(int count, char** arguments)
{
    const QCoreApplication application(count, arguments);
    QStringList wanted;
    QString write, against;
    for (QStringList rest = QCoreApplication::arguments().mid(1); !rest.isEmpty();) {
        const QString word = rest.takeFirst();
        if ((word == "--write" || word == "--against") && !rest.isEmpty())
            (word == "--write" ? write : against) = rest.takeFirst();
        else
            wanted << word;
    }
    std::optional<std::map<std::string, Row>> before;
    if (!against.isEmpty() && !(before = kept(against))) {
        std::fprintf(stderr, "error: %s is no table of this program\n", qPrintable(against));
        return 2;
    }
    const QString folder = QString::fromStdString(bench::sharedFolder() + "/models");
    QFile file(folder + "/bindings.json");
    const QJsonObject bindings =
        file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    QStringList models;
    for (const char* kind : {"/tflite", "/onnx"})
        for (QDirIterator it(folder + kind, {"*.tflite", "*.onnx"}, QDir::Files); it.hasNext();) models << it.next();
    models.sort();

    const Session session;
    std::string table = std::string(csvHead) + "\n";
    int pairs = 0, easy = 0, partial = 0, proved = 0, faults = 0;
    fmt::print("{:<52} {:<22} {:<12} {:<5} {:>9} {:>12} {:>12} {:>9}  {}\n", "model", "target", "verdict", "easy", "ms",
               "size (B)", "bound (B)", "work", "fault");
    for (const QString& path : models) {
        if (!wanted.isEmpty() && std::ranges::none_of(wanted, [&](const QString& part) { return path.contains(part); })) continue;
        const std::string name = path.section('/', -1).toStdString();
        OpenOptions options;
        options.bindings = bindingsOf(bindings, path.section('/', -1));
        const auto model = session.read(path, options);
        if (!model) {
            fmt::print("{:<52} {}\n", name, toText(model.error()));
            ++faults;
            continue;
        }
        for (const Target& target : session.targets()) {
            if (target.name.startsWith("ascend")) continue; // memories of kernels, not of models
            const Row row = measured(session, *model, target, name);
            const Row* old = nullptr;
            if (before)
                if (const auto found = before->find(row.key()); found != before->end()) old = &found->second;
            const std::string fault = faultOf(row, old);
            ++pairs;
            easy += row.easy;
            partial += row.easy && row.partial;
            proved += row.easy && row.verdict == wordOf(Status::optimal) && row.ms <= easyMs;
            faults += !fault.empty();
            fmt::print("{:<52} {:<22} {:<12} {:<5} {:>9.2f} {:>12} {:>12} {:>9}  {}\n", row.model, row.target,
                       row.partial ? row.verdict + "*" : row.verdict, row.easy ? "yes" : "", row.ms, row.size, row.bound,
                       row.work, fault);
            std::fflush(stdout);
            table += csvOf(row) + "\n";
        }
    }
    fmt::print(
        "{} pairs; {} easy, of these {} optimal within {} ms, {} partial (*: sizes not known); {} not as they have to be\n",
        pairs, easy, proved, easyMs, partial, faults);
    if (!write.isEmpty()) {
        QFile out(write);
        if (!out.open(QIODevice::WriteOnly) || out.write(table.data(), qint64(table.size())) < 0 || !out.flush()) {
            std::fprintf(stderr, "error: %s cannot be written\n", qPrintable(write));
            return 2;
        }
    }
    return faults > 0 ? 1 : 0;
}
