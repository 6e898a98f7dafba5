#include "plugins/host/plugin_host.h"

#include "plugins/api/plugin.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QLibrary>
#include <QPluginLoader>
#include <QSet>

#include <algorithm>
#include <exception>
#include <new>

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

std::vector<OptionSpec> readOptions(const QJsonArray& list)
{
    std::vector<OptionSpec> options;
    for (const auto& option : list) {
        const QJsonObject fields = option.toObject();
        OptionSpec& spec = options.emplace_back();
        spec.type = OptionType::choice;
        spec.name = fields.value(QLatin1String("name")).toString().toStdString();
        spec.description = fields.value(QLatin1String("description")).toString().toStdString();
        spec.defaultValue = fields.value(QLatin1String("default")).toString().toStdString();
        for (const auto& choice : fields.value(QLatin1String("choices")).toArray())
            spec.choices.push_back(choice.toString().toStdString());
    }
    return options;
}

std::vector<ImporterInfo> readImporters(const QJsonArray& list)
{
    std::vector<ImporterInfo> importers;
    for (const auto& entry : list) {
        const QJsonObject object = entry.toObject();
        ImporterInfo info;
        info.name = object.value(QLatin1String("name")).toString().toStdString();
        info.title = object.value(QLatin1String("title")).toString().toStdString();
        for (const auto& suffix : object.value(QLatin1String("suffixes")).toArray())
            info.suffixes.push_back(suffix.toString().toStdString());
        info.options = readOptions(object.value(QLatin1String("options")).toArray());
        importers.push_back(std::move(info));
    }
    return importers;
}

std::vector<RewriterInfo> readRewriters(const QJsonArray& list)
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
                                   readOptions(fields.value(QLatin1String("options")).toArray())});
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

void refuse(PluginRow& row, const QString& reason, const QString& remedy)
{
    row.state = PluginState::refused;
    row.reason = reason;
    row.remedy = remedy;
}

} // namespace

PluginRow readPlugin(const QString& libraryPath)
{
    PluginRow row;
    row.path = QFileInfo(libraryPath).absoluteFilePath();
    row.name = QFileInfo(libraryPath).completeBaseName();

    const QPluginLoader loader(row.path);
    const QJsonObject whole = loader.metaData();
    if (whole.isEmpty()) {
        refuse(row, QStringLiteral("it has no plugin metadata: %1").arg(loader.errorString()),
               QStringLiteral("Remove the file from the plugin folder, or build it with Q_PLUGIN_METADATA."));
        return row;
    }
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
        refuse(row, QStringLiteral("its interface is \"%1\", not \"%2\"").arg(iid, QLatin1String(STOWAGE_PLUGIN_IID)),
               QLatin1String(rebuildRemedy));
        return row;
    }
    if (!missing.isEmpty()) {
        refuse(row, QStringLiteral("its metadata has no \"%1\"").arg(missing),
               QStringLiteral("Complete the plugin's JSON file and rebuild the plugin."));
        return row;
    }
    if (const QString mismatch = apiMismatch(metadata); !mismatch.isEmpty()) {
        refuse(row, mismatch, QLatin1String(rebuildRemedy));
        return row;
    }
    if (row.kind == QLatin1String("importer")) {
        row.importers = readImporters(metadata.value(QLatin1String("importers")).toArray());
        const bool named =
            std::all_of(row.importers.begin(), row.importers.end(), [](const auto& info) { return !info.name.empty(); });
        if (row.importers.empty() || !named) {
            refuse(row, QStringLiteral("it says that it is an importer, but names none"),
                   QStringLiteral("List its importers under \"importers\" in the plugin's JSON file and rebuild the plugin."));
            return row;
        }
        row.rewriters = readRewriters(metadata.value(QLatin1String("rewriters")).toArray());
        const auto complete = [&](const RewriterInfo& info) {
            const bool its =
                std::any_of(row.importers.begin(), row.importers.end(), [&](const auto& i) { return i.name == info.importer; });
            return its && !info.passes.empty() &&
                   std::all_of(info.passes.begin(), info.passes.end(), [](const auto& p) { return !p.name.empty(); });
        };
        if (!std::all_of(row.rewriters.begin(), row.rewriters.end(), complete)) {
            refuse(row, QStringLiteral("one of its rewriters names no importer of the plugin, or no pass"),
                   QStringLiteral("Complete \"importer\" and \"passes\" under \"rewriters\" in the plugin's JSON file and "
                                  "rebuild the plugin."));
            return row;
        }
        if (!row.rewriters.empty() && metadata.value(QLatin1String("apiVersion")).toInt() < 2) {
            refuse(row, QStringLiteral("it brings rewriters, which plugin API 1 does not have"), QLatin1String(rebuildRemedy));
            return row;
        }
    } else if (row.kind != QLatin1String("planner")) {
        refuse(row, QStringLiteral("its kind is \"%1\", not \"importer\" or \"planner\"").arg(row.kind),
               QStringLiteral("Correct \"kind\" in the plugin's JSON file and rebuild the plugin."));
        return row;
    }
    row.state = PluginState::usable;
    return row;
}

PluginHost::PluginHost(const QStringList& extraFolders)
{
    QStringList folders = extraFolders;
    folders += qEnvironmentVariable("STOWAGE_PLUGIN_PATH").split(QDir::listSeparator(), Qt::SkipEmptyParts);
    folders += installedFolder();
    QSet<QString> seenFolders;
    for (const QString& folder : folders) {
        const QDir dir(folder);
        if (!dir.exists() || seenFolders.contains(dir.canonicalPath())) continue;
        seenFolders.insert(dir.canonicalPath());
        for (const QString& file : dir.entryList(QDir::Files | QDir::Readable, QDir::Name)) {
            if (!QLibrary::isLibrary(file)) continue;
            PluginRow row = readPlugin(dir.absoluteFilePath(file));
            for (const PluginRow& other : rows_) {
                if (row.state != PluginState::usable || other.state != PluginState::usable) continue;
                if (row.id == other.id)
                    refuse(row, QStringLiteral("%1 has the same id \"%2\" and comes first").arg(other.path, row.id),
                           QStringLiteral("Remove one of the two."));
            }
            rows_.push_back(std::move(row));
        }
    }
}

std::vector<ImporterInfo> PluginHost::importers() const
{
    std::vector<ImporterInfo> all;
    for (const PluginRow& row : rows_) {
        if (row.state == PluginState::usable) all.insert(all.end(), row.importers.begin(), row.importers.end());
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return all;
}

const PluginRow* PluginHost::importerPlugin(std::string_view importerName) const
{
    for (const PluginRow& row : rows_) {
        if (row.state != PluginState::usable) continue;
        for (const ImporterInfo& info : row.importers) {
            if (info.name == importerName) return &row;
        }
    }
    return nullptr;
}

const RewriterInfo* PluginHost::rewriter(std::string_view importerName) const
{
    const PluginRow* row = importerPlugin(importerName);
    if (row == nullptr) return nullptr;
    const auto found = std::find_if(row->rewriters.begin(), row->rewriters.end(),
                                    [&](const auto& info) { return info.importer == importerName; });
    return found == row->rewriters.end() ? nullptr : &*found;
}

QString PluginHost::installedFolder()
{
    return QDir::cleanPath(QCoreApplication::applicationDirPath() + QStringLiteral("/../lib/stowage/plugins"));
}

Expected<Plugin*> loadPlugin(const QString& libraryPath)
{
    const Position where{libraryPath.toStdString()};
    const PluginRow row = readPlugin(libraryPath);
    if (row.state != PluginState::usable)
        return failure(Code::pluginRefused, "the plugin is refused: " + row.reason.toStdString(), where,
                       row.remedy.toStdString());
    QPluginLoader loader(row.path);
    loader.setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    try {
        QObject* root = loader.instance();
        if (root == nullptr)
            return failure(Code::pluginLoad, "the plugin does not load: " + loader.errorString().toStdString(), where,
                           "Install the libraries that it needs, or rebuild it.");
        if (auto* plugin = qobject_cast<Plugin*>(root)) return plugin;
    } catch (const std::exception& error) {
        return failure(Code::pluginLoad, std::string("the plugin threw an exception while it was loaded: ") + error.what(),
                       where);
    } catch (...) {
        return failure(Code::pluginLoad, "the plugin threw an exception while it was loaded", where);
    }
    return failure(Code::pluginLoad, "the plugin's object does not implement the interface that its metadata names", where,
                   rebuildRemedy);
}

} // namespace stowage
