#include "core/explain/loop_story.h"

#include "core/ir/occupied.h"

#include <algorithm>
#include <set>
#include <span>

namespace stowage {

namespace {

/// The iteration of each loop while one of them is in a given iteration.
class Moment {
public:
    Moment(const Problem& problem, LoopId loop, std::int64_t iteration) : problem_(problem), loop_(loop), iteration_(iteration) {}

    /// The iteration of a loop during `steps`; for steps after the loop, its last iteration. For none, a loop that the problem
    /// does not list: 0.
    [[nodiscard]] std::int64_t current(LoopId loop, const Interval& steps) const
    {
        if (loop == none) return 0;
        if (loop == loop_) return iteration_;
        return steps.begin >= problem_.loops[at(loop)].live.end ? ran(loop) - 1 : 0;
    }
    /// Number of iterations that a loop had when it ended last.
    [[nodiscard]] std::int64_t ran(LoopId loop) const
    {
        return loop == none ? 1 : std::max<std::int64_t>(problem_.loops[at(loop)].tripCount.value_or(1), 1);
    }
    /// True when `when` holds during `steps`. For steps after the loop, `when.iteration` is its number of iterations.
    [[nodiscard]] bool is(const LoopIteration& when, const Interval& steps) const
    {
        if (when.loop == none) return true;
        const Interval& inside = problem_.loops[at(when.loop)].live;
        return when.iteration == (steps.begin >= inside.end ? ran(when.loop) : current(when.loop, steps));
    }
    /// The offset of the value that was made `distance` iterations of `round` ago; without `round`, of the current value.
    [[nodiscard]] Bytes offset(const Placement& placement, LoopId round, std::int64_t distance, const Interval& steps) const
    {
        if (!placement.rotating()) return placement.offset;
        std::vector<std::int64_t> iterations;
        for (const Rotation& rotation : placement.rotations)
            iterations.push_back(rotation.loop == round                                     ? current(round, steps) - distance
                                 : distance > 0 && isInside(problem_, rotation.loop, round) ? ran(rotation.loop) - 1
                                                                                            : current(rotation.loop, steps));
        return placement.at(iterations);
    }

private:
    const Problem& problem_;
    LoopId loop_;
    std::int64_t iteration_;
};

/// The parts of `steps` in which the buffer is live in the current iterations: `steps` without early ranges of other iterations.
/// They are also cut at `ends`, because after a loop another value may lie in the buffer than inside.
std::vector<Interval> liveParts(const Buffer& buffer, const Interval& steps, std::span<const Step> ends, const Moment& moment)
{
    std::set<Step> cuts{steps.begin, steps.end};
    std::vector<Occupied> entries;
    forEachOccupied<Iterations::each>(buffer, [&](const Occupied& it) {
        if (it.by != Occupying::live) return;
        entries.push_back(it);
        for (const Step cut : {it.steps.begin, it.steps.end})
            if (steps.begin < cut && cut < steps.end) cuts.insert(cut);
    });
    for (const Step cut : ends)
        if (steps.begin < cut && cut < steps.end) cuts.insert(cut);
    std::vector<Interval> parts;
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
        const Interval part{*cut, *std::next(cut)};
        if (std::any_of(entries.begin(), entries.end(), [&](const Occupied& it) {
                return it.steps.begin <= part.begin && part.end <= it.steps.end && moment.is(it.when, part);
            }))
            parts.push_back(part);
    }
    return parts;
}

} // namespace

std::vector<LoopId> loopsOf(const Lowering& lowering)
{
    std::set<LoopId> loops;
    for (const FunctionInstance& instance : lowering.instances)
        for (const auto& [op, loop] : instance.loops)
            if (loop != none) loops.insert(loop);
    std::vector<LoopId> sorted(loops.begin(), loops.end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](LoopId a, LoopId b) {
        const Interval &x = lowering.problem.loops[at(a)].live, &y = lowering.problem.loops[at(b)].live;
        return x.begin != y.begin ? x.begin < y.begin : x.end > y.end;
    });
    return sorted;
}

std::optional<LoopStory> loopStory(const Program& program, const Lowering& lowering, const Plan& plan, LoopId loop)
{
    auto views = loopViews(program, lowering, plan, loop);
    if (!views) return std::nullopt;
    LoopStory story;
    story.views = *std::move(views);
    story.live = lowering.problem.loops[at(loop)].live;
    story.tripCount = lowering.problem.loops[at(loop)].tripCount;
    const Function& function = program.functions[at(lowering.instances[at(story.views.instance)].function)];
    const auto placesOf = [&](TensorId tensor) -> const std::vector<ViewPlace>* {
        for (const LoopView& view : story.views.views)
            if (view.instance == story.views.instance && view.tensor == tensor) return &view.places;
        return nullptr;
    };
    for (const Carry& carry : function.ops[at(story.views.op)].carries) {
        LoopCarry told{carry.from, carry.to, function.tensors[at(carry.from)].name, function.tensors[at(carry.to)].name,
                       0,          false};
        const auto* from = placesOf(carry.from);
        const auto* to = placesOf(carry.to);
        if (from && to) {
            told.bytes = function.tensors[at(carry.from)].bytes.value_or(0);
            for (std::int64_t i = 0; i < story.views.iterations; ++i) {
                const ViewPlace& left = (*from)[static_cast<std::size_t>(i)];
                const ViewPlace& read = (*to)[static_cast<std::size_t>(story.like(i + 1))];
                told.moved = told.moved || left.pool != read.pool || left.offset != read.offset;
            }
            (told.moved ? story.moved : story.kept) += told.bytes;
        }
        story.carries.push_back(std::move(told));
    }
    return story;
}

std::vector<LoopHold> loopHolds(const Problem& problem, const Plan& plan, LoopId loop, std::int64_t iteration)
{
    const Interval inside = problem.loops[at(loop)].live;
    const Moment moment(problem, loop, iteration);
    std::vector<LoopHold> holds;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Buffer& buffer = problem.buffers[b];
        const Placement& placement = plan.placements[b];
        if (!placement.placed() || buffer.size == 0) continue;
        const auto id = static_cast<BufferId>(b);
        const std::size_t first = holds.size();
        std::vector<Step> ends;
        for (const Rotation& rotation : placement.rotations)
            if (rotation.loop != none) ends.push_back(problem.loops[at(rotation.loop)].live.end);
        for (const Interval& live : buffer.live) {
            const Interval steps = live.common(inside);
            if (steps.empty()) continue;
            for (const Interval& part : liveParts(buffer, steps, ends, moment)) {
                const Bytes offset = moment.offset(placement, none, 0, part);
                LoopHold* before = holds.size() > first ? &holds.back() : nullptr;
                if (before && before->live.end == part.begin && before->offset == offset)
                    before->live.end = part.end;
                else
                    holds.push_back({id, part, placement.pool, offset, iteration});
            }
        }
        forEachOccupied(buffer, [&](const Occupied& it) {
            const Interval steps = it.steps.common(inside);
            if (it.by != Occupying::carried || steps.empty() || it.round == none ||
                moment.current(it.round, steps) < it.distance || !moment.is(it.when, steps))
                return;
            holds.push_back({id, steps, placement.pool, moment.offset(placement, it.round, it.distance, steps),
                             it.round == loop ? iteration - it.distance : iteration});
        });
        std::stable_sort(holds.begin() + static_cast<std::ptrdiff_t>(first), holds.end(),
                         [](const LoopHold& x, const LoopHold& y) { return x.live.begin < y.live.begin; });
    }
    return holds;
}

} // namespace stowage
