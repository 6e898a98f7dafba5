#include "tests/plugins/reference.h"

#include "core/ir/verify.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace stowage::test {

namespace {

QJsonDocument readJson(const char* name)
{
    QFile file(sharedFile(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll());
}

Bytes bytes(const QJsonValue& value)
{
    return value.toInteger();
}

Arenas arenasOf(const QJsonObject& object)
{
    return {bytes(object["naive"]), bytes(object["peak"]), bytes(object["greedy_by_size"]), bytes(object["greedy_by_breadth"]),
            bytes(object["tflm_greedy"])};
}

ArenasByAlignment byAlignment(const QJsonObject& object)
{
    ArenasByAlignment arenas;
    for (auto it = object.begin(); it != object.end(); ++it) arenas[it.key().toLongLong()] = arenasOf(it.value().toObject());
    return arenas;
}

std::vector<Activation> activationsOf(const QJsonArray& rows)
{
    std::vector<Activation> activations;
    for (const auto& value : rows) {
        const auto row = value.toArray();
        activations.push_back({row[0].toInt(), row[1].toInteger(), row[2].toInteger(), bytes(row[3])});
    }
    return activations;
}

ReferenceGraph graphOf(const QJsonObject& object)
{
    ReferenceGraph graph;
    graph.name = object["name"].toString();
    graph.ops = object["n_ops"].toInt();
    for (const auto& value : object["ops"].toArray()) graph.kinds.append(value.toString());
    graph.activations = activationsOf(object["activations"].toArray());
    for (const auto& value : object["values"].toArray()) graph.values.append(value.toString());
    for (const auto& value : object["unknown_size"].toArray()) graph.unknownSizes.append(value.toString());
    for (const auto& value : object["folded_node_indices"].toArray()) graph.folded.push_back(value.toInt());
    graph.arenas = byAlignment(object["arena"].toObject());
    graph.ioExcluded = arenasOf(object["io_excluded"].toObject());
    const auto views = object["views_merged"].toObject();
    graph.viewsMerged = byAlignment(views["arena"].toObject());
    graph.views = views["n"].toInt();
    if (object.contains("peak_nested")) graph.peakNested = bytes(object["peak_nested"]);
    return graph;
}

} // namespace

std::vector<ReferenceModel> referenceModels(const QString& format)
{
    std::vector<ReferenceModel> models;
    const auto bindings = readJson("models/bindings.json").object();
    for (const auto& value : readJson("models/reference.json").object()["models"].toArray()) {
        const auto object = value.toObject();
        ReferenceModel model;
        model.format = object["format"].toString();
        if (!format.isEmpty() && model.format != format) continue;
        model.id = object["id"].toString();
        model.path = sharedFile("models/") + model.id;
        model.partial = object["partial"].toBool();
        for (const char* list : {"graphs", "subgraphs"})
            for (const auto& graph : object[list].toArray()) model.graphs.push_back(graphOf(graph.toObject()));
        const auto flat = object["tflm_flat"].toObject();
        model.tflmFlat = byAlignment(flat["arena"].toObject());
        model.flatCount = flat["n_records"].toInt();
        model.flat = activationsOf(flat["records"].toArray());
        const auto dims = bindings[object["file"].toString()].toObject()["dims"].toObject();
        for (auto it = dims.begin(); it != dims.end(); ++it)
            model.bindings.emplace_back(it.key().toStdString(), it.value().toInteger());
        models.push_back(std::move(model));
    }
    return models;
}

Expected<Lowering> lowerLikeReference(const Program& program, Bytes alignment, ViewMode views)
{
    const auto findings = verify(program);
    for (const Diagnostic& finding : findings)
        if (finding.severity == Severity::error) return finding;
    LowerOptions options;
    options.alignment = alignment;
    options.views = views;
    return lower(program, options);
}

QString activationsDiffer(const ReferenceGraph& graph, const Lowering& lowering, const std::function<TensorId(int)>& tensorOf)
{
    std::map<TensorId, std::size_t> buffers;
    for (std::size_t b = 0; b < lowering.origins.size(); ++b)
        if (lowering.problem.buffers[b].size > 0) buffers[lowering.origins[b].tensor] = b;
    for (const Activation& expected : graph.activations) {
        const auto found = buffers.find(tensorOf(expected.tensor));
        if (found == buffers.end()) return QStringLiteral("activation %1 is not planned").arg(expected.tensor);
        const Buffer& buffer = lowering.problem.buffers[found->second];
        if (buffer.size != expected.bytes || buffer.live != std::vector{expected.live()})
            return QStringLiteral("'%1' has %2 bytes and is live in [%3, %4) and %5 more ranges, instead of %6 bytes in [%7, %8)")
                .arg(QString::fromStdString(buffer.name))
                .arg(buffer.size)
                .arg(buffer.hull().begin)
                .arg(buffer.hull().end)
                .arg(qsizetype(buffer.live.size()) - 1)
                .arg(expected.bytes)
                .arg(expected.live().begin)
                .arg(expected.live().end);
        buffers.erase(found);
    }
    if (!buffers.empty())
        return QStringLiteral("'%1' is planned and no activation")
            .arg(QString::fromStdString(lowering.problem.buffers[buffers.begin()->second].name));
    return {};
}

Bytes peakOf(const Problem& problem)
{
    std::map<Step, Bytes> changes;
    for (const Buffer& buffer : problem.buffers)
        for (const Interval& live : buffer.live) {
            changes[live.begin] += buffer.size;
            changes[live.end] -= buffer.size;
        }
    Bytes now = 0;
    Bytes peak = 0;
    for (const auto& [step, change] : changes) peak = std::max(peak, now += change);
    return peak;
}

QString arenasDiffer(const Arenas& expected, const Problem& problem)
{
    QStringList differences;
    const auto compare = [&](const char* what, Bytes is, Bytes should) {
        if (should > 0 && is != should)
            differences.append(QStringLiteral("%1 is %2 instead of %3").arg(QLatin1String(what)).arg(is).arg(should));
    };
    Bytes sum = 0;
    for (const Buffer& buffer : problem.buffers) sum += buffer.size;
    compare("the sum", sum, expected.naive);
    compare("the peak", peakOf(problem), expected.peak);
    compare("the lower bound", lowerBound(problem, 0).bytes, expected.peak);
    static const PlannerRegistry planners = PlannerRegistry::builtIn();
    for (const auto& [name, should] :
         {std::pair{"greedy-by-size", expected.greedyBySize}, std::pair{"greedy-by-breadth", expected.greedyByBreadth},
          std::pair{"tflm-greedy", expected.tflmGreedy}}) {
        if (should == 0) continue;
        const auto planner = planners.find(name);
        const auto plan = planner ? planner->plan(problem, {}, {}) : failure(Code::noPlanner, name);
        if (!plan)
            differences.append(QStringLiteral("%1: %2").arg(QLatin1String(name), QString::fromStdString(toText(plan.error()))));
        else if (!check(problem, *plan).valid())
            differences.append(QStringLiteral("the plan of %1 is not valid").arg(QLatin1String(name)));
        else
            compare(name, plan->poolSize(problem, 0), should);
    }
    return differences.join(QStringLiteral(", "));
}

void addModelRows(const std::vector<ReferenceModel>& models)
{
    QTest::addColumn<int>("model");
    for (std::size_t i = 0; i < models.size(); ++i) QTest::newRow(qPrintable(models[i].id)) << static_cast<int>(i);
}

} // namespace stowage::test
