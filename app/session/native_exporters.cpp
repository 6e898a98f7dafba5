#include "app/session/native_exporters.h"

#include "core/io/c_header.h"
#include "core/io/c_names.h"
#include "core/io/c_source.h"
#include "core/io/dsa_problem.h"
#include "core/io/input_file.h"
#include "core/io/json_writer.h"
#include "core/io/plan_tables.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "core/plan/offsets.h"

#include <QDir>
#include <QFile>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stowage {

namespace {

constexpr auto constantsOption = "constants";

/// The model's name, with the function's where there are several.
std::string nameIn(const ExportedModel& model, const ExportedFunction& function)
{
    return model.functions.size() > 1 ? fmt::format("{}_{}", model.name, function.name) : model.name;
}

std::vector<io::FunctionRun> runsOf(const ExportedModel& model)
{
    std::vector<io::FunctionRun> runs;
    for (const ExportedFunction& function : model.functions) runs.push_back({function.name, function.run.get()});
    return runs;
}

Expected<Exported> oneFile(const ExportedModel& model, Expected<std::string> text)
{
    if (!text) return std::move(text).error();
    return Exported{{{model.name, *std::move(text)}}, {}};
}

class ExecutorchExporter final : public Exporter {
public:
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        const ExportedModel& model = request.models.front();
        return oneFile(model, io::writeExecutorchTable(runsOf(model)));
    }

private:
    ExporterInfo info_{"executorch", "ExecuTorch plan: places by value, for a .pte", {"json"}};
};

class IreeExporter final : public Exporter {
public:
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        const ExportedModel& model = request.models.front();
        return oneFile(model, io::writeIreeOffsets(runsOf(model)));
    }

private:
    ExporterInfo info_{"iree", "IREE: the offset of each slice of a stream.resource.pack", {"txt"}};
};

/// The document is read again: its fingerprint is part of the solution.
class DsaSolutionExporter final : public Exporter {
public:
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        const ExportedModel& model = request.models.front();
        if (model.importer != "dsa-solver")
            return failure(Code::notSupported, "the input is no DSA problem", {model.path},
                           "export it as c-header, or with plan --format json");
        const auto document = io::readFile(model.path);
        if (!document) return document.error();
        const Run& run = *model.functions.front().run;
        return oneFile(model, io::writeDsaSolution(*document, model.path, run.problem(), run.plan));
    }

private:
    ExporterInfo info_{"dsa-solution", "solution of a DSA problem, with the problem's fingerprint", {"json"}};
};

class CHeaderExporter final : public Exporter {
public:
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        Exported exported;
        std::unordered_map<std::string, std::size_t> definers; // header by macro or array
        for (const ExportedModel& model : request.models)
            for (const ExportedFunction& function : model.functions) {
                const std::string name = nameIn(model, function);
                auto header = io::writeCPlanHeader(name, *function.run);
                if (!header) return std::move(header).error();
                exported.diagnostics.insert(exported.diagnostics.end(), header->diagnostics.begin(), header->diagnostics.end());
                exported.files.push_back({io::toCName(name) + ".h", std::move(header->text)});
                if (auto error = clash(exported.files, header->names, definers)) return *std::move(error);
            }
        return exported;
    }

private:
    /// Why the last file cannot be included together with those before it, which define the names in `definers`. Headers whose
    /// file names differ only in the case of letters have the same guard.
    static std::optional<Error> clash(const std::vector<ExportedFile>& files, const std::vector<std::string>& names,
                                      std::unordered_map<std::string, std::size_t>& definers)
    {
        const std::size_t last = files.size() - 1;
        for (std::size_t i = 0; i < last; ++i)
            if (files[i].name == files[last].name)
                return failure(Code::nameClash, fmt::format("two headers would be called '{}'", files[last].name), {},
                               "rename one of the files");
        for (const std::string& name : names)
            if (const auto [found, made] = definers.emplace(name, last); !made && found->second != last)
                return failure(
                    Code::nameClash,
                    fmt::format("'{}' and '{}' would both define '{}'", files[found->second].name, files[last].name, name), {},
                    "rename one of the files");
        return std::nullopt;
    }

    ExporterInfo info_{"c-header",
                       "C11 and C++ header: offsets, sizes, and an aligned array with a section for each pool",
                       {"h"},
                       ExportForm::either,
                       true};
};

/// U1 of the document: no memory was named, neither by the file nor by the user. Then there is no need to hand one in.
bool nobodyNamedPools(const Run& run)
{
    const auto& pools = run.problem().pools;
    const bool byFile =
        run.program ? !run.program->pools.empty() : !(pools.size() == 1 && pools[0].name == "arena" && !pools[0].capacity);
    return run.lowering->options.pools.empty() && !byFile;
}

/// A constant whose data a file may hold.
struct Constant {
    std::string name;
    std::optional<Bytes> bytes; ///< no value: unknown
    Bytes multiple = 1;         ///< `bytes` are rounded up to a multiple of this
};

/// The constants of a program. A problem has those that its plan places in constant pools.
std::vector<Constant> constantsOf(const Run& run)
{
    std::vector<Constant> constants;
    if (!run.program) {
        const Problem& problem = run.problem();
        for (std::size_t b = 0; b < problem.buffers.size(); ++b)
            if (const Placement& place = run.plan.placements[b];
                place.placed() && problem.pools[at(place.pool)].kind == PoolKind::constant)
                constants.push_back(
                    {problem.buffers[b].name, problem.buffers[b].size, std::max<Bytes>(1, run.lowering->options.alignment)});
        return constants;
    }
    for (std::size_t f = 0; f < run.program->functions.size(); ++f) {
        const Function& function = run.program->functions[f];
        const bool entry = static_cast<FunctionId>(f) == run.lowering->instances.front().function;
        for (const Tensor& tensor : function.tensors)
            if (tensor.kind == TensorKind::constant)
                constants.push_back({entry ? tensor.name : fmt::format("{}/{}", function.name, tensor.name), tensor.bytes});
    }
    return constants;
}

/// The name of the file with the data of a constant: "block/weights" has "block_weights.bin".
QString fileOf(const Constant& constant)
{
    return QString::fromStdString(constant.name).replace(QLatin1Char('/'), QLatin1Char('_')) + QLatin1String(".bin");
}

std::optional<Error> readConstants(const QDir& folder, const Run& run, io::CSourceModel& model)
{
    for (const Constant& constant : constantsOf(run)) {
        QFile file(folder.filePath(fileOf(constant)));
        if (!QFileInfo(file).isFile()) continue;
        const std::string path = file.fileName().toStdString();
        if (!file.open(QIODevice::ReadOnly))
            return failure(Code::cannotOpen, fmt::format("cannot be opened: {}", file.errorString().toStdString()),
                           {path, 0, 0, -1});
        if (constant.bytes && alignUp(file.size(), constant.multiple) != *constant.bytes)
            return failure(Code::constantSize,
                           fmt::format("'{}' has {} bytes, and the file {}", constant.name, *constant.bytes, file.size()),
                           {path, 0, 0, -1});
        const QByteArray bytes = file.readAll();
        model.constants[constant.name].assign(bytes.begin(), bytes.end());
    }
    return std::nullopt;
}

/// A warning if no file of `folder` was read.
std::optional<Diagnostic> nothingRead(const std::string& folder, const std::vector<io::CSourceModel>& models)
{
    if (std::ranges::any_of(models, [](const io::CSourceModel& model) { return !model.constants.empty(); })) return std::nullopt;
    for (const io::CSourceModel& model : models)
        if (const auto constants = constantsOf(*model.run); !constants.empty())
            return warning(Code::constantsMissing, fmt::format("no file in '{}' has the name of a constant", folder), {},
                           fmt::format("name the files after the constants: '{}' for '{}'",
                                       fileOf(constants.front()).toStdString(), constants.front().name));
    return warning(Code::constantsMissing, fmt::format("no file in '{}' was read: there are no constants", folder));
}

class CSourceExporter final : public Exporter {
public:
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        std::string constants;
        for (const auto& [key, value] : request.options)
            if (key == constantsOption) constants = value;
        const QDir folder(QString::fromStdString(constants));
        if (!constants.empty() && !folder.exists())
            return failure(Code::cannotOpen, fmt::format("there is no folder '{}'", constants));
        std::vector<io::CSourceModel> models;
        for (const ExportedModel& model : request.models)
            for (const ExportedFunction& function : model.functions) {
                io::CSourceModel made;
                made.name = nameIn(model, function);
                made.run = function.run.get();
                made.internalWorkspaces = nobodyNamedPools(*function.run);
                if (!constants.empty())
                    if (auto error = readConstants(folder, *function.run, made)) return *std::move(error);
                models.push_back(std::move(made));
            }
        auto source = io::writeCSource(models);
        if (!source) return std::move(source).error();
        Exported exported{{}, std::move(source->diagnostics)};
        if (!constants.empty())
            if (auto told = nothingRead(constants, models)) exported.diagnostics.push_back(*std::move(told));
        for (io::CSourceFile& file : source->files) exported.files.push_back({std::move(file.name), std::move(file.text)});
        return exported;
    }

private:
    static OptionSpec folderOfConstants()
    {
        OptionSpec spec;
        spec.name = constantsOption;
        spec.type = OptionType::text;
        spec.description = "folder with the bytes of constants, NAME.bin each ('/' in a name as '_')";
        return spec;
    }
    ExporterInfo info_{"c-source", "C99 headers and sources for an application, one of each for a model",
                       {},         ExportForm::folder,
                       true,       {folderOfConstants()}};
};

/// As the memory profile of ExecuTorch's developer tools, which Stowage reads, too: an event for each buffer and step, where
/// `tid` is the step, `pid` the memory, `ts` the offset and `dur` the size. Trace viewers show a memory as a process. A buffer
/// with several slots is there once for each: which of them it has in an iteration is not known to a step.
class ChromeTraceExporter final : public Exporter {
public:
    [[nodiscard]] const ExporterInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Exported> write(const ExportRequest& request) const override
    {
        const ExportedModel& model = request.models.front();
        if (model.functions.size() > 1)
            return failure(Code::severalFunctions, "a trace is of one function, and the input has several", {model.path},
                           "choose one with --function NAME");
        const Run& run = *model.functions.front().run;
        const Problem& problem = run.problem();
        const auto timeless = std::ranges::count_if(problem.buffers, [](const Buffer& buffer) { return buffer.live.empty(); });
        if (timeless > 0 && timeless == std::ssize(problem.buffers))
            return failure(Code::notSupported,
                           "a trace has an event for each step, and the input has no time axis: its buffers have "
                           "conflicts and no live ranges",
                           {model.path}, "plan --format json has the plan");
        std::int64_t events = 0;
        for (std::size_t b = 0; b < problem.buffers.size(); ++b)
            for (const Interval& range : problem.buffers[b].live)
                events += range.length() * std::ssize(distinctOffsets(run.plan.placements[b]));
        if (events > maxEvents)
            return failure(Code::tooLarge,
                           fmt::format("the trace would have {} events, one for each buffer and step", grouped(events)),
                           {model.path}, "plan --format json has the plan in any size");
        io::JsonWriter out;
        out.object([&] {
            out.array("traceEvents", [&] {
                // Pool by pool: Perfetto gives the name of a thread to the latest one with this number, whatever its process.
                for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) addPool(out, run, pool);
            });
        });
        Exported exported{{{model.name, std::move(out).text()}}, {}};
        if (timeless > 0)
            exported.diagnostics.push_back(warning(Code::notSupported,
                                                   fmt::format("buffers without live ranges ({}) are not in the trace", timeless),
                                                   {model.path}, "plan --format json has the whole plan"));
        return exported;
    }

private:
    static void addPool(io::JsonWriter& out, const Run& run, PoolId pool)
    {
        const Problem& problem = run.problem();
        out.object(io::JsonWriter::compact, [&] {
            out.field("name", "process_name");
            out.field("ph", "M");
            out.field("pid", static_cast<std::int64_t>(pool) + 1);
            out.key("args");
            out.object(io::JsonWriter::compact, [&] { out.field("name", problem.pools[static_cast<std::size_t>(pool)].name); });
        });
        std::vector<Step> used;
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            if (run.plan.placements[b].pool != pool) continue;
            addEvents(out, problem.buffers[b], run.plan.placements[b]);
            for (const Interval& range : problem.buffers[b].live)
                for (Step step = range.begin; step < range.end; ++step) used.push_back(step);
        }
        std::ranges::sort(used);
        used.erase(std::unique(used.begin(), used.end()), used.end());
        addStepNames(out, run, pool, used); // last: readers know the kind of file by its first events
    }

    /// A thread of a pool is a step: "step 3, conv1" instead of a number.
    static void addStepNames(io::JsonWriter& out, const Run& run, PoolId pool, const std::vector<Step>& used)
    {
        for (const Step step : used) {
            std::string name = fmt::format("step {}", step);
            const auto& steps = run.lowering->steps;
            if (run.program && static_cast<std::size_t>(step) < steps.size()) {
                const StepInfo& info = steps[static_cast<std::size_t>(step)];
                if (info.function != none && info.op != none)
                    name += ", " + run.program->functions[static_cast<std::size_t>(info.function)]
                                       .ops[static_cast<std::size_t>(info.op)]
                                       .name;
            }
            out.object(io::JsonWriter::compact, [&] {
                out.field("name", "thread_name");
                out.field("ph", "M");
                out.field("pid", static_cast<std::int64_t>(pool) + 1);
                out.field("tid", static_cast<std::int64_t>(step));
                out.key("args");
                out.object(io::JsonWriter::compact, [&] { out.field("name", name); });
            });
        }
    }

    static void addEvents(io::JsonWriter& out, const Buffer& buffer, const Placement& place)
    {
        const std::vector<Bytes> offsets = distinctOffsets(place); // two iterations may come to one slot
        for (const Interval& range : buffer.live)
            for (Step step = range.begin; step < range.end; ++step)
                for (const Bytes offset : offsets) addEvent(out, buffer, place.pool, step, offset);
    }

    static void addEvent(io::JsonWriter& out, const Buffer& buffer, PoolId pool, Step step, Bytes offset)
    {
        out.object(io::JsonWriter::compact, [&] {
            // The time first: Perfetto of 2022 reads up to it by a scanner that takes no escapes such as those of control
            // characters.
            out.field("ts", offset);
            out.field("dur", buffer.size);
            out.field("name", buffer.name);
            out.field("cat", "memory_allocation");
            out.field("ph", "X");
            out.field("pid", static_cast<std::int64_t>(pool) + 1);
            out.field("tid", static_cast<std::int64_t>(step));
        });
    }

    static constexpr std::int64_t maxEvents = 5'000'000;
    ExporterInfo info_{"chrome-trace", "trace of what lies where in each step, for chrome://tracing and Perfetto", {"json"}};
};

} // namespace

std::vector<std::shared_ptr<const Exporter>> nativeExporters()
{
    return {std::make_shared<CSourceExporter>(),     std::make_shared<CHeaderExporter>(),
            std::make_shared<ExecutorchExporter>(),  std::make_shared<IreeExporter>(),
            std::make_shared<DsaSolutionExporter>(), std::make_shared<ChromeTraceExporter>()};
}

} // namespace stowage
