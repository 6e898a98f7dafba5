// Reads foreign files in the worker: this process loads no library of a plug-in, nor a library that a plug-in uses.
#pragma once

#include "plugins/host/import_messages.h"
#include "plugins/host/plugin_host.h"
#include "plugins/host/rewrite_messages.h"
#include "plugins/host/worker_process.h"

#include <QByteArrayView>
#include <QString>

#include <optional>
#include <stop_token>

namespace stowage {

/// An input to read, and the options of its importer.
struct ImportInput {
    QString path;                          ///< of the file; with `bytes` for messages only
    std::optional<std::string_view> bytes; ///< contents of an input without a file; must outlive the call
    std::string importer;                  ///< empty: the importer with the strongest claim, by contents before names
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> options;
};

/// A file to rewrite, and the plan to write into it.
struct RewriteInput {
    QString path;          ///< for messages
    std::string_view text; ///< contents of the imported file; must outlive the call
    std::string importer;  ///< name of the importer that read it
    std::string pass;
    std::vector<std::pair<std::string, std::string>> passOptions;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> options;
    Program program; ///< as imported
    std::vector<PlannedFunction> planned;
};

class WorkerClient {
public:
    /// Uses the usable plug-ins of `host`, which must outlive the client.
    explicit WorkerClient(const PluginHost& host, WorkerLimits limits = {}, QString worker = installedWorker())
        : host_(&host), limits_(limits), worker_(std::move(worker))
    {
    }

    /// Imports the input. Blocks; may be called from any thread, and from several at the same time. Errors: those of the
    /// importer, with positions in the input; "unknown-importer", "unknown-format"; those of `runWorker`. A plug-in that crashes
    /// or hangs when it examines the input is left out, with a warning among the diagnostics.
    [[nodiscard]] Expected<ImportedInput> import(const ImportInput& input, const std::stop_token& stop = {}) const;

    /// Writes a plan into the text of a file. Blocks; may be called from any thread, and from several at the same time. Errors:
    /// those of the rewriter, with positions in the text; "no-rewriter", "unknown-pass", "bad-option" (with the choices);
    /// "file-changed" if importing the text does not give `RewriteInput::program`; those of `runWorker`.
    [[nodiscard]] Expected<Rewritten> rewrite(RewriteInput input, const std::stop_token& stop = {}) const;

    /// `stowage-worker` in the folder of the running executable, or in `../bin` of it. Requires a QCoreApplication.
    static QString installedWorker();

private:
    const PluginHost* host_;
    WorkerLimits limits_;
    QString worker_;
};

} // namespace stowage
