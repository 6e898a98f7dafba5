#include "core/io/pipeline_json.h"

#include "core/plan/report.h"
#include "core/plan/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::io {

namespace {

using namespace pipeline;

std::string_view toText(PartitionStatus status)
{
    switch (status) {
    case PartitionStatus::optimal: return wordOf(Status::optimal);
    case PartitionStatus::feasible: return wordOf(Status::feasible);
    case PartitionStatus::infeasible: return wordOf(Status::infeasible);
    case PartitionStatus::undecided: break;
    }
    return wordOf(Status::undecided);
}

void writeStalls(JsonWriter& out, const Stalls& stalls)
{
    out.object("stall_us", JsonWriter::compact, [&] {
        out.field("input", toMicroseconds(stalls.input));
        out.field("output", toMicroseconds(stalls.output));
        out.field("device", toMicroseconds(stalls.device));
        out.field("link", toMicroseconds(stalls.link));
    });
}

void writeMemory(JsonWriter& out, const StageFit& fit)
{
    if (fit.memory) {
        out.field("bytes", fit.memory->arena);
        out.field("constants", fit.memory->constants);
        out.field("variables", fit.memory->variables);
        if (fit.memory->queued > 0) out.field("queued", fit.memory->queued);
    }
    if (fit.limit) out.field("memory", *fit.limit);
}

constexpr std::size_t maxFinishes = 1000; ///< maximum number of frames, and of changes of a queue, that are listed
constexpr Bytes queuedAtOnce = Bytes{1} << 40;

} // namespace

std::string writeSplit(const Split& split, const Splitter& splitter, std::span<const Stage> stages)
{
    const DeviceSet& devices = splitter.devices();
    const CutMap& map = splitter.map();
    const auto opName = [&](std::size_t op) { return std::string_view(map.function().ops[at(map.ops()[op])].name); };
    JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.split/1");
        out.field("status", toText(split.status));
        out.field("objective", split.objective == Objective::period ? "period" : "latency");
        out.key("period_us");
        split.stages.empty() ? out.null() : out.value(toMicroseconds(split.period));
        out.key("latency_us");
        split.stages.empty() ? out.null() : out.value(toMicroseconds(split.latency));
        out.key("lower_bound_us");
        split.bound ? out.value(toMicroseconds(*split.bound)) : out.null();
        out.array("stages", [&] {
            for (std::size_t s = 0; s < split.stages.size(); ++s) {
                const SplitStage& stage = split.stages[s];
                const Device& device = devices.devices[at(stage.device)];
                out.object([&] {
                    out.field("index", s);
                    out.field("device", device.name);
                    out.array("ops", JsonWriter::compact, [&] {
                        for (std::size_t o = stage.begin; o < stage.end; ++o) out.value(opName(o));
                    });
                    out.field("cost_us", toMicroseconds(stage.cost));
                    out.field("transfer_us", toMicroseconds(stage.transfer));
                    out.field("transfer_bytes", stage.transferBytes);
                    writeMemory(out, {stage.memory, device.memory});
                    if (s >= stages.size()) return;
                    out.array("inputs", JsonWriter::compact, [&] {
                        for (const StageInput& input : stages[s].inputs) out.value(input.name);
                    });
                    out.array("outputs", JsonWriter::compact, [&] {
                        for (const StageOutput& output : stages[s].outputs) out.value(output.name);
                    });
                });
            }
        });
        if (split.misfits.empty()) return;
        out.array("misfits", [&] {
            for (const Misfit& misfit : split.misfits)
                out.object(JsonWriter::compact, [&] {
                    out.field("first_op", opName(misfit.begin));
                    out.field("last_op", opName(misfit.end - 1));
                    out.field("device", devices.devices[at(misfit.device)].name);
                    out.field("needed", misfit.needed);
                    out.field("memory", misfit.memory);
                });
        });
    });
    return std::move(out).text();
}

void writeRunFields(JsonWriter& out, const RunResult& result, const PipelineModel& model, std::span<const StageFit> memory)
{
    out.field("frames", result.frames);
    out.field("frames_out", result.framesOut);
    out.field("in_order", result.inOrder);
    out.field("total_us", toMicroseconds(result.total));
    out.field("period_us", toMicroseconds(result.period));
    out.field("first_latency_us", toMicroseconds(result.firstLatency));
    out.array("stages", [&] {
        for (std::size_t s = 0; s < result.stages.size(); ++s) {
            const StageRun& stage = result.stages[s];
            out.object([&] {
                out.field("index", s);
                out.field("device", model.stages[s].device);
                out.field("frames", stage.done);
                out.field("busy_us", toMicroseconds(stage.busy));
                writeStalls(out, stage.stalls);
                if (s < memory.size()) writeMemory(out, memory[s]);
                if (stage.late.wakes > 0)
                    out.object("timer_late_us", JsonWriter::compact, [&] {
                        out.field("wakes", stage.late.wakes);
                        out.field("mean", toMicroseconds(stage.late.mean()));
                        out.field("largest", toMicroseconds(stage.late.largest));
                    });
                out.array("start_us", JsonWriter::compact, [&] {
                    for (std::size_t f = 0; f < std::min(stage.frames.size(), maxFinishes); ++f)
                        out.value(toMicroseconds(stage.frames[f].start));
                });
                out.array("finish_us", JsonWriter::compact, [&] {
                    for (std::size_t f = 0; f < std::min(stage.frames.size(), maxFinishes); ++f)
                        out.value(toMicroseconds(stage.frames[f].finish));
                });
            });
        }
    });
    out.array("connections", [&] {
        for (std::size_t c = 0; c < result.connections.size(); ++c) {
            const ConnectionRun& connection = result.connections[c];
            out.object(JsonWriter::compact, [&] {
                out.field("from", connection.from);
                out.field("to", connection.to);
                out.field("max_queued", connection.maxQueued);
                // Waiting frames take memory before the stage.
                out.field("max_queued_bytes", connection.maxQueued * std::min(model.connections[c].transferBytes, queuedAtOnce));
                out.array("lengths", [&] {
                    for (std::size_t l = 0; l < std::min(connection.lengths.size(), maxFinishes); ++l)
                        out.array([&] {
                            out.value(toMicroseconds(connection.lengths[l].time));
                            out.value(connection.lengths[l].length);
                        });
                });
            });
        }
    });
    out.array("errors", [&] {
        for (const StageError& error : result.errors)
            out.object(JsonWriter::compact, [&] {
                out.field("stage", error.stage);
                out.field("frame", error.frame);
                out.field("message", error.message);
            });
    });
    if (!result.owed.empty())
        out.array("owed", JsonWriter::compact, [&] {
            for (const std::int64_t frame : result.owed) out.value(frame);
        });
    if (!result.digests.empty())
        out.array("digests", JsonWriter::compact, [&] {
            for (std::size_t f = 0; f < std::min(result.digests.size(), maxFinishes); ++f)
                out.value(fmt::format("{:016x}", result.digests[f]));
        });
}

std::string writeRun(const RunResult& result, const PipelineModel& model, const RunResult* predicted,
                     std::span<const StageFit> memory)
{
    JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.pipeline-run/1");
        writeRunFields(out, result, model, memory);
        if (predicted) out.object("predicted", [&] { writeRunFields(out, *predicted, model); });
    });
    return std::move(out).text();
}

std::string writeChromeTrace(const PipelineModel& model, std::span<const TracedRun> runs)
{
    JsonWriter out;
    const auto name = [&](std::string_view kind, std::size_t process, std::size_t thread, const std::string& text) {
        out.object(JsonWriter::compact, [&] {
            out.field("name", kind);
            out.field("ph", "M");
            out.field("pid", process);
            out.field("tid", thread);
            out.object("args", [&] { out.field("name", text); });
        });
    };
    const auto slice = [&](const std::string& text, std::size_t process, std::size_t thread, Ticks start, Ticks finish,
                           auto&& arguments) {
        out.object(JsonWriter::compact, [&] {
            out.field("name", text);
            out.field("ph", "X");
            out.field("pid", process);
            out.field("tid", thread);
            out.field("ts", toMicroseconds(start));
            out.field("dur", toMicroseconds(finish - start));
            out.object("args", arguments);
        });
    };
    out.object([&] {
        out.field("displayTimeUnit", "ns");
        out.array("traceEvents", [&] {
            for (std::size_t r = 0; r < runs.size(); ++r) {
                const RunResult& run = *runs[r].result;
                const std::size_t process = r + 1;
                const std::size_t stages = model.stages.size();
                name("process_name", process, 0, runs[r].name);
                for (std::size_t s = 0; s < run.stages.size(); ++s) {
                    const std::string& device = model.stages[s].device;
                    name("thread_name", process, s + 1,
                         device.empty() ? fmt::format("stage {}", s) : fmt::format("stage {} ({})", s, device));
                    for (std::size_t f = 0; f < run.stages[s].frames.size(); ++f) {
                        const FrameTimes& frame = run.stages[s].frames[f];
                        slice(fmt::format("frame {}", f), process, s + 1, frame.start, frame.finish, [&] {
                            out.field("frame", f);
                            out.field("waited_for_input_us", toMicroseconds(frame.stalls.input));
                            out.field("waited_for_link_us", toMicroseconds(frame.stalls.link));
                            out.field("waited_for_device_us", toMicroseconds(frame.stalls.device));
                            out.field("waited_for_output_us", toMicroseconds(frame.stalls.output));
                        });
                    }
                }
                for (std::size_t c = 0; c < model.connections.size(); ++c)
                    if (model.connections[c].transfer > 0)
                        name("thread_name", process, stages + 1 + c,
                             fmt::format("link {} to {}", model.connections[c].from, model.connections[c].to));
                for (const TransferTimes& transfer : run.transfers)
                    slice(fmt::format("frame {}", transfer.frame), process, stages + 1 + at(transfer.connection), transfer.start,
                          transfer.finish, [&] { out.field("frame", transfer.frame); });
            }
        });
    });
    return std::move(out).text();
}

} // namespace stowage::io
