#include "core/exec/arena.h"

#include "core/exec/problem_run.h"
#include "core/exec/program_run.h"

#include <fmt/format.h>

#include <numeric>

namespace stowage {

namespace {

using namespace executing;

std::size_t at(Id id)
{
    return static_cast<std::size_t>(id);
}

constexpr int mostRuns = 16;
/// Short programs run a few times anyway: a wrong byte looks right once in 256 times, but not every time.
constexpr int leastRuns = 3;
constexpr Bytes shortProgram = Bytes{16} << 20; ///< bytes checked in a run

/// What all distances inside buffers are multiples of: where tensors begin in them, and where views end.
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
        for (const Window& window : buffer.windows) granule = std::gcd(std::gcd(granule, window.low), window.high);
    return granule;
}

struct Outcome {
    ExecutionResult result;
    Address corruptedAt;
    bool cancelled = false;
};

Expected<Outcome> runAll(const Program& program, const Lowering& lowering, const Plan& plan, const ExecuteOptions& options,
                         std::optional<Address> watch)
{
    Outcome outcome;
    auto memory =
        ArenaMemory::create(lowering.problem, plan, granuleOf(program, lowering), options.maxArena, outcome.result.diagnostics);
    if (!memory) return std::move(memory).error();
    ProgramState state(program, lowering, plan, *memory, options.seed, watch);
    ProgramRun run(state, plan, options);
    int runs = 0;
    bool going = true;
    while (going && runs < mostRuns) {
        going = run.run();
        ++runs;
        const bool again = run.branchesLeft() > 0 || (runs < leastRuns && memory->bytesChecked() / runs < shortProgram);
        going = going && again;
    }
    outcome.cancelled = run.cancelled();
    outcome.result.opsExecuted = run.opsExecuted();
    outcome.result.bytesChecked = memory->bytesChecked();
    outcome.result.corruption = state.corruption();
    outcome.corruptedAt = state.corruptedAt();
    if (run.exhausted())
        outcome.result.diagnostics.push_back(
            warning("stopped", fmt::format("stopped after {} ops", run.opsExecuted()), {}, "raise the limit on executed ops"));
    else if (run.branchesLeft() > 0 && !outcome.result.corruption)
        outcome.result.diagnostics.push_back(
            warning("not-reached", fmt::format("{} branches were never taken in {} runs", run.branchesLeft(), runs)));
    return outcome;
}

} // namespace

Expected<ExecutionResult> execute(const Program& program, const Lowering& lowering, const Plan& plan,
                                  const ExecuteOptions& options)
{
    auto outcome = runAll(program, lowering, plan, options, std::nullopt);
    // The culprit is found by running again with an eye on the byte: watching all bytes all the time would cost more than that.
    if (outcome && outcome->result.corruption) outcome = runAll(program, lowering, plan, options, outcome->corruptedAt);
    if (!outcome) return std::move(outcome).error();
    if (outcome->cancelled) return failure("cancelled", "the execution was cancelled");
    return std::move(outcome->result);
}

Expected<ExecutionResult> execute(const Problem& problem, const Plan& plan, const ExecuteOptions& options)
{
    const auto runOnce = [&](std::optional<Address> watch, Address& corruptedAt) -> Expected<ExecutionResult> {
        ExecutionResult result;
        auto memory = ArenaMemory::create(problem, plan, granuleOf(problem), options.maxArena, result.diagnostics);
        if (!memory) return std::move(memory).error();
        ProblemRun run(problem, plan, options, *memory, watch);
        run.run();
        if (run.cancelled()) return failure("cancelled", "the execution was cancelled");
        result.opsExecuted = run.eventsExecuted();
        result.bytesChecked = memory->bytesChecked();
        result.corruption = run.corruption();
        corruptedAt = run.corruptedAt();
        if (run.loopsIgnored()) result.diagnostics.push_back(warning("loops-ignored", "the loops do not nest: each runs once"));
        if (run.exhausted())
            result.diagnostics.push_back(warning("stopped", fmt::format("stopped after {} events", run.eventsExecuted()), {},
                                                 "raise the limit on executed ops"));
        return result;
    };
    Address corruptedAt;
    auto result = runOnce(std::nullopt, corruptedAt);
    if (result && result->corruption) result = runOnce(corruptedAt, corruptedAt);
    return result;
}

std::string describe(const Problem& problem, const Corruption& corruption)
{
    const auto buffer = [&](BufferId id) -> const std::string& { return problem.buffers[at(id)].name; };
    const std::string place = fmt::format("at 0x{:x} in {}", corruption.address, problem.pools[at(corruption.pool)].name);
    std::string text = corruption.reader.empty() ? fmt::format("'{}' lost its byte {}", corruption.tensor, place)
                                                 : fmt::format("'{}' reads '{}' {}", corruption.reader, corruption.tensor, place);
    const std::string by = corruption.writer.empty() ? std::string() : fmt::format("'{}' wrote ", corruption.writer);
    if (corruption.overwrittenBy == none)
        text += ", where nothing was written";
    else if (corruption.overwrittenBy == corruption.buffer)
        text += fmt::format(", where {}another value of '{}'", by.empty() ? "there is " : by, buffer(corruption.buffer));
    else
        text += fmt::format(", where {}'{}'", by.empty() ? "there is " : by, buffer(corruption.overwrittenBy));
    if (corruption.step >= 0) text += fmt::format(", at step {}", corruption.step);
    for (std::size_t i = 0; i < corruption.iterations.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? " in iteration " : "/", corruption.iterations[i]);
    return text;
}

} // namespace stowage
