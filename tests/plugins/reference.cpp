#include "tests/plugins/reference.h"

#include "tests/support/shared.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

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

void addModelRows(const std::vector<ReferenceModel>& models)
{
    QTest::addColumn<int>("model");
    for (std::size_t i = 0; i < models.size(); ++i) QTest::newRow(qPrintable(models[i].id)) << static_cast<int>(i);
}

} // namespace stowage::test
