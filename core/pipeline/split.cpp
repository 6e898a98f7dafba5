#include "core/pipeline/split.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace stowage::pipeline {

namespace {

/// The largest memory of a device; the largest number if some device is unbounded.
Bytes largestMemory(const DeviceSet& devices)
{
    Bytes largest = 0;
    for (const Device& device : devices.devices) largest = std::max(largest, device.memory.value_or(maxBytes));
    return largest;
}

} // namespace

Splitter::Splitter(const Program& program, SplitRequest request, const Planner& quick, const Planner& thorough)
    : request_(std::move(request)),
      map_(program),
      memories_(program, map_, quick, thorough, request_.queue, largestMemory(request_.devices), request_.cancel)
{
    const Function& function = map_.function();
    problem_.ops = map_.size();
    problem_.cutAllowed.resize(map_.size() + 1);
    for (std::size_t cut = 0; cut <= map_.size(); ++cut) problem_.cutAllowed[cut] = map_.allowed(cut);
    for (const Device& device : request_.devices.devices) {
        auto& prefix = problem_.prefix.emplace_back(1, 0);
        auto& sources = sources_.emplace_back();
        for (const OpId op : map_.ops()) {
            const OpCost cost = costOf(program, function, function.ops[at(op)], device, request_.measurements);
            prefix.push_back(prefix.back() + std::min(cost.ticks, maxTicks / static_cast<Ticks>(map_.size() + 1)));
            sources.push_back(cost.source);
        }
        bounded_ = bounded_ || device.memory.has_value();
    }
    buildClasses();
    if (!request_.devices.links.empty())
        problem_.transfer = [this](std::int32_t from, std::int32_t to, std::size_t cut) {
            // Within one class: any two different members have equal links.
            std::int32_t a = deviceOf(from);
            std::int32_t b = deviceOf(to);
            if (from == to)
                for (std::size_t d = 0; d < problem_.classes.size(); ++d)
                    if (problem_.classes[d] == to && static_cast<std::int32_t>(d) != a) b = static_cast<std::int32_t>(d);
            const auto& devices = request_.devices.devices;
            return transferTime(request_.devices.link(devices[at(a)].name, devices[at(b)].name), map_.crossing(cut));
        };
    if (bounded_) {
        problem_.fits = [this](std::int32_t c, std::size_t begin, std::size_t end) {
            const Device& device = request_.devices.devices[at(deviceOf(c))];
            return !device.memory || memories_.bound(begin, end, device.alignment) <= *device.memory;
        };
        problem_.confirms = [this](std::int32_t c, std::size_t begin, std::size_t end) {
            const Device& device = request_.devices.devices[at(deviceOf(c))];
            if (!device.memory) return Fit::yes;
            const Fit fit = memories_.fits(begin, end, device.alignment, *device.memory);
            if (request_.progress) request_.progress(memories_.plannings());
            return fit;
        };
    }
    problem_.bytes = [this](std::int32_t c, std::size_t begin, std::size_t end, bool exact) {
        const Bytes alignment = request_.devices.devices[at(deviceOf(c))].alignment;
        return exact ? memories_.planned(begin, end, alignment).total() : memories_.bound(begin, end, alignment);
    };
}

/// Groups devices into classes. Devices of one class have equal costs, memory, alignment, and links to and from all other
/// devices.
void Splitter::buildClasses()
{
    const auto& devices = request_.devices.devices;
    const auto linkOf = [&](std::size_t a, std::size_t b) -> std::tuple<bool, double, double> {
        const Link* link = request_.devices.link(devices[a].name, devices[b].name);
        return link ? std::tuple(true, link->latencyUs, link->bytesPerUs) : std::tuple(false, 0.0, 0.0);
    };
    const auto same = [&](std::size_t a, std::size_t b) {
        if (devices[a].memory != devices[b].memory || devices[a].alignment != devices[b].alignment ||
            problem_.prefix[a] != problem_.prefix[b] || linkOf(a, b) != linkOf(b, a))
            return false;
        for (std::size_t c = 0; c < devices.size(); ++c)
            if (c != a && c != b && (linkOf(a, c) != linkOf(b, c) || linkOf(c, a) != linkOf(c, b))) return false;
        return true;
    };
    problem_.classes.assign(devices.size(), none);
    std::vector<std::vector<std::size_t>> members;
    for (std::size_t d = 0; d < devices.size(); ++d) {
        // Compares with every member, because the links among members have to be equal, too.
        const auto fits = [&](const std::vector<std::size_t>& group) {
            for (const std::size_t m : group)
                if (!same(m, d)) return false;
            return group.size() < 2 || linkOf(group[0], group[1]) == linkOf(group[0], d);
        };
        std::size_t c = 0;
        while (c < members.size() && !fits(members[c])) ++c;
        if (c == members.size()) {
            members.emplace_back();
            representatives_.push_back(static_cast<std::int32_t>(d));
        }
        members[c].push_back(d);
        problem_.classes[d] = static_cast<std::int32_t>(c);
    }
}

SplitStage Splitter::timed(std::size_t begin, std::size_t end, std::int32_t device, const SplitStage* before) const
{
    const auto& devices = request_.devices.devices;
    const auto& prefix = problem_.prefix[at(device)];
    SplitStage made{begin, end, device, prefix[end] - prefix[begin], 0, 0, {}};
    if (before) {
        made.transferBytes = map_.crossing(begin);
        made.transfer =
            transferTime(request_.devices.link(devices[at(before->device)].name, devices[at(device)].name), made.transferBytes);
    }
    return made;
}

SplitStage Splitter::stage(std::size_t begin, std::size_t end, std::int32_t device, const SplitStage* before, bool plan)
{
    SplitStage made = timed(begin, end, device, before);
    if (plan) made.memory = memories_.planned(begin, end, request_.devices.devices[at(device)].alignment);
    return made;
}

std::vector<SplitStage> Splitter::stagesOf(const Partition& partition, bool plan)
{
    std::vector<SplitStage> stages;
    for (const PartitionStage& each : partition.stages)
        stages.push_back(stage(each.begin, each.end, each.device, stages.empty() ? nullptr : &stages.back(), plan));
    return stages;
}

Expected<Split> Splitter::run()
{
    const std::size_t devices = request_.devices.devices.size();
    if (map_.size() == 0) return failure(Code::nothingToSplit, "the program has no operators");
    if (devices == 0) return failure(Code::noDevices, "there is no device for a stage", {}, "name a device");
    Split result;
    result.objective = request_.objective;
    result.fixedCuts = request_.cuts.has_value();
    for (const TensorId id : map_.unsized())
        result.diagnostics.push_back(
            warning(Code::unknownSize,
                    fmt::format("'{}' crosses cuts and has no known size: its transfers and its memory are not counted",
                                map_.function().tensors[at(id)].name),
                    {}, "give free dimensions a size (--bind NAME=N; in the window: Program)"));
    PartitionProblem problem = problem_;
    if (request_.cuts) {
        if (request_.cuts->size() + 1 > devices)
            return failure(Code::tooFewDevices,
                           fmt::format("{} stages need {} devices, and there are {}", request_.cuts->size() + 1,
                                       request_.cuts->size() + 1, devices),
                           {}, "each device serves at most one stage");
        std::fill(problem.cutAllowed.begin(), problem.cutAllowed.end(), false);
        for (const std::size_t cut : *request_.cuts) problem.cutAllowed[cut] = true;
        problem.minStages = problem.maxStages = request_.cuts->size() + 1;
    } else if (request_.stages > 0) {
        problem.maxStages = request_.stages;
        const auto possible =
            static_cast<std::size_t>(std::count(problem.cutAllowed.begin() + 1, problem.cutAllowed.end(), true));
        problem.minStages = std::min(request_.stages, possible);
    }
    Partition found = partition(problem, request_.objective, request_.cancel);
    const auto value = [&](const Partition& p) { return request_.objective == Objective::period ? p.period : p.latency; };
    if (request_.stages > 0 && !request_.cuts && problem.minStages > 1) {
        // If that many stages do not fit, or are slower because of slow links, fewer are used. The bound is that of all these
        // splits.
        problem.minStages = 1;
        Partition other = partition(problem, request_.objective, request_.cancel);
        if (found.stages.empty() || (!other.stages.empty() && value(other) < value(found))) {
            found = std::move(other);
        } else {
            found.bound = std::min(found.bound, other.bound);
            found.status = value(found) <= found.bound ? PartitionStatus::optimal : PartitionStatus::feasible;
        }
    }
    result.status = found.status;
    if (request_.cuts && !found.stages.empty()) {
        // With fixed cuts the proof covers the choice of devices only. The bound is that of all splits.
        PartitionProblem free = problem_;
        free.maxStages = devices;
        const Partition best = partition(free, request_.objective, request_.cancel);
        result.bound = best.bound;
        result.status = value(found) == best.bound ? PartitionStatus::optimal : PartitionStatus::feasible;
    } else if (found.status != PartitionStatus::infeasible) {
        result.bound = found.bound;
    }
    result.stages = stagesOf(found, true);
    result.period = found.period;
    result.latency = found.latency;
    if (found.status == PartitionStatus::infeasible)
        result.misfits =
            findMisfits(request_.cuts ? std::span<const std::size_t>(*request_.cuts) : std::span<const std::size_t>{});
    result.plannings = memories_.plannings();
    for (const Diagnostic& told : memories_.diagnostics()) result.diagnostics.push_back(told);
    return result;
}

std::vector<Misfit> Splitter::findMisfits(std::span<const std::size_t> cuts)
{
    constexpr std::size_t most = 8;
    std::vector<Misfit> misfits;
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    if (request_.cuts) {
        std::size_t begin = 0;
        for (std::size_t s = 0; s <= cuts.size(); ++s) {
            parts.emplace_back(begin, s < cuts.size() ? cuts[s] : map_.size());
            begin = parts.back().second;
        }
    } else { // the smallest possible stages: between neighbouring allowed cuts
        std::size_t begin = 0;
        for (std::size_t cut = 1; cut <= map_.size(); ++cut)
            if (map_.allowed(cut)) {
                parts.emplace_back(begin, cut);
                begin = cut;
            }
    }
    const auto& devices = request_.devices.devices;
    for (const auto& [begin, end] : parts) {
        if (misfits.size() == most) break;
        Misfit nearest;
        bool fits = false;
        for (std::size_t d = 0; d < devices.size() && !fits; ++d) {
            const Bytes needed = memories_.planned(begin, end, devices[d].alignment).total();
            fits = !devices[d].memory || needed <= *devices[d].memory;
            if (!fits && (nearest.needed == 0 || needed - *devices[d].memory < nearest.needed - nearest.memory))
                nearest = {begin, end, static_cast<std::int32_t>(d), needed, *devices[d].memory};
        }
        if (!fits) misfits.push_back(nearest);
    }
    return misfits;
}

TradeOffCurve Splitter::tradeOff(bool byBytes, std::size_t limit,
                                 const std::function<void(const std::vector<TradeOffPoint>&)>& found)
{
    const auto pointsOf = [&](const std::vector<Partition>& partitions) {
        std::vector<TradeOffPoint> points;
        for (const Partition& each : partitions) {
            TradeOffPoint point{each.period, each.latency, 0, stagesOf(each, true)};
            for (const SplitStage& made : point.stages) point.bytes += made.memory.total();
            points.push_back(std::move(point));
        }
        return points;
    };
    const auto tell = [&](const std::vector<Partition>& partitions) {
        if (found) found(pointsOf(partitions));
    };
    const TradeOff curve = pipeline::tradeOff(problem_, byBytes, limit, request_.cancel, tell);
    return {pointsOf(curve.points), curve.complete};
}

Split Splitter::timesOf(std::span<const std::size_t> cuts, std::span<const std::int32_t> devices) const
{
    Split result;
    result.fixedCuts = true;
    result.objective = request_.objective;
    result.status = PartitionStatus::feasible;
    std::size_t begin = 0;
    for (std::size_t s = 0; s <= cuts.size(); ++s) {
        const std::size_t end = s < cuts.size() ? cuts[s] : map_.size();
        result.stages.push_back(timed(begin, end, devices[s], s == 0 ? nullptr : &result.stages.back()));
        const SplitStage& made = result.stages.back();
        result.period = std::max({result.period, made.cost, made.transfer});
        result.latency += made.cost + made.transfer;
        begin = end;
    }
    return result;
}

Split Splitter::evaluate(std::span<const std::size_t> cuts, std::span<const std::int32_t> devices, bool plan)
{
    Split result = timesOf(cuts, devices);
    if (!plan) return result;
    for (SplitStage& made : result.stages) {
        const Device& device = request_.devices.devices[at(made.device)];
        made.memory = memories_.planned(made.begin, made.end, device.alignment);
        if (!device.memory || made.memory.total() <= *device.memory) continue;
        result.status = PartitionStatus::infeasible;
        result.misfits.push_back({made.begin, made.end, made.device, made.memory.total(), *device.memory});
    }
    return result;
}

void setCosts(Stage& stage, const Splitter& splitter, std::int32_t device)
{
    Function& function = stage.program.functions.front();
    for (Op& op : function.ops) op.cost.clear();
    std::size_t operators = stage.begin;
    for (const OpId id : function.body().ops) {
        Op& op = function.ops[at(id)];
        const Ticks cost = makesConstant(function, op) ? 0 : splitter.opCost(device, operators++);
        op.cost = {{"", toMicroseconds(cost)}};
    }
}

PipelineConfig configOf(const Split& split, const DeviceSet& devices, std::span<const Stage> stages)
{
    PipelineConfig config;
    config.chain = true;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        Module module;
        module.index = static_cast<std::int64_t>(s);
        module.stage.device = devices.devices[at(split.stages[s].device)].name;
        module.stage.cost = toMicroseconds(split.stages[s].cost);
        if (s > 0) {
            module.stage.transfer = toMicroseconds(split.stages[s].transfer);
            module.stage.transferBytes = split.stages[s].transferBytes;
        }
        for (std::size_t o = 0; o < stages[s].outputs.size(); ++o) {
            ModuleOutput output;
            output.index = static_cast<std::int64_t>(o);
            if (stages[s].outputs[o].global != none) {
                Dependency to;
                to.globalOutput = stages[s].outputs[o].global;
                output.dependencies.push_back(std::move(to));
            }
            module.outputs.push_back(std::move(output));
        }
        config.modules.push_back(std::move(module));
    }
    for (std::size_t s = 0; s < stages.size(); ++s)
        for (const StageInput& input : stages[s].inputs) {
            if (input.stage == none) {
                config.inputs.push_back({input.name, static_cast<std::int64_t>(s), input.name, {}});
                continue;
            }
            Dependency to;
            to.module = static_cast<std::int64_t>(s);
            to.input = input.name;
            config.modules[at(input.stage)].outputs[at(input.output)].dependencies.push_back(std::move(to));
        }
    return config;
}

} // namespace stowage::pipeline
