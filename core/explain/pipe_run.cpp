#include "core/explain/pipe_run.h"

#include <array>

namespace stowage {

std::optional<PipeAnalysis> analysePipes(const Run& run, const PipeOptions& options)
{
    const Problem& problem = run.problem();
    if (problem.axis != Axis::hivm) return std::nullopt;
    PipeAnalysis analysis;
    analysis.model = pipeModelOf(run.program.get(), *run.lowering);
    if (analysis.model.ops.empty()) return std::nullopt;
    // A rotation that the problem does not define has no place in any iteration.
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
    if (!run.steps) return std::nullopt;
    const std::vector<std::string>& reasons = run.steps->reasons();
    std::vector<std::optional<hivm::Level>> byReason;
    bool any = false;
    for (const std::string& reason : reasons) {
        byReason.push_back(hivm::levelOf(reason));
        any |= byReason.back().has_value();
    }
    if (!any) return std::nullopt;
    ReuseLevels found;
    found.levels.resize(run.problem().buffers.size());
    for (const RecordedStep& step : run.steps->steps()) {
        if (step.buffer == none) continue;
        auto& level = found.levels[static_cast<std::size_t>(step.buffer)];
        if (step.kind == StepKind::place) {
            // The further slots come behind the first one, at levels of their own.
            if (!level || step.offset == run.plan.placements[static_cast<std::size_t>(step.buffer)].offset)
                level = byReason[step.reason];
        } else if (step.kind == StepKind::remove) {
            level.reset();
            ++found.rollbacks;
        }
    }
    return found;
}

std::string_view shortName(hivm::Level level)
{
    constexpr std::array<std::string_view, 6> names{"level 0", "level 1", "level 2", "level 3", "sequential", "pinned"};
    return names[static_cast<std::size_t>(level)];
}

} // namespace stowage
