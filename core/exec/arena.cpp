#include "core/exec/arena.h"

#include "core/exec/problem_run.h"
#include "core/exec/program_run.h"
#include "core/ir/occupied.h"

#include <fmt/format.h>

#include <numeric>

namespace stowage {

namespace {

using namespace executing;

constexpr int maxRuns = 16;
/// Short programs are executed several times: a wrong byte matches by chance once in 256 runs, but not in every run.
constexpr int fewRuns = 3;
constexpr int runsOfVaried = 8;                 ///< for programs whose runs differ from each other
constexpr Bytes shortProgram = Bytes{16} << 20; ///< bytes checked in one run

/// A common divisor of all distances inside buffers: begins of tensors, and ends of views.
Bytes granuleOf(const Program& program, const Lowering& lowering)
{
    Bytes granule = 0;
    for (const FunctionInstance& instance : lowering.instances) {
        const auto& tensors = program.functions[at(instance.function)].tensors;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const TensorBinding& bound = instance.bindings[t];
            if (bound.buffer == none) continue;
            granule = std::gcd(granule, bound.delta);
            if (tensors[t].aliasOf != none && tensors[t].bytes) granule = std::gcd(granule, *tensors[t].bytes);
        }
    }
    return granule;
}

Bytes granuleOf(const Problem& problem)
{
    Bytes granule = 0;
    for (const Buffer& buffer : problem.buffers)
        forEachOccupied(buffer, [&](const Occupied& it) {
            if (it.by == Occupying::window) granule = std::gcd(std::gcd(granule, it.low), it.high);
        });
    return granule;
}

/// Number of runs; at least two for programs whose runs differ.
int wantedRuns(bool varies, Bytes checkedInOne)
{
    if (checkedInOne < shortProgram) return varies ? runsOfVaried : fewRuns;
    return varies ? 2 : 1;
}

struct Outcome {
    ExecutionResult result;
    Address corruptedAt;
    bool cancelled = false;
};

void noteLimit(ExecutionResult& result)
{
    result.complete = false;
    result.diagnostics.push_back(
        warning(Code::stopped, fmt::format("stopped after {} ops and {} bytes", result.opsExecuted, result.bytesChecked)));
}

Expected<Outcome> runAll(const Program& program, const Lowering& lowering, const Plan& plan, const ExecuteOptions& options,
                         std::optional<Address> watch)
{
    Outcome outcome;
    ExecutionResult& result = outcome.result;
    auto memory = ArenaMemory::create(lowering.problem, plan, granuleOf(program, lowering), options.maxArena, result.diagnostics);
    if (!memory) return std::move(memory).error();
    ProgramState state(program, lowering, plan, *memory, options, watch);
    ProgramRun run(state, options);
    bool going = true;
    while (going && result.runs < maxRuns) {
        going = run.run();
        ++result.runs;
        going = going && (run.branchesLeft() > 0 || result.runs < wantedRuns(run.varies(), memory->bytesChecked() / result.runs));
    }
    outcome.cancelled = run.cancelled();
    result.opsExecuted = run.opsExecuted();
    result.bytesChecked = memory->bytesChecked();
    result.transfers = state.transfers();
    result.bytesTransferred = state.bytesTransferred();
    result.corruption = state.corruption();
    result.complete = memory->whole();
    outcome.corruptedAt = state.corruptedAt();
    if (result.corruption) return outcome;
    if (run.exhausted()) {
        noteLimit(result);
    } else if (run.branchesLeft() > 0) {
        result.complete = false;
        result.diagnostics.push_back(
            warning(Code::notReached, fmt::format("{} branches were never taken in {} runs", run.branchesLeft(), result.runs)));
    }
    return outcome;
}

Expected<Outcome> runAll(const Problem& problem, const Plan& plan, const ExecuteOptions& options, std::optional<Address> watch)
{
    Outcome outcome;
    ExecutionResult& result = outcome.result;
    auto memory = ArenaMemory::create(problem, plan, granuleOf(problem), options.maxArena, result.diagnostics);
    if (!memory) return std::move(memory).error();
    ProblemRun run(problem, plan, options, *memory, watch);
    bool going = true;
    while (going && result.runs < maxRuns) {
        going = run.run();
        ++result.runs;
        going =
            going && (result.runs < run.wantedRuns() || result.runs < wantedRuns(false, memory->bytesChecked() / result.runs));
    }
    outcome.cancelled = run.cancelled();
    result.opsExecuted = run.eventsExecuted();
    result.bytesChecked = memory->bytesChecked();
    result.corruption = run.corruption();
    result.complete = memory->whole();
    outcome.corruptedAt = run.corruptedAt();
    if (result.corruption) return outcome;
    if (run.exhausted()) {
        noteLimit(result);
    } else if (run.leftIterations()) {
        result.complete = false;
        result.diagnostics.push_back(
            warning(Code::notReached, "two buffers of nested loops meet in more combinations of iterations than were executed"));
    }
    return outcome;
}

/// The op that overwrote the byte is found by a second execution that watches this byte. Recording the writer of every byte would
/// cost more.
Expected<ExecutionResult> twiceWhereWrong(const auto& run)
{
    Expected<Outcome> outcome = run(std::nullopt);
    if (outcome && outcome->result.corruption) outcome = run(std::optional(outcome->corruptedAt));
    if (!outcome) return std::move(outcome).error();
    if (outcome->cancelled) return failure(Code::cancelled, "the execution was cancelled");
    return std::move(outcome->result);
}

} // namespace

Expected<ExecutionResult> execute(const Program& program, const Lowering& lowering, const Plan& plan,
                                  const ExecuteOptions& options)
{
    return twiceWhereWrong([&](std::optional<Address> watch) { return runAll(program, lowering, plan, options, watch); });
}

Expected<ExecutionResult> execute(const Problem& problem, const Plan& plan, const ExecuteOptions& options)
{
    return twiceWhereWrong([&](std::optional<Address> watch) { return runAll(problem, plan, options, watch); });
}

} // namespace stowage
