#include "app/session/pipeline_files.h"

#include "app/session/native_path.h"
#include "app/session/resources.h"
#include "core/io/devices_json.h"
#include "core/io/pipeline_json.h"
#include "core/io/text.h"
#include "core/planners/registry.h"

#include <QDir>
#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace stowage {

namespace {

using namespace pipeline;

constexpr Bytes maxFile = Bytes{1} << 30;

/// Devices are refused, and what never ends is left at the limit.
Expected<std::string> contentsOf(const QString& path, io::StopReading stop = {})
{
    return io::readFile(nativePath(path), {maxFile, maxFile}, std::move(stop));
}

/// A name that leads out of the folder, or to what is no regular file, is refused: whoever wrote the configuration is not whoever
/// opens it.
std::optional<Error> refusedProgram(const QDir& folder, const QString& name, const QString& configuration)
{
    const QString clean = QDir::cleanPath(name);
    if (QDir::isAbsolutePath(clean) || clean == QLatin1String("..") || clean.startsWith(QLatin1String("../")))
        return failure(Code::cannotOpen,
                       fmt::format("the program '{}' lies outside of the folder of its configuration", name.toStdString()),
                       {nativePath(configuration), 0, 0, -1}, "put the programs of the stages beside the configuration");
    const std::string path = nativePath(folder.filePath(clean));
    std::error_code absent; // whoever opens it says so
    if (const auto status = std::filesystem::status(path, absent); exists(status) && !is_regular_file(status))
        return failure(Code::cannotOpen, "this is not a regular file", {path, 0, 0, -1}, "name a file");
    return std::nullopt;
}

std::optional<Error> readPrograms(PipelineFile& file)
{
    const QDir folder = QFileInfo(file.path).dir(); // relative: Qt cannot name a current folder that is not UTF-8
    const std::size_t count = file.config.modules.size();
    file.programs.resize(count);
    file.interfaces.resize(count);
    file.facts.resize(count);
    for (std::size_t m = 0; m < count; ++m) {
        const std::string& name = file.config.modules[m].stage.program;
        if (name.empty()) continue;
        if (auto error = refusedProgram(folder, QString::fromStdString(name), file.path)) return error;
        const QString path = folder.filePath(QString::fromStdString(name));
        const auto text = contentsOf(path);
        if (!text) return text.error();
        auto program = io::readProgramJson(*text, nativePath(path));
        if (!program) return program.error();
        for (const Diagnostic& told : program->diagnostics) file.diagnostics.push_back(told);
        file.facts[m] = factsOf(program->value);
        file.interfaces[m] = file.facts[m].interface;
        file.programs[m] = std::make_shared<const Program>(std::move(program->value));
    }
    return std::nullopt;
}

/// The position of a module in the configuration by its index.
std::size_t positionOf(const PipelineFile& file, std::size_t stage)
{
    for (std::size_t m = 0; m < file.config.modules.size(); ++m)
        if (file.config.modules[m].index == static_cast<std::int64_t>(stage)) return m;
    return stage;
}

} // namespace

StageFacts factsOf(const Program& program)
{
    StageFacts facts;
    const Function& main = program.main();
    for (const TensorId id : main.body().inputs) {
        facts.interface.inputs.push_back(main.tensors[at(id)].name);
        facts.inputBytes.push_back(main.tensors[at(id)].bytes);
    }
    for (const TensorId id : main.body().outputs) {
        facts.interface.outputs.push_back(main.tensors[at(id)].name);
        facts.outputBytes.push_back(main.tensors[at(id)].bytes);
    }
    Ticks sum = 0;
    for (const OpId id : main.body().ops) {
        const Op& op = main.ops[at(id)];
        const auto any = std::find_if(op.cost.begin(), op.cost.end(), [](const DeviceCost& cost) { return cost.device.empty(); });
        if (any == op.cost.end()) return facts;
        sum = std::min(sum + toTicks(any->microseconds), maxTicks);
    }
    facts.cost = sum;
    return facts;
}

bool isPipelineText(std::string_view head)
{
    return head.find("\"module_connection\"") != std::string_view::npos || head.find("\"mod_indx\"") != std::string_view::npos;
}

Expected<PipelineFile> readPipelineText(std::string_view text, const QString& path)
{
    auto read = io::readPipelineConfig(text, nativePath(path));
    if (!read) return std::move(read).error();
    PipelineFile file;
    file.path = path;
    file.config = std::move(read->config);
    file.faults = std::move(read->faults);
    if (auto error = readPrograms(file)) return *std::move(error);
    if (!file.config.devices.empty()) {
        auto devices = io::readDevices(file.config.devices, nativePath(path));
        if (!devices) return std::move(devices).error();
        file.devices = *std::move(devices);
    }
    for (Fault& fault : check(file.config, file.interfaces)) file.faults.push_back(std::move(fault));
    return file;
}

Expected<PipelineFile> readPipeline(const QString& path, io::StopReading stop)
{
    const auto text = contentsOf(path, std::move(stop));
    if (!text) return text.error();
    return readPipelineText(*text, path);
}

QStringList installedDevices()
{
    QStringList names;
    const QString folder = resourcePath(QStringLiteral("targets/devices"));
    if (folder.isEmpty()) return names;
    const QFileInfoList files = QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    for (const QFileInfo& file : files) names += file.completeBaseName();
    return names;
}

Expected<DeviceSet> findDevices(const QString& nameOrFile)
{
    QString path = nameOrFile;
    std::error_code absent;
    if (!std::filesystem::is_regular_file(nativePath(path), absent)) {
        path = resourcePath(QStringLiteral("targets/devices/") + nameOrFile + QStringLiteral(".json"));
        if (path.isEmpty() || nameOrFile.contains(QLatin1Char('/')))
            return failure(Code::unknownDevices,
                           fmt::format("there are no devices named '{}', and no such file", nameOrFile.toStdString()), {},
                           fmt::format("installed are: {}", installedDevices().join(QStringLiteral(", ")).toStdString()));
    }
    const auto text = contentsOf(path);
    if (!text) return text.error();
    return io::readDevices(*text, nativePath(path));
}

Expected<Measurements> readMeasurements(const QString& path, io::StopReading stop)
{
    const auto text = contentsOf(path, std::move(stop));
    if (!text) return text.error();
    return io::readCosts(*text, nativePath(path));
}

Expected<RunResult> readMeasuredRun(const QString& path)
{
    const auto text = contentsOf(path);
    if (!text) return text.error();
    if (text->find("\"stowage.pipeline-run/") != std::string::npos) return io::readRun(*text, nativePath(path));
    return io::readChromeTrace(*text, nativePath(path));
}

SplitFiles splitFiles(const Split& split, const Splitter& splitter, std::vector<Stage>& stages, const QString& configPath,
                      const std::string& model, const std::string& planner)
{
    SplitFiles files;
    for (std::size_t s = 0; s < stages.size(); ++s) setCosts(stages[s], splitter, split.stages[s].device);
    files.config = configOf(split, splitter.devices(), stages);
    files.config.model = model;
    files.config.planner = planner == "auto" ? std::string() : planner;
    files.config.devices = io::writeDevices(splitter.devices());
    while (files.config.devices.ends_with('\n')) files.config.devices.pop_back();
    const QFileInfo info(configPath);
    // The configuration names the programs, and JSON is UTF-8.
    QString base = info.completeBaseName();
    if (!isUtf8Path(base))
        for (QChar& c : base)
            if (c.isSurrogate()) c = u'_';
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const QString name = QStringLiteral("%1.stage%2.program.json").arg(base).arg(s);
        files.config.modules[s].stage.program = name.toStdString();
        const QString path = info.path() == QLatin1String(".") && !configPath.startsWith(QLatin1String("./"))
                                 ? name
                                 : info.path() + QLatin1Char('/') + name;
        files.programs.emplace_back(path, io::writeProgramJson(stages[s].program));
    }
    files.configText = io::writePipelineConfig(files.config, ConfigForm::shipped);
    return files;
}

Expected<PipelineModel> modelOf(const PipelineFile& file, std::int64_t queue)
{
    if (!file.faults.empty())
        return failure(Code::faultyConfiguration, describe(file.faults.front(), file.config.form),
                       {nativePath(file.path), file.faults.front().place.line, file.faults.front().place.column, -1},
                       "'pipeline config check' lists all faults");
    return pipeline::modelOf(file.config, file.facts, file.devices, queue);
}

ModuleInterface interfaceOf(const PipelineFile& file, const PipelineModel& model, std::size_t stage)
{
    const std::size_t position = positionOf(file, stage);
    if (position < file.interfaces.size() && file.interfaces[position]) return *file.interfaces[position];
    return interfaceFrom(model, stage);
}

Expected<std::shared_ptr<const Planner>> plannerOf(const PipelineConfig& config)
{
    return PlannerRegistry::builtIn().require(config.planner.empty() ? "auto" : config.planner);
}

Expected<StagePlan> planModule(const PipelineFile& file, std::size_t position, const Planner& planner,
                               const std::stop_token& cancel)
{
    const std::int32_t device = file.devices.find(file.config.modules[position].stage.device);
    PlanContext context;
    context.cancel = cancel;
    context.workLimit = stageWork;
    return planStage(file.programs[position], device == none ? 1 : file.devices.devices[at(device)].alignment, planner, context);
}

bool checksBytes(const PipelineFile& file, std::size_t stage, const KernelOptions& options)
{
    return options.check && file.programs[positionOf(file, stage)];
}

Expected<std::unique_ptr<StageKernel>> kernelOf(const PipelineFile& file, const PipelineModel& model, std::size_t stage,
                                                const KernelOptions& options, const StagePlan* plan)
{
    const std::size_t position = positionOf(file, stage);
    std::unique_ptr<StageKernel> inner;
    if (checksBytes(file, stage, options)) {
        std::optional<StagePlan> own;
        if (plan) {
            own = *plan;
        } else {
            const auto planner = plannerOf(file.config);
            if (!planner) return planner.error();
            auto planned = planModule(file, position, **planner);
            if (!planned) return std::move(planned).error();
            own = *std::move(planned);
        }
        auto kernel = checkingKernel(*std::move(own));
        if (!kernel) return std::move(kernel).error();
        inner = *std::move(kernel);
    }
    double microseconds = toMicroseconds(model.stages[stage].cost) * options.timeScale;
    for (const auto& [slow, factor] : options.slow)
        if (at(slow) == stage) microseconds *= factor;
    const auto duration = std::chrono::nanoseconds(static_cast<std::int64_t>(microseconds * 1000));
    return std::unique_ptr<StageKernel>(
        std::make_unique<WaitingKernel>(std::move(inner), duration, interfaceOf(file, model, stage).outputs.size()));
}

SlowStage slowestStage(const RunResult& measured, const RunResult& predicted)
{
    std::vector<double> factors;
    SlowStage slow;
    for (std::size_t s = 0; s < measured.stages.size() && s < predicted.stages.size(); ++s) {
        const StageRun& seen = measured.stages[s];
        const StageRun& expected = predicted.stages[s];
        if (seen.done == 0 || expected.done == 0 || expected.busy == 0) continue;
        const double factor = (static_cast<double>(seen.busy) / static_cast<double>(seen.done)) /
                              (static_cast<double>(expected.busy) / static_cast<double>(expected.done));
        factors.push_back(factor);
        if (slow.stage == none || factor > slow.factor) slow = {static_cast<std::int32_t>(s), factor};
    }
    if (slow.stage == none) return slow;
    std::sort(factors.begin(), factors.end());
    const double middle = factors[(factors.size() - 1) / 2];
    if (slow.factor < 1.25 || (factors.size() > 1 && slow.factor < 1.25 * middle)) slow.stage = none;
    return slow;
}

} // namespace stowage
