#include "app/cli/exporters.h"

#include "core/io/dot.h"
#include "core/io/text.h"
#include "core/plan/planned_program.h"

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

} // namespace

std::span<const WriterEntry> exporters()
{
    static const std::array<WriterEntry, 11> all{{
        {"program", ".program.json", "Stowage program (JSON)", "convert"},
        {"problem", ".json .problem.json", "Stowage problem (JSON)", "convert"},
        {"csv", ".csv", "MiniMalloc problem (CSV), with offsets when planned", "convert"},
        {"dot", ".dot .gv", "Graphviz graph: ops and tensors, or buffers that conflict", "convert"},
        {"interference", "", "Graphviz graph of the buffers that conflict, also of a program", "convert --to interference"},
        {"allocation", "", "Graphviz graph of a plan: which bytes go from which buffer to which",
         "convert --planned --to allocation"},
        {"plan", ".plan.json", "Stowage plan (JSON)", "plan --format json"},
        {"llvm", ".mlir", "MLIR module with one arena and memref.view at constant offsets", "export --as llvm"},
        {"tflm-offline", ".tflite", "TensorFlow Lite model with its plan as metadata, for TensorFlow Lite Micro",
         "export --as tflm-offline"},
        {"report", ".html", "one HTML page: verdict, maps, planners, suggested changes", "export --as report"},
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
    if (planned && (name == "program" || name == "problem" || name == "csv"))
        if (auto error = notSaidByOffsets(run, name == "program")) return *std::move(error);
    if (name == "program") {
        if (!run.program)
            return failure(Code::noProgram, "the input is a problem: the ops that a program is made of are not in it", {},
                           "write it as problem or csv");
        return io::writeProgramJson(planned ? plannedProgram(run) : *run.program);
    }
    if (name == "problem") return io::writeProblemJson(planned ? pinned(run) : run.problem());
    if (name == "csv") return io::writeProblemCsv(run.problem(), planned ? &run.plan : nullptr);
    if (name == "dot") return io::writeDot(run.program.get(), *run.lowering, planned ? &run.plan : nullptr);
    if (name == "interference") return io::writeInterferenceDot(run.problem(), planned ? &run.plan : nullptr);
    if (name == "allocation") {
        if (!planned)
            return failure(Code::usage, "an allocation graph shows a plan", {},
                           "add --planned, and --planner NAME for one of your choice");
        return io::writeAllocationDot(run.problem(), run.plan);
    }
    return failure(Code::unknownExporter, fmt::format("there is no exporter named '{}'", name), {},
                   "'list exporters' shows them");
}

} // namespace stowage::cli
