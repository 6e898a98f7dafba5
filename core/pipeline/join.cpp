#include "core/pipeline/join.h"

#include "core/ir/verify.h"
#include "core/pipeline/cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace stowage::pipeline {

namespace {

class Joiner {
public:
    Joiner(const PipelineConfig& config, std::span<const std::shared_ptr<const Program>> programs)
        : config_(config), programs_(programs)
    {
        for (std::size_t m = 0; m < config.modules.size(); ++m) positions_.emplace(config.modules[m].index, m);
        main_.regions.emplace_back();
        // The entry is function 0; called functions follow it.
        result_.program.functions.emplace_back();
    }

    JoinedStages join()
    {
        for (const std::size_t m : order()) append(m);
        for (const auto& [global, tensor] : outputs_) {
            Tensor& given = main_.tensors[at(tensor)];
            if (given.kind == TensorKind::intermediate) given.kind = TensorKind::output;
            main_.regions[0].outputs.push_back(tensor);
        }
        main_.name = programs_[result_.modules.front()]->main().name;
        result_.program.name = config_.model.empty() ? "pipeline" : config_.model;
        result_.program.lowering = programs_[result_.modules.front()]->lowering;
        result_.program.functions.front() = std::move(main_);
        return std::move(result_);
    }

private:
    /// An order in which each module comes after those that feed it; of several candidates the smallest index comes first.
    std::vector<std::size_t> order()
    {
        const std::size_t count = config_.modules.size();
        std::vector<std::set<std::size_t>> feeds(count);
        std::vector<std::size_t> missing(count, 0);
        for (std::size_t m = 0; m < count; ++m)
            for (std::size_t o = 0; o < config_.modules[m].outputs.size(); ++o)
                for (const Dependency& to : config_.modules[m].outputs[o].dependencies) {
                    if (to.globalOutput) continue;
                    const std::size_t taker = positions_.at(to.module);
                    sources_[{taker, to.input}] = {m, static_cast<std::size_t>(config_.modules[m].outputs[o].index)};
                    if (feeds[m].insert(taker).second) ++missing[taker];
                }
        using Ready = std::pair<std::int64_t, std::size_t>;
        std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
        const auto add = [&](std::size_t m) { ready.emplace(config_.modules[m].index, m); };
        for (std::size_t m = 0; m < count; ++m)
            if (missing[m] == 0) add(m);
        std::vector<std::size_t> order;
        while (!ready.empty()) {
            const std::size_t m = ready.top().second;
            ready.pop();
            order.push_back(m);
            for (const std::size_t taker : feeds[m])
                if (--missing[taker] == 0) add(taker);
        }
        return order;
    }

    /// `wanted`, or a variation of it that is not in `names` yet.
    static std::string unused(std::unordered_set<std::string>& names, const std::string& wanted)
    {
        std::string name = wanted;
        for (int n = 1; !names.insert(name).second; ++n) name = fmt::format("{}_{}", wanted, n);
        return name;
    }

    TensorId add(Tensor tensor)
    {
        tensor.name = unused(tensorNames_, tensor.name);
        main_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(main_.tensors.size() - 1);
    }

    /// The input of the joined program that feeds an input of a module; created on first use.
    TensorId global(const std::string& name, Tensor like)
    {
        const auto known = inputs_.find(name);
        if (known != inputs_.end()) return known->second;
        like.name = name;
        like.kind = TensorKind::input;
        like.region = 0;
        const TensorId made = add(std::move(like));
        inputs_.emplace(name, made);
        main_.regions[0].inputs.push_back(made);
        return made;
    }

    void append(std::size_t m)
    {
        const Program& from = *programs_[m];
        const Function& stage = from.main();
        if (!result_.modules.empty()) result_.cuts.push_back(operators_);
        result_.modules.push_back(m);
        operators_ += CutMap(from).size();
        const auto firstRegion = static_cast<RegionId>(main_.regions.size()) - 1; // region 0 goes into ours
        const auto region = [&](RegionId id) { return id == 0 ? 0 : static_cast<RegionId>(firstRegion + id); };
        const auto firstOp = static_cast<OpId>(main_.ops.size());
        const auto op = [&](OpId id) { return id == none ? none : static_cast<OpId>(firstOp + id); };

        std::vector<TensorId> tensors(stage.tensors.size(), none);
        for (const TensorId id : stage.body().inputs) {
            const std::string& name = stage.tensors[at(id)].name;
            if (const auto source = sources_.find({m, name}); source != sources_.end()) {
                tensors[at(id)] = given_.at(source->second);
                continue;
            }
            const auto bound = std::find_if(config_.inputs.begin(), config_.inputs.end(), [&](const GlobalInput& each) {
                return each.module == config_.modules[m].index && each.input == name;
            });
            tensors[at(id)] = global(bound == config_.inputs.end() ? name : bound->name, stage.tensors[at(id)]);
        }
        for (std::size_t t = 0; t < stage.tensors.size(); ++t) {
            if (tensors[t] != none) continue;
            Tensor copy = stage.tensors[t];
            const bool shared = copy.kind == TensorKind::constant && copy.aliasOf == none && copy.region == 0;
            if (shared) {
                const auto known = constants_.find(copy.name);
                if (known != constants_.end() && main_.tensors[at(known->second)].bytes == copy.bytes &&
                    main_.tensors[at(known->second)].dtype == copy.dtype) {
                    tensors[t] = known->second;
                    continue;
                }
            }
            if (copy.kind == TensorKind::output)
                copy.kind = TensorKind::intermediate; // outputs of the joined program are marked at the end
            copy.region = region(copy.region);
            const std::string name = copy.name;
            tensors[t] = add(std::move(copy));
            if (shared) constants_.emplace(name, tensors[t]);
        }
        const auto tensor = [&](TensorId id) { return id == none ? none : tensors[at(id)]; };
        for (std::size_t t = 0; t < stage.tensors.size(); ++t)
            if (const TensorId viewed = stage.tensors[t].aliasOf; viewed != none)
                main_.tensors[at(tensors[t])].aliasOf = tensor(viewed);

        std::map<FunctionId, FunctionId> called;
        const auto callee = [&](FunctionId id) { return id == none ? none : calleeOf(from, id, called); };
        for (const Op& old : stage.ops) {
            Op copy = old;
            copy.name = unused(opNames_, copy.name);
            for (TensorId& each : copy.inputs) each = tensor(each);
            for (TensorId& each : copy.outputs) each = tensor(each);
            for (TensorId& each : copy.temps) each = tensor(each);
            for (InPlace& each : copy.inPlace) each = {tensor(each.input), tensor(each.output)};
            for (Carry& each : copy.carries) each = {tensor(each.from), tensor(each.to)};
            copy.parent = region(copy.parent);
            for (RegionId& each : copy.regions) each = region(each);
            copy.callee = callee(copy.callee);
            // A cost for any device was measured on the module's device, and does not hold for other devices.
            if (const std::string& device = config_.modules[m].stage.device; !device.empty())
                for (DeviceCost& cost : copy.cost)
                    if (cost.device.empty()) cost.device = device;
            main_.ops.push_back(std::move(copy));
        }
        for (std::size_t r = 0; r < stage.regions.size(); ++r) {
            Region copy = stage.regions[r];
            for (OpId& each : copy.ops) each = op(each);
            if (r == 0) {
                main_.regions[0].ops.insert(main_.regions[0].ops.end(), copy.ops.begin(), copy.ops.end());
                continue;
            }
            copy.owner = op(copy.owner);
            for (TensorId& each : copy.inputs) each = tensor(each);
            for (TensorId& each : copy.outputs) each = tensor(each);
            main_.regions.push_back(std::move(copy));
        }
        for (std::size_t o = 0; o < stage.body().outputs.size(); ++o) given_[{m, o}] = tensor(stage.body().outputs[o]);
        for (const ModuleOutput& output : config_.modules[m].outputs)
            for (const Dependency& to : output.dependencies)
                if (to.globalOutput) outputs_.emplace(*to.globalOutput, given_.at({m, static_cast<std::size_t>(output.index)}));
    }

    /// The copy of a function that a stage calls; equal functions of several stages share one copy. Recursion follows the calls,
    /// which form no cycle in a verified program.
    FunctionId calleeOf(const Program& from, FunctionId id, std::map<FunctionId, FunctionId>& called)
    {
        if (const auto known = called.find(id); known != called.end()) return known->second;
        Function copy = from.functions[at(id)];
        for (Op& each : copy.ops)
            if (each.callee != none) each.callee = calleeOf(from, each.callee, called);
        auto& functions = result_.program.functions;
        for (std::size_t f = 1; f < functions.size(); ++f)
            if (functions[f] == copy) return called[id] = static_cast<FunctionId>(f);
        const auto taken = [&](const std::string& name) {
            return name == programs_[result_.modules.front()]->main().name ||
                   std::any_of(functions.begin() + 1, functions.end(), [&](const Function& each) { return each.name == name; });
        };
        const std::string name = copy.name;
        for (int n = 1; taken(copy.name); ++n) copy.name = fmt::format("{}_{}", name, n);
        functions.push_back(std::move(copy));
        return called[id] = static_cast<FunctionId>(functions.size() - 1);
    }

    const PipelineConfig& config_;
    std::span<const std::shared_ptr<const Program>> programs_;
    std::map<std::int64_t, std::size_t> positions_; ///< by module index
    std::map<std::pair<std::size_t, std::string>, std::pair<std::size_t, std::size_t>>
        sources_; ///< (taker, input): (giver, output)
    std::map<std::pair<std::size_t, std::size_t>, TensorId> given_;
    std::map<std::string, TensorId> inputs_;
    std::map<std::int64_t, TensorId> outputs_;
    std::unordered_map<std::string, TensorId> constants_;
    std::unordered_set<std::string> tensorNames_;
    std::unordered_set<std::string> opNames_;
    std::size_t operators_ = 0;
    Function main_;
    JoinedStages result_;
};

} // namespace

Expected<JoinedStages> joinStages(const PipelineConfig& config, std::span<const std::shared_ptr<const Program>> programs)
{
    if (config.modules.empty()) return failure(Code::nothingToSplit, "the configuration has no modules");
    for (std::size_t m = 0; m < config.modules.size(); ++m) {
        if (!programs[m])
            return failure(Code::noProgram, fmt::format("module {} names no program", config.modules[m].index), {},
                           "'pipeline split -o' writes configurations with programs");
        if (CutMap(*programs[m]).size() == 0)
            return failure(Code::nothingToSplit,
                           fmt::format("the program of module {} has no operators", config.modules[m].index));
        for (const ModuleOutput& output : config.modules[m].outputs)
            if (output.index < 0 || static_cast<std::size_t>(output.index) >= programs[m]->main().body().outputs.size())
                return failure(Code::faultyConfiguration,
                               fmt::format("module {} has no output {}", config.modules[m].index, output.index));
    }
    JoinedStages joined = Joiner(config, programs).join();
    const Diagnostics wrong = verify(joined.program);
    for (const Diagnostic& each : wrong)
        if (each.severity == Severity::error) return each;
    return joined;
}

} // namespace stowage::pipeline
