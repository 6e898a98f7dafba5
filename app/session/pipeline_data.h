// The data of a pipeline that pictures and tables show: stages with their bytes and ops, the prediction, and a measured run.
#pragma once

#include "app/session/pipeline_files.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// One op of a stage, as the strip of ops shows it.
struct StageOp {
    std::string name;
    std::string kind;
    pipeline::Ticks cost = 0; ///< on the device of the stage
};

struct StageFigures {
    std::string device;
    pipeline::StageMemory memory; ///< zeros if the stage has no program
    std::optional<Bytes> limit;   ///< of the device
    bool planned = false;         ///< `memory` is known
    std::vector<StageOp> ops;
    std::shared_ptr<const pipeline::StagePlan> plan; ///< by `stageFigures`: of a planned stage
    std::optional<Error> unplanned;                  ///< by `stageFigures`: why a stage whose program is known has no plan
};

struct PipelineData {
    std::string name;
    pipeline::PipelineModel model;
    std::vector<StageFigures> stages;
    pipeline::RunResult predicted;
    std::optional<pipeline::RunResult> measured;
    std::optional<pipeline::Ticks> bound; ///< lower bound of the period; no value: the split is unknown
    bool proved = false;                  ///< no split has a smaller period

    /// The stage with the largest time for a frame; `none` if a transfer takes longer. Inline, because pictures do not link the
    /// session.
    [[nodiscard]] std::int32_t slowest() const
    {
        std::int32_t slowest = none;
        pipeline::Ticks most = 0;
        for (std::size_t s = 0; s < model.stages.size(); ++s)
            if (model.stages[s].cost > most) {
                most = model.stages[s].cost;
                slowest = static_cast<std::int32_t>(s);
            }
        for (const pipeline::ConnectionModel& connection : model.connections)
            if (connection.transfer > most) return none;
        return slowest;
    }
};

/// The figures of the stages of a configuration without faults, by module index. Plans the arenas of those whose programs are
/// known, with the planner that the configuration names, within `stageWork` each; waiting frames do not count. Errors: an unknown
/// planner, cancelled.
Expected<std::vector<StageFigures>> stageFigures(const PipelineFile& file, const pipeline::PipelineModel& model,
                                                 const std::stop_token& cancel = {});

/// Plans the stages' arenas and simulates `frames` frames. Errors: a faulty configuration, a stage without cost.
Expected<PipelineData> pipelineData(const PipelineFile& file, std::int64_t frames, std::int64_t queue);

} // namespace stowage
