#include "app/canvas/axis/pipe_lanes.h"

#include "app/canvas/axis/op_codes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stowage {

namespace {

/// In the order in which data passes them: in, to the cube, through it or the vectors, out. What is not named here comes last.
constexpr std::array<std::string_view, 7> inOrder{"MTE2", "MTE1", "M", "V", "FIX", "MTE3", "S"};

std::size_t rankOf(std::string_view pipe)
{
    return static_cast<std::size_t>(std::ranges::find(inOrder, pipe) - inOrder.begin());
}

void addLanes(PipeScene& scene)
{
    const PipeModel& model = scene.analysis.model;
    const PipeReport& report = scene.analysis.report;
    std::vector<PipeLane> byPipe(model.pipes.size());
    for (const PipeOp& op : model.ops)
        for (const std::int32_t pipe : op.pipes) ++byPipe[static_cast<std::size_t>(pipe)].kinds;
    for (std::size_t s = 0; s < report.spans.size(); ++s) {
        const PipeSpan& span = report.spans[s];
        const PipeOp& op = model.ops[static_cast<std::size_t>(span.op)];
        const auto id = static_cast<std::int32_t>(s);
        const std::int64_t ready = span.begin - span.stall;
        const std::int64_t free = ready - span.wait;
        for (const std::int32_t pipe : op.pipes) {
            PipeLane& lane = byPipe[static_cast<std::size_t>(pipe)];
            std::int64_t from = lane.ops.empty() ? 0 : lane.ops.back().end;
            const auto gap = [&](std::int64_t to, LaneWait cause) {
                if (to > from) lane.gaps.push_back({from, to, id, cause});
                from = std::max(from, to);
            };
            gap(free, LaneWait::otherPipe);
            gap(ready, span.cause == PipeWait::ownSlot ? LaneWait::ownSlot : LaneWait::data);
            lane.stall += span.begin - std::min(from, span.begin);
            gap(span.begin, LaneWait::reuse);
            lane.ops.push_back({span.begin, span.begin + op.cost, id});
            lane.busy += op.cost;
        }
    }
    for (std::size_t p = 0; p < byPipe.size(); ++p) {
        if (byPipe[p].ops.empty()) continue;
        byPipe[p].pipe = static_cast<std::int32_t>(p);
        byPipe[p].name = model.pipes[p];
        scene.lanes.push_back(std::move(byPipe[p]));
    }
    std::ranges::stable_sort(scene.lanes, {}, [](const PipeLane& lane) { return rankOf(lane.name); });
}

void addLoops(PipeScene& scene)
{
    const std::vector<Loop>& loops = scene.run->problem().loops;
    std::vector<LaneLoop> found(loops.size());
    const PipeReport& report = scene.analysis.report;
    for (std::size_t s = 0; s < report.spans.size(); ++s) {
        const auto id = static_cast<std::int32_t>(s);
        LoopId outer = scene.opOf(id).loop;
        if (outer == none) continue;
        const bool own = loops[static_cast<std::size_t>(outer)].parent == none;
        while (loops[static_cast<std::size_t>(outer)].parent != none) outer = loops[static_cast<std::size_t>(outer)].parent;
        LaneLoop& loop = found[static_cast<std::size_t>(outer)];
        loop.begin = loop.loop == none ? report.spans[s].begin : std::min(loop.begin, report.spans[s].begin);
        loop.end = std::max(loop.end, scene.endOf(id));
        if (own) loop.iterations = std::max(loop.iterations, report.spans[s].iteration + 1);
        loop.loop = outer;
    }
    std::erase_if(found, [](const LaneLoop& loop) { return loop.loop == none; });
    std::ranges::stable_sort(found, {}, &LaneLoop::begin);
    scene.loops = std::move(found);
}

void addColours(PipeScene& scene)
{
    const Run& run = *scene.run;
    const PipeModel& model = scene.analysis.model;
    scene.colourBy = model.fromProgram ? ColourBy::opKind : defaultColouring(run);
    const Colouring colours = colouring(run, scene.colourBy);
    const auto kindOf = [&](FunctionId function, OpId op) -> const std::string& {
        return run.program->functions[static_cast<std::size_t>(function)].ops[static_cast<std::size_t>(op)].kind;
    };
    std::vector<std::string> kinds;
    if (model.fromProgram)
        for (const StepInfo& info : run.lowering->steps)
            if (info.op != none && info.function != none &&
                std::ranges::find(kinds, kindOf(info.function, info.op)) == kinds.end())
                kinds.push_back(kindOf(info.function, info.op));
    const std::vector<std::string> codes = opCodes(kinds), shortCodes = opCodes(kinds, 2);
    for (const PipeOp& op : model.ops) {
        std::size_t chosen = colourClasses - 1;
        scene.codes.emplace_back();
        scene.shortCodes.emplace_back();
        if (model.fromProgram && op.function != none) {
            const std::string& own = kindOf(op.function, op.op);
            const auto number = static_cast<std::size_t>(std::ranges::find(kinds, own) - kinds.begin());
            scene.codes.back() = codes[number];
            scene.shortCodes.back() = shortCodes[number];
            const auto at = std::ranges::find(colours.classes, kindInWords(own), &ColourClass::name);
            if (at != colours.classes.end()) chosen = static_cast<std::size_t>(at - colours.classes.begin());
        } else if (const auto& touched = op.writes.empty() ? op.reads : op.writes; !touched.empty()) {
            chosen = colours.of[static_cast<std::size_t>(touched.front())];
        }
        scene.classOf.push_back(static_cast<std::uint8_t>(chosen));
    }
}

} // namespace

std::int32_t PipeScene::laneOf(std::int32_t pipe) const
{
    const auto at = std::ranges::find(lanes, pipe, &PipeLane::pipe);
    return at == lanes.end() ? none : static_cast<std::int32_t>(at - lanes.begin());
}

std::string PipeScene::pipeNames(std::span<const std::int32_t> pipes) const
{
    std::string text;
    for (const std::int32_t pipe : pipes)
        text += (text.empty() ? "" : "+") + analysis.model.pipes[static_cast<std::size_t>(pipe)];
    return text;
}

bool PipeScene::touches(std::int32_t span, BufferId buffer) const
{
    const PipeOp& op = opOf(span);
    return std::ranges::binary_search(op.reads, buffer) || std::ranges::binary_search(op.writes, buffer);
}

std::shared_ptr<const PipeScene> makePipeScene(std::shared_ptr<const Run> run, const PipeOptions& options)
{
    if (!whyNoPipes(*run).empty()) return nullptr;
    auto analysis = analysePipes(*run, options);
    if (!analysis) return nullptr;
    auto scene = std::make_shared<PipeScene>();
    scene->run = std::move(run);
    scene->analysis = std::move(*analysis);
    addLanes(*scene);
    addLoops(*scene);
    addColours(*scene);
    constexpr std::size_t enough = 4096; // to know what differs
    std::vector<std::string_view> names;
    for (const Buffer& buffer : scene->run->problem().buffers) {
        if (names.size() == enough) break;
        names.emplace_back(buffer.name);
    }
    scene->names = NamesApart(names);
    return scene;
}

bool hasPipes(const Program& program)
{
    return std::ranges::any_of(program.functions, [](const Function& function) {
        return std::ranges::any_of(function.ops, [](const Op& op) { return !op.pipe.empty(); });
    });
}

std::size_t pipeWork(const Run& run, const PipeOptions& options)
{
    const std::int64_t most = std::max<std::int64_t>(0, options.maxSpans);
    const std::int64_t steps = std::min<std::int64_t>(run.problem().horizon(), most);
    return static_cast<std::size_t>(std::min(most, steps * std::min(most, options.iterations)));
}

std::string whyNoPipes(const Run& run)
{
    if (run.problem().axis != Axis::hivm) {
        if (run.program && hasPipes(*run.program))
            return "This plan is made for ops in listed order. Pipes are simulated in Ascend's order.";
        return "No op of this model says which pipe it runs on: it is no kernel for hardware with pipes.";
    }
    if (run.report.status == Status::invalid) return "This plan is not valid: what its bytes are waited for cannot be told.";
    if (run.problem().buffers.empty()) return "No op of this kernel touches a buffer that is planned.";
    return {};
}

} // namespace stowage
