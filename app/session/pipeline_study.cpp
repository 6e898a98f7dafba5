#include "app/session/pipeline_study.h"

#include "core/pipeline/join.h"
#include "core/planners/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace stowage {

namespace {

using namespace pipeline;

std::shared_ptr<const Planner> plannerNamed(const std::string& name, const char* otherwise)
{
    const auto planners = PlannerRegistry::builtIn();
    auto found = planners.find(name);
    return found ? found : planners.find(otherwise);
}

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

SplitRequest splitRequest(const StudyRequest& request)
{
    SplitRequest made;
    made.devices = request.devices;
    made.objective = request.objective;
    made.cancel = request.cancel;
    made.progress = request.progress;
    return made;
}

} // namespace

StagePlacement placementOf(std::span<const SplitStage> stages)
{
    StagePlacement placement;
    for (const SplitStage& stage : stages) {
        if (&stage != &stages.front()) placement.cuts.push_back(stage.begin);
        placement.devices.push_back(stage.device);
    }
    return placement;
}

PipelineStudy::PipelineStudy(StudyRequest request)
    : request_(std::move(request)),
      quick_(plannerNamed("greedy-by-size", "auto")),
      thorough_(plannerNamed(request_.planner, "auto")),
      splitter_(*request_.program, splitRequest(request_), *quick_, *thorough_)
{
}

Expected<StudyAnswer> PipelineStudy::answer(Split split, std::int64_t frames, std::int64_t queue)
{
    StudyAnswer answer;
    answer.split = std::move(split);
    if (answer.split.stages.empty() || answer.split.status == PartitionStatus::infeasible) return answer;
    const CutMap& map = splitter_.map();
    const auto& devices = splitter_.devices();
    std::vector<Stage> stages = splitAt(*request_.program, map, placementOf(answer.split.stages).cuts);
    auto data = std::make_shared<PipelineData>();
    data->name = request_.name;
    std::vector<StageFacts> facts;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const SplitStage& placed = answer.split.stages[s];
        setCosts(stages[s], splitter_, placed.device);
        facts.push_back(factsOf(stages[s].program));
        StageFigures& figures = data->stages.emplace_back();
        figures.device = devices.devices[at(placed.device)].name;
        figures.memory = placed.memory;
        figures.limit = devices.devices[at(placed.device)].memory;
        figures.planned = true;
        for (std::size_t o = placed.begin; o < placed.end; ++o) {
            const Op& op = map.function().ops[at(map.ops()[o])];
            figures.ops.push_back({op.name, op.kind, splitter_.opCost(placed.device, o)});
        }
    }
    auto model = pipeline::modelOf(configOf(answer.split, devices, stages), facts, devices, queue);
    if (!model) return std::move(model).error();
    data->model = *std::move(model);
    SimulateOptions options;
    options.frames = frames;
    options.cancel = request_.cancel;
    auto predicted = simulate(data->model, options);
    if (!predicted) return std::move(predicted).error();
    data->predicted = *std::move(predicted);
    data->proved = answer.split.status == PartitionStatus::optimal && request_.objective == Objective::period;
    if (request_.objective == Objective::period) data->bound = answer.split.bound;
    answer.data = std::move(data);
    return answer;
}

Expected<StudyAnswer> PipelineStudy::best(std::int64_t frames, std::int64_t queue)
{
    const auto start = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    if (!best_) {
        auto found = splitter_.run();
        if (!found) return std::move(found).error();
        if (request_.cancel.stop_requested()) return failure(Code::cancelled, "the split was cancelled");
        best_ = *std::move(found);
    }
    auto made = answer(*best_, frames, queue);
    if (made) made->milliseconds = millisecondsSince(start);
    return made;
}

Expected<StudyAnswer> PipelineStudy::placed(const StagePlacement& placement, std::int64_t frames, std::int64_t queue)
{
    const auto start = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    if (!best_) {
        auto found = splitter_.run();
        if (!found) return std::move(found).error();
        best_ = *std::move(found);
    }
    if (request_.cancel.stop_requested()) return failure(Code::cancelled, "the split was cancelled");
    Split split = splitter_.evaluate(placement.cuts, placement.devices, true);
    const auto value = [&](const Split& each) { return request_.objective == Objective::period ? each.period : each.latency; };
    split.bound = best_->bound;
    if (split.status == PartitionStatus::feasible && split.bound && value(split) == *split.bound)
        split.status = PartitionStatus::optimal;
    auto made = answer(std::move(split), frames, queue);
    if (made) made->milliseconds = millisecondsSince(start);
    return made;
}

std::vector<StageMemory> PipelineStudy::memoriesOf(const StagePlacement& placement)
{
    const std::lock_guard lock(mutex_);
    std::vector<StageMemory> memories;
    for (const SplitStage& stage : splitter_.evaluate(placement.cuts, placement.devices, true).stages)
        memories.push_back(stage.memory);
    return memories;
}

TradeOffCurve PipelineStudy::tradeOff(bool byBytes, std::size_t limit,
                                      const std::function<void(const std::vector<TradeOffPoint>&)>& found)
{
    const std::lock_guard lock(mutex_);
    return splitter_.tradeOff(byBytes, limit, found);
}

Expected<ConfiguredStages> configuredStages(const QString& path)
{
    auto file = readPipeline(path);
    if (!file) return std::move(file).error();
    if (auto model = modelOf(*file, 1); !model) return std::move(model).error();
    auto joined = joinStages(file->config, file->programs);
    if (!joined) return std::move(joined).error();
    ConfiguredStages stages;
    stages.devices = std::move(file->devices);
    stages.placement.cuts = std::move(joined->cuts);
    for (const std::size_t module : joined->modules) {
        std::int32_t device = stages.devices.find(file->config.modules[module].stage.device);
        if (device == none) { // one of its own; the costs are those of the ops
            Device own;
            own.name = fmt::format("stage {}", stages.placement.devices.size());
            own.kind = "cpu";
            device = static_cast<std::int32_t>(stages.devices.devices.size());
            stages.devices.devices.push_back(std::move(own));
        }
        stages.placement.devices.push_back(device);
    }
    return stages;
}

} // namespace stowage
