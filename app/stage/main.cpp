// stowage-stage CONFIG.json: one stage of a pipeline as a rank of MPI. Rank k runs stage k; rank 0 gathers the results.
#include "app/session/mpi_engine.h"
#include "app/session/pipeline_files.h"
#include "app/session/stage_options.h"
#include "app/stage/mpi_port.h"
#include "app/stage/ping_pong.h"
#include "core/io/output_file.h"
#include "core/io/pipeline_json.h"
#include "core/pipeline/affinity.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <unistd.h>

namespace stowage::stage {

namespace {

using namespace pipeline;

constexpr int done = 0;
constexpr int badInput = 2;
constexpr int reportTag = 2;

struct Options {
    std::string config;
    std::int64_t frames = 100;
    std::int64_t queue = 1;
    double timeScale = 1;
    bool noCheck = false;
    std::string slow;
    std::string journal;
    std::string output;
    std::string failure;
    std::vector<std::int64_t> pingPong;
};

bool isFirst()
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

/// One rank speaks for all.
int fail(const Error& error)
{
    if (isFirst()) std::fputs((toText(error) + '\n').c_str(), stderr);
    return badInput;
}

int write(const std::string& path, const std::string& text)
{
    const auto error = path.empty() ? io::writeStandardOutput(text) : io::writeFile(path, text);
    return error ? fail(*error) : done;
}

/// Fails where the user asks for it; null: nowhere.
std::function<bool(FailurePoint, std::int32_t, std::int64_t)> failsAt(const std::optional<WantedFailure>& wanted)
{
    if (!wanted) return nullptr;
    return [asked = *wanted](FailurePoint point, std::int32_t stage, std::int64_t frame) {
        if (point != FailurePoint::kernel || stage != asked.stage || frame != asked.frame) return false;
        if (asked.crash) _exit(70);
        return true;
    };
}

/// The moment that times count from: one for all ranks of a machine, of others when their barrier ends.
Clock::time_point commonStart()
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    finish(request);
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    std::array<char, MPI_MAX_PROCESSOR_NAME> first = name;
    std::int64_t start = Clock::now().time_since_epoch().count();
    MPI_Ibcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    finish(request);
    const std::int64_t own = start;
    MPI_Ibcast(&start, sizeof(start), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    finish(request);
    return Clock::time_point(Clock::duration(first == name ? start : own));
}

RunResult gather(const PipelineModel& model, RankReport own, std::int64_t frames)
{
    std::vector<RankReport> reports;
    reports.push_back(std::move(own));
    for (std::size_t s = 1; s < model.stages.size(); ++s)
        reports.push_back(unpackReport(receiveBytes(static_cast<int>(s), reportTag)).value_or(RankReport{}));
    RunResult result;
    result.frames = frames;
    std::int64_t out = frames;
    for (std::size_t s = 0; s < reports.size(); ++s) {
        if (!model.stages[s].results.empty() || model.stages[s].outputs.empty())
            out = std::min(out, static_cast<std::int64_t>(reports[s].results.size()));
        for (const std::string& told : reports[s].warnings) std::fputs((told + '\n').c_str(), stderr);
    }
    std::vector<Ticks> times;
    for (std::int64_t f = 0; f < out; ++f) {
        Ticks last = 0;
        std::map<std::int64_t, std::uint64_t> digests;
        for (const RankReport& report : reports) {
            if (at(f) >= report.results.size()) continue;
            last = std::max(last, report.results[at(f)].time);
            for (const auto& [output, digest] : report.results[at(f)].digests) digests[output] = digest;
        }
        std::uint64_t digest = static_cast<std::uint64_t>(model.outputs);
        for (const auto& [output, each] : digests) digest = mixed(digest, each);
        result.digests.push_back(digest);
        times.push_back(last);
    }
    result.framesOut = out;
    if (!times.empty()) {
        result.total = times.back();
        result.firstLatency = times.front();
        result.period = out == 1 ? result.total : steadyPeriod(out, times[at((out - 1) / 2)], result.total);
    }
    for (std::int64_t f = out; f < frames && f < out + 1000; ++f) result.owed.push_back(f);
    std::vector<StageOutcome> outcomes;
    for (RankReport& report : reports) outcomes.push_back(std::move(report.outcome));
    collect(result, model, std::move(outcomes));
    return result;
}

int runRank(const Options& options)
{
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto file = readPipeline(QString::fromStdString(options.config));
    if (!file) return fail(file.error());
    const auto model = modelOf(*file, options.queue);
    if (!model) return fail(model.error());
    const auto stages = static_cast<int>(model->stages.size());
    if (ranks < stages)
        return fail(failure(Code::tooFewRanks, fmt::format("the pipeline has {} stages, and there are {} ranks", stages, ranks),
                            {}, fmt::format("start it with mpirun -n {}", stages)));
    if (const auto obstacle = rankObstacle(*model)) return fail(*obstacle);
    const auto slow = parseFactors(options.slow, model->stages.size());
    if (!slow) return fail(slow.error());
    std::optional<WantedFailure> wanted;
    if (!options.failure.empty()) {
        const auto parsed = parseFailure(options.failure, true);
        if (!parsed) return fail(parsed.error());
        if (const auto missing = missingStage(parsed->stage, model->stages.size())) return fail(*missing);
        if (const auto missing = missingFrame(parsed->frame, options.frames)) return fail(*missing);
        wanted = *parsed;
    }
    Journal journal(rank < stages ? options.journal : std::string(), rank);
    const KernelOptions kernels{options.timeScale, !options.noCheck, *slow};
    // All ranks learn whether one of them cannot begin.
    std::unique_ptr<StageKernel> kernel;
    int bad = 0;
    if (rank < stages) {
        auto made = kernelOf(*file, *model, static_cast<std::size_t>(rank), kernels);
        if (made)
            kernel = *std::move(made);
        else
            std::fputs((toText(made.error()) + '\n').c_str(), stderr), bad = 1;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    int anyBad = 0;
    MPI_Iallreduce(&bad, &anyBad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    finish(request);
    if (anyBad != 0) return badInput;
    const Clock::time_point start = commonStart();
    if (rank >= stages) return done; // more ranks than stages: nothing to do
    RankReport report;
    const auto stage = static_cast<std::size_t>(rank);
    const StageModel& own = model->stages[stage];
    for (const Diagnostic& told : pinThread(own.cpuAffinity, rank)) report.warnings.push_back(toText(told));
    sleepPrecisely();
    const bool exit = !own.results.empty() || own.outputs.empty();
    StageLoopOptions loop;
    loop.stage = rank;
    loop.start = start;
    loop.frames = options.frames;
    loop.fails = failsAt(wanted);
    MpiPort port(*model, stage, exit, start, journal);
    report.outcome = runStage(port, *kernel, wiringOf(*model, stage, interfaceOf(*file, *model, stage), false, exit), loop);
    port.settle();
    report.results = port.takeResults();
    journal.done();
    if (rank > 0) {
        Buffer buffer = pack(report);
        MPI_Isend(buffer.data(), static_cast<int>(buffer.size()), MPI_BYTE, 0, reportTag, MPI_COMM_WORLD, &request);
        finish(request);
        return done;
    }
    const RunResult result = gather(*model, std::move(report), options.frames);
    const int written = write(options.output, io::writeRun(result, *model));
    return written;
}

int run(int argc, char** argv)
{
    CLI::App app("One stage of a pipeline as a rank of MPI: mpirun -n STAGES stowage-stage CONFIG.json", "stowage-stage");
    Options options;
    app.add_option("CONFIG", options.config, "configuration, as 'stowage-cli pipeline split' writes it");
    app.add_option("--frames", options.frames, "frames to put through")->check(CLI::Range(1, 1'000'000))->capture_default_str();
    app.add_option("--queue", options.queue, "frames that wait on a connection; 0: any number")->check(CLI::NonNegativeNumber);
    app.add_option("--time-scale", options.timeScale, "stretch all costs")->check(CLI::PositiveNumber);
    app.add_flag("--no-check", options.noCheck, "only wait for the costs");
    app.add_option("--slow", options.slow, "stages and the factors on their times: 2:1.5,3:2");
    app.add_option("--journal", options.journal, "folder in which each rank writes down what it begins and ends");
    app.add_option("--fail", options.failure, "make a stage fail: STAGE:FRAME:kernel or STAGE:FRAME:crash");
    app.add_option("--ping-pong", options.pingPong, "measure frames of these sizes between two ranks instead")->delimiter(',');
    app.add_option("-o,--output", options.output, "where rank 0 writes the result; else to standard output");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (isFirst()) app.exit(error);
        return error.get_exit_code() == 0 ? done : badInput;
    }
    if (!options.pingPong.empty()) {
        const std::string points = pingPong(options.pingPong);
        return points.empty() ? done : write(options.output, points);
    }
    if (options.config.empty()) return fail(failure(Code::usage, "the configuration is missing"));
    return runRank(options);
}

} // namespace

} // namespace stowage::stage

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    const QCoreApplication application(argc, argv);
    const int status = stowage::stage::run(argc, argv);
    MPI_Finalize();
    return status;
}
