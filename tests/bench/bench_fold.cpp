// Constant folding: deciding and splitting programs with many ops, the interpreter on a large literal, and whole runs of the
// command line on MLIR modules, with what its process and the worker take.
#include "core/exec/fold_interpreter.h"
#include "core/passes/fold_split.h"
#include "tests/core/program_builder.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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

/// A text in a file, which goes with it.
class ModuleFile {
public:
    ModuleFile(const char* name, const std::string& text)
        : path_(std::filesystem::temp_directory_path() / ("stowage_bench_" + std::to_string(getpid()) + "_" + name))
    {
        std::ofstream(path_) << text;
    }
    ~ModuleFile() { std::filesystem::remove(path_); }
    ModuleFile(const ModuleFile&) = delete;
    ModuleFile& operator=(const ModuleFile&) = delete;
    [[nodiscard]] std::string path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Largest memory of a process up to now, in MB; 0 when it is gone.
double megabytesOf(pid_t process)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
    return 0;
}

/// What one run of the command line takes.
struct Spent {
    double processorMs = 0;     ///< of all its processes
    double ownMegabytes = 0;    ///< of its own process, as far as looking every 200 us finds it
    double workerMegabytes = 0; ///< of the worker
};

Spent runCommand(const std::vector<std::string>& words)
{
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files{};
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    if (posix_spawn(&process, arguments.front(), &files, nullptr, arguments.data(), environ) != 0) std::abort();
    posix_spawn_file_actions_destroy(&files);
    Spent spent;
    const std::string children = "/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children";
    rusage usage{};
    int status = 0;
    for (pid_t ended = 0; ended == 0;) {
        spent.ownMegabytes = std::max(spent.ownMegabytes, megabytesOf(process));
        std::ifstream list(children);
        for (pid_t child = 0; list >> child;) spent.workerMegabytes = std::max(spent.workerMegabytes, megabytesOf(child));
        usleep(200);
        ended = wait4(process, &status, WNOHANG, &usage);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) std::abort(); // a benchmark of an error would be a fine figure
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
        spent.processorMs += static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    return spent;
}

/// Times `stowage-cli COMMAND FILE OPTION…` from start to end.
void commandLine(benchmark::State& state, const char* command, const std::string& file)
{
    Spent most;
    double processorMs = 0;
    for (auto _ : state) {
        const Spent spent = runCommand({STOWAGE_CLI_PROGRAM, command, file, "--planner", "greedy-by-size"});
        processorMs += spent.processorMs;
        most.ownMegabytes = std::max(most.ownMegabytes, spent.ownMegabytes);
        most.workerMegabytes = std::max(most.workerMegabytes, spent.workerMegabytes);
    }
    state.counters["processor_ms"] = processorMs / static_cast<double>(state.iterations());
    state.counters["own_MB"] = most.ownMegabytes;
    state.counters["worker_MB"] = most.workerMegabytes;
}

/// 100 ms at the most.
void smallProgram(benchmark::State& state)
{
    commandLine(state, "fold", STOWAGE_SAMPLES "/mlp_packed_weights.json");
}
BENCHMARK(smallProgram)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(1);

#ifdef STOWAGE_WITH_MLIR
/// 100 ms at the most, with the worker and its MLIR.
void smallModule(benchmark::State& state)
{
    commandLine(state, "fold", STOWAGE_SAMPLES "/mlp_packed_weights.mlir");
}
BENCHMARK(smallModule)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(1);

/// A literal, an op on it and an op that is not constant in each layer, `ops` ops in all; 1 s at the most for 20,000.
void moduleOfOps(benchmark::State& state)
{
    std::string text = "func.func @entry(%x0: tensor<64xf32>) -> tensor<64xf32> {\n";
    const std::int64_t layers = state.range(0) / 3;
    for (std::int64_t i = 0; i < layers; ++i) {
        const std::string number = std::to_string(i);
        text += "  %w" + number + " = arith.constant dense<" + number + ".5> : tensor<64xf32>\n  %p" + number +
                " = arith.mulf %w" + number + ", %w" + number + " : tensor<64xf32>\n  %x" + std::to_string(i + 1) +
                " = arith.addf %x" + number + ", %p" + number + " : tensor<64xf32>\n";
    }
    text += "  return %x" + std::to_string(layers) + " : tensor<64xf32>\n}\n";
    const ModuleFile file("ops.mlir", text);
    commandLine(state, "fold", file.path());
}
BENCHMARK(moduleOfOps)->Arg(20'000)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(1);

/// One literal, in MiB, written as hexadecimal digits; at most 2 s for 64, and none of it in the first process.
void literal(benchmark::State& state)
{
    const std::int64_t bytes = state.range(0) << 20;
    std::string text = "func.func @entry(%x: tensor<" + std::to_string(bytes / 4) + "xf32>) -> tensor<" +
                       std::to_string(bytes / 4) + "xf32> {\n  %w = arith.constant dense<\"0x";
    for (std::int64_t i = 0; i < bytes; ++i) text += {"0123456789ABCDEF"[i % 16], "37A1"[i % 4]};
    const std::string type = " : tensor<" + std::to_string(bytes / 4) + "xf32>\n";
    text += "\">" + type + "  %y = arith.addf %x, %w" + type + "  return %y" + type + "}\n";
    const ModuleFile file("literal.mlir", text);
    commandLine(state, "fold", file.path());
}
BENCHMARK(literal)->Arg(64)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(2);
#endif

} // namespace

BENCHMARK_MAIN();
