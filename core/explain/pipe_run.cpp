#include "core/explain/pipe_run.h"

#include "core/plan/recorder.h"

#include <algorithm>
#include <array>

namespace stowage {

std::optional<PipeAnalysis> analysePipes(const Run& run, const PipeOptions& options)
{
    const Problem& problem = run.problem();
    if (problem.axis != Axis::hivm) return std::nullopt;
    PipeAnalysis analysis;
    analysis.model = pipeModelOf(run.program.get(), *run.lowering);
    if (analysis.model.ops.empty()) return std::nullopt;
    // A rotation with a loop that the problem does not have cannot be simulated.
    for (std::size_t b = 0; b < problem.buffers.size() && b < run.plan.placements.size(); ++b) {
        const Placement& placement = run.plan.placements[b];
        for (const Rotation& rotation : placement.rotations)
            if (rotation.period < 1 || placement.offsets.empty() || rotation.loop >= static_cast<LoopId>(problem.loops.size()))
                return std::nullopt;
    }
    if (run.report.status == Status::invalid) return std::nullopt;
    analysis.report = pipeReport(problem, run.plan, analysis.model, options);
    analysis.iterations = options.iterations;
    return analysis;
}

std::optional<ReuseLevels> reuseLevels(const Run& run)
{
    if (run.plan.levels.empty()) return std::nullopt;
    ReuseLevels found{run.plan.levels, 0};
    found.levels.resize(run.problem().buffers.size());
    if (run.steps)
        found.rollbacks = std::count_if(run.steps->steps().begin(), run.steps->steps().end(),
                                        [](const RecordedStep& step) { return step.kind == StepKind::remove; });
    return found;
}

std::string_view shortName(hivm::Level level)
{
    constexpr std::array<std::string_view, 6> names{"level 0", "level 1", "level 2", "level 3", "sequential", "pinned"};
    return names[static_cast<std::size_t>(level)];
}

std::string_view meaningOf(hivm::Level level)
{
    constexpr std::array<std::string_view, 6> meanings{"on whatever is not live at the same time",
                                                       "upgraded to the slots of a multi-buffer of the same loop",
                                                       "on nothing of the same loop",
                                                       "on nothing that another pipe touches",
                                                       "everything fits without reuse",
                                                       ""};
    return meanings[static_cast<std::size_t>(level)];
}

} // namespace stowage
