#include "core/pipeline/config_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace stowage::pipeline {

namespace {

constexpr std::array<std::string_view, 14> codeNames{
    "cycle",          "self-connection", "unknown-module",    "unknown-input",
    "unknown-output", "out-of-range",    "input-bound-twice", "output-bound-twice",
    "unbound-input",  "missing-output",  "duplicate-module",  "unknown-key",
    "wrong-type",     "missing-section"};

/// Maximum number of modules of a cycle that a message names.
constexpr std::size_t maxNamed = 8;

class Checker {
public:
    Checker(const PipelineConfig& config, std::span<const std::optional<ModuleInterface>> interfaces)
        : config_(config), interfaces_(interfaces), bound_(config.modules.size())
    {
    }

    std::vector<Fault> run()
    {
        indexModules();
        checkApplication();
        for (std::size_t m = 0; m < config_.modules.size(); ++m) checkModule(m);
        checkGlobalOutputs();
        checkInputs();
        findCircles();
        return std::move(faults_);
    }

private:
    void add(FaultCode code, std::optional<std::int64_t> module, std::string interface, std::string detail, Place place)
    {
        faults_.push_back({code, module, std::move(interface), std::move(detail), place});
    }

    [[nodiscard]] const ModuleInterface* interfaceOf(std::size_t position) const
    {
        return position < interfaces_.size() && interfaces_[position] ? &*interfaces_[position] : nullptr;
    }

    [[nodiscard]] std::string number(std::int64_t index) const
    {
        return std::to_string(index + (config_.form == ConfigForm::document ? 1 : 0));
    }

    void indexModules()
    {
        for (std::size_t m = 0; m < config_.modules.size(); ++m) {
            const Module& module = config_.modules[m];
            const bool inRange = module.index >= 0 && module.index < static_cast<std::int64_t>(config_.modules.size());
            if (!positions_.emplace(module.index, m).second)
                add(FaultCode::duplicateModule, module.index, {}, "two modules have this index", module.place);
            else if (!inRange)
                add(FaultCode::outOfRange, module.index, {}, fmt::format("there are {} modules", config_.modules.size()),
                    module.place);
        }
        if (config_.modules.empty()) add(FaultCode::missingSection, {}, "module_connection", "there is no module", {});
    }

    [[nodiscard]] std::optional<std::size_t> find(std::int64_t index) const
    {
        const auto found = positions_.find(index);
        return found == positions_.end() ? std::nullopt : std::optional(found->second);
    }

    /// Records that connection `by` ends at an input of a module; a second connection is a fault.
    void bind(std::size_t position, const std::string& input, const std::string& by, Place place)
    {
        const std::int64_t index = config_.modules[position].index;
        if (const ModuleInterface* known = interfaceOf(position);
            known && std::find(known->inputs.begin(), known->inputs.end(), input) == known->inputs.end()) {
            add(FaultCode::unknownInput, index, input, by, place);
            return;
        }
        if (!bound_[position].insert(input).second) add(FaultCode::inputBoundTwice, index, input, by, place);
    }

    void checkApplication()
    {
        for (const GlobalParameter& parameter : config_.parameters)
            if (!find(parameter.module))
                add(FaultCode::unknownModule, parameter.module, parameter.name, "the parameters", parameter.place);
        for (const GlobalInput& input : config_.inputs) {
            if (const auto position = find(input.module))
                bind(*position, input.input, fmt::format("the pipeline's input '{}'", input.name), input.place);
            else
                add(FaultCode::unknownModule, input.module, input.input, fmt::format("the pipeline's input '{}'", input.name),
                    input.place);
        }
    }

    void checkModule(std::size_t position)
    {
        const Module& module = config_.modules[position];
        std::unordered_set<std::int64_t> listed;
        for (const ModuleOutput& output : module.outputs) {
            const std::string name = fmt::format("output {}", number(output.index));
            if (!listed.insert(output.index).second)
                add(FaultCode::duplicateModule, module.index, name, "this output is listed twice", output.place);
            const ModuleInterface* known = interfaceOf(position);
            if (known && output.index >= static_cast<std::int64_t>(known->outputs.size()))
                add(FaultCode::unknownOutput, module.index, name,
                    fmt::format("its program has {} outputs", known->outputs.size()), output.place);
            for (const Dependency& to : output.dependencies) connect(module, name, to);
        }
    }

    void connect(const Module& from, const std::string& output, const Dependency& to)
    {
        const std::string by = fmt::format("{} of module {}", output, number(from.index));
        if (to.globalOutput) {
            const auto [known, fresh] = globalOutputs_.emplace(*to.globalOutput, by);
            if (!fresh)
                add(FaultCode::outputBoundTwice, from.index, output,
                    fmt::format("the pipeline's output {} is {} already", number(*to.globalOutput), known->second), to.place);
            return;
        }
        if (to.module == from.index) {
            add(FaultCode::selfConnection, from.index, output, fmt::format("its own input '{}'", to.input), to.place);
            return;
        }
        if (const auto position = find(to.module))
            bind(*position, to.input, by, to.place);
        else
            add(FaultCode::unknownModule, to.module, to.input, by, to.place);
    }

    void checkGlobalOutputs()
    {
        if (config_.modules.empty()) return;
        if (globalOutputs_.empty()) {
            add(FaultCode::missingOutput, {}, fmt::format("output {}", number(0)), "no module has an output to the application",
                {});
            return;
        }
        std::int64_t expected = 0;
        std::vector<std::int64_t> given;
        given.reserve(globalOutputs_.size());
        for (const auto& [index, by] : globalOutputs_) given.push_back(index);
        std::sort(given.begin(), given.end());
        for (const std::int64_t index : given) {
            if (index > expected)
                add(FaultCode::missingOutput, {}, fmt::format("output {}", number(expected)),
                    fmt::format("output {} is there", number(index)), {});
            expected = index + 1;
        }
    }

    void checkInputs()
    {
        for (std::size_t m = 0; m < config_.modules.size(); ++m) {
            const Module& module = config_.modules[m];
            if (const ModuleInterface* known = interfaceOf(m)) {
                // The document's form lists no inputs of the application: an input that no module feeds is one.
                if (config_.form == ConfigForm::document && config_.inputs.empty()) continue;
                for (const std::string& input : known->inputs)
                    if (!bound_[m].contains(input)) add(FaultCode::unboundInput, module.index, input, {}, module.place);
            } else if (config_.form == ConfigForm::shipped && bound_[m].empty()) {
                add(FaultCode::unboundInput, module.index, {}, "nothing feeds any input of it", module.place);
            }
        }
    }

    /// Removes modules that no remaining module feeds until there are none. If modules remain, they contain cycles, and a walk
    /// against the connections from any of them ends in a cycle.
    void findCircles()
    {
        const std::size_t count = config_.modules.size();
        std::vector<std::vector<std::size_t>> to(count);
        std::vector<std::size_t> fedBy(count, 0);
        for (std::size_t m = 0; m < count; ++m)
            for (const ModuleOutput& output : config_.modules[m].outputs)
                for (const Dependency& each : output.dependencies)
                    if (const auto target = each.globalOutput ? std::nullopt : find(each.module); target && *target != m) {
                        to[m].push_back(*target);
                        ++fedBy[*target];
                    }
        std::vector<std::size_t> free;
        for (std::size_t m = 0; m < count; ++m)
            if (fedBy[m] == 0) free.push_back(m);
        std::vector<bool> ordered(count, false);
        while (!free.empty()) {
            const std::size_t m = free.back();
            free.pop_back();
            ordered[m] = true;
            for (const std::size_t next : to[m])
                if (--fedBy[next] == 0) free.push_back(next);
        }
        std::vector<std::size_t> before(count, count);
        for (std::size_t m = 0; m < count; ++m)
            if (!ordered[m])
                for (const std::size_t next : to[m])
                    if (!ordered[next]) before[next] = m;
        std::vector<std::size_t> visit(count, 0);
        std::size_t walk = 0;
        for (std::size_t m = 0; m < count; ++m) {
            if (ordered[m] || visit[m] != 0) continue;
            ++walk;
            std::size_t now = m;
            while (visit[now] == 0) {
                visit[now] = walk;
                now = before[now];
            }
            if (visit[now] == walk) reportCircle(now, before);
        }
    }

    void reportCircle(std::size_t start, const std::vector<std::size_t>& before)
    {
        std::vector<std::size_t> circle{start};
        for (std::size_t now = before[start]; now != start; now = before[now]) circle.push_back(now);
        std::reverse(circle.begin(), circle.end()); // in the direction of the connections; the last one feeds the first
        std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
        std::string text;
        for (std::size_t i = 0; i < circle.size() && i < maxNamed; ++i) text += number(config_.modules[circle[i]].index) + " -> ";
        if (circle.size() > maxNamed) text += fmt::format("… ({} modules) -> ", circle.size());
        const Module& first = config_.modules[circle.front()];
        text += number(first.index);
        const std::int64_t next = config_.modules[circle[1 % circle.size()]].index;
        Fault fault{FaultCode::cycle, first.index, {}, text, first.place};
        for (const ModuleOutput& output : first.outputs)
            for (const Dependency& each : output.dependencies)
                if (!each.globalOutput && each.module == next && fault.interface.empty()) {
                    fault.interface = fmt::format("output {}", number(output.index));
                    fault.place = each.place;
                }
        faults_.push_back(std::move(fault));
    }

    const PipelineConfig& config_;
    std::span<const std::optional<ModuleInterface>> interfaces_;
    std::unordered_map<std::int64_t, std::size_t> positions_;
    std::vector<std::unordered_set<std::string>> bound_;
    std::unordered_map<std::int64_t, std::string> globalOutputs_;
    std::vector<Fault> faults_;
};

} // namespace

std::string_view toText(FaultCode code)
{
    return codeNames[static_cast<std::size_t>(code)];
}

std::string describe(const Fault& fault, ConfigForm form)
{
    std::string module =
        fault.module ? fmt::format("module {}", *fault.module + (form == ConfigForm::document ? 1 : 0)) : "the pipeline";
    const std::string& name = fault.interface;
    switch (fault.code) {
    case FaultCode::cycle: return fmt::format("{}: {} closes the cycle {}", module, name, fault.detail);
    case FaultCode::selfConnection: return fmt::format("{}: {} feeds {}", module, name, fault.detail);
    case FaultCode::unknownModule:
        return fmt::format("{}: '{}' is bound by {}, and there is no such module", module, name, fault.detail);
    case FaultCode::unknownInput:
        return fmt::format("{}: '{}' is bound by {}, and its program has no such input", module, name, fault.detail);
    case FaultCode::unknownOutput: return fmt::format("{}: there is no {}, {}", module, name, fault.detail);
    case FaultCode::outOfRange:
        return name.empty() ? fmt::format("{}: the index is out of range, {}", module, fault.detail)
                            : fmt::format("{}: '{}' is out of range, {}", module, name, fault.detail);
    case FaultCode::inputBoundTwice: return fmt::format("{}: '{}' is bound again, by {}", module, name, fault.detail);
    case FaultCode::outputBoundTwice: return fmt::format("{}: {}: {}", module, name, fault.detail);
    case FaultCode::unboundInput:
        return name.empty() ? fmt::format("{}: {}", module, fault.detail)
                            : fmt::format("{}: nothing feeds the input '{}'", module, name);
    case FaultCode::missingOutput: return fmt::format("{}: {} is missing, {}", module, name, fault.detail);
    case FaultCode::duplicateModule:
        return name.empty() ? fmt::format("{}: {}", module, fault.detail) : fmt::format("{}: {}: {}", module, name, fault.detail);
    case FaultCode::unknownKey: return fmt::format("{}: the field '{}' is not known", module, name);
    case FaultCode::wrongType: return fmt::format("{}: '{}' is not {}", module, name, fault.detail);
    case FaultCode::missingSection:
        return fmt::format("{}: '{}' is missing{}{}", module, name, fault.detail.empty() ? "" : ": ", fault.detail);
    }
    return module;
}

std::vector<GlobalInput> unfedInputs(const PipelineConfig& config, std::span<const std::optional<ModuleInterface>> interfaces)
{
    std::unordered_map<std::int64_t, std::unordered_set<std::string>> fed; // by index of the module
    for (const GlobalInput& input : config.inputs) fed[input.module].insert(input.input);
    for (const Module& module : config.modules)
        for (const ModuleOutput& output : module.outputs)
            for (const Dependency& to : output.dependencies)
                if (!to.globalOutput) fed[to.module].insert(to.input);
    std::vector<GlobalInput> unfed;
    for (std::size_t m = 0; m < config.modules.size() && m < interfaces.size(); ++m) {
        if (!interfaces[m]) continue;
        const Module& module = config.modules[m];
        for (const std::string& input : interfaces[m]->inputs)
            if (fed[module.index].insert(input).second) unfed.push_back({input, module.index, input, module.place});
    }
    return unfed;
}

std::vector<Fault> check(const PipelineConfig& config, std::span<const std::optional<ModuleInterface>> interfaces)
{
    return Checker(config, interfaces).run();
}

} // namespace stowage::pipeline
