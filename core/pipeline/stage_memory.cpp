#include "core/pipeline/stage_memory.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage::pipeline {

namespace {

/// Placements that the thorough planner tries for one candidate: a split asks for many.
constexpr std::uint64_t candidateWork = 200'000;

Bytes bounded(std::optional<Bytes> bytes)
{
    return std::min(bytes.value_or(0), maxBytes / 1024);
}

} // namespace

Expected<StagePlan> planStage(std::shared_ptr<const Program> program, Bytes alignment, const Planner& planner,
                              const PlanContext& context)
{
    LowerOptions options;
    for (const auto& [key, value] : planner.info().lowering)
        if (auto error = options.set(key, value)) return *std::move(error);
    for (const auto& [key, value] : program->lowering)
        if (auto error = options.set(key, value)) return *std::move(error);
    Pool arena;
    arena.name = "arena";
    arena.alignment = alignment;
    options.pools = {arena};
    auto lowering = lower(*program, options);
    if (!lowering) return std::move(lowering).error();
    StagePlan result;
    result.program = std::move(program);
    result.lowering = std::make_shared<const Lowering>(*std::move(lowering));
    if (auto error = checkCapabilities(planner.info(), result.lowering->problem)) return *std::move(error);
    auto plan = planner.plan(result.lowering->problem, {}, context);
    if (!plan) return std::move(plan).error();
    result.plan = *std::move(plan);
    result.report = evaluate(result.lowering->problem, result.plan);
    if (result.report.status == Status::invalid || result.report.status == Status::undecided)
        return failure(Code::stageNotPlanned, "no valid plan of the stage was found");
    return result;
}

StageMemories::StageMemories(const Program& program, const CutMap& map, const Planner& quick, const Planner& thorough,
                             std::int64_t queue, std::stop_token cancel)
    : program_(program), map_(map), quick_(quick), thorough_(thorough), queue_(queue), cancel_(std::move(cancel))
{
    const Function& function = map.function();
    touched_.resize(map.size(), 0);
    keptOf_.resize(map.size());
    for (std::size_t o = 0; o < map.size(); ++o) {
        // Only what an op itself lists is in use all at once; storage may be merged by the lowering, so the largest alone counts.
        std::vector<TensorId> roots;
        for (const TensorId id : map.reads(o)) roots.push_back(map.root(id));
        for (const TensorId id : map.writes(o)) roots.push_back(map.root(id));
        std::sort(roots.begin(), roots.end());
        roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
        for (const TensorId id : roots) {
            const Tensor& tensor = function.tensors[at(id)];
            if (tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable)
                keptOf_[o].push_back(id);
            else if (tensor.planned && map.constantOp(id) == none)
                touched_[o] = std::max(touched_[o], bounded(tensor.bytes));
        }
    }
}

std::pair<Bytes, Bytes> StageMemories::kept(std::size_t begin, std::size_t end) const
{
    std::vector<TensorId> roots;
    for (std::size_t o = begin; o < end; ++o) roots.insert(roots.end(), keptOf_[o].begin(), keptOf_[o].end());
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    Bytes constants = 0;
    Bytes variables = 0;
    for (const TensorId id : roots) {
        const Tensor& tensor = map_.function().tensors[at(id)];
        (tensor.kind == TensorKind::constant ? constants : variables) += bounded(tensor.bytes);
    }
    return {constants, variables};
}

Bytes StageMemories::bound(std::size_t begin, std::size_t end) const
{
    const auto [constants, variables] = kept(begin, end);
    Bytes largest = 0;
    for (std::size_t o = begin; o < end; ++o) largest = std::max(largest, touched_[o]);
    return constants + variables + largest + queue_ * map_.crossing(begin);
}

void StageMemories::plan(Entry& entry, std::size_t begin, std::size_t end, Bytes alignment, bool thoroughly)
{
    if (thoroughly ? entry.thorough : entry.quick) return;
    (thoroughly ? entry.thorough : entry.quick) = true;
    ++plannings_;
    Stage stage = stageOf(program_, map_, begin, end);
    PlanContext context;
    context.cancel = cancel_;
    if (thoroughly) context.workLimit = candidateWork;
    const auto planned =
        planStage(std::make_shared<const Program>(std::move(stage.program)), alignment, thoroughly ? thorough_ : quick_, context);
    StageMemory memory;
    memory.constants = stage.constants;
    memory.variables = stage.variables;
    memory.queued = queue_ * map_.crossing(begin);
    if (planned) {
        memory.arena = planned->report.totalSize();
        memory.arenaBound = planned->report.totalBound();
    } else {
        memory.arena = maxBytes / 4; // does not fit anywhere
        if (diagnostics_.size() < 4) diagnostics_.push_back(planned.error());
    }
    const bool first = !(entry.quick && entry.thorough);
    if (first || memory.arena < entry.memory.arena) entry.memory = memory;
}

bool StageMemories::fits(std::size_t begin, std::size_t end, Bytes alignment, Bytes memory)
{
    if (bound(begin, end) > memory) return false;
    Entry& entry = entries_[{begin, end, alignment}];
    plan(entry, begin, end, alignment, false);
    if (entry.memory.total() <= memory) return true;
    if (entry.memory.arenaBound + entry.memory.constants + entry.memory.variables + entry.memory.queued > memory &&
        entry.memory.arenaBound > 0)
        return false; // no plan at all
    plan(entry, begin, end, alignment, true);
    return entry.memory.total() <= memory;
}

const StageMemory& StageMemories::planned(std::size_t begin, std::size_t end, Bytes alignment)
{
    Entry& entry = entries_[{begin, end, alignment}];
    plan(entry, begin, end, alignment, false);
    if (entry.memory.arena > entry.memory.arenaBound) plan(entry, begin, end, alignment, true);
    return entry.memory;
}

} // namespace stowage::pipeline
