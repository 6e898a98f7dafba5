#include "core/pipeline/stage_memory.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage::pipeline {

namespace {

/// The planner's default lowering for a stage, with one workspace pool.
Expected<LowerOptions> loweringOf(const Program& program, const Planner& planner, Bytes alignment)
{
    LowerOptions options;
    for (const auto& [key, value] : planner.info().lowering)
        if (auto error = options.set(key, value)) return *std::move(error);
    for (const auto& [key, value] : program.lowering)
        if (auto error = options.set(key, value)) return *std::move(error);
    Pool arena;
    arena.name = "arena";
    arena.alignment = alignment;
    options.pools = {arena};
    return options;
}

} // namespace

Expected<StagePlan> planStage(std::shared_ptr<const Program> program, Bytes alignment, const Planner& planner,
                              const PlanContext& context)
{
    auto options = loweringOf(*program, planner, alignment);
    if (!options) return std::move(options).error();
    auto lowering = lower(*program, *options);
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
        return failure(Code::stageNotPlanned, "no valid plan of the stage was found", {}, "choose another planner");
    return result;
}

StageMemories::StageMemories(const Program& program, const CutMap& map, const Planner& quick, const Planner& thorough,
                             std::int64_t queue, Bytes enough, std::stop_token cancel)
    : program_(program), map_(map), quick_(quick), thorough_(thorough), queue_(queue), enough_(enough), cancel_(std::move(cancel))
{
    const auto inOrder = [&](const Planner& planner) {
        const auto options = loweringOf(program, planner, 1);
        return options && options->order == Order::linear && options->loops == LoopMode::conservative &&
               options->views == ViewMode::separate && options->inPlace == InPlaceMode::off;
    };
    inOrder_ = inOrder(quick) && inOrder(thorough);
}

Bytes StageMemories::bound(std::size_t begin, std::size_t end, Bytes alignment)
{
    auto known = bounds_.find(alignment);
    if (known == bounds_.end()) known = bounds_.try_emplace(alignment, map_, alignment, inOrder_, enough_).first;
    return known->second(begin, end) + waitingBytes(queue_, map_.crossing(begin));
}

void StageMemories::plan(Entry& entry, std::size_t begin, std::size_t end, Bytes alignment, bool thoroughly)
{
    if (thoroughly ? entry.thorough : entry.quick) return;
    (thoroughly ? entry.thorough : entry.quick) = true;
    ++plannings_;
    Stage stage = stageOf(program_, map_, begin, end);
    PlanContext context;
    context.cancel = cancel_;
    if (thoroughly) context.workLimit = stageWork;
    const auto planned =
        planStage(std::make_shared<const Program>(std::move(stage.program)), alignment, thoroughly ? thorough_ : quick_, context);
    StageMemory memory;
    memory.constants = stage.constants;
    memory.variables = stage.variables;
    memory.queued = waitingBytes(queue_, map_.crossing(begin));
    if (planned) {
        memory.arena = planned->report.totalSize();
        memory.arenaBound = planned->report.totalBound();
    } else {
        memory.arena = maxBytes / 4; // too large for every device
        if (diagnostics_.size() < 4) diagnostics_.push_back(planned.error());
    }
    const bool first = !(entry.quick && entry.thorough);
    if (first || memory.arena < entry.memory.arena) entry.memory = memory;
}

Fit StageMemories::fits(std::size_t begin, std::size_t end, Bytes alignment, Bytes memory)
{
    if (bound(begin, end, alignment) > memory) return Fit::no;
    Entry& entry = entries_[{begin, end, alignment}];
    plan(entry, begin, end, alignment, false);
    if (entry.memory.total() <= memory) return Fit::yes;
    const auto excluded = [&] {
        const StageMemory& known = entry.memory;
        return known.arenaBound > 0 && known.arenaBound + known.constants + known.variables + known.queued > memory;
    };
    if (inOrder_ && excluded()) return Fit::no; // otherwise the other planner may use another order
    plan(entry, begin, end, alignment, true);
    if (entry.memory.total() <= memory) return Fit::yes;
    return excluded() ? Fit::no : Fit::unknown;
}

const StageMemory& StageMemories::planned(std::size_t begin, std::size_t end, Bytes alignment)
{
    Entry& entry = entries_[{begin, end, alignment}];
    plan(entry, begin, end, alignment, false);
    if (entry.memory.arena > entry.memory.arenaBound) plan(entry, begin, end, alignment, true);
    return entry.memory;
}

} // namespace stowage::pipeline
