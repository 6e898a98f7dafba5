#include "app/session/run_text.h"

#include "core/io/dot.h"
#include "core/io/text.h"
#include "core/plan/planned_program.h"

#include <fmt/format.h>

namespace stowage {

namespace {

/// The problem with each buffer pinned where the plan has it.
Problem pinnedProblem(const Run& run)
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

Expected<std::string> runText(std::string_view form, const Run& run, bool planned)
{
    if (planned && (form == "program" || form == "problem" || form == "csv"))
        if (auto error = notSaidByOffsets(run, form == "program")) return *std::move(error);
    if (form == "program") {
        if (!run.program)
            return failure(Code::noProgram, "the input is a problem: the ops that a program is made of are not in it", {},
                           "write it as problem or csv");
        return io::writeProgramJson(planned ? plannedProgram(run) : *run.program);
    }
    if (form == "problem") return io::writeProblemJson(planned ? pinnedProblem(run) : run.problem());
    if (form == "csv") return io::writeProblemCsv(run.problem(), planned ? &run.plan : nullptr);
    if (form == "dot") return io::writeDot(run.program.get(), *run.lowering, planned ? &run.plan : nullptr);
    if (form == "interference") return io::writeInterferenceDot(run.problem(), planned ? &run.plan : nullptr);
    if (form == "allocation") {
        if (!planned)
            return failure(Code::usage, "an allocation graph shows a plan", {},
                           "add --planned, and --planner NAME for one of your choice");
        return io::writeAllocationDot(run.problem(), run.plan);
    }
    return failure(Code::unknownExporter, fmt::format("there is no exporter named '{}'", form), {},
                   "'list exporters' shows them");
}

} // namespace stowage
