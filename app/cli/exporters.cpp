#include "app/cli/exporters.h"

#include "core/io/dot.h"
#include "core/io/text.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace stowage::cli {

namespace {

/// The problem with each buffer pinned where the plan has it.
Problem pinned(const Run& run)
{
    Problem problem = run.problem();
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Placement& placement = run.plan.placements[i];
        if (!placement.placed()) continue;
        problem.buffers[i].pin = placement.offset;
        problem.buffers[i].pools = {placement.pool};
    }
    return problem;
}

/// The program with each tensor at its offset. A tensor that several calls of its function place differently stays free.
Program pinnedProgram(const Run& run)
{
    Program program = *run.program;
    std::vector<std::vector<std::vector<Bytes>>> offsets(program.functions.size()); // by function, tensor: all that it has
    for (std::size_t f = 0; f < offsets.size(); ++f) offsets[f].resize(program.functions[f].tensors.size());
    for (const FunctionInstance& instance : run.lowering->instances)
        for (std::size_t t = 0; t < instance.bindings.size(); ++t) {
            const TensorBinding& binding = instance.bindings[t];
            if (binding.buffer == none) continue;
            const Placement& placement = run.plan.placements[static_cast<std::size_t>(binding.buffer)];
            if (!placement.placed()) continue;
            offsets[static_cast<std::size_t>(instance.function)][t].push_back(placement.offset + binding.delta);
            Tensor& tensor = program.functions[static_cast<std::size_t>(instance.function)].tensors[t];
            tensor.pools = {run.problem().pools[static_cast<std::size_t>(placement.pool)].name};
        }
    for (std::size_t f = 0; f < offsets.size(); ++f)
        for (std::size_t t = 0; t < offsets[f].size(); ++t) {
            const auto& all = offsets[f][t];
            if (!all.empty() && std::equal(all.begin() + 1, all.end(), all.begin()))
                program.functions[f].tensors[t].pinnedOffset = all.front();
        }
    program.pools = run.problem().pools;
    return program;
}

} // namespace

std::span<const ExporterInfo> exporters()
{
    static const std::array<ExporterInfo, 6> all{{
        {"program", ".program.json", "Stowage program (JSON)", "convert"},
        {"problem", ".json .problem.json", "Stowage problem (JSON)", "convert"},
        {"csv", ".csv", "MiniMalloc problem (CSV), with offsets when planned", "convert"},
        {"dot", ".dot .gv", "Graphviz graph: ops and tensors, or buffers that conflict", "convert"},
        {"plan", ".plan.json", "Stowage plan (JSON)", "plan --format json"},
        {"picture", ".png .svg .pdf", "a view as the window shows it", "render"},
    }};
    return all;
}

std::string exporterFor(std::string_view file)
{
    if (file.ends_with(".program.json")) return "program";
    if (file.ends_with(".json")) return "problem";
    if (file.ends_with(".csv")) return "csv";
    if (file.ends_with(".dot") || file.ends_with(".gv")) return "dot";
    return {};
}

Expected<std::string> exportAs(std::string_view name, const Run& run, bool planned)
{
    if (name == "program") {
        if (!run.program)
            return failure("no-program", "the input is a problem: the ops that a program is made of are not in it", {},
                           "write it as problem or csv");
        return io::writeProgramJson(planned ? pinnedProgram(run) : *run.program);
    }
    if (name == "problem") return io::writeProblemJson(planned ? pinned(run) : run.problem());
    if (name == "csv") return io::writeProblemCsv(run.problem(), planned ? &run.plan : nullptr);
    if (name == "dot") return io::writeDot(run.program.get(), *run.lowering, planned ? &run.plan : nullptr);
    return failure("unknown-exporter", fmt::format("there is no exporter named '{}'", name), {}, "'list exporters' shows them");
}

} // namespace stowage::cli
