// Reads traces of runs in the form of `writeChromeTrace`, also with additions of other programs.
#include "core/io/json_reader.h"
#include "core/io/pipeline_json.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace stowage::io {

namespace {

using namespace pipeline;

constexpr std::int64_t maxFrames = 10'000'000; ///< larger indices are ignored

struct TraceEvent {
    std::string phase;
    std::string name;
    std::int64_t process = 0;
    std::int64_t thread = 0;
    std::int64_t frame = -1;
    std::string threadName;
    double start = 0;
    double duration = 0;
    Stalls stalls;
};

/// A process of the trace: its name, and its frames by stage.
struct TracedProcess {
    std::string name;
    std::map<std::int64_t, std::int64_t> stages;                       ///< by thread
    std::map<std::int64_t, std::map<std::int64_t, FrameTimes>> frames; ///< by thread, then frame
};

void readArguments(JsonReader& in, TraceEvent& event)
{
    in.object([&](std::string_view key) {
        const bool number = in.type() == JsonType::number;
        if (key == "name" && in.type() == JsonType::string)
            in.read(event.threadName);
        else if (key == "frame" && number)
            in.read(event.frame);
        else if (key == "waited_for_input_us" && number)
            event.stalls.input = toTicks(in.number());
        else if (key == "waited_for_link_us" && number)
            event.stalls.link = toTicks(in.number());
        else if (key == "waited_for_device_us" && number)
            event.stalls.device = toTicks(in.number());
        else if (key == "waited_for_output_us" && number)
            event.stalls.output = toTicks(in.number());
        else
            in.skip();
    });
}

TraceEvent readEvent(JsonReader& in)
{
    TraceEvent event;
    in.object([&](std::string_view key) {
        if (key == "ph")
            in.read(event.phase);
        else if (key == "name")
            in.read(event.name);
        else if (key == "pid" && in.type() == JsonType::number)
            in.read(event.process);
        else if (key == "tid" && in.type() == JsonType::number)
            in.read(event.thread);
        else if (key == "ts")
            in.read(event.start);
        else if (key == "dur")
            in.read(event.duration);
        else if (key == "args" && in.type() == JsonType::object)
            readArguments(in, event);
        else
            in.skip();
    });
    return event;
}

/// The stage of a thread: 2 for "stage 2 (npu0)"; no value for other threads.
std::optional<std::int64_t> stageOf(std::string_view name)
{
    constexpr std::string_view word = "stage ";
    if (!name.starts_with(word)) return std::nullopt;
    std::int64_t stage = 0;
    const auto [end, error] = std::from_chars(name.data() + word.size(), name.data() + name.size(), stage);
    if (error != std::errc{} || stage < 0) return std::nullopt;
    return stage;
}

/// Adds times of a file; sums are limited to the largest time.
void add(Ticks& sum, Ticks time)
{
    sum = std::min(sum + std::min(time, maxTicks), maxTicks);
}

RunResult runOf(const TracedProcess& process)
{
    RunResult run;
    std::size_t out = std::size_t(-1);
    for (const auto& [thread, stage] : process.stages) {
        if (static_cast<std::size_t>(stage) != run.stages.size()) break; // threads of stages ascend
        StageRun& made = run.stages.emplace_back();
        const auto frames = process.frames.find(thread);
        if (frames != process.frames.end())
            for (const auto& [frame, times] : frames->second) {
                if (frame != static_cast<std::int64_t>(made.frames.size())) break; // frames count from 0 without a gap
                made.frames.push_back(times);
                add(made.busy, times.finish - times.start);
                add(made.stalls.input, times.stalls.input);
                add(made.stalls.output, times.stalls.output);
                add(made.stalls.device, times.stalls.device);
                add(made.stalls.link, times.stalls.link);
            }
        made.done = static_cast<std::int64_t>(made.frames.size());
        run.frames = std::max(run.frames, made.done);
        out = std::min(out, made.frames.size());
    }
    if (run.stages.empty()) return run;
    run.framesOut = static_cast<std::int64_t>(out);
    std::vector<Ticks> finished(out, 0);
    for (const StageRun& stage : run.stages)
        for (std::size_t f = 0; f < out; ++f) finished[f] = std::max(finished[f], stage.frames[f].finish);
    if (finished.empty()) return run;
    run.total = *std::max_element(finished.begin(), finished.end());
    run.firstLatency = finished.front();
    run.inOrder = std::is_sorted(finished.begin(), finished.end());
    run.period = steadyPeriod(run.framesOut, finished[(out - 1) / 2], finished.back());
    return run;
}

} // namespace

Expected<RunResult> readChromeTrace(std::string_view text, const std::string& file)
{
    JsonReader in(text, file);
    std::map<std::int64_t, TracedProcess> processes;
    const auto take = [&] {
        const TraceEvent event = readEvent(in);
        if (event.phase == "M" && event.name == "process_name") processes[event.process].name = event.threadName;
        if (event.phase == "M" && event.name == "thread_name")
            if (const auto stage = stageOf(event.threadName)) processes[event.process].stages[event.thread] = *stage;
        if (event.phase != "X" || event.frame < 0 || event.frame > maxFrames) return;
        const Ticks start = toTicks(event.start);
        processes[event.process].frames[event.thread][event.frame] = {start, start + toTicks(event.duration), event.stalls};
    };
    bool events = false;
    if (in.type() == JsonType::array) {
        events = true;
        in.array(take);
    } else {
        in.object([&](std::string_view key) {
            if (key == "traceEvents") {
                events = true;
                in.array(take);
            } else {
                in.skip();
            }
        });
    }
    if (!in.finish()) return in.error();
    const Position where{file, 0, 0, -1};
    const std::string remedy = "'pipeline run --trace FILE' writes one";
    if (!events) return failure(Code::wrongFormat, "this is not a trace: it has no events", where, remedy);
    // The process "measured", otherwise the last process.
    const TracedProcess* found = nullptr;
    for (const auto& [id, process] : processes)
        if (!process.stages.empty() && (!found || found->name != "measured")) found = &process;
    RunResult run = found ? runOf(*found) : RunResult{};
    if (run.stages.empty() || run.framesOut == 0)
        return failure(Code::wrongFormat, "the trace has no frames of stages", where, remedy);
    return run;
}

} // namespace stowage::io
