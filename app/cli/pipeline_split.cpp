// pipeline split INPUT: splits a model into stages on devices, optimally with a proof, or at given ops.
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/pipeline_parts.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "app/session/pipeline_files.h"
#include "app/session/split_words.h"
#include "core/io/pipeline_json.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

namespace stowage::cli {

namespace {

using namespace pipeline;

class SplitCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "split"; }
    [[nodiscard]] std::string summary() const override { return "split a model into stages on devices"; }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        app.flag("--auto", automatic_, "find the best stages for the devices, with proof");
        app.option("--stages", stages_, "number of stages; without --devices, on equal devices")
            .typeName("N")
            .positive()
            .excludes("--auto");
        app.option("--at", at_, "operators that end a stage, counted from 0: 10,20").typeName("I,J").excludes("--auto");
        app.option("--at-ops", atOps_, "the same by kind (or name) and number among that kind, from 0: add:1,add:4")
            .typeName("OP:N")
            .excludes("--auto");
        app.option("--devices", devices_, "devices: a file (stowage.devices/1), or an installed name").typeName("FILE or NAME");
        app.option("--costs", costs_, "measured costs of ops (stowage.costs/1)").typeName("FILE");
        app.option("--objective", objective_, "what to minimise").oneOf({"period", "latency"}).showDefault();
        app.option("--queue", queue_, "number of frames waiting before a stage that count as its memory")
            .typeName("Q")
            .notNegative();
        app.option("--planner", planner_, "planner for the arena of each stage").typeName("NAME").showDefault();
        app.option("--curve", curve_, "also show the trade-off between period and memory or latency")
            .oneOf({"memory", "latency"});
        app.flag("--verbose", verbose_, "show the cost of each op, and the formula of its estimate");
        app.option("--format", format_, "format of the result").oneOf({"text", "json"}).showDefault();
        app.option("-o,--output", config_, "write the configuration here, and the stages' programs beside it")
            .typeName("CONFIG.json");
    }

    int run(const Environment& environment) override
    {
        const auto model = input_.read(environment);
        if (!model) return badInput;
        if (!model->program)
            return environment.fail(failure(Code::noProgram, "a problem has no ops to split", {input_.inputs().front(), 0, 0, -1},
                                            "give a model or a program"));
        // Lowers the program to find its errors and its number of steps.
        if (auto lowered = lower(*model->program, {}); !lowered) return environment.fail(lowered.error());
        const CutMap map(*model->program);
        auto request = makeRequest(environment, map);
        if (!request) return environment.fail(request.error());
        const auto quick = environment.session.planners().require("greedy-by-size");
        const auto thorough = environment.session.planners().require(planner_);
        if (!thorough) return environment.fail(thorough.error());
        Splitter splitter(*model->program, *std::move(request), quick ? **quick : **thorough, **thorough);
        const auto split = splitter.run();
        if (!split) return environment.fail(split.error());
        environment.say(split->diagnostics);
        std::vector<std::size_t> cuts;
        for (std::size_t s = 1; s < split->stages.size(); ++s) cuts.push_back(split->stages[s].begin);
        std::vector<Stage> stages;
        if (!split->stages.empty()) stages = splitAt(*model->program, splitter.map(), cuts);
        if (!config_.empty() && !stages.empty())
            if (const int written = writeFiles(environment, *split, splitter, stages, model->name.toStdString()); written != done)
                return written;
        const std::string text =
            format_ == "json" ? io::writeSplit(*split, splitter, stages) : shownText(report(*split, splitter, *model));
        if (const int written = OutputOptions().write(environment, text); written != done) return written;
        if (split->status == PartitionStatus::infeasible) return answerIsNo;
        return split->status == PartitionStatus::undecided ? undecided : done;
    }

private:
    Expected<SplitRequest> makeRequest(const Environment& environment, const CutMap& map) const
    {
        SplitRequest request;
        request.cancel = environment.interrupt;
        request.queue = queue_;
        request.objective = objective_ == "latency" ? Objective::latency : Objective::period;
        const int ways = int(automatic_) + int(stages_ > 0) + int(!at_.empty()) + int(!atOps_.empty());
        if (format_ == "json" && (!curve_.empty() || verbose_))
            return failure(Code::usage, "--curve and --verbose are for text", {}, "JSON always has the costs; leave them out");
        if (ways > 1) return failure(Code::usage, "--auto, --stages, --at and --at-ops exclude each other");
        if (ways == 0 && devices_.empty())
            return failure(Code::usage, "no option says where to split", {},
                           "use --auto with --devices, --stages, --at or --at-ops");
        if (automatic_ && devices_.empty())
            return failure(Code::usage, "--auto needs devices", {}, "name them with --devices, or use --stages N for equal ones");
        if (config_ == "-")
            return failure(Code::usage, "the stages' programs are written beside the configuration, which needs a name", {},
                           "name a file with -o");
        if (auto error = readCuts(map, request)) return *std::move(error);
        if (!costs_.empty()) {
            auto costs = readMeasurements(pathFromNative(costs_));
            if (!costs) return std::move(costs).error();
            request.measurements = *std::move(costs);
        }
        if (!devices_.empty()) {
            auto devices = findDevices(pathFromNative(devices_));
            if (!devices) return std::move(devices).error();
            request.devices = *std::move(devices);
        } else {
            const std::size_t count = request.cuts ? request.cuts->size() + 1 : request.stages;
            if (count > map.size())
                return failure(Code::outOfRange,
                               fmt::format("{} stages need more operators than there are ({})", count, map.size()), {},
                               "ask for fewer stages");
            for (std::size_t d = 0; d < count; ++d) request.devices.devices.push_back(plainDevice(d));
        }
        return request;
    }

    std::optional<Error> readCuts(const CutMap& map, SplitRequest& request) const
    {
        request.stages = static_cast<std::size_t>(stages_);
        if (!at_.empty()) {
            std::vector<std::int64_t> indices;
            for (const std::string& part : parts(at_)) {
                std::int64_t index = 0;
                if (!number(part, index)) return failure(Code::usage, fmt::format("'{}' is not the number of an operator", part));
                indices.push_back(index);
            }
            auto cuts = cutsAt(map, indices);
            if (!cuts) return std::move(cuts).error();
            request.cuts = *std::move(cuts);
        }
        if (!atOps_.empty()) {
            std::vector<NamedOp> ops;
            for (const std::string& part : parts(atOps_)) {
                NamedOp op{part, 0};
                const std::size_t colon = part.rfind(':');
                if (colon != std::string::npos && number(part.substr(colon + 1), op.index)) op.name = part.substr(0, colon);
                ops.push_back(std::move(op));
            }
            auto cuts = cutsAtOps(map, ops);
            if (!cuts) return std::move(cuts).error();
            request.cuts = *std::move(cuts);
        }
        return std::nullopt;
    }

    static std::vector<std::string> parts(const std::string& text)
    {
        std::vector<std::string> parts(1);
        for (const char c : text) {
            if (c == ',')
                parts.emplace_back();
            else
                parts.back() += c;
        }
        return parts;
    }
    static bool number(const std::string& text, std::int64_t& value)
    {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} && end == text.data() + text.size() && !text.empty();
    }

    int writeFiles(const Environment& environment, const Split& split, const Splitter& splitter, std::vector<Stage>& stages,
                   const std::string& model) const
    {
        const SplitFiles files = splitFiles(split, splitter, stages, pathFromNative(config_), model, planner_);
        std::vector<WrittenFile> written;
        for (const auto& [path, text] : files.programs) written.push_back({nativePath(path), text});
        written.push_back({config_, files.configText}); // last: it refers to the others
        return cli::writeFiles(environment, written);
    }

    [[nodiscard]] std::string report(const Split& split, Splitter& splitter, const Model& model) const
    {
        std::string text = splitVerdict(split) + "\n\n";
        const auto& devices = splitter.devices().devices;
        const auto bytes = [](Bytes size) { return grouped(size) + " B"; };
        for (const std::string& line : misfitLines(split, splitter.map(), splitter.devices(), bytes)) text += line + '\n';
        if (split.status == PartitionStatus::infeasible && split.misfits.empty())
            text += "Each op fits on some device, but together they need more devices than there are.\n";
        if (!split.stages.empty()) {
            Table table{{{"stage", "stage", CellKind::number},
                         {"device", "device"},
                         {"ops", "ops"},
                         {"cost_us", "cost, µs"},
                         {"transfer_us", "transfer, µs"},
                         {"transfer_bytes", "transfer, B", CellKind::number},
                         {"arena", "arena, B", CellKind::number},
                         {"constants", "constants, B", CellKind::number},
                         {"variables", "variables, B", CellKind::number},
                         {"memory", "memory, B", CellKind::number}},
                        {}};
            for (std::size_t s = 0; s < split.stages.size(); ++s) {
                const SplitStage& stage = split.stages[s];
                const Device& device = devices[at(stage.device)];
                table.rows.push_back({static_cast<std::int64_t>(s), device.name, fmt::format("{}-{}", stage.begin, stage.end - 1),
                                      microsecondsText(toMicroseconds(stage.cost)),
                                      s == 0 ? Cell{} : Cell{microsecondsText(toMicroseconds(stage.transfer))},
                                      s == 0 ? Cell{} : Cell{stage.transferBytes}, stage.memory.arena, stage.memory.constants,
                                      stage.memory.variables > 0 ? Cell{stage.memory.variables} : Cell{},
                                      device.memory ? Cell{*device.memory} : Cell{}});
            }
            text += toText(table);
        }
        if (!curve_.empty() && !split.stages.empty()) text += "\n" + curveText(splitter);
        if (verbose_) text += "\n" + costText(splitter, model);
        return text;
    }

    [[nodiscard]] std::string curveText(Splitter& splitter) const
    {
        constexpr std::size_t most = 100;
        Table table{{{"period_us", "period, µs"},
                     {"latency_us", "latency, µs"},
                     {"bytes", "all stages, B", CellKind::number},
                     {"stages", "stages", CellKind::number},
                     {"devices", "devices"}},
                    {}};
        const TradeOffCurve curve = splitter.tradeOff(curve_ == "memory", most);
        for (const TradeOffPoint& point : curve.points) {
            std::string devices;
            for (const SplitStage& stage : point.stages)
                devices += fmt::format("{}{}:{}-{}", devices.empty() ? "" : " ",
                                       splitter.devices().devices[at(stage.device)].name, stage.begin, stage.end - 1);
            table.rows.push_back({microsecondsText(toMicroseconds(point.period)), microsecondsText(toMicroseconds(point.latency)),
                                  point.bytes, static_cast<std::int64_t>(point.stages.size()), devices});
        }
        return fmt::format("Period against {}: no split is better in both than one of these{}:\n", curve_,
                           curve.complete ? "" : ", and there are more between them") +
               toText(table);
    }

    [[nodiscard]] static std::string costText(const Splitter& splitter, const Model& model)
    {
        Table table{{{"op", "op", CellKind::number},
                     {"name", "name"},
                     {"kind", "kind"},
                     {"flops", "flops", CellKind::number},
                     {"bytes", "bytes moved", CellKind::number},
                     {"formula", "flops are counted as"}},
                    {}};
        const auto& devices = splitter.devices().devices;
        for (const Device& device : devices) table.columns.push_back({device.name, device.name + ", µs"});
        for (std::size_t o = 0; o < splitter.map().size(); ++o) {
            const Op& op = splitter.map().function().ops[at(splitter.map().ops()[o])];
            const WorkEstimate work = workOf(*model.program, splitter.map().function(), op);
            std::vector<Cell> row{static_cast<std::int64_t>(o),
                                  op.name,
                                  op.kind,
                                  static_cast<std::int64_t>(work.flops),
                                  static_cast<std::int64_t>(work.bytes),
                                  std::string(formulaOf(work.rule))};
            for (std::size_t d = 0; d < devices.size(); ++d) {
                const auto device = static_cast<std::int32_t>(d);
                const CostSource source = splitter.costSource(device, o);
                row.emplace_back(microsecondsText(toMicroseconds(splitter.opCost(device, o))) +
                                 (source == CostSource::estimated ? "" : fmt::format(" ({})", toText(source))));
            }
            table.rows.push_back(std::move(row));
        }
        return "An estimated cost is start_us + max(flops / flops_per_us, bytes moved / bytes_per_us):\n" + toText(table);
    }

    InputOptions input_;
    bool automatic_ = false;
    int stages_ = 0;
    std::string at_;
    std::string atOps_;
    std::string devices_;
    std::string costs_;
    std::string objective_ = "period";
    std::int64_t queue_ = 0;
    std::string planner_ = "auto";
    std::string curve_;
    bool verbose_ = false;
    std::string format_ = "text";
    std::string config_;
};

} // namespace

std::unique_ptr<Command> pipelineSplitCommand()
{
    return std::make_unique<SplitCommand>();
}

} // namespace stowage::cli
