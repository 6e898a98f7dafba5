// Which plug-ins are there: libraries against plugins/api, and programs by manifest. Reads metadata and manifests only: nothing
// of a plug-in runs until it is used.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/planner.h"
#include "plugins/api/exporter.h"
#include "plugins/api/importer.h"
#include "plugins/api/rewriter.h"
#include "plugins/external/confinement.h"
#include "plugins/host/plugin_ledger.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace stowage {

class Plugin;
namespace external {
struct Manifest;
}

enum class PluginState {
    usable,      ///< may be used
    refused,     ///< cannot be used
    disabled,    ///< the user turned it off
    suspended,   ///< a process ended while it loaded this library: off until the user decides
    unconfirmed, ///< new in the user's folder: runs once the user has said so
    skipped,     ///< safe mode
};
[[nodiscard]] std::string_view toText(PluginState state);

/// One library or manifest found in a plug-in folder, usable or not: a row of the plug-in dialog and of `list plugins`.
struct PluginRow {
    QString path; ///< absolute
    QString id;   ///< unique among the usable ones
    QString name; ///< for people
    QString version;
    QString kind; ///< "importer" | "planner" | "exporter"
    QString license;
    QString description;
    PluginState state = PluginState::refused;
    QString reason;                      ///< one sentence, when it is not usable
    QString remedy;                      ///< what the user can do, when it is not usable
    bool inProcess = false;              ///< a library that may run in this process: `"isolation": "none"`, and confirmed
    std::vector<ImporterInfo> importers; ///< that it brings, as its metadata says
    std::vector<RewriterInfo> rewriters; ///< the same
    std::vector<PlannerInfo> planners;   ///< the same
    std::vector<ExporterInfo> exporters; ///< the same
    std::shared_ptr<const external::Manifest> manifest; ///< null for a library
    std::optional<PluginFailure> lastFailure;           ///< of its last run
    QString fingerprint;                                ///< of the program, for `PluginLedger::confirm`

    void refuse(const QString& why, const QString& whatToDo);
};

/// What the metadata of one library says. Never runs its code. A refusal is a row too.
PluginRow readPlugin(const QString& libraryPath);
/// What one manifest says. Its program is looked up, and not run.
PluginRow readManifestFile(const QString& path);

/// The files that decide what a plug-in does: a library; a manifest with those that its command line names.
[[nodiscard]] QStringList filesOf(const PluginRow& row);

/// Its planners, ready to plan: a program by its transport, a library in `worker` (its path), or in this process where that is
/// allowed.
[[nodiscard]] std::vector<std::shared_ptr<const Planner>> plannersOf(const PluginRow& row, const QString& worker);

/// Where plug-ins are looked for.
struct PluginSettings {
    QStringList folders;   ///< before all others: `--plugin-dir`
    bool safeMode = false; ///< nothing found is used: `--safe-mode`
};

class PluginHost {
public:
    /// Looks into the folders of `settings`, those of the variable STOWAGE_PLUGIN_PATH (separated as PATH is; absolute ones
    /// only), the user's and the installed one, in this order: libraries and manifests in it, and manifests in `planners.d`
    /// below. Of two plug-ins with one id the first found wins, and the other is refused.
    explicit PluginHost(const PluginSettings& settings);
    explicit PluginHost(const QStringList& extraFolders = {}) : PluginHost(PluginSettings{extraFolders, false}) {}

    /// All that was found, sorted by path within each folder.
    [[nodiscard]] std::span<const PluginRow> rows() const { return rows_; }
    /// The importers of all usable plugins, sorted by name.
    [[nodiscard]] std::vector<ImporterInfo> importers() const;
    /// The usable plugin that brings this importer; null when there is none.
    [[nodiscard]] const PluginRow* importerPlugin(std::string_view importerName) const;

    /// What gives the files of this importer back; null when there is nothing.
    [[nodiscard]] const RewriterInfo* rewriter(std::string_view importerName) const;

    /// The planners of all usable plug-ins (`plannersOf`).
    [[nodiscard]] std::vector<std::shared_ptr<const Planner>> planners(const QString& worker) const;
    /// Why no usable plug-in brings a planner of that name although one is found; null when none is found.
    [[nodiscard]] const PluginRow* plannerRow(std::string_view plannerName) const;

    /// Turns a plug-in on (also one that is suspended or new) or off, for later starts. False when there is none of that id.
    bool setEnabled(const QString& id, bool enabled) const;

    /// `../lib/stowage/plugins` of the running executable's folder. Requires a QCoreApplication.
    static QString installedFolder();
    /// `../share/stowage` of it: manifests in `planners.d` below.
    static QString installedManifests();
    /// `stowage/plugins` in the user's data folder.
    static QString userFolder();

private:
    void lookInto(const QString& folder, const PluginSettings& settings);
    void add(PluginRow row, bool foundInUserFolder, const PluginSettings& settings);

    std::vector<PluginRow> rows_;
};

/// Checks the metadata again and loads the plugin; it stays loaded until the process ends. Runs foreign code: for the worker, and
/// for planners that may run in this process. While a library that is not installed with Stowage loads, its lock file exists.
/// Exceptions thrown by the plugin while it loads become errors.
Expected<Plugin*> loadPlugin(const QString& libraryPath, LoadedIn process);

} // namespace stowage
