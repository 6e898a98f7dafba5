#include "core/io/json_reader.h"
#include "core/io/pipeline_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stowage::io {

namespace {

using namespace pipeline;

void readStalls(JsonReader& in, Stalls& stalls)
{
    in.object([&](std::string_view key) {
        if (key == "input") stalls.input = toTicks(in.number());
        if (key == "output") stalls.output = toTicks(in.number());
        if (key == "device") stalls.device = toTicks(in.number());
        if (key == "link") stalls.link = toTicks(in.number());
    });
}

void readLateness(JsonReader& in, TimerLateness& late)
{
    Ticks mean = 0;
    in.object([&](std::string_view key) {
        if (key == "wakes")
            in.read(late.wakes);
        else if (key == "mean")
            mean = toTicks(in.number());
        else if (key == "largest")
            late.largest = toTicks(in.number());
    });
    // Limits the values of a file, so that their sums fit into 63 bits.
    late.wakes = std::clamp<std::int64_t>(late.wakes, 0, 10'000'000);
    late.sum = std::clamp<Ticks>(mean, 0, toTicks(500'000)) * late.wakes;
}

StageRun readStage(JsonReader& in)
{
    StageRun run;
    const auto times = [&](auto&& set) {
        std::size_t f = 0;
        in.array([&] {
            if (f == run.frames.size()) run.frames.emplace_back();
            set(run.frames[f++], toTicks(in.number()));
        });
    };
    in.object([&](std::string_view key) {
        if (key == "frames")
            in.read(run.done);
        else if (key == "busy_us")
            run.busy = toTicks(in.number());
        else if (key == "stall_us")
            readStalls(in, run.stalls);
        else if (key == "timer_late_us")
            readLateness(in, run.late);
        else if (key == "start_us")
            times([](FrameTimes& frame, Ticks time) { frame.start = time; });
        else if (key == "finish_us")
            times([](FrameTimes& frame, Ticks time) { frame.finish = time; });
        else if (key == "index" || key == "device" || key == "bytes" || key == "constants" || key == "variables" ||
                 key == "queued" || key == "memory")
            in.skip();
    });
    return run;
}

} // namespace

Expected<RunResult> readRun(std::string_view text, const std::string& file)
{
    JsonReader in(text, file);
    RunResult run;
    in.object({"format", "frames", "frames_out"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.pipeline-run/1");
        else if (key == "frames")
            in.read(run.frames);
        else if (key == "frames_out")
            in.read(run.framesOut);
        else if (key == "in_order")
            in.read(run.inOrder);
        else if (key == "total_us")
            run.total = toTicks(in.number());
        else if (key == "period_us")
            run.period = toTicks(in.number());
        else if (key == "first_latency_us")
            run.firstLatency = toTicks(in.number());
        else if (key == "stages")
            in.array([&] { run.stages.push_back(readStage(in)); });
        else if (key == "connections")
            in.array([&] {
                ConnectionRun& connection = run.connections.emplace_back();
                in.object([&](std::string_view field) {
                    if (field == "from") in.read(connection.from);
                    if (field == "to") in.read(connection.to);
                    if (field == "max_queued") in.read(connection.maxQueued);
                    if (field == "max_queued_bytes") in.skip();
                    if (field == "lengths")
                        in.array([&] {
                            pipeline::QueueLength& length = connection.lengths.emplace_back();
                            std::size_t position = 0;
                            in.array([&] {
                                if (position++ == 0)
                                    length.time = toTicks(in.number());
                                else
                                    in.read(length.length);
                            });
                        });
                });
            });
        else if (key == "errors")
            in.array([&] {
                StageError& error = run.errors.emplace_back();
                in.object([&](std::string_view field) {
                    if (field == "stage") in.read(error.stage);
                    if (field == "frame") in.read(error.frame);
                    if (field == "message") in.read(error.message);
                });
            });
        else if (key == "owed")
            in.array([&] { run.owed.push_back(in.integer()); });
        else if (key == "digests")
            in.array([&] {
                const std::string_view hex = in.string();
                std::uint64_t& digest = run.digests.emplace_back(0);
                std::from_chars(hex.data(), hex.data() + hex.size(), digest, 16);
            });
        else if (key == "predicted")
            in.skip();
    });
    if (!in.finish()) return in.error();
    return run;
}

} // namespace stowage::io
