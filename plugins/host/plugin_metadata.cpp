#include "plugins/host/plugin_metadata.h"

#include "plugins/api/plugin.h"
#include "plugins/external/manifest.h"
#include "plugins/external/option_reader.h"
#include "plugins/host/plugin_host.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPluginLoader>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string_view>

namespace stowage {
namespace {

constexpr auto rebuildRemedy = "Rebuild the plugin against the plugins/api headers of this version.";

/// Text of a field that has to be there; notes the first one that is not.
QString required(const QJsonObject& metadata, const char* field, QString& missing)
{
    QString text = metadata.value(QLatin1String(field)).toString();
    if (text.isEmpty() && missing.isEmpty()) missing = QLatin1String(field);
    return text;
}

/// The options of a part of the plugin; notes the first fault of a description in `wrong`.
std::vector<OptionSpec> readOptions(const QJsonObject& part, QString& wrong)
{
    const QJsonValue list = part.value(QLatin1String("options"));
    if (list.isUndefined()) return {};
    const QByteArray text = QJsonDocument(QJsonArray{list}).toJson(QJsonDocument::Compact);
    const std::string_view array(text.constData() + 1, static_cast<std::size_t>(text.size()) - 2); // the list alone
    auto options = external::readOptions(array, external::OptionSource::library);
    if (options) return *std::move(options);
    if (wrong.isEmpty()) wrong = QStringLiteral("its options: %1").arg(QString::fromStdString(options.error().message));
    return {};
}

/// Without "takes" the planner's own `info` decides, when it runs.
Capabilities readCapabilities(const QJsonObject& planner)
{
    Capabilities takes;
    const QJsonValue list = planner.value(QLatin1String("takes"));
    if (!list.isArray()) return takes;
    const QJsonArray names = list.toArray();
    const auto has = [&](const char* name) { return names.contains(QLatin1String(name)); };
    takes.multiplePools = has("pools");
    takes.gaps = has("gaps");
    takes.windows = has("windows");
    takes.pins = has("pins");
    takes.explicitConflicts = has("conflicts");
    takes.slots = has("slots");
    takes.carried = has("carried");
    return takes;
}

std::vector<PlannerInfo> readPlanners(const QJsonArray& list, const QString& source, QString& wrong)
{
    std::vector<PlannerInfo> planners;
    for (const auto& entry : list) {
        const QJsonObject fields = entry.toObject();
        PlannerInfo& info = planners.emplace_back();
        info.name = fields.value(QLatin1String("name")).toString().toStdString();
        info.summary = fields.value(QLatin1String("description")).toString().toStdString();
        info.source = source.toStdString();
        info.options = readOptions(fields, wrong);
        info.takes = readCapabilities(fields);
        info.anytime = fields.value(QLatin1String("anytime")).toBool();
        info.deterministic = fields.value(QLatin1String("deterministic")).toBool(true);
    }
    return planners;
}

std::vector<ImporterInfo> readImporters(const QJsonArray& list, QString& wrong)
{
    std::vector<ImporterInfo> importers;
    for (const auto& entry : list) {
        const QJsonObject object = entry.toObject();
        ImporterInfo info;
        info.name = object.value(QLatin1String("name")).toString().toStdString();
        info.title = object.value(QLatin1String("title")).toString().toStdString();
        for (const auto& suffix : object.value(QLatin1String("suffixes")).toArray())
            info.suffixes.push_back(suffix.toString().toStdString());
        info.options = readOptions(object, wrong);
        importers.push_back(std::move(info));
    }
    return importers;
}

/// By enumerator of `ExportForm`.
constexpr std::array exportForms{"file", "folder", "either"};

std::vector<ExporterInfo> readExporters(const QJsonArray& list, QString& wrong)
{
    std::vector<ExporterInfo> exporters;
    for (const auto& entry : list) {
        const QJsonObject object = entry.toObject();
        ExporterInfo& info = exporters.emplace_back();
        info.name = object.value(QLatin1String("name")).toString().toStdString();
        info.title = object.value(QLatin1String("title")).toString().toStdString();
        for (const auto& suffix : object.value(QLatin1String("suffixes")).toArray())
            info.suffixes.push_back(suffix.toString().toStdString());
        const QString form = object.value(QLatin1String("writes")).toString();
        for (std::size_t i = 0; i < exportForms.size(); ++i)
            if (form == QLatin1String(exportForms[i])) info.form = static_cast<ExportForm>(i);
        info.several = object.value(QLatin1String("several")).toBool();
        info.options = readOptions(object, wrong);
    }
    return exporters;
}

std::vector<RewriterInfo> readRewriters(const QJsonArray& list, QString& wrong)
{
    std::vector<RewriterInfo> rewriters;
    for (const auto& entry : list) {
        const QJsonObject object = entry.toObject();
        RewriterInfo& info = rewriters.emplace_back();
        info.importer = object.value(QLatin1String("importer")).toString().toStdString();
        for (const auto& pass : object.value(QLatin1String("passes")).toArray()) {
            const QJsonObject fields = pass.toObject();
            info.passes.push_back({fields.value(QLatin1String("name")).toString().toStdString(),
                                   fields.value(QLatin1String("description")).toString().toStdString(),
                                   fields.value(QLatin1String("planner")).toString().toStdString(),
                                   readOptions(fields, wrong),
                                   {},
                                   fields.value(QLatin1String("alignment")).toInt()});
            const QJsonObject imports = fields.value(QLatin1String("import")).toObject();
            for (auto it = imports.begin(); it != imports.end(); ++it)
                info.passes.back().import.emplace_back(it.key().toStdString(), it.value().toString().toStdString());
        }
    }
    return rewriters;
}

/// Why a plugin of this API range cannot be used; empty when it can.
QString apiMismatch(const QJsonObject& metadata)
{
    const int built = metadata.value(QLatin1String("apiVersion")).toInt();
    const int oldest = metadata.value(QLatin1String("compatVersion")).toInt();
    if (built < 1 || oldest < 1 || oldest > built)
        return QStringLiteral("its API range %1 to %2 makes no sense (compatVersion, apiVersion)").arg(oldest).arg(built);
    if (oldest > STOWAGE_PLUGIN_API_VERSION)
        return QStringLiteral("it needs plugin API %1 or later, this is API %2").arg(oldest).arg(STOWAGE_PLUGIN_API_VERSION);
    if (built < STOWAGE_PLUGIN_API_OLDEST)
        return QStringLiteral("it was built for plugin API %1, the oldest that still works here is %2")
            .arg(built)
            .arg(STOWAGE_PLUGIN_API_OLDEST);
    return {};
}

/// "timeout_s" of the metadata, or the default; no value if it is no number in range.
std::optional<std::chrono::milliseconds> readTimeout(const QJsonObject& metadata)
{
    const QJsonValue seconds = metadata.value(QLatin1String("timeout_s"));
    if (seconds.isUndefined()) return external::defaultTimeout;
    return external::timeoutOf(seconds.toDouble());
}

} // namespace

PluginRow readPlugin(const QString& libraryPath)
{
    const QPluginLoader loader(QFileInfo(libraryPath).absoluteFilePath());
    const QJsonObject whole = loader.metaData();
    if (!whole.isEmpty()) return pluginOf(libraryPath, whole);
    PluginRow row;
    row.path = QFileInfo(libraryPath).absoluteFilePath();
    row.name = QFileInfo(libraryPath).completeBaseName();
    row.refuse(QStringLiteral("it has no plugin metadata: %1").arg(loader.errorString()),
               QStringLiteral("Remove the file from the plugin folder, or build it with Q_PLUGIN_METADATA."));
    return row;
}

PluginRow pluginOf(const QString& libraryPath, const QJsonObject& whole)
{
    PluginRow row;
    row.path = QFileInfo(libraryPath).absoluteFilePath();
    const QString iid = whole.value(QLatin1String("IID")).toString();
    const QJsonObject metadata = whole.value(QLatin1String("MetaData")).toObject();
    QString missing;
    row.id = required(metadata, "id", missing);
    row.name = required(metadata, "name", missing);
    row.version = required(metadata, "version", missing);
    row.kind = required(metadata, "kind", missing);
    row.license = metadata.value(QLatin1String("license")).toString();
    row.description = metadata.value(QLatin1String("description")).toString();
    if (row.name.isEmpty()) row.name = QFileInfo(libraryPath).completeBaseName();

    if (iid != QLatin1String(STOWAGE_PLUGIN_IID)) {
        row.refuse(QStringLiteral("its interface is \"%1\", not \"%2\"").arg(iid, QLatin1String(STOWAGE_PLUGIN_IID)),
                   QLatin1String(rebuildRemedy));
        return row;
    }
    if (!missing.isEmpty()) {
        row.refuse(QStringLiteral("its metadata has no \"%1\"").arg(missing),
                   QStringLiteral("Complete the plugin's JSON file and rebuild the plugin."));
        return row;
    }
    if (const QString mismatch = apiMismatch(metadata); !mismatch.isEmpty()) {
        row.refuse(mismatch, QLatin1String(rebuildRemedy));
        return row;
    }
    QString wrong;
    if (row.kind == QLatin1String("importer")) {
        row.importers = readImporters(metadata.value(QLatin1String("importers")).toArray(), wrong);
        const bool named =
            std::all_of(row.importers.begin(), row.importers.end(), [](const auto& info) { return !info.name.empty(); });
        if (row.importers.empty() || !named) {
            row.refuse(
                QStringLiteral("it says that it is an importer, but names none"),
                QStringLiteral("List its importers under \"importers\" in the plugin's JSON file and rebuild the plugin."));
            return row;
        }
        row.rewriters = readRewriters(metadata.value(QLatin1String("rewriters")).toArray(), wrong);
        const auto complete = [&](const RewriterInfo& info) {
            const bool its =
                std::any_of(row.importers.begin(), row.importers.end(), [&](const auto& i) { return i.name == info.importer; });
            return its && !info.passes.empty() &&
                   std::all_of(info.passes.begin(), info.passes.end(), [](const auto& p) { return !p.name.empty(); });
        };
        if (!std::all_of(row.rewriters.begin(), row.rewriters.end(), complete)) {
            row.refuse(QStringLiteral("one of its rewriters names no importer of the plugin, or no pass"),
                       QStringLiteral("Complete \"importer\" and \"passes\" under \"rewriters\" in the plugin's JSON file and "
                                      "rebuild the plugin."));
            return row;
        }
    } else if (row.kind == QLatin1String("planner")) {
        row.planners = readPlanners(metadata.value(QLatin1String("planners")).toArray(), row.id, wrong);
        const bool named =
            std::all_of(row.planners.begin(), row.planners.end(), [](const auto& info) { return !info.name.empty(); });
        if (row.planners.empty() || !named) {
            row.refuse(QStringLiteral("it says that it is a planner, but names none"),
                       QStringLiteral("List its planners under \"planners\" in the plugin's JSON file and rebuild the plugin."));
            return row;
        }
        const auto timeout = readTimeout(metadata);
        if (!timeout) {
            row.refuse(QStringLiteral("its \"timeout_s\" is no number in %1").arg(QLatin1String(external::timeoutRange)),
                       QStringLiteral("Correct \"timeout_s\" in the plugin's JSON file and rebuild the plugin."));
            return row;
        }
        row.timeout = *timeout;
        row.inProcess = metadata.value(QLatin1String("isolation")).toString() == QLatin1String("none");
        if (row.inProcess) row.fingerprint = libraryFingerprint(row.path);
    } else if (row.kind == QLatin1String("exporter")) {
        row.exporters = readExporters(metadata.value(QLatin1String("exporters")).toArray(), wrong);
        const bool named =
            std::all_of(row.exporters.begin(), row.exporters.end(), [](const auto& info) { return !info.name.empty(); });
        if (row.exporters.empty() || !named) {
            row.refuse(
                QStringLiteral("it says that it is an exporter, but names none"),
                QStringLiteral("List its exporters under \"exporters\" in the plugin's JSON file and rebuild the plugin."));
            return row;
        }
    } else {
        row.refuse(QStringLiteral("its kind is \"%1\", not \"importer\", \"planner\" or \"exporter\"").arg(row.kind),
                   QStringLiteral("Correct \"kind\" in the plugin's JSON file and rebuild the plugin."));
        return row;
    }
    if (!wrong.isEmpty()) {
        row.refuse(wrong, QStringLiteral("Correct \"options\" in the plugin's JSON file and rebuild the plugin."));
        return row;
    }
    row.state = PluginState::usable;
    return row;
}

} // namespace stowage
