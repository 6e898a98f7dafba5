// Reads a model from a file: finds the importer by the file's contents, runs it (in this process for text formats, else in the
// worker), and verifies the result.
#pragma once

#include "app/session/model.h"
#include "plugins/api/rewriter.h"
#include "plugins/host/plugin_host.h"

#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace stowage {

class Reader {
public:
    explicit Reader(PluginSettings plugins = {});
    ~Reader();

    [[nodiscard]] std::vector<ImporterInfo> importers() const;
    /// Thread-safe.
    Expected<Model> read(const QString& path, const OpenOptions& options, const std::stop_token& cancel) const;
    Expected<Model> readBytes(const QString& path, const QByteArray& bytes, const OpenOptions& options,
                              const std::stop_token& cancel) const;

    /// See `Session::rewrite`.
    Expected<Rewritten> rewrite(const Model& model, const std::string& pass, const OptionValues& passOptions,
                                std::span<const std::shared_ptr<const Run>> runs, const std::stop_token& cancel) const;

    /// Path of stowage-worker. The file need not exist.
    [[nodiscard]] static QString worker();
    /// The plugins in the plugin folders, usable or refused. The first call searches the folders.
    [[nodiscard]] const PluginHost& plugins() const;

private:
    class Formats;
    /// Made on first use, because searching for plugins takes longer than starting.
    [[nodiscard]] const Formats& formats() const;

    const PluginSettings settings_;
    mutable std::once_flag looked_;
    mutable std::unique_ptr<const Formats> formats_;
};

} // namespace stowage
