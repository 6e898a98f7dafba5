#include "core/pipeline/model.h"

#include "core/ir/checked.h"
#include "core/pipeline/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace stowage::pipeline {

namespace {

class Builder {
public:
    Builder(const PipelineConfig& config, std::span<const StageFacts> facts, const DeviceSet& devices, std::int64_t queue)
        : config_(config), facts_(facts), devices_(devices), queue_(queue)
    {
    }

    Expected<PipelineModel> run()
    {
        model_.stages.resize(config_.modules.size());
        for (std::size_t m = 0; m < config_.modules.size(); ++m)
            if (auto error = addStage(m)) return *std::move(error);
        for (std::size_t m = 0; m < config_.modules.size(); ++m) connect(m);
        if (config_.chain)
            for (std::int32_t s = 1; s < static_cast<std::int32_t>(model_.stages.size()); ++s) connection(s - 1, s);
        for (const GlobalInput& input : config_.inputs) addInput(input);
        addUnlistedInputs();
        finish();
        return std::move(model_);
    }

private:
    [[nodiscard]] const StageFacts* factsOf(std::size_t position) const
    {
        return position < facts_.size() ? &facts_[position] : nullptr;
    }

    std::optional<Error> addStage(std::size_t position)
    {
        const Module& module = config_.modules[position];
        positions_[module.index] = position;
        StageModel& stage = model_.stages[at(module.index)];
        const StageFacts* facts = factsOf(position);
        if (module.stage.cost)
            stage.cost = toTicks(*module.stage.cost);
        else if (facts && facts->cost)
            stage.cost = *facts->cost;
        else
            return failure(Code::unknownCost, fmt::format("module {} has no known cost", module.index), {},
                           "give it a program with costs, or \"x-stowage\": {\"cost_us\": …}");
        stage.cpuAffinity = module.cpuAffinity;
        stage.device = module.stage.device;
        if (!stage.device.empty() && !devices_.devices.empty() && devices_.find(stage.device) == none)
            return failure(Code::unknownDevice,
                           fmt::format("module {} runs on '{}', and there is no such device", module.index, stage.device), {},
                           "name one of the devices file");
        if (stage.device.empty()) {
            stage.resource = model_.resources++;
        } else {
            const auto [known, fresh] = resources_.emplace(stage.device, model_.resources);
            if (fresh) ++model_.resources;
            stage.resource = known->second;
        }
        return std::nullopt;
    }

    std::size_t connection(std::int32_t from, std::int32_t to)
    {
        const auto [known, fresh] = connections_.emplace(std::pair(from, to), model_.connections.size());
        if (fresh) {
            ConnectionModel& made = model_.connections.emplace_back();
            made.from = from;
            made.to = to;
        }
        return known->second;
    }

    void connect(std::size_t position)
    {
        const Module& module = config_.modules[position];
        const StageFacts* facts = factsOf(position);
        for (const ModuleOutput& output : module.outputs)
            for (const Dependency& to : output.dependencies) {
                const auto index = static_cast<std::int32_t>(output.index);
                if (to.globalOutput) {
                    model_.stages[at(module.index)].results.emplace_back(index, *to.globalOutput);
                    model_.outputs = std::max(model_.outputs, *to.globalOutput + 1);
                    continue;
                }
                ConnectionTensor tensor{index, to.input, std::nullopt};
                if (facts && at(output.index) < facts->outputBytes.size()) tensor.bytes = facts->outputBytes[at(output.index)];
                const std::size_t c = connection(static_cast<std::int32_t>(module.index), static_cast<std::int32_t>(to.module));
                model_.connections[c].tensors.push_back(std::move(tensor));
            }
    }

    void addInput(const GlobalInput& input)
    {
        GlobalTensor tensor{input.name, input.input, std::nullopt};
        if (const StageFacts* facts = factsOf(positions_.at(input.module)))
            for (std::size_t i = 0; i < facts->interface.inputs.size() && i < facts->inputBytes.size(); ++i)
                if (facts->interface.inputs[i] == input.input) tensor.bytes = facts->inputBytes[i];
        model_.stages[at(input.module)].global.push_back(std::move(tensor));
    }

    /// The document's form lists no inputs of the application: an input that no module feeds is one.
    void addUnlistedInputs()
    {
        if (config_.form != ConfigForm::document || !config_.inputs.empty()) return;
        for (std::size_t m = 0; m < config_.modules.size(); ++m) {
            const StageFacts* facts = factsOf(m);
            if (!facts) continue;
            const std::int64_t index = config_.modules[m].index;
            for (const std::string& input : facts->interface.inputs) {
                const bool fed = std::any_of(model_.connections.begin(), model_.connections.end(), [&](const ConnectionModel& c) {
                    return c.to == index && std::any_of(c.tensors.begin(), c.tensors.end(),
                                                        [&](const ConnectionTensor& t) { return t.input == input; });
                });
                if (!fed) addInput({input, index, input, {}});
            }
        }
    }

    void finish()
    {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> links;
        for (std::size_t c = 0; c < model_.connections.size(); ++c) {
            ConnectionModel& made = model_.connections[c];
            for (const ConnectionTensor& tensor : made.tensors)
                made.transferBytes = std::min(made.transferBytes + tensor.bytes.value_or(0), Bytes{1} << 60);
            const std::int32_t apart = made.to - made.from;
            const StageModel& from = model_.stages[at(made.from)];
            const StageModel& to = model_.stages[at(made.to)];
            made.capacity = queue_;
            if (config_.chain && apart > 1) {
                made.transferBytes = 0; // the transfer is counted at the boundaries between neighbours
                if (queue_ > 0) made.capacity = capacityOver(apart);
            } else {
                const StageReference& reference = config_.modules[positions_.at(made.to)].stage;
                if (config_.chain && reference.transferBytes) made.transferBytes = *reference.transferBytes;
                if (config_.chain && reference.transfer)
                    made.transfer = toTicks(*reference.transfer);
                else
                    made.transfer = transferTime(devices_.link(from.device, to.device), made.transferBytes);
            }
            if (made.transfer > 0) {
                const auto [known, fresh] = links.emplace(std::pair(from.resource, to.resource), model_.links);
                if (fresh) ++model_.links;
                made.link = known->second;
            }
            model_.stages[at(made.from)].outputs.push_back(static_cast<std::int32_t>(c));
            model_.stages[at(made.to)].inputs.push_back(static_cast<std::int32_t>(c));
        }
    }

    /// As many frames as the stages in between and the connections between them hold.
    [[nodiscard]] std::int64_t capacityOver(std::int32_t apart) const
    {
        // Frames of all `apart` connections, and one in each stage in between; a larger number is as good as no bound.
        const auto frames = checkedMultiply(queue_, apart);
        return (frames ? checkedAdd(*frames, apart - 1) : std::nullopt).value_or(std::numeric_limits<std::int64_t>::max());
    }

    const PipelineConfig& config_;
    std::span<const StageFacts> facts_;
    const DeviceSet& devices_;
    std::int64_t queue_;
    PipelineModel model_;
    std::unordered_map<std::int64_t, std::size_t> positions_; ///< in the configuration, by module index
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> connections_;
    std::unordered_map<std::string, std::int32_t> resources_;
};

} // namespace

Bytes PipelineModel::waitingBytes(std::size_t stage) const
{
    Bytes sum = 0;
    for (const std::int32_t c : stages[stage].inputs) {
        const ConnectionModel& connection = connections[at(c)];
        sum = std::min(sum + pipeline::waitingBytes(connection.capacity, connection.transferBytes), maxStageBytes);
    }
    return sum;
}

bool PipelineModel::isChain() const
{
    if (resources != static_cast<std::int32_t>(stages.size())) return false;
    std::vector<bool> next(stages.size(), false);
    for (const ConnectionModel& connection : connections) {
        if (connection.to <= connection.from) return false;
        if (connection.to == connection.from + 1)
            next[at(connection.from)] = true;
        else if (connection.transfer > 0 ||
                 (connection.capacity > 0 && connection.capacity < 2 * (connection.to - connection.from) - 1))
            return false;
    }
    return stages.empty() || std::all_of(next.begin(), next.end() - 1, [](bool b) { return b; });
}

Ticks PipelineModel::chainTime(std::int64_t frames) const
{
    Ticks sum = 0;
    Ticks largest = 0;
    const auto add = [&](Ticks time) {
        sum += time;
        largest = std::max(largest, time);
    };
    for (const StageModel& stage : stages) add(stage.cost);
    for (const ConnectionModel& connection : connections) add(connection.transfer);
    return sum + (frames - 1) * largest;
}

Expected<PipelineModel> modelOf(const PipelineConfig& config, std::span<const StageFacts> facts, const DeviceSet& devices,
                                std::int64_t queue)
{
    return Builder(config, facts, devices, queue).run();
}

} // namespace stowage::pipeline
