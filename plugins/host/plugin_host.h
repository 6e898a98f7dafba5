// Finds plug-ins: libraries that implement plugins/api, and programs that a manifest describes. Reads only metadata and
// manifests: no code of a plug-in runs before it is used.
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

#include <chrono>
#include <memory>
#include <optional>
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
    suspended,   ///< a process crashed while it loaded this library: not used until the user turns it on
    unconfirmed, ///< new in the user's folder: not used until the user permits it
    skipped,     ///< not used in safe mode
};
[[nodiscard]] std::string_view toText(PluginState state);

/// One library or manifest found in a plug-in folder, usable or not: a row of the plug-in dialog and of `list plugins`.
struct PluginRow {
    QString path; ///< absolute
    QString id;   ///< unique among the usable plug-ins
    QString name; ///< shown to the user
    QString version;
    QString kind; ///< "importer" | "planner" | "exporter"
    QString license;
    QString description;
    PluginState state = PluginState::refused;
    QString reason;                      ///< why it is not usable, in one sentence; empty if it is usable
    QString remedy;                      ///< how the user can make it usable; empty if it is usable
    bool inProcess = false;              ///< a library that may run in this process: `"isolation": "none"`, and confirmed
    std::vector<ImporterInfo> importers; ///< the importers that its metadata declares
    std::vector<RewriterInfo> rewriters; ///< the rewriters that its metadata declares
    std::vector<PlannerInfo> planners;   ///< the planners that its metadata declares
    std::vector<ExporterInfo> exporters; ///< the exporters that its metadata declares
    std::shared_ptr<const external::Manifest> manifest; ///< null for a library
    std::optional<PluginFailure> lastFailure;           ///< no value if its last run did not fail, or it never ran
    std::chrono::milliseconds timeout{0};               ///< maximum time of a run of one of its planners
    QString fingerprint; ///< of a plug-in that has to be confirmed, for `PluginLedger::confirm`; empty if it cannot be read

    void refuse(const QString& why, const QString& whatToDo);
};

/// Reads the metadata of a library, without running its code. A refused library gets a row, too.
PluginRow readPlugin(const QString& libraryPath);
/// Reads a manifest, and finds its program without running it. A refused manifest gets a row, too.
PluginRow readManifestFile(const QString& path);

/// Identifies a library by its path, and by its contents and those of the libraries that it may load (`filesOf`); empty if one of
/// them cannot be read. O(files).
[[nodiscard]] QString libraryFingerprint(const QString& path);

/// The files that determine the behaviour of a plug-in: a library, and the libraries in the folder above whose names begin with
/// its own, which it may load (`plugins/libstowage-mlir.so` loads `libstowage-mlir-reader.so`); or a manifest and the files that
/// its command line names.
[[nodiscard]] QStringList filesOf(const PluginRow& row);

/// The planners of a plug-in. A program runs with its transport; a library runs in the worker (`worker` is its path), or in this
/// process if that is permitted.
[[nodiscard]] std::vector<std::shared_ptr<const Planner>> plannersOf(const PluginRow& row, const QString& worker);

/// Settings of the search for plug-ins.
struct PluginSettings {
    QStringList folders;   ///< searched before all other folders: `--plugin-dir`
    bool safeMode = false; ///< no plug-in is used: `--safe-mode`
};

class PluginHost {
public:
    /// Searches these folders, in this order: those of `settings`; the installed folders; those of the variable
    /// STOWAGE_PLUGIN_PATH (absolute paths, separated as in PATH); the user's folder. In each of them it reads libraries,
    /// manifests, and the manifests in the subfolder `planners.d`. Of two plug-ins with one id, or with a planner, an importer or
    /// an exporter of one name, the first is used, and the other is refused: only a folder that the user names for this run can
    /// replace a plug-in that is installed. What does not run takes no name, and what is not permitted no id. Warns on
    /// standard error about a folder of `settings` that does not exist, and about relative paths in STOWAGE_PLUGIN_PATH.
    explicit PluginHost(const PluginSettings& settings);
    explicit PluginHost(const QStringList& extraFolders = {}) : PluginHost(PluginSettings{extraFolders, false}) {}

    /// All plug-ins that were found, in the order of the folders, sorted by path within each folder.
    [[nodiscard]] std::span<const PluginRow> rows() const { return rows_; }
    /// The importers of all usable plugins, sorted by name.
    [[nodiscard]] std::vector<ImporterInfo> importers() const;
    /// The usable plug-in that contains this importer; null if there is none.
    [[nodiscard]] const PluginRow* importerPlugin(std::string_view importerName) const;

    /// The rewriter for files of this importer; null if there is none.
    [[nodiscard]] const RewriterInfo* rewriter(std::string_view importerName) const;

    /// The planners of all usable plug-ins (`plannersOf`).
    [[nodiscard]] std::vector<std::shared_ptr<const Planner>> planners(const QString& worker) const;
    /// A plug-in that contains a planner of this name, a usable one before others; null if there is none. Tells why a planner
    /// cannot be used although its plug-in was found.
    [[nodiscard]] const PluginRow* plannerRow(std::string_view plannerName) const;

    /// The plug-in that `setEnabled` turns on or off: of those with this id one that is installed or permitted, or else the
    /// first; null if there is none.
    [[nodiscard]] const PluginRow* toTurn(const QString& id) const;
    /// Turns this plug-in on (also a suspended or an unconfirmed one) or off, for later starts of Stowage. Errors: no plug-in has
    /// this id; the settings cannot be saved.
    [[nodiscard]] std::optional<Error> setEnabled(const QString& id, bool enabled) const;

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

/// Checks the metadata again and loads a library, which stays loaded until the process ends. This runs foreign code: call it only
/// in the worker, or for a planner that may run in this process. A lock file exists while a library that is not installed with
/// Stowage is being loaded. Errors: "plugin-refused", "plugin-load"; an exception of the library becomes an error.
Expected<Plugin*> loadPlugin(const QString& libraryPath, LoadedIn process);

} // namespace stowage
