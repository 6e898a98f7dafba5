// Pipelines: frames that the simulator goes through, and the trade-off curve of a deep net. `events` counts what happened in the
// simulation: ends of stages and transfers.
#include "app/session/pipeline_files.h"
#include "core/io/text.h"
#include "core/pipeline/simulate.h"
#include "core/planners/registry.h"

#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QFile>

using namespace stowage;
using namespace stowage::pipeline;

namespace {

void simulateChain(benchmark::State& state)
{
    const auto stages = static_cast<std::size_t>(state.range(1));
    PipelineModel model;
    for (std::size_t s = 0; s < stages; ++s) {
        StageModel stage;
        stage.cost = 1'000'003 + static_cast<Ticks>(s * 500'009 % 3'000'017);
        stage.resource = static_cast<std::int32_t>(s);
        if (s > 0) stage.inputs.push_back(static_cast<std::int32_t>(s) - 1);
        if (s + 1 < stages) stage.outputs.push_back(static_cast<std::int32_t>(s));
        model.stages.push_back(stage);
        if (s + 1 == stages) continue;
        ConnectionModel connection;
        connection.from = static_cast<std::int32_t>(s);
        connection.to = connection.from + 1;
        connection.transfer = 700'001;
        connection.link = model.links++;
        model.connections.push_back(connection);
    }
    model.resources = static_cast<std::int32_t>(stages);
    model.stages.back().results.emplace_back(0, 0);
    model.outputs = 1;
    SimulateOptions options;
    options.frames = state.range(0);
    std::uint64_t events = 0;
    for (auto _ : state) {
        const auto result = simulate(model, options);
        if (!result || result->total != model.chainTime(options.frames)) return state.SkipWithError("not the closed form");
        events = result->events;
    }
    state.counters["events"] = static_cast<double>(events);
}
BENCHMARK(simulateChain)->Args({1'000'000, 8})->Unit(benchmark::kSecond);

/// DenseNet-121 of the samples on three devices.
void curveOfDenseNet(benchmark::State& state)
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/imagenet_densenet121.json"));
    if (!file.open(QIODevice::ReadOnly)) return state.SkipWithError("no sample");
    const QByteArray text = file.readAll();
    const auto program = io::readProgramJson({text.constData(), static_cast<std::size_t>(text.size())}, "densenet");
    const auto devices = findDevices(QStringLiteral("phone-soc"));
    if (!program || !devices) return state.SkipWithError("not read");
    const auto planners = PlannerRegistry::builtIn();
    std::size_t points = 0;
    for (auto _ : state) {
        SplitRequest request;
        request.devices = *devices;
        Splitter splitter(program->value, std::move(request), *planners.find("greedy-by-size"), *planners.find("auto"));
        points = splitter.tradeOff(true, 60).points.size();
    }
    state.counters["points"] = static_cast<double>(points);
}
BENCHMARK(curveOfDenseNet)->Unit(benchmark::kSecond);

} // namespace

int main(int count, char** words)
{
    const QCoreApplication application(count, words); // installed devices are found beside the program
    benchmark::Initialize(&count, words);
    benchmark::RunSpecifiedBenchmarks();
}
