#include "app/canvas/axis/run_scene.h"

#include "app/canvas/axis/label_fit.h"
#include "app/canvas/axis/op_codes.h"
#include "app/canvas/axis/pipe_lanes.h"
#include "core/plan/load.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace stowage {

namespace {

OpTrack opTrack(const Run& run)
{
    OpTrack track;
    if (!run.program) return track;
    std::map<std::string, std::int32_t> ids;
    std::set<FunctionId> functions;
    for (const StepInfo& info : run.lowering->steps) {
        if (info.op == none || info.function == none) {
            track.kindOf.push_back(none);
            continue;
        }
        const Op& op = run.program->functions[std::size_t(info.function)].ops[std::size_t(info.op)];
        const auto [at, isNew] = ids.try_emplace(op.kind, std::int32_t(track.kinds.size()));
        if (isNew) track.kinds.push_back(op.kind);
        track.kindOf.push_back(at->second);
        functions.insert(info.function);
    }
    for (const FunctionId function : functions) track.ops += run.program->functions[std::size_t(function)].ops.size();
    track.codes = opCodes(track.kinds);
    track.shortCodes = opCodes(track.kinds, 2);
    const OpKindClasses classes = opKindClasses(run, colouring(run, ColourBy::opKind));
    for (std::string& kind : track.kinds) {
        kind = kindInWords(kind);
        track.colours.push_back(classes.of.at(kind));
        track.named.push_back(classes.classes[track.colours.back()].buffers > 0);
    }
    return track;
}

std::vector<WeightedRange> rangesOf(const MapData& map, auto rangeOf)
{
    std::vector<WeightedRange> ranges;
    ranges.reserve(map.rects.size());
    for (std::size_t i = 0; i < map.rects.size(); ++i) ranges.push_back(rangeOf(map.rects[i]));
    return ranges;
}

/// Bytes live at each step, as the report counts them for the peak and the bound: of a buffer that rotates over more addresses
/// than it holds values at a time, only those that it holds.
StepFunction liveBytes(const Run& run, PoolId pool, const MapData& map)
{
    const auto& buffers = run.problem().buffers;
    if (run.problem().axis == Axis::dag) // without an order, a buffer without live ranges is shown over all steps
        return StepFunction::summing(rangesOf(map, [](const StepBytes& r) {
            return WeightedRange{r.begin, r.end, r.high - r.low};
        }));
    if (std::any_of(map.buffer.begin(), map.buffer.end(),
                    [&](BufferId id) { return !buffers[std::size_t(id)].mayShare.empty(); })) {
        // What lies on the same bytes by permission is live once.
        std::vector<std::int64_t> at, values;
        for (const UsageSample& sample : usage(run.problem(), run.plan, pool)) {
            at.push_back(sample.step);
            values.push_back(sample.live);
        }
        return StepFunction(std::move(at), std::move(values));
    }
    // A few buffers at a time: for ten million of them a list of all loads is half a gigabyte.
    constexpr std::size_t atATime = 1 << 16;
    std::vector<WeightedRange> ranges;
    std::vector<BufferId> ids;
    const auto flush = [&] {
        for (const Load& load : occupied(run.problem(), ids, none))
            ranges.push_back({load.live.begin, load.live.end, load.total()});
        ids.clear();
    };
    ranges.reserve(map.rects.size());
    for (std::size_t i = 0; i < std::min(buffers.size(), run.plan.placements.size()); ++i) {
        if (run.plan.placements[i].pool == pool) ids.push_back(BufferId(i));
        if (ids.size() == atATime) flush();
    }
    flush();
    return StepFunction::summing(std::move(ranges));
}

PoolScene poolScene(const Run& run, PoolId pool)
{
    PoolScene scene;
    scene.map = makeMapData(run, pool);
    scene.live = liveBytes(run, pool, scene.map);
    scene.uses = StepFunction::summing(rangesOf(scene.map, [](const StepBytes& r) { return WeightedRange{r.low, r.high, 1}; }));
    if (std::size_t(pool) < run.report.pools.size()) {
        const PoolReport& report = run.report.pools[std::size_t(pool)];
        scene.peakStep = report.peakStep;
        scene.peak = report.liveAtPeak;
        scene.clique = report.certificate.buffers;
        std::sort(scene.clique.begin(), scene.clique.end());
    }
    return scene;
}

} // namespace

std::shared_ptr<const RunScene> makeScene(std::shared_ptr<const Run> run)
{
    auto scene = std::make_shared<RunScene>();
    scene->run = std::move(run);
    const Run& shown = *scene->run;
    scene->steps = std::max<Step>({1, shown.problem().horizon(), Step(shown.lowering->steps.size())});
    for (const PoolId pool : usedPools(shown)) {
        scene->pools.push_back(poolScene(shown, pool));
        scene->pools.back().map.steps = scene->steps;
    }
    scene->ops = opTrack(shown);
    std::vector<std::string_view> names;
    names.reserve(shown.problem().buffers.size());
    for (const Buffer& buffer : shown.problem().buffers) names.emplace_back(buffer.name);
    scene->namePrefix = commonPrefix(names);
    for (std::string_view& name : names) name = withoutPrefix(name, scene->namePrefix);
    constexpr std::size_t enough = 4096; // to know what differs
    scene->names = NamesApart(std::span<const std::string_view>(names).first(std::min(names.size(), enough)));
    scene->nameSuffix = commonSuffix(names);
    for (std::string_view& name : names) name = withoutSuffix(name, scene->nameSuffix);
    scene->nameEndsTell = endsTellApart(names);
    for (std::size_t i = 0; i < shown.lowering->steps.size(); ++i) {
        const StepInfo& info = shown.lowering->steps[i];
        if (info.op != none) scene->opSteps_.push_back({info.function, info.op, Step(i)});
    }
    std::sort(scene->opSteps_.begin(), scene->opSteps_.end());
    for (std::size_t i = 0; i < shown.lowering->origins.size(); ++i) {
        const BufferOrigin& origin = shown.lowering->origins[i];
        if (origin.producer != none) scene->opBuffers_.push_back({origin.function, origin.producer, BufferId(i)});
    }
    std::sort(scene->opBuffers_.begin(), scene->opBuffers_.end());
    return scene;
}

const SupportFinder& RunScene::support() const
{
    std::call_once(supportOnce_, [this] {
        support_ = std::make_unique<const SupportFinder>(run->problem(), run->plan);
        supportReady_.store(true, std::memory_order_release);
    });
    return *support_;
}

const std::vector<PoolDisplacement>& RunScene::displaced() const
{
    std::call_once(displacedOnce_, [this] { displaced_ = displacements(run->problem(), run->plan); });
    return displaced_;
}

const std::shared_ptr<const PipeScene>& RunScene::pipes() const
{
    std::call_once(pipesOnce_, [this] { pipes_ = makePipeScene(run); });
    return pipes_;
}

std::optional<std::pair<PoolId, Displaced>> RunScene::displacedFrom(BufferId buffer) const
{
    const auto& buffers = run->problem().buffers;
    if (buffer < 0 || std::size_t(buffer) >= buffers.size() || std::size_t(buffer) >= run->plan.placements.size())
        return std::nullopt;
    const Placement& placement = run->plan.placements[std::size_t(buffer)];
    if (!isFallback(run->problem(), buffers[std::size_t(buffer)], placement)) return std::nullopt;
    // Of several pools that come before, the one that it asks for first.
    for (const PoolId wanted : run->problem().candidates(buffers[std::size_t(buffer)]))
        for (const PoolDisplacement& pool : displaced())
            if (pool.pool == wanted)
                for (const Displaced& out : pool.displaced)
                    if (out.buffer == buffer) return std::pair(wanted, out);
    return std::nullopt;
}

std::int32_t RunScene::poolOf(BufferId buffer) const
{
    if (buffer < 0 || std::size_t(buffer) >= run->plan.placements.size()) return none;
    const PoolId pool = run->plan.placements[std::size_t(buffer)].pool;
    for (std::size_t i = 0; i < pools.size(); ++i)
        if (pools[i].map.pool == pool) return std::int32_t(i);
    return none;
}

std::int32_t RunScene::largestPool() const
{
    std::int32_t best = none;
    for (std::size_t i = 0; i < pools.size(); ++i)
        if (best == none || pools[i].map.top > pools[std::size_t(best)].map.top) best = std::int32_t(i);
    return best;
}

std::vector<Step> RunScene::stepsOf(FunctionId function, OpId op) const
{
    std::vector<Step> found;
    for (auto at = std::lower_bound(opSteps_.begin(), opSteps_.end(), OpStep{function, op, 0});
         at != opSteps_.end() && at->function == function && at->op == op; ++at)
        found.push_back(at->step);
    return found;
}

std::vector<Step> RunScene::readingSteps(BufferId buffer) const
{
    std::vector<Step> found;
    const Lowering& lowering = *run->lowering;
    if (buffer < 0 || std::size_t(buffer) >= lowering.origins.size()) return found;
    const BufferOrigin& origin = lowering.origins[std::size_t(buffer)];
    const Buffer& live = lowering.problem.buffers[std::size_t(buffer)];
    for (const OpId op : origin.consumers)
        for (const Step step : stepsOf(origin.function, op))
            if (std::any_of(live.live.begin(), live.live.end(), [step](const Interval& i) { return i.contains(step); }))
                found.push_back(step);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

Step RunScene::makingStep(BufferId buffer) const
{
    const Lowering& lowering = *run->lowering;
    if (buffer < 0 || std::size_t(buffer) >= lowering.origins.size()) return -1;
    const BufferOrigin& origin = lowering.origins[std::size_t(buffer)];
    if (origin.producer == none) return -1;
    const Interval hull = lowering.problem.buffers[std::size_t(buffer)].hull();
    for (const Step step : stepsOf(origin.function, origin.producer))
        if (hull.contains(step)) return step;
    return -1;
}

std::vector<BufferId> RunScene::madeBy(FunctionId function, OpId op) const
{
    std::vector<BufferId> found;
    for (auto at = std::lower_bound(opBuffers_.begin(), opBuffers_.end(), OpBuffer{function, op, 0});
         at != opBuffers_.end() && at->function == function && at->op == op; ++at)
        found.push_back(at->buffer);
    return found;
}

} // namespace stowage
