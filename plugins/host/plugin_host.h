// Which plugins are there. Reads their metadata only: no code of a plugin runs until `loadPlugin`, which the worker calls.
#pragma once

#include "core/ir/expected.h"
#include "plugins/api/importer.h"
#include "plugins/api/rewriter.h"

#include <QString>
#include <QStringList>

#include <span>
#include <string_view>
#include <vector>

namespace stowage {

class Plugin;

enum class PluginState {
    usable,  ///< may be loaded
    refused, ///< see `reason` and `remedy`
};

/// One library found in a plugin folder, usable or not: a row of the plugin dialog and of `list plugins`.
struct PluginRow {
    QString path; ///< absolute
    QString id;   ///< unique among the usable ones
    QString name; ///< for people
    QString version;
    QString kind; ///< "importer" | "planner"
    QString license;
    QString description;
    PluginState state = PluginState::refused;
    QString reason;                      ///< one sentence, when refused
    QString remedy;                      ///< what the user can do, when refused
    std::vector<ImporterInfo> importers; ///< that it brings, as its metadata says
    std::vector<RewriterInfo> rewriters; ///< the same
};

/// What the metadata of one library says. Never runs its code. A refusal is a row too.
PluginRow readPlugin(const QString& libraryPath);

class PluginHost {
public:
    /// Looks into `extraFolders`, those of the variable STOWAGE_PLUGIN_PATH (separated as PATH is), and the installed one, in
    /// this order; of two plugins with one id the first found wins, and the other is refused.
    explicit PluginHost(const QStringList& extraFolders = {});

    /// All libraries found, sorted by path within each folder.
    [[nodiscard]] std::span<const PluginRow> rows() const { return rows_; }
    /// The importers of all usable plugins, sorted by name.
    [[nodiscard]] std::vector<ImporterInfo> importers() const;
    /// The usable plugin that brings this importer; null when there is none.
    [[nodiscard]] const PluginRow* importerPlugin(std::string_view importerName) const;

    /// What gives the files of this importer back; null when there is nothing.
    [[nodiscard]] const RewriterInfo* rewriter(std::string_view importerName) const;

    /// `../lib/stowage/plugins` of the running executable's folder. Requires a QCoreApplication.
    static QString installedFolder();

private:
    std::vector<PluginRow> rows_;
};

/// Checks the metadata again and loads the plugin; it stays loaded until the process ends. Only for the worker: this runs foreign
/// code. Exceptions thrown by the plugin while it loads become errors.
Expected<Plugin*> loadPlugin(const QString& libraryPath);

} // namespace stowage
