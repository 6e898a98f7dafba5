#include "app/session/pipeline_data.h"

#include <QFileInfo>

namespace stowage {

Expected<std::vector<StageFigures>> stageFigures(const PipelineFile& file, const pipeline::PipelineModel& model,
                                                 const std::stop_token& cancel)
{
    const auto planner = plannerOf(file.config);
    if (!planner) return planner.error();
    std::vector<StageFigures> stages(model.stages.size());
    for (std::size_t m = 0; m < file.config.modules.size(); ++m) {
        StageFigures& stage = stages[at(file.config.modules[m].index)];
        stage.device = file.config.modules[m].stage.device;
        const std::int32_t device = file.devices.find(stage.device);
        if (device != none) stage.limit = file.devices.devices[at(device)].memory;
        if (!file.programs[m]) continue;
        const Function& main = file.programs[m]->main();
        for (const OpId id : main.body().ops) {
            const Op& op = main.ops[at(id)];
            stage.ops.push_back({op.name, op.kind, op.cost.empty() ? 0 : pipeline::toTicks(op.cost.front().microseconds)});
        }
        const pipeline::KeptBytes kept = pipeline::keptBytes(pipeline::CutMap(*file.programs[m]));
        stage.memory.constants = kept.constants;
        stage.memory.variables = kept.variables;
        auto planned = planModule(file, m, **planner, cancel);
        if (cancel.stop_requested()) return failure(Code::cancelled, "the planning of the stages was cancelled");
        if (!planned) { // shown without its memory
            stage.unplanned = std::move(planned).error();
            continue;
        }
        stage.memory.arena = planned->report.totalSize();
        stage.memory.arenaBound = planned->report.totalBound();
        stage.planned = true;
        stage.plan = std::make_shared<const pipeline::StagePlan>(*std::move(planned));
    }
    return stages;
}

Expected<PipelineData> pipelineData(const PipelineFile& file, std::int64_t frames, std::int64_t queue)
{
    auto model = modelOf(file, queue);
    if (!model) return std::move(model).error();
    PipelineData data;
    data.name = QFileInfo(file.path).fileName().toStdString();
    data.model = *std::move(model);
    auto stages = stageFigures(file, data.model);
    if (!stages) return std::move(stages).error();
    data.stages = *std::move(stages);
    pipeline::SimulateOptions options;
    options.frames = frames;
    auto predicted = pipeline::simulate(data.model, options);
    if (!predicted) return std::move(predicted).error();
    data.predicted = *std::move(predicted);
    return data;
}

} // namespace stowage
