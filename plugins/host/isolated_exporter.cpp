#include "plugins/host/isolated_exporter.h"

#include "core/io/text.h"
#include "plugins/external/manifest.h"
#include "plugins/host/export_messages.h"
#include "plugins/host/import_messages.h"
#include "plugins/host/import_program.h"
#include "plugins/host/worker_process.h"

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

Error garbledExport(const char* what)
{
    return failure(Code::workerGarbage, std::string("the worker's answer cannot be understood: ") + what, {},
                   "Make sure that all parts of Stowage are of the same version.");
}

/// The first option that the exporter does not have, or whose value is not in its range.
std::optional<Error> wrongExportOption(const ExporterInfo& info, const std::vector<std::pair<std::string, std::string>>& options)
{
    PlannerInfo like; // its check of options is the same for all
    like.name = info.name;
    like.options = info.options;
    return checkOptions(like, options);
}

class LibraryExporter final : public Exporter {
public:
    LibraryExporter(QString library, ExporterInfo info, QString worker, std::stop_token stop)
        : library_(std::move(library)), info_(std::move(info)), worker_(std::move(worker)), stop_(std::move(stop))
    {
    }
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        if (auto error = wrongExportOption(info_, request.options)) return *std::move(error);
        ExportOrder order{library_.toStdString(), info_.name, {}, request.options};
        for (const ExportedModel& model : request.models) {
            SentModel& sent = order.models.emplace_back(SentModel{model.name, model.path, model.importer, {}});
            for (const ExportedFunction& function : model.functions) {
                const Run& run = *function.run;
                sent.functions.push_back({function.name, run.program != nullptr, run.program ? *run.program : Program(),
                                          *run.lowering, run.plan, run.targetName});
            }
        }
        WorkerRun run{worker_, {}, {{frame::exportOrder, toArchive(order)}}};
        WorkerOutcome outcome = runWorker(run, stop_);
        const auto last = [&](std::string_view type) {
            const auto found = std::find_if(outcome.frames.rbegin(), outcome.frames.rend(),
                                            [&](const Frame& frame) { return frame.type == type; });
            return found == outcome.frames.rend() ? nullptr : &*found;
        };
        if (outcome.error) {
            Error error = *std::move(outcome.error);
            error.message = "while exporter \"" + info_.name + "\" was writing, " + error.message;
            return error;
        }
        if (const Frame* told = last(frame::error)) {
            auto diagnostic = fromArchive<Diagnostic>(told->payload);
            return diagnostic ? *std::move(diagnostic) : garbledExport("its error is damaged");
        }
        const Frame* answer = last(frame::exported);
        if (!answer) return garbledExport("there is none");
        auto exported = fromArchive<Exported>(answer->payload);
        if (!exported) return garbledExport("it is damaged");
        for (const ExportedFile& file : exported->files)
            if (file.name.empty() || file.name.starts_with('.') || file.name.find('/') != std::string::npos)
                return failure(Code::cannotWrite, "the exporter \"" + info_.name + "\" names a file \"" + file.name +
                                                      "\", which is no plain file name");
        return *std::move(exported);
    }

private:
    QString library_;
    ExporterInfo info_;
    QString worker_;
    std::stop_token stop_;
};

class ProgramExporter final : public Exporter {
public:
    ProgramExporter(PluginRow row, std::stop_token stop) : row_(std::move(row)), stop_(std::move(stop)) {}
    [[nodiscard]] const ExporterInfo& info() const override { return row_.exporters.front(); }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        if (auto error = wrongExportOption(info(), request.options)) return *std::move(error);
        const ExportedModel& model = request.models.front();
        if (model.functions.size() > 1)
            return failure(Code::severalFunctions,
                           "the input has several functions, and the exporter \"" + info().name + "\" writes one", {},
                           "choose one with --function NAME");
        const Run& run = *model.functions.front().run;
        auto text = runExporter(row_, io::writePlanJson(run), io::writeProblemJson(run.problem()), request.options, stop_);
        if (!text) return std::move(text).error();
        return Exported{{{model.name, *std::move(text)}}, {}};
    }

private:
    PluginRow row_;
    std::stop_token stop_;
};

} // namespace

std::vector<std::shared_ptr<const Exporter>> exportersOf(const PluginRow& row, const QString& worker, const std::stop_token& stop)
{
    std::vector<std::shared_ptr<const Exporter>> all;
    if (row.state != PluginState::usable || row.exporters.empty()) return all;
    if (row.manifest) return {std::make_shared<ProgramExporter>(row, stop)};
    for (const ExporterInfo& info : row.exporters) all.push_back(std::make_shared<LibraryExporter>(row.path, info, worker, stop));
    return all;
}

} // namespace stowage
