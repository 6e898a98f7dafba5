// Reads foreign files through the worker: nothing of a plugin, and nothing of the libraries that it uses, is ever loaded here.
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

/// What is to be read, and how.
struct ImportInput {
    QString path;                          ///< of the file; only for messages when there are `bytes`
    std::optional<std::string_view> bytes; ///< the input itself (standard input, pasted); they outlive the call
    std::string importer;                  ///< empty: the one that claims the input most surely, by its contents first
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> options;
};

/// What is to be given back, and how.
struct RewriteInput {
    QString path;          ///< for messages
    std::string_view text; ///< the file that was imported; outlives the call
    std::string importer;  ///< that read it
    std::string pass;
    std::vector<std::pair<std::string, std::string>> passOptions;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> options;
    Program program; ///< as imported
    std::vector<PlannedFunction> planned;
};

class WorkerClient {
public:
    /// Only what the host finds usable is used. The host outlives the client.
    explicit WorkerClient(const PluginHost& host, WorkerLimits limits = {}, QString worker = installedWorker())
        : host_(&host), limits_(limits), worker_(std::move(worker))
    {
    }

    /// Blocks; may be called from any thread, from several at once. Errors: those of the importer, with positions in the input;
    /// "unknown-importer", "unknown-format"; those of `runWorker`. A plugin that crashes or hangs when it is asked about the
    /// input is left out, and a warning among the diagnostics says so.
    [[nodiscard]] Expected<ImportedInput> import(const ImportInput& input, const std::stop_token& stop = {}) const;

    /// The text with the plan in it. Blocks; may be called from any thread, from several at once. Errors: those of the rewriter,
    /// with positions in the text; "no-rewriter", "unknown-pass", "bad-option" (with the choices); "file-changed" when the text
    /// does not give that program; those of `runWorker`.
    [[nodiscard]] Expected<Rewritten> rewrite(RewriteInput input, const std::stop_token& stop = {}) const;

    /// `stowage-worker` in the folder of the running executable, or in `../bin` of it. Requires a QCoreApplication.
    static QString installedWorker();

private:
    const PluginHost* host_;
    WorkerLimits limits_;
    QString worker_;
};

} // namespace stowage
