#include "app/session/pipeline_data.h"

#include "core/planners/registry.h"

#include <QFileInfo>

namespace stowage {

Expected<PipelineData> pipelineData(const PipelineFile& file, std::int64_t frames, std::int64_t queue)
{
    auto model = modelOf(file, queue);
    if (!model) return std::move(model).error();
    PipelineData data;
    data.name = QFileInfo(file.path).fileName().toStdString();
    data.model = *std::move(model);
    data.stages.resize(data.model.stages.size());
    const auto planners = PlannerRegistry::builtIn();
    const auto planner = planners.require(file.config.planner.empty() ? "auto" : file.config.planner);
    if (!planner) return planner.error();
    for (std::size_t m = 0; m < file.config.modules.size(); ++m) {
        StageFigures& stage = data.stages[at(file.config.modules[m].index)];
        stage.device = file.config.modules[m].stage.device;
        const std::int32_t device = file.devices.find(stage.device);
        if (device != none) stage.limit = file.devices.devices[at(device)].memory;
        if (!file.programs[m]) continue;
        const Function& main = file.programs[m]->main();
        for (const OpId id : main.body().ops) {
            const Op& op = main.ops[at(id)];
            stage.ops.push_back({op.name, op.kind, op.cost.empty() ? 0 : pipeline::toTicks(op.cost.front().microseconds)});
        }
        for (const Tensor& tensor : main.tensors) {
            if (tensor.aliasOf != none) continue;
            if (tensor.kind == TensorKind::constant) stage.memory.constants += tensor.bytes.value_or(0);
            if (tensor.kind == TensorKind::variable) stage.memory.variables += tensor.bytes.value_or(0);
        }
        const auto planned =
            pipeline::planStage(file.programs[m], device == none ? 1 : file.devices.devices[at(device)].alignment, **planner);
        if (!planned) continue; // shown without its memory
        stage.memory.arena = planned->report.totalSize();
        stage.memory.arenaBound = planned->report.totalBound();
        stage.planned = true;
    }
    pipeline::SimulateOptions options;
    options.frames = frames;
    auto predicted = pipeline::simulate(data.model, options);
    if (!predicted) return std::move(predicted).error();
    data.predicted = *std::move(predicted);
    return data;
}

} // namespace stowage
