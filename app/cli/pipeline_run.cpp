// pipeline simulate and run: computes the times of a configuration, and measures them for comparison.
#include "app/cli/output.h"
#include "app/cli/pipeline_parts.h"
#include "app/session/mpi_engine.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "app/session/split_words.h"
#include "core/io/pipeline_json.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

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

/// "2:1.5,3:2" as stages with factors; no value for other text.
std::optional<std::vector<std::pair<std::int32_t, double>>> parseFactors(const std::string& text)
{
    std::vector<std::pair<std::int32_t, double>> factors;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = std::string_view(text).substr(begin, end - begin);
        const std::size_t colon = part.find(':');
        std::pair<std::int32_t, double> factor;
        if (colon == std::string_view::npos) return std::nullopt;
        const auto stage = std::from_chars(part.data(), part.data() + colon, factor.first);
        const auto value = std::from_chars(part.data() + colon + 1, part.data() + part.size(), factor.second);
        if (stage.ec != std::errc{} || stage.ptr != part.data() + colon || value.ec != std::errc{} ||
            value.ptr != part.data() + part.size() || factor.first < 0 || !(factor.second > 0) || factor.second > 1e6)
            return std::nullopt;
        factors.push_back(factor);
        begin = end + 1;
    }
    return factors;
}

class RunCommandBase : public Command {
public:
    void declareShared(Arguments& app)
    {
        app.option("CONFIG.json", file_, "configuration, as 'pipeline split' writes it").required();
        app.option("--frames", frames_, "number of frames").typeName("N").positive().showDefault();
        app.option("--queue", queue_, "maximum number of frames that wait on a connection between adjacent stages; 0: no limit")
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
        std::vector<std::pair<std::int32_t, double>> slow;
    };

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
        const auto slow = parseFactors(slow_);
        if (!slow) {
            environment.fail(fmt::format("'{}' is not a list of stages with factors: write 2:1.5,3:2", slow_));
            return std::nullopt;
        }
        for (const auto& [stage, factor] : *slow)
            if (at(stage) >= model->stages.size()) {
                environment.fail(fmt::format("there is no stage {}: there are {}", stage, model->stages.size()));
                return std::nullopt;
            }
        if (queue_ == 0) environment.note("warning: without a limit of queues, the memory of waiting frames is not bounded");
        return Prepared{*std::move(file), *std::move(model), *slow};
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
        declareShared(app);
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
        return output_.write(environment, output_.format() == Format::json ? io::writeRun(*result, prepared->model)
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
        return text + "\n" + toText(stageTable(result, prepared.model, nullptr)) + connectionText(result);
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
        declareShared(app);
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
        auto prepared = prepare(environment);
        if (!prepared) return badInput;
        if (frames_ > maxFrames)
            return environment.fail(fmt::format("at most {} frames can be run; simulate takes more", grouped(maxFrames)));
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
            if (auto obstacle = mpiObstacle()) return environment.fail(*obstacle);
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
        const int written =
            output_.write(environment, output_.format() == Format::json ? io::writeRun(result, prepared->model, &*predicted)
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

    Expected<RunResult> runThreads(const Environment& environment, const Prepared& prepared) const
    {
        std::vector<std::unique_ptr<StageKernel>> kernels;
        std::vector<ModuleInterface> interfaces;
        for (std::size_t s = 0; s < prepared.model.stages.size(); ++s) {
            auto kernel = kernelOf(prepared.file, prepared.model, s, {timeScale_, !noCheck_, prepared.slow});
            if (!kernel) return std::move(kernel).error();
            kernels.push_back(*std::move(kernel));
            interfaces.push_back(interfaceOf(prepared.file, prepared.model, s));
        }
        ExecutorOptions options;
        options.timeScale = timeScale_;
        if (!failure_.empty()) {
            const std::size_t first = failure_.find(':');
            const std::size_t second = first == std::string::npos ? first : failure_.find(':', first + 1);
            std::int32_t stage = -1;
            std::int64_t frame = -1;
            if (second != std::string::npos) {
                std::from_chars(failure_.data(), failure_.data() + first, stage);
                std::from_chars(failure_.data() + first + 1, failure_.data() + second, frame);
            }
            if (stage < 0 || frame < 0 || failure_.substr(second + 1) != "kernel")
                return failure(Code::usage, fmt::format("'{}' is not a failure: write STAGE:FRAME:kernel", failure_));
            options.fails = [stage, frame](FailurePoint point, std::int32_t s, std::int64_t f) {
                return point == FailurePoint::kernel && s == stage && f == frame;
            };
        }
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
            text = toned(fmt::format("All {} came out in order, every byte as it was written.", counted(frames_, "frame")),
                         Tone::good, output_) +
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
        return text + "\n" + toText(stageTable(result, prepared.model, &predicted)) + connectionText(result);
    }

    std::string engine_ = "threads";
    double timeScale_ = 1;
    bool noCheck_ = false;
    std::string hosts_;
    std::string failure_;
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
