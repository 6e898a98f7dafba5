// Importing TensorFlow Lite and ONNX models of up to 1,000,000 operators. `verifies`: time over that of flatbuffers' own verifier
// on the same bytes; `parses`: over that of protobuf's parser.
#include "plugins/onnx/onnx_importer.h"
#include "plugins/tflite/tflite_importer.h"
#include "tests/bench/peer.h"
#include "tests/plugins/made_model.h"
#include "tests/plugins/made_onnx.h"
#include "tflite_generated.h"

#include <string>

using namespace stowage;

namespace {

void importing(benchmark::State& state, const Importer& importer, const std::string& bytes, const char* peer, double peerSeconds)
{
    test::against(state, peer, peerSeconds, [&] {
        if (!importer.import({"model", bytes, {}, {}})) std::abort(); // a benchmark of an error would be a fine figure
    });
    state.counters["MB"] = static_cast<double>(bytes.size()) / 1e6;
}

void tfliteChain(benchmark::State& state)
{
    test::MadeModel model;
    model.graphs.push_back(test::reluChain("main", static_cast<int>(state.range(0))));
    const std::string bytes = test::bytesOf(model);
    const double verify = test::minSeconds(3, [&] {
        flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), 64, 1u << 30);
        benchmark::DoNotOptimize(verifier.VerifyBuffer<tflite::fb::Model>("TFL3"));
    });
    importing(state, tflite::TfliteImporter(), bytes, "verifies", verify);
}

void onnxChain(benchmark::State& state)
{
    auto model = test::onnxModel();
    auto& graph = *model.mutable_graph();
    test::addInput(graph, "t0", {64});
    for (std::int64_t i = 1; i <= state.range(0); ++i) {
        const std::string from = "t" + std::to_string(i - 1);
        const std::string to = "t" + std::to_string(i);
        test::addNode(graph, "Relu", {from.c_str()}, {to.c_str()});
    }
    test::addOutput(graph, "t" + std::to_string(state.range(0)), {64});
    const std::string bytes = model.SerializeAsString();
    const double parse = test::minSeconds(3, [&] {
        onnx::ModelProto parsed;
        benchmark::DoNotOptimize(parsed.ParseFromString(bytes));
    });
    importing(state, OnnxImporter(), bytes, "parses", parse);
}

} // namespace

BENCHMARK(tfliteChain)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->MinTime(0.1);
BENCHMARK(onnxChain)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->MinTime(0.1);
BENCHMARK_MAIN();
