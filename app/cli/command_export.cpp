// export INPUT… --as KIND: plans the inputs, and writes the plans in a format of other programs.
#include "app/cli/command_export_report.h"
#include "app/cli/commands.h"
#include "app/cli/exporters.h"
#include "app/cli/fitting.h"
#include "app/cli/output.h"
#include "app/cli/planned.h"
#include "app/cli/rewriting.h"
#include "app/session/native_exporters.h"
#include "app/session/native_path.h"
#include "app/session/run_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace stowage::cli {

namespace {

/// "llvm, report, c-source": the formats of `export`, without those of plug-ins.
std::string exportKinds()
{
    std::string names;
    const auto add = [&names](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    for (const WriterEntry& writer : exporters())
        if (writer.command == "export --as " + writer.name) add(writer.name);
    for (const auto& exporter : nativeExporters()) add(exporter->info().name);
    return names;
}

/// The error for a format that `export` does not write: the command that does, if there is one.
Error unknownKind(const std::string& kind)
{
    const auto writers = exporters();
    const auto other = std::ranges::find(writers, kind, &WriterEntry::name);
    if (other != writers.end())
        return failure(Code::unknownExporter, fmt::format("export does not write '{}'", kind), {},
                       fmt::format("'{}' writes {}", other->command, kind));
    return failure(Code::unknownExporter, fmt::format("there is no exporter '{}'", kind), {},
                   "'list exporters' shows them; --plugin-dir adds a folder of plug-ins");
}

class ExportCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "export"; }
    [[nodiscard]] std::string summary() const override
    {
        return "write a plan as C source, C header, model with its plan, or report";
    }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"export model.tflite --as c-source -o generated",
                "export model.tflite --as c-header --planner greedy-by-size -o model_plan.h",
                "export model.tflite --as report --no-date -o model.html"};
    }

    void declare(Arguments& app) override
    {
        input_.declareMany(app);
        app.option("--as", as_, fmt::format("format to write: {}, or one of a plug-in ('list exporters')", exportKinds()))
            .required()
            .typeName("KIND");
        app.option("-o,--output", folder_,
                   "file to write; for c-source, and for c-header without a name ending in .h, a folder, which is created")
            .required()
            .typeName("FILE or DIR")
            .notEmpty();
        app.option("--constants", constants_, "folder with the bytes of constants, NAME.bin each ('/' in a name as '_')")
            .typeName("DIR");
        app.option("--log", log_, "tflm-offline: log of TensorFlow Lite Micro with this model, to leave space for its scratch")
            .typeName("FILE");
        report_.declare(app);
        planning_.declare(app, PlanningOptions::oneOrManyPlanners);
    }

    int run(const Environment& environment) override
    {
        if (!log_.empty() && as_ != "tflm-offline") return environment.fail(usage("--log is for tflm-offline", "leave it out"));
        if (!constants_.empty() && as_ != "c-source")
            return environment.fail(usage("--constants is for c-source", "leave it out"));
        if (report_.used() && as_ != "report")
            return environment.fail(usage("--baseline, --changes and --no-date are for the report", "leave them out"));
        if (planning_.namesPlanners() && as_ != "report")
            return environment.fail(
                usage(fmt::format("--planners is for the report, and {} holds one plan", as_), "name one with --planner"));
        if (as_ == "tflm-offline") return rewriteAs(environment, "tflite", "TensorFlow Lite model");
        if (as_ == "llvm") return rewriteAs(environment, "mlir", "module of upstream MLIR");
        if (as_ == "report") return report_.run(environment, input_, planning_, folder_);
        const auto known = environment.session.exporters(environment.interrupt);
        const auto found = std::ranges::find_if(known, [&](const auto& each) { return each->info().name == as_; });
        if (found == known.end()) return environment.fail(unknownKind(as_));
        return write(environment, **found);
    }

private:
    /// A run for each function of the model. If a plan is missing, not valid or does not fit, this is reported, `status` is the
    /// exit status, and there are no runs.
    [[nodiscard]] std::vector<FunctionRun> goodRuns(const Environment& environment, const Model& model, int& status) const
    {
        std::optional<Error> failedRun;
        auto planned = planFunctions(environment, model, planning_, &failedRun);
        if (planned.empty()) status = failedRun ? answerIsNo : badInput;
        for (const FunctionRun& each : planned) {
            if (isYes(verdictKind(*each.run))) continue;
            environment.note(fmt::format("{}: {}", nativePath(model.path), verdictLine(*each.run)));
            status = exitStatusOf(*each.run);
            return {};
        }
        return planned;
    }

    /// Plans the inputs, and writes the files of the exporter, which is built in or of a plug-in.
    [[nodiscard]] int write(const Environment& environment, const Exporter& exporter)
    {
        const ExporterInfo& info = exporter.info();
        if (input_.inputs().size() > 1 && !info.several)
            return environment.fail(usage(fmt::format("{} writes one input at a time", as_)));
        ExportRequest request;
        auto options = planning_.takeOptions(info.options);
        if (!options) return environment.fail(options.error());
        request.options = *std::move(options);
        if (!constants_.empty()) request.options.emplace_back("constants", constants_);
        for (const std::string& path : input_.inputs()) {
            const auto model = input_.read(environment, path);
            if (!model) return badInput;
            int status = done;
            auto planned = goodRuns(environment, *model, status);
            if (status != done) return status;
            ExportedModel& made = request.models.emplace_back();
            made.name = shortName(*model);
            made.path = nativePath(model->path);
            made.importer = model->importer.toStdString();
            for (FunctionRun& each : planned) made.functions.push_back({std::move(each.function), std::move(each.run)});
        }
        const auto exported = exporter.write(request);
        if (!exported) return environment.fail(exported.error());
        environment.say(exported->diagnostics);
        const std::vector<ExportedFile>& files = exported->files;
        const bool named =
            std::ranges::any_of(info.suffixes, [&](const auto& suffix) { return folder_.ends_with("." + suffix); });
        if (info.form == ExportForm::folder || (info.form == ExportForm::either && !named)) return write(environment, files);
        if (files.size() == 1) return writeFile(environment, folder_, files.front().bytes);
        return environment.fail(usage(fmt::format("-o {} is one file, and there are {} to write", folder_, files.size()),
                                      "name a folder, or choose one function with --function NAME"));
    }

    /// Writes the same bytes as `rewrite IN --pass plan-memory -o OUT`, for files of one importer.
    [[nodiscard]] int rewriteAs(const Environment& environment, const char* importer, const char* what)
    {
        if (input_.inputs().size() > 1) return environment.fail(usage(fmt::format("{} writes one model at a time", as_)));
        if (!log_.empty()) {
            const auto beside = planBesideScratch(environment, input_, planning_, log_);
            if (const int* status = std::get_if<int>(&beside)) return *status;
            return writeFile(environment, folder_, std::get<std::string>(beside));
        }
        const auto model = readForPass(environment, input_, input_.inputs().front(), planMemory);
        if (!model) return badInput;
        if (model->importer != QLatin1String(importer))
            return environment.fail(
                failure(Code::noRewriter, fmt::format("the input is not a {}", what), {nativePath(model->path), 0, 0, -1},
                        fmt::format("{} writes the plan into such a file; c-source and c-header take any input", as_)));
        const auto written = planIntoFile(environment, *model, planMemory, planning_);
        if (const int* status = std::get_if<int>(&written)) return *status;
        return writeFile(environment, folder_, std::get<std::string>(written));
    }

    int write(const Environment& environment, const std::vector<ExportedFile>& files) const
    {
        std::error_code failed;
        std::filesystem::create_directories(folder_, failed);
        if (failed)
            return environment.fail(failure(Code::cannotWrite, fmt::format("the folder cannot be made: {}", failed.message()),
                                            {folder_, 0, 0, -1}, "name a folder that may be written"));
        std::vector<WrittenFile> written;
        for (const ExportedFile& made : files)
            written.push_back({folder_ + (folder_.ends_with('/') ? "" : "/") + made.name, made.bytes});
        return writeFiles(environment, written);
    }

    InputOptions input_;
    PlanningOptions planning_;
    ReportOptions report_;
    std::string as_;
    std::string folder_;
    std::string constants_;
    std::string log_;
};

} // namespace

std::unique_ptr<Command> exportCommand()
{
    return std::make_unique<ExportCommand>();
}

} // namespace stowage::cli
