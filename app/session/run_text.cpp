#include "app/session/run_text.h"

#include "core/io/dot.h"
#include "core/io/text.h"
#include "core/ir/digits.h"
#include "core/plan/planned_program.h"

#include <fmt/format.h>

#include <utility>

namespace stowage {

namespace {

/// The problem with each buffer pinned where the plan has it, or has its first slot.
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

Expected<RunText> whole(Expected<std::string> text)
{
    if (!text) return std::move(text).error();
    return RunText{*std::move(text)};
}

/// A problem or a program as `text`, with a warning of the offsets that are not in it.
RunText withOffsets(std::string text, const Run& run, bool program)
{
    RunText made{std::move(text)};
    if (auto told = slotsNotSaid(run, program)) made.diagnostics.push_back(*std::move(told));
    return made;
}

/// The problem as a table, with warnings of its reuse penalties and its capacity, for which a table has no column.
Expected<RunText> table(const Run& run, const Plan* plan)
{
    auto made = whole(io::writeProblemCsv(run.problem(), plan));
    if (const std::size_t penalties = run.problem().penalties.size(); made && penalties > 0)
        made->diagnostics.push_back(
            warning(Code::notTabular, fmt::format("the reuse penalties of the problem ({}) are not in the table", penalties), {},
                    "write JSON to keep them"));
    if (!made) return made;
    const Pool& pool = run.problem().pools.front(); // a table has exactly one
    if (pool.capacity)
        made->diagnostics.push_back(
            warning(Code::notTabular,
                    fmt::format("the capacity of '{}' ({} bytes) is not in the table", pool.name, grouped(*pool.capacity)), {},
                    fmt::format("plan the table with --capacity {}, or write JSON", *pool.capacity)));
    return made;
}

} // namespace

Expected<RunText> runText(std::string_view form, const Run& run, bool planned)
{
    if (planned && (form == "program" || form == "problem" || form == "csv"))
        if (auto error = notSaidByOffsets(run, form == "program")) return *std::move(error);
    if (form == "program") {
        if (!run.program)
            return failure(Code::noProgram, "the input is a problem: the ops that a program is made of are not in it", {},
                           "write it as problem or csv");
        return planned ? withOffsets(io::writeProgramJson(plannedProgram(run)), run, true)
                       : RunText{io::writeProgramJson(*run.program)};
    }
    if (form == "problem")
        return planned ? withOffsets(io::writeProblemJson(pinnedProblem(run)), run, false)
                       : RunText{io::writeProblemJson(run.problem())};
    if (form == "csv") return table(run, planned ? &run.plan : nullptr);
    if (form == "dot") return whole(io::writeDot(run.program.get(), *run.lowering, planned ? &run.plan : nullptr));
    if (form == "interference") return whole(io::writeInterferenceDot(run.problem(), planned ? &run.plan : nullptr));
    if (form == "allocation") {
        if (!planned)
            return failure(Code::usage, "an allocation graph shows a plan", {},
                           "add --planned, and --planner NAME for one of your choice");
        return whole(io::writeAllocationDot(run.problem(), run.plan));
    }
    return failure(Code::unknownExporter, fmt::format("there is no exporter named '{}'", form), {},
                   "'list exporters' shows them");
}

} // namespace stowage
