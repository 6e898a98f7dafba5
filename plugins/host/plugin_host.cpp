#include "plugins/host/plugin_host.h"

#include "core/planners/registry.h"
#include "plugins/api/plugin.h"
#include "plugins/external/external_planner.h"
#include "plugins/host/isolated_planner.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLibrary>
#include <QPluginLoader>
#include <QSet>
#include <QStandardPaths>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>

namespace stowage {

namespace {

constexpr auto enableRemedy = "'stowage-cli list plugins --enable %1' turns it on; the plug-in dialog does, too.";

void takeOut(PluginRow& row, PluginState state, const QString& reason, const QString& remedy)
{
    row.state = state;
    row.reason = reason;
    row.remedy = remedy;
}

/// The worker has no application object that could tell.
QString programFolder()
{
    if (QCoreApplication::instance()) return QCoreApplication::applicationDirPath();
    return QFileInfo(QFile::symLinkTarget(QStringLiteral("/proc/self/exe"))).path();
}

/// The first name that is in both lists; null if there is none.
template <typename Info>
const std::string* sharedName(const std::vector<Info>& ours, const std::vector<Info>& others)
{
    for (const Info& mine : ours)
        for (const Info& other : others)
            if (mine.name == other.name) return &mine.name;
    return nullptr;
}

/// True if the plug-in is installed, or the user has permitted it: also while it is turned off.
bool isPermitted(const PluginRow& row)
{
    return row.state != PluginState::refused && row.state != PluginState::unconfirmed;
}

/// Refuses `row` if it has the id of an earlier plug-in, or one of its names. A plug-in that does not run takes no name, and one
/// that is not permitted no id from one that is.
void refuseClash(PluginRow& row, const PluginRow& earlier)
{
    if (earlier.state == PluginState::refused) return;
    const bool takes = earlier.state == PluginState::usable || earlier.state == PluginState::skipped;
    if (row.id == earlier.id && (isPermitted(earlier) || !isPermitted(row)))
        return row.refuse(QStringLiteral("%1 has the same id \"%2\" and comes first").arg(earlier.path, row.id),
                          QStringLiteral("Remove one of the two."));
    if (!takes) return;
    const auto check = [&](const std::string* name, const QString& kind) {
        if (name)
            row.refuse(
                QStringLiteral("there is %1 named \"%2\" already, in %3").arg(kind, QString::fromStdString(*name), earlier.path),
                QStringLiteral("Remove one of the two plug-ins, or give it another name."));
    };
    check(sharedName(row.planners, earlier.planners), QStringLiteral("a planner"));
    check(sharedName(row.importers, earlier.importers), QStringLiteral("an importer"));
    check(sharedName(row.exporters, earlier.exporters), QStringLiteral("an exporter"));
}

void warn(const char* message, const QString& folder, const char* remedy)
{
    const Diagnostic told = warning(Code::pluginRefused, message, {folder.toStdString()}, remedy);
    std::fputs((toText(told) + '\n').c_str(), stderr);
}

/// Loads the library of `row` into this process if it is still the one that was permitted. It is compared once: it stays loaded.
LibraryLoader permittedLibrary(const PluginRow& row)
{
    return [path = row.path, id = row.id, permitted = row.fingerprint,
            loaded = std::make_shared<std::atomic<Plugin*>>(nullptr)]() -> Expected<Plugin*> {
        if (Plugin* plugin = loaded->load()) return plugin;
        if (libraryFingerprint(path) != permitted)
            return failure(Code::pluginRefused, "the library changed since Stowage was started", {path.toStdString()},
                           "Start Stowage again. " + QString::fromLatin1(enableRemedy).arg(id).toStdString());
        auto plugin = loadPlugin(path, LoadedIn::host);
        if (plugin) loaded->store(*plugin);
        return plugin;
    };
}

/// Beside models, say, lie JSON files that are no manifests.
bool looksLikeManifest(const QString& path)
{
    QFile file(path);
    if (file.size() > (qint64{1} << 20) || !file.open(QIODevice::ReadOnly)) return false;
    const QByteArray text = file.readAll();
    return text.contains("\"argv\"") || text.contains("\"protocol\"");
}

} // namespace

void PluginRow::refuse(const QString& why, const QString& whatToDo)
{
    takeOut(*this, PluginState::refused, why, whatToDo);
}

std::string_view toText(PluginState state)
{
    switch (state) {
    case PluginState::usable: return "usable";
    case PluginState::disabled: return "disabled";
    case PluginState::suspended: return "suspended";
    case PluginState::unconfirmed: return "unconfirmed";
    case PluginState::skipped: return "skipped";
    case PluginState::refused: break;
    }
    return "refused";
}

PluginHost::PluginHost(const PluginSettings& settings)
{
    QStringList folders = settings.folders;
    for (const QString& folder : settings.folders)
        if (!QFileInfo(folder).isDir()) warn("there is no such folder of plug-ins", folder, "correct --plugin-dir");
    folders += installedFolder();
    folders += installedManifests();
    for (const QString& folder : qEnvironmentVariable("STOWAGE_PLUGIN_PATH").split(QDir::listSeparator(), Qt::SkipEmptyParts)) {
        if (QDir::isAbsolutePath(folder))
            folders += folder;
        else // it would be a folder of the model that is worked on
            warn("a relative path in STOWAGE_PLUGIN_PATH is not searched", folder, "write an absolute path");
    }
    folders += userFolder();
    QSet<QString> seen;
    for (const QString& folder : folders) {
        const QString canonical = QDir(folder).canonicalPath();
        if (canonical.isEmpty() || seen.contains(canonical)) continue;
        seen.insert(canonical);
        lookInto(folder, settings);
    }
}

void PluginHost::lookInto(const QString& folder, const PluginSettings& settings)
{
    const bool users = QDir::cleanPath(folder) == userFolder();
    const QDir dir(folder);
    for (const QString& file : dir.entryList(QDir::Files | QDir::Readable, QDir::Name)) {
        const QString path = QDir::cleanPath(dir.absoluteFilePath(file));
        if (QLibrary::isLibrary(file))
            add(readPlugin(path), users, settings);
        else if (file.endsWith(QLatin1String(".json")) && looksLikeManifest(path))
            add(readManifestFile(path), users, settings);
    }
    const QDir manifests(dir.filePath(QStringLiteral("planners.d")));
    for (const QString& file : manifests.entryList({QStringLiteral("*.json")}, QDir::Files | QDir::Readable, QDir::Name))
        add(readManifestFile(QDir::cleanPath(manifests.absoluteFilePath(file))), users, settings);
}

void PluginHost::add(PluginRow row, bool foundInUserFolder, const PluginSettings& settings)
{
    const PluginLedger ledger;
    if (row.state == PluginState::usable) {
        // That of a manifest is empty where a file of its command line cannot be read.
        if (foundInUserFolder && !row.manifest && row.fingerprint.isEmpty()) row.fingerprint = libraryFingerprint(row.path);
        const QString enable = QString::fromLatin1(enableRemedy).arg(row.id);
        if (foundInUserFolder && !ledger.confirmed(row.fingerprint)) // first: what is turned on again was permitted before
            takeOut(row, PluginState::unconfirmed,
                    QStringLiteral("it is new, or a file of it changed, and nobody has said that it may run"), enable);
        else if (settings.safeMode)
            takeOut(row, PluginState::skipped, QStringLiteral("safe mode uses no plug-in"),
                    QStringLiteral("Start without --safe-mode."));
        else if (ledger.disabled(row.id))
            takeOut(row, PluginState::disabled, QStringLiteral("it was turned off"), enable);
        else if (!row.manifest && ledger.crashedWhileLoading(row.id))
            takeOut(row, PluginState::suspended, QStringLiteral("a process ended while it loaded this library"), enable);
    }
    for (auto earlier = rows_.begin(); earlier != rows_.end() && row.state != PluginState::refused; ++earlier)
        refuseClash(row, *earlier);
    if (row.state != PluginState::refused && !row.planners.empty()) {
        static const PlannerRegistry ours = PlannerRegistry::builtIn();
        for (const PlannerInfo& info : row.planners)
            if (ours.find(info.name) || info.name == "auto")
                row.refuse(QStringLiteral("there is a planner named \"%1\" already").arg(QString::fromStdString(info.name)),
                           QStringLiteral("Give the planner another name."));
    }
    if (row.state != PluginState::refused) row.lastFailure = ledger.lastFailure(row.id);
    rows_.push_back(std::move(row));
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

std::vector<std::shared_ptr<const Planner>> plannersOf(const PluginRow& row, const QString& worker)
{
    std::vector<std::shared_ptr<const Planner>> all;
    const auto outcome = [id = row.id](const std::optional<Error>& failure) { PluginLedger().noteOutcome(id, failure); };
    if (row.manifest && !row.planners.empty()) return {external::externalPlanner(*row.manifest, outcome)};
    for (const PlannerInfo& info : row.planners)
        all.push_back(row.inProcess && PluginLedger().confirmed(row.fingerprint)
                          ? inProcessPlanner(permittedLibrary(row), info)
                          : isolatedPlanner({row.id, row.path, worker, row.timeout}, info, outcome));
    return all;
}

std::vector<std::shared_ptr<const Planner>> PluginHost::planners(const QString& worker) const
{
    std::vector<std::shared_ptr<const Planner>> all;
    for (const PluginRow& row : rows_)
        if (row.state == PluginState::usable)
            for (auto& planner : plannersOf(row, worker)) all.push_back(std::move(planner));
    return all;
}

const PluginRow* PluginHost::plannerRow(std::string_view plannerName) const
{
    const PluginRow* found = nullptr;
    for (const PluginRow& row : rows_)
        for (const PlannerInfo& info : row.planners) {
            if (info.name != plannerName) continue;
            if (row.state == PluginState::usable) return &row;
            if (!found || found->state == PluginState::refused) found = &row;
        }
    return found;
}

const PluginRow* PluginHost::toTurn(const QString& id) const
{
    // One only: a new file with the id of a plug-in that is permitted stays new.
    const auto hasId = [&](const PluginRow& row) { return row.id == id && row.state != PluginState::refused; };
    auto chosen = std::ranges::find_if(rows_, [&](const PluginRow& row) { return hasId(row) && isPermitted(row); });
    if (chosen == rows_.end()) chosen = std::ranges::find_if(rows_, hasId);
    return chosen == rows_.end() ? nullptr : &*chosen;
}

std::optional<Error> PluginHost::setEnabled(const QString& id, bool enabled) const
{
    PluginLedger ledger;
    const PluginRow* chosen = toTurn(id);
    if (!chosen)
        return failure(Code::usage,
                       "there is no plug-in '" + id.toStdString() + "' that could be turned " + (enabled ? "on" : "off"), {},
                       "'list plugins' shows all, and --plugin-dir adds a folder");
    if (enabled && chosen->state == PluginState::unconfirmed && chosen->fingerprint.isEmpty()) {
        const QStringList files = filesOf(*chosen);
        const auto closed =
            std::ranges::find_if(files, [](const QString& path) { return !QFile(path).open(QIODevice::ReadOnly); });
        return failure(Code::cannotRead, "a file of the plug-in '" + id.toStdString() + "' cannot be read",
                       {(closed == files.end() ? chosen->path : *closed).toStdString()}, "make it readable, or remove it");
    }
    bool kept = ledger.setDisabled(id, !enabled);
    if (enabled) {
        kept &= ledger.forgetCrash(id);
        if (!chosen->fingerprint.isEmpty()) kept &= ledger.confirm(chosen->fingerprint);
    }
    if (!kept)
        return failure(Code::cannotWrite, "what was turned " + std::string(enabled ? "on" : "off") + " cannot be saved",
                       {PluginLedger::file().toStdString()}, "make the file and its folder writable");
    return std::nullopt;
}

QString libraryFingerprint(const QString& path)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    PluginRow row;
    row.path = path;
    for (const QString& each : filesOf(row)) {
        QFile file(each);
        if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) return {};
    }
    return QString::fromLatin1(hash.result().toHex().left(32)) + u':' + path;
}

QString PluginHost::installedFolder()
{
    return QDir::cleanPath(programFolder() + QStringLiteral("/../lib/stowage/plugins"));
}

QString PluginHost::installedManifests()
{
    return QDir::cleanPath(programFolder() + QStringLiteral("/../share/stowage"));
}

QString PluginHost::userFolder()
{
    return QDir::cleanPath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                           QStringLiteral("/stowage/plugins"));
}

Expected<Plugin*> loadPlugin(const QString& libraryPath, LoadedIn process)
{
    const Position where{libraryPath.toStdString()};
    const PluginRow row = readPlugin(libraryPath);
    if (row.state != PluginState::usable)
        return failure(Code::pluginRefused, "the plugin is refused: " + row.reason.toStdString(), where,
                       row.remedy.toStdString());
    QPluginLoader loader(row.path);
    // Of our own readers a process may be ended at any time, when opening a file is given up: that is no crash.
    std::optional<PluginLedger::LoadMark> mark;
    if (QFileInfo(row.path).path() != PluginHost::installedFolder()) mark.emplace(row.id, process);
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
                   "Rebuild the plugin against the plugins/api headers of this version.");
}

} // namespace stowage
