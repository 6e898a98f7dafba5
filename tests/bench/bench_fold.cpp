// Constant folding: deciding and splitting programs with many ops, and the interpreter on a large literal.
#include "core/exec/fold_interpreter.h"
#include "core/passes/fold_split.h"
#include "tests/core/program_builder.h"

#include <benchmark/benchmark.h>

#include <string>

using namespace stowage;
using test::ProgramBuilder;

namespace {

/// Layers of a pack on a weight and a product, `ops` ops in all.
Program layers(std::int64_t ops)
{
    ProgramBuilder b;
    TensorId x = b.input("x", 4096);
    for (std::int64_t i = 0; i < ops / 2; ++i) {
        const std::string number = std::to_string(i);
        const TensorId weight = b.tensor("w" + number, 65536, TensorKind::constant);
        const TensorId packed = b.tensor("p" + number, 65536), next = b.tensor("x" + number, 4096);
        b.op("pack" + number, {weight}, {packed});
        b.op("product" + number, {x, packed}, {next});
        x = next;
    }
    b.output(x);
    return b.program();
}

void decide(benchmark::State& state)
{
    const Program program = layers(state.range(0));
    for (auto _ : state) {
        const auto fold = decideFolds(program, 0, {});
        benchmark::DoNotOptimize(fold->folded.size());
    }
}
BENCHMARK(decide)->Arg(20'000)->Unit(benchmark::kMillisecond);

void foldWhole(benchmark::State& state)
{
    const Program program = layers(state.range(0));
    const FunctionId entry[] = {0};
    for (auto _ : state) {
        const auto folded = foldProgram(program, entry, {});
        benchmark::DoNotOptimize(folded->program.functions.size());
    }
}
BENCHMARK(foldWhole)->Arg(20'000)->Unit(benchmark::kMillisecond);

/// A matrix of f32 packed into 32 x 32 tiles; the argument is its extent.
void pack(benchmark::State& state)
{
    const std::int64_t n = state.range(0);
    ConstantTensor matrix{Element::f32, {n, n}, {}};
    matrix.bytes.resize(at(n * n * 4));
    LoopNest nest;
    nest.shape = {n / 32, n / 32, 32, 32};
    nest.operands = {{{{0, {{0, 32}, {2}}}, {0, {{1, 32}, {3}}}}, {}}};
    nest.body.inputs = 1;
    const ConstantTensor* const operands[] = {&matrix};
    for (auto _ : state) benchmark::DoNotOptimize(runNest(nest, operands)->bytes.data());
    state.SetBytesProcessed(state.iterations() * n * n * 4);
}
BENCHMARK(pack)->Arg(1024)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
