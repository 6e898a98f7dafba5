// export INPUT… --as KIND: plans the inputs, and takes the plans away in a form that other programs use.
#include "app/cli/command_export_report.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planned.h"
#include "app/cli/rewriting.h"
#include "app/session/native_path.h"
#include "core/io/c_header.h"
#include "core/io/c_names.h"
#include "core/io/c_source.h"
#include "core/io/dsa_problem.h"
#include "core/io/input_file.h"
#include "core/io/plan_tables.h"
#include "core/io/text.h"
#include "plugins/host/import_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>

namespace stowage::cli {

namespace {

class ExportCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "export"; }
    [[nodiscard]] std::string summary() const override
    {
        return "take plans away: C source or a C header, a model with its plan, a report";
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
        app.option("--as", as_, "what to write").required().typeName("KIND");
        app.option("-o,--output", folder_,
                   "file to write; c-source, and c-header without a name ending in .h: a folder, which is made")
            .required()
            .typeName("FILE or DIR")
            .notEmpty();
        app.option("--constants", constants_, "folder with the bytes of constants, NAME.bin each ('/' in a name as '_')")
            .typeName("DIR");
        report_.declare(app);
        planning_.declare(app, PlanningOptions::oneOrManyPlanners);
    }

    int run(const Environment& environment) override
    {
        if (as_ == "executorch" || as_ == "iree" || as_ == "dsa-solution") return writeTable(environment);
        if (as_ == "tflm-offline") return rewriteAs(environment, "tflite", "TensorFlow Lite model");
        if (as_ == "llvm") return rewriteAs(environment, "mlir", "module of upstream MLIR");
        if (as_ == "c-header") return writeHeaders(environment);
        if (as_ == "report") return report_.run(environment, input_, planning_, folder_);
        if (as_ != "c-source") return runProgram(environment);
        std::vector<std::shared_ptr<const Run>> runs; // what the models point to
        std::vector<io::CSourceModel> models;
        for (const std::string& path : input_.inputs()) {
            const auto model = input_.read(environment, path);
            if (!model) return badInput;
            int status = done;
            const auto planned = goodRuns(environment, *model, status);
            for (const FunctionRun& each : planned) {
                io::CSourceModel made;
                made.name = nameOf(*model, planned.size() > 1 ? each.function : std::string());
                made.run = each.run.get();
                made.internalWorkspaces = nobodyNamedPools(*each.run);
                if (auto error = readConstants(*each.run, made)) return environment.fail(*error);
                runs.push_back(each.run);
                models.push_back(std::move(made));
            }
            if (status != done) return status;
        }
        const auto source = io::writeCSource(models);
        if (!source) return environment.fail(source.error());
        environment.say(source->diagnostics);
        return write(environment, source->files);
    }

private:
    /// A run for each function of the model. Where one of them is no valid plan that fits, or there is none, that has been said,
    /// `status` is the command's, and there are none.
    [[nodiscard]] std::vector<FunctionRun> goodRuns(const Environment& environment, const Model& model, int& status) const
    {
        auto planned = planFunctions(environment, model, planning_);
        if (planned.empty()) status = badInput;
        for (const FunctionRun& each : planned) {
            if (isYes(verdictKind(*each.run))) continue;
            environment.note(fmt::format("{}: {}", nativePath(model.path), verdictLine(*each.run)));
            status = exitStatusOf(*each.run);
            return {};
        }
        return planned;
    }

    /// What the runtime that the input came from takes back: `-o` is a file then.
    [[nodiscard]] int writeTable(const Environment& environment) const
    {
        if (input_.inputs().size() > 1) return environment.fail(usage(fmt::format("{} writes one input at a time", as_)));
        const auto model = input_.read(environment, input_.inputs().front());
        if (!model) return badInput;
        int status = done;
        const auto planned = goodRuns(environment, *model, status);
        if (status != done) return status;
        std::vector<io::FunctionRun> runs;
        for (const FunctionRun& each : planned) runs.push_back({each.function, each.run.get()});
        const auto text = as_ == "iree"         ? io::writeIreeOffsets(runs)
                          : as_ == "executorch" ? io::writeExecutorchTable(runs)
                                                : dsaSolution(*model, *planned.front().run);
        if (!text) return environment.fail(text.error());
        return writeFile(environment, folder_, *text);
    }

    /// The document is read again: its fingerprint is part of the solution.
    [[nodiscard]] static Expected<std::string> dsaSolution(const Model& model, const Run& run)
    {
        const std::string path = nativePath(model.path);
        if (model.importer != QLatin1String("dsa-solver"))
            return failure(Code::notSupported, "the input is no DSA problem", {path},
                           "export it as c-header, or with plan --format json");
        const auto document = io::readFile(path);
        if (!document) return document.error();
        return io::writeDsaSolution(*document, path, run.plan);
    }

    /// A writer of somebody else: `-o` is a file then.
    [[nodiscard]] int runProgram(const Environment& environment) const
    {
        const PluginRow* const row = environment.session.plugins().exporterPlugin(as_);
        if (!row)
            return environment.fail(failure(Code::unknownExporter, fmt::format("there is no exporter '{}'", as_), {},
                                            "'list exporters' shows them; --plugin-dir adds a folder of plug-ins"));
        if (input_.inputs().size() > 1) return environment.fail(usage(fmt::format("{} writes one input at a time", as_)));
        const auto model = input_.read(environment, input_.inputs().front());
        if (!model) return badInput;
        int status = done;
        const auto planned = goodRuns(environment, *model, status);
        if (status != done) return status;
        if (planned.size() > 1)
            return environment.fail(usage("the input has several functions", "choose one with --function NAME"));
        const Run& made = *planned.front().run;
        const auto text =
            runExporter(*row, io::writePlanJson(made), io::writeProblemJson(made.problem()), {}, environment.interrupt);
        if (!text) return environment.fail(text.error());
        return writeFile(environment, folder_, *text);
    }

    /// One header a run: `-o` is its file where it ends with ".h", else a folder for all.
    [[nodiscard]] int writeHeaders(const Environment& environment)
    {
        std::vector<io::CSourceFile> files;
        for (const std::string& path : input_.inputs()) {
            const auto model = input_.read(environment, path);
            if (!model) return badInput;
            int status = done;
            const auto planned = goodRuns(environment, *model, status);
            for (const FunctionRun& each : planned) {
                const std::string name = nameOf(*model, planned.size() > 1 ? each.function : std::string());
                const auto header = io::writeCPlanHeader(name, *each.run);
                if (!header) return environment.fail(header.error());
                environment.say(header->diagnostics);
                files.push_back({io::toCName(name) + ".h", header->text});
            }
            if (status != done) return status;
        }
        const bool asFile = folder_.ends_with(".h");
        if (asFile && files.size() == 1) return writeFile(environment, folder_, files.front().text);
        if (asFile)
            return environment.fail(usage(fmt::format("-o {} is one file, and there are {} headers", folder_, files.size()),
                                          "name a folder, or choose one function with --function NAME"));
        for (std::size_t i = 0; i < files.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (files[i].name == files[j].name)
                    return environment.fail(failure(Code::nameClash,
                                                    fmt::format("two headers would be called '{}'", files[i].name), {},
                                                    "rename one of the files"));
        return write(environment, files);
    }

    /// The same bytes as `rewrite IN --pass plan-memory -o OUT`, of one importer's files.
    [[nodiscard]] int rewriteAs(const Environment& environment, const char* importer, const char* what)
    {
        if (input_.inputs().size() > 1) return environment.fail(usage(fmt::format("{} writes one model at a time", as_)));
        const auto model = readForPass(environment, input_, input_.inputs().front(), planMemory);
        if (!model) return badInput;
        if (model->importer != QLatin1String(importer))
            return environment.fail(
                failure(Code::noRewriter, fmt::format("the input is no {}", what), {model->path.toStdString(), 0, 0, -1},
                        fmt::format("{} writes the plan into such a file; c-source and c-header take any input", as_)));
        const auto written = planIntoFile(environment, *model, planMemory, planning_);
        if (const int* status = std::get_if<int>(&written)) return *status;
        return writeFile(environment, folder_, std::get<std::string>(written));
    }

    /// The file's name up to its first dot, with the function's when there are several.
    static std::string nameOf(const Model& model, const std::string& function)
    {
        QString name = QFileInfo(model.path).baseName();
        if (name.isEmpty() || name == QLatin1String("-")) name = model.name;
        return function.empty() ? name.toStdString() : fmt::format("{}_{}", name.toStdString(), function);
    }

    /// U1 of the document: no memory was named, neither by the file nor by the user. Then there is no need to hand one in.
    static bool nobodyNamedPools(const Run& run)
    {
        const auto& pools = run.problem().pools;
        const bool byFile =
            run.program ? !run.program->pools.empty() : !(pools.size() == 1 && pools[0].name == "arena" && !pools[0].capacity);
        return run.lowering->options.pools.empty() && !byFile;
    }

    std::optional<Error> readConstants(const Run& run, io::CSourceModel& model) const
    {
        if (constants_.empty() || !run.program) return std::nullopt;
        const QDir folder(QString::fromStdString(constants_));
        if (!folder.exists()) return failure(Code::cannotOpen, fmt::format("there is no folder '{}'", constants_));
        for (std::size_t f = 0; f < run.program->functions.size(); ++f) {
            const Function& function = run.program->functions[f];
            for (const Tensor& tensor : function.tensors) {
                if (tensor.kind != TensorKind::constant) continue;
                const bool entry = static_cast<FunctionId>(f) == run.lowering->instances.front().function;
                const std::string full = entry ? tensor.name : fmt::format("{}/{}", function.name, tensor.name);
                QString name = QString::fromStdString(full);
                name.replace(QLatin1Char('/'), QLatin1Char('_'));
                QFile file(folder.filePath(name + QLatin1String(".bin")));
                if (!file.exists()) continue;
                const std::string path = file.fileName().toStdString();
                if (!file.open(QIODevice::ReadOnly))
                    return failure(Code::cannotOpen, fmt::format("cannot be opened: {}", file.errorString().toStdString()),
                                   {path, 0, 0, -1});
                if (tensor.bytes && file.size() != *tensor.bytes)
                    return failure(Code::constantSize,
                                   fmt::format("'{}' has {} bytes, and the file {}", full, *tensor.bytes, file.size()),
                                   {path, 0, 0, -1});
                const QByteArray bytes = file.readAll();
                model.constants[full].assign(bytes.begin(), bytes.end());
            }
        }
        return std::nullopt;
    }

    int write(const Environment& environment, const std::vector<io::CSourceFile>& files) const
    {
        const QString path = QString::fromStdString(folder_);
        if (!QDir().mkpath(path))
            return environment.fail(failure(Code::cannotWrite, fmt::format("the folder '{}' cannot be made", folder_)));
        for (const io::CSourceFile& made : files) {
            const std::string file = QDir(path).filePath(QString::fromStdString(made.name)).toStdString();
            if (const int written = writeFile(environment, file, made.text); written != done) return written;
        }
        return done;
    }

    InputOptions input_;
    PlanningOptions planning_;
    ReportOptions report_;
    std::string as_;
    std::string folder_;
    std::string constants_;
};

} // namespace

std::unique_ptr<Command> exportCommand()
{
    return std::make_unique<ExportCommand>();
}

} // namespace stowage::cli
