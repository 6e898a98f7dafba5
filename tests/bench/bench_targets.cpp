// Every model of ../shared/models on every shipped target, planned by `auto` as the command line does it: time of the planner and
// verdict, and whether a quick heuristic has every memory at its bound already.
//
//     bench_targets [MODEL-PART …]       only models whose path contains one of these
#include "app/session/session.h"
#include "app/session/verdicts.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstdio>

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

} // namespace

int main(int count, char** arguments)
{
    const QCoreApplication application(count, arguments);
    const QStringList wanted = QCoreApplication::arguments().mid(1);
    const QString folder = qEnvironmentVariable("STOWAGE_SHARED_DIR", QStringLiteral(STOWAGE_SHARED_DIR)) + "/models";
    QFile file(folder + "/bindings.json");
    const QJsonObject bindings =
        file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    QStringList models;
    for (const char* kind : {"/tflite", "/onnx"})
        for (QDirIterator it(folder + kind, {"*.tflite", "*.onnx"}, QDir::Files); it.hasNext();) models << it.next();
    models.sort();

    const Session session;
    std::printf("%-52s %-22s %10s  %-12s %s\n", "model", "target", "ms", "verdict", "a quick heuristic is at every bound");
    for (const QString& path : models) {
        if (!wanted.isEmpty() && std::ranges::none_of(wanted, [&](const QString& part) { return path.contains(part); })) continue;
        OpenOptions options;
        options.bindings = bindingsOf(bindings, path.section('/', -1));
        const auto model = session.read(path, options);
        if (!model) {
            std::printf("%-52s %s\n", qPrintable(path.section('/', -1)), toText(model.error()).c_str());
            continue;
        }
        for (const Target& target : session.targets()) {
            if (target.name.startsWith("ascend")) continue; // memories of kernels, not of models
            PlanRequest request;
            request.target = target;
            bool quick = false;
            for (const char* name : {"greedy-by-size", "greedy-by-breadth", "best-fit-decreasing", "tflm-greedy"}) {
                request.planner = name;
                const auto run = session.planNow(*model, request);
                quick |= run && everyMemoryAtItsBound(**run);
            }
            request.planner = "auto";
            const auto run = session.planNow(*model, request);
            const std::string_view verdict = run ? verdictWord(**run) : std::string_view("refused");
            std::printf("%-52s %-22s %10.2f  %-12.*s %s\n", qPrintable(path.section('/', -1)), qPrintable(target.name),
                        run ? (*run)->elapsedMs : 0.0, int(verdict.size()), verdict.data(), quick ? "yes" : "");
            std::fflush(stdout);
        }
    }
    return 0;
}
