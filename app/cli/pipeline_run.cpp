// pipeline simulate and run: computes the times of a configuration, and measures them for comparison.
#include "app/cli/output.h"
#include "app/cli/pipeline_parts.h"
#include "app/session/mpi_engine.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "app/session/pipeline_data.h"
#include "app/session/split_words.h"
#include "app/session/stage_options.h"
#include "core/io/pipeline_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <vector>

namespace stowage::cli {

namespace {

using namespace pipeline;

std::string us(Ticks ticks)
{
    return microsecondsText(toMicroseconds(ticks));
}

/// A row for each stage: its times and waits.
Table stageTable(const RunResult& result, const PipelineModel& model, const RunResult* predicted)
{
    Table table{{{"stage", "stage", CellKind::number},
                 {"device", "device"},
                 {"frames", "frames", CellKind::number},
                 {"busy_us", "busy, µs"},
                 {"share", "busy", CellKind::ratio},
                 {"input", "waits for input, µs"},
                 {"output", "output full, µs"},
                 {"device_busy", "device busy, µs"},
                 {"link", "link, µs"}},
                {}};
    if (predicted) table.columns.push_back({"predicted", "µs a frame, measured / predicted"});
    for (std::size_t s = 0; s < result.stages.size(); ++s) {
        const StageRun& stage = result.stages[s];
        const double share = result.total > 0 ? static_cast<double>(stage.busy) / static_cast<double>(result.total) : 0;
        std::vector<Cell> row{static_cast<std::int64_t>(s),
                              model.stages[s].device,
                              stage.done,
                              us(stage.busy),
                              share,
                              us(stage.stalls.input),
                              us(stage.stalls.output),
                              us(stage.stalls.device),
                              us(stage.stalls.link)};
        if (predicted) {
            const auto each = [](const StageRun& run) { return run.done > 0 ? run.busy / run.done : 0; };
            row.emplace_back(fmt::format("{} / {}", us(each(stage)), us(each(predicted->stages[s]))));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string connectionText(const RunResult& result)
{
    Table table{
        {{"from", "from", CellKind::number}, {"to", "to", CellKind::number}, {"max_queued", "most queued", CellKind::number}},
        {}};
    for (const ConnectionRun& each : result.connections)
        table.rows.push_back({std::int64_t{each.from}, std::int64_t{each.to}, each.maxQueued});
    return table.rows.empty() ? std::string() : "\n" + toText(table);
}

/// A row for each stage: its memory, with the frames that may wait in front of it.
std::string memoryText(const std::vector<StageFit>& memory)
{
    Table table{{{"stage", "stage", CellKind::number},
                 {"arena", "arena, B", CellKind::number},
                 {"constants", "constants, B", CellKind::number},
                 {"variables", "variables, B", CellKind::number},
                 {"queued", "waiting frames, B", CellKind::number},
                 {"total", "in all, B", CellKind::number},
                 {"memory", "memory, B", CellKind::number}},
                {}};
    for (std::size_t s = 0; s < memory.size(); ++s) {
        if (!memory[s].memory) continue;
        const StageMemory& used = *memory[s].memory;
        table.rows.push_back({static_cast<std::int64_t>(s), used.arena, used.constants, used.variables, used.queued, used.total(),
                              memory[s].limit ? Cell{*memory[s].limit} : Cell{}});
    }
    return table.rows.empty() ? std::string() : "\n" + toText(table);
}

class RunCommandBase : public Command {
public:
    void declareShared(Arguments& app, const std::string& unbounded)
    {
        app.option("CONFIG.json", file_, "configuration, as 'pipeline split' writes it").required();
        app.option("--frames", frames_, "number of frames").typeName("N").positive().showDefault();
        app.option("--queue", queue_,
                   "maximum number of frames that wait on a connection between adjacent stages; 0: " + unbounded)
            .typeName("Q")
            .notNegative()
            .showDefault();
        app.option("--slow", slow_, "multiply the times of stages by factors: 2:2.0").typeName("STAGE:FACTOR");
        app.option("--trace", trace_, "write a trace that Perfetto and chrome://tracing open").typeName("FILE");
    }

protected:
    struct Prepared {
        PipelineFile file;
        PipelineModel model;
        StageFactors slow;
        std::vector<StageFigures> figures; ///< by stage; empty: not known
        std::vector<StageFit> memory;      ///< by stage
    };

    /// Why the command cannot run a pipeline, whatever its stages need.
    [[nodiscard]] virtual std::optional<Error> refusal(const PipelineModel&) const { return std::nullopt; }

    /// Reads the configuration and plans its stages. Says why when there is no value.
    std::optional<Prepared> prepare(const Environment& environment) const
    {
        auto file = readPipeline(pathFromNative(file_), [stop = environment.interrupt] { return stop.stop_requested(); });
        if (!file) {
            environment.fail(file.error());
            return std::nullopt;
        }
        environment.say(file->diagnostics);
        auto model = stowage::modelOf(*file, queue_);
        if (!model) {
            environment.fail(model.error());
            return std::nullopt;
        }
        const auto slow = parseFactors(slow_, model->stages.size());
        if (!slow) {
            environment.fail(slow.error());
            return std::nullopt;
        }
        if (const auto error = refusal(*model)) {
            environment.fail(*error);
            return std::nullopt;
        }
        if (queue_ == 0) environment.note("warning: without a limit of queues, the memory of waiting frames is not bounded");
        Prepared prepared{*std::move(file), *std::move(model), *slow, {}, {}};
        if (const auto error = planStages(environment, prepared)) {
            environment.fail(*error);
            return std::nullopt;
        }
        return prepared;
    }

    /// Plans the stages; warns of each that has no plan or does not fit its device. The error is that it was cancelled.
    std::optional<Error> planStages(const Environment& environment, Prepared& prepared) const
    {
        prepared.memory.resize(prepared.model.stages.size());
        auto figures = stageFigures(prepared.file, prepared.model, environment.interrupt);
        if (!figures && figures.error().code == Code::cancelled) return figures.error();
        if (!figures) {
            environment.say({asWarning(figures.error(), "the memory of the stages is not known")});
            return std::nullopt;
        }
        for (std::size_t s = 0; s < figures->size(); ++s) {
            const StageFigures& stage = (*figures)[s];
            StageFit& fit = prepared.memory[s];
            fit.limit = stage.limit;
            if (stage.unplanned) environment.say({asWarning(*stage.unplanned, fmt::format("stage {} was not planned", s))});
            if (!stage.planned) continue;
            fit.memory = stage.memory;
            fit.memory->queued = prepared.model.waitingBytes(s);
            if (fit.tooLarge()) environment.note(tooLarge(s, fit, stage.device));
        }
        prepared.figures = *std::move(figures);
        return std::nullopt;
    }

    static Diagnostic asWarning(Diagnostic told, const std::string& what)
    {
        told.severity = Severity::warning;
        told.message = fmt::format("{}: {}", what, told.message);
        return told;
    }

    [[nodiscard]] std::string tooLarge(std::size_t stage, const StageFit& fit, const std::string& device) const
    {
        const Bytes queued = fit.memory->queued;
        const std::string waiting = queued > 0 ? fmt::format(", {} B of them for waiting frames,", grouped(queued)) : "";
        std::string remedy = "split again";
        if (queued > 0) remedy += fmt::format(" with --queue {}", queue_);
        if (queued > 0 && queue_ > 1) remedy += ", or use a shorter --queue";
        return fmt::format("warning: stage {} needs {} B{} and {} has {} B ({})", stage, grouped(fit.memory->total()), waiting,
                           device, grouped(*fit.limit), remedy);
    }

    std::string file_;
    std::int64_t frames_ = 100;
    std::int64_t queue_ = 1;
    std::string slow_;
    std::string trace_;
    OutputOptions output_;
};

class SimulateCommand final : public RunCommandBase {
public:
    [[nodiscard]] std::string name() const override { return "simulate"; }
    [[nodiscard]] std::string summary() const override
    {
        return "compute latency, throughput, waits and queues, exactly in the model";
    }
    void declare(Arguments& app) override
    {
        declareShared(app, "no limit");
        output_.declare(app, {"text", "json"});
    }
    int run(const Environment& environment) override
    {
        const auto prepared = prepare(environment);
        if (!prepared) return badInput;
        SimulateOptions options;
        options.frames = frames_;
        options.slow = prepared->slow;
        options.cancel = environment.interrupt;
        const auto result = simulate(prepared->model, options);
        if (!result) return environment.fail(result.error());
        if (!trace_.empty()) {
            const io::TracedRun traced{"predicted", &*result};
            if (const int written = writeFile(environment, trace_, io::writeChromeTrace(prepared->model, {&traced, 1}));
                written != done)
                return written;
        }
        return output_.write(environment, output_.format() == Format::json
                                              ? io::writeRun(*result, prepared->model, nullptr, prepared->memory)
                                              : text(*prepared, *result));
    }

private:
    static std::string text(const Prepared& prepared, const RunResult& result)
    {
        std::string text = fmt::format("{} take {} µs: one every {} µs ({} a second), the first after {} µs.\n",
                                       counted(result.frames, "frame"), us(result.total), us(result.period),
                                       result.period > 0 ? microsecondsText(1e6 / toMicroseconds(result.period)) : "any number",
                                       us(result.firstLatency));
        if (prepared.model.isChain() && prepared.slow.empty())
            text += fmt::format("A chain: sum + ({} - 1) x max = {} µs.\n", grouped(result.frames),
                                us(prepared.model.chainTime(result.frames)));
        return text + "\n" + toText(stageTable(result, prepared.model, nullptr)) + connectionText(result) +
               memoryText(prepared.memory);
    }
};

class RunPipelineCommand final : public RunCommandBase {
public:
    [[nodiscard]] std::string name() const override { return "run"; }
    [[nodiscard]] std::string summary() const override
    {
        return "run the stages on planned arenas, and compare with the prediction";
    }
    void declare(Arguments& app) override
    {
        declareShared(app, fmt::format("no limit, with threads {} frames", grouped(std::int64_t(ExecutorOptions().unbounded))));
        app.option("--engine", engine_, "threads of this process, or MPI ranks").oneOf({"threads", "mpi"}).showDefault();
        app.option("--time-scale", timeScale_,
                   "multiply all costs and transfers by this, if a frame takes less time than the checks")
            .typeName("X")
            .showDefault()
            .between(1e-6, 1e6);
        app.flag("--no-check", noCheck_, "only wait for the costs; do not run the ops on their arenas");
        app.option("--hosts", hosts_, "hosts of the ranks, as in mpirun --host").typeName("LIST");
        app.option("--fail", failure_, "make a stage fail, to test the error report: 1:5:kernel, with mpi also 1:5:crash")
            .typeName("STAGE:FRAME:HOW");
        output_.declare(app, {"text", "json"});
    }
    int run(const Environment& environment) override
    {
        if (!hosts_.empty() && engine_ != "mpi")
            return environment.fail(usage("--hosts is for ranks of MPI", "add --engine mpi, or leave it out"));
        if (frames_ > maxFrames)
            return environment.fail(fmt::format("at most {} frames can be run; simulate takes more", grouped(maxFrames)));
        if (!failure_.empty()) {
            const auto parsed = parseFailure(failure_, engine_ == "mpi");
            if (!parsed) return environment.fail(parsed.error());
            if (const auto missing = missingFrame(parsed->frame, frames_)) return environment.fail(*missing);
            wanted_ = *parsed;
        }
        if (engine_ == "mpi")
            if (const auto obstacle = mpiObstacle()) return environment.fail(*obstacle);
        auto prepared = prepare(environment);
        if (!prepared) return badInput;
        PipelineModel predictedModel = scaled(prepared->model);
        RunResult result;
        if (engine_ == "mpi") {
            MpiOptions options;
            options.frames = frames_;
            options.queue = queue_;
            options.kernels = {timeScale_, !noCheck_, prepared->slow};
            options.hosts = QString::fromStdString(hosts_);
            options.failure = QString::fromStdString(failure_);
            options.cancel = environment.interrupt;
            std::vector<Bytes> sizes;
            for (const ConnectionModel& connection : predictedModel.connections) {
                Bytes bytes = 0;
                for (const ConnectionTensor& tensor : connection.tensors) bytes += tensor.bytes.value_or(0);
                sizes.push_back(bytes);
            }
            if (prepared->model.stages.size() > 1) {
                const auto calibration = calibrateMpi(sizes, options.hosts, environment.interrupt);
                if (!calibration) return environment.fail(calibration.error());
                environment.note(fmt::format("link, by ping-pong: {:.1f} µs + bytes / {:.0f} per µs", calibration->latencyUs,
                                             calibration->bytesPerUs));
                predictedModel = withLinks(std::move(predictedModel), *calibration);
            }
            auto ran = runOverMpi(prepared->file, prepared->model, options);
            if (!ran) return environment.fail(ran.error());
            environment.say(ran->diagnostics);
            result = std::move(ran->result);
        } else {
            auto ran = runThreads(environment, *prepared);
            if (!ran) return environment.fail(ran.error());
            result = *std::move(ran);
        }
        SimulateOptions simulation;
        simulation.frames = frames_;
        const auto predicted = simulate(predictedModel, simulation);
        if (!predicted) return environment.fail(predicted.error());
        if (!trace_.empty()) {
            const std::array traced{io::TracedRun{"predicted", &*predicted}, io::TracedRun{"measured", &result}};
            if (const int written = writeFile(environment, trace_, io::writeChromeTrace(predictedModel, traced)); written != done)
                return written;
        }
        const int written = output_.write(environment, output_.format() == Format::json
                                                           ? io::writeRun(result, prepared->model, &*predicted, prepared->memory)
                                                           : text(*prepared, result, *predicted));
        if (written != done) return written;
        return result.framesOut == frames_ && result.errors.empty() && result.inOrder ? done : answerIsNo;
    }

private:
    static constexpr std::int64_t maxFrames = 1'000'000;

    [[nodiscard]] PipelineModel scaled(PipelineModel model) const
    {
        for (StageModel& stage : model.stages) stage.cost = toTicks(toMicroseconds(stage.cost) * timeScale_);
        for (ConnectionModel& connection : model.connections)
            connection.transfer = toTicks(toMicroseconds(connection.transfer) * timeScale_);
        return model;
    }

    [[nodiscard]] std::optional<Error> refusal(const PipelineModel& model) const override
    {
        if (wanted_)
            if (auto missing = missingStage(wanted_->stage, model.stages.size())) return missing;
        if (engine_ == "mpi") return rankObstacle(model);
        return std::nullopt;
    }

    Expected<RunResult> runThreads(const Environment& environment, const Prepared& prepared) const
    {
        std::vector<std::unique_ptr<StageKernel>> kernels;
        std::vector<ModuleInterface> interfaces;
        for (std::size_t s = 0; s < prepared.model.stages.size(); ++s) {
            const StageFigures* figures = s < prepared.figures.size() ? &prepared.figures[s] : nullptr;
            if (figures && figures->unplanned && !noCheck_) return *figures->unplanned;
            auto kernel = kernelOf(prepared.file, prepared.model, s, {timeScale_, !noCheck_, prepared.slow},
                                   figures ? figures->plan.get() : nullptr);
            if (!kernel) return std::move(kernel).error();
            kernels.push_back(*std::move(kernel));
            interfaces.push_back(interfaceOf(prepared.file, prepared.model, s));
        }
        ExecutorOptions options;
        options.timeScale = timeScale_;
        options.frames = frames_;
        if (wanted_)
            options.fails = [stage = wanted_->stage, frame = wanted_->frame](FailurePoint point, std::int32_t s, std::int64_t f) {
                return point == FailurePoint::kernel && s == stage && f == frame;
            };
        Executor executor(prepared.model, std::move(kernels), interfaces, std::move(options));
        environment.say(executor.diagnostics());
        RunResult result = runFrames(executor, frames_, environment.interrupt);
        if (environment.interrupt.stop_requested()) return failure(Code::cancelled, "the run was cancelled");
        return result;
    }

    [[nodiscard]] std::string text(const Prepared& prepared, const RunResult& result, const RunResult& predicted) const
    {
        std::string text;
        if (result.framesOut == frames_ && result.inOrder && result.errors.empty())
            text = toned(fmt::format("All {} came out in order{}", counted(frames_, "frame"), checkedText(prepared)), Tone::good,
                         output_) +
                   "\n";
        else
            text = toned(fmt::format("{} of {} came out.", grouped(result.framesOut), counted(frames_, "frame")), Tone::bad,
                         output_) +
                   "\n";
        for (const StageError& error : result.errors)
            text += fmt::format("Stage {} failed{}: {}.\n", error.stage,
                                error.frame >= 0 ? fmt::format(" in frame {}", error.frame) : "", error.message);
        if (!result.owed.empty()) text += fmt::format("Missing: frames {} to {}.\n", result.owed.front(), result.owed.back());
        if (result.framesOut > 1 && predicted.period > 0 && result.period > 0)
            text += fmt::format("One frame every {} µs, predicted {} µs ({:+.1f} %); the first after {} µs, predicted {} µs.\n",
                                us(result.period), us(predicted.period),
                                100.0 * (static_cast<double>(result.period) / static_cast<double>(predicted.period) - 1),
                                us(result.firstLatency), us(predicted.firstLatency));
        TimerLateness late;
        for (const StageRun& stage : result.stages) late.add(stage.late);
        if (late.wakes > 0)
            text += fmt::format("This machine woke waiting threads {} µs late on average, {} µs at most.\n", us(late.mean()),
                                us(late.largest));
        if (const SlowStage slow = slowestStage(result, predicted); slow.stage != none)
            text += toned(fmt::format("Stage {} takes {:.2f} times as long as predicted.", slow.stage, slow.factor), Tone::bad,
                          output_) +
                    (prepared.slow.empty() && !noCheck_ && engine_ == "threads"
                         ? " Checking its bytes may take longer than its ops would: --no-check only waits."
                         : "") +
                    "\n";
        return text + "\n" + toText(stageTable(result, prepared.model, &predicted)) + connectionText(result) +
               memoryText(prepared.memory);
    }

    /// The end of the sentence on frames that came out in order: which bytes were checked.
    [[nodiscard]] std::string checkedText(const Prepared& prepared) const
    {
        const KernelOptions options{timeScale_, !noCheck_, prepared.slow};
        const std::size_t stages = prepared.model.stages.size();
        std::vector<std::size_t> unchecked;
        for (std::size_t s = 0; s < stages; ++s)
            if (!checksBytes(prepared.file, s, options)) unchecked.push_back(s);
        if (unchecked.empty()) return ", every byte as it was written.";
        if (unchecked.size() == stages) return "; bytes were not checked.";
        return fmt::format("; bytes were not checked in stage{} {}, whose ops are not known.", unchecked.size() == 1 ? "" : "s",
                           fmt::join(unchecked, ", "));
    }

    std::string engine_ = "threads";
    double timeScale_ = 1;
    bool noCheck_ = false;
    std::string hosts_;
    std::string failure_;
    std::optional<WantedFailure> wanted_; ///< what `failure_` says
};

} // namespace

std::unique_ptr<Command> pipelineSimulateCommand()
{
    return std::make_unique<SimulateCommand>();
}

std::unique_ptr<Command> pipelineRunCommand()
{
    return std::make_unique<RunPipelineCommand>();
}

} // namespace stowage::cli
