#include "app/canvas/pictures/loops/loop_picture.h"

#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "core/ir/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace stowage {

namespace {

/// Steps of one pass in which ops use a tensor; empty when none does.
Interval usesOf(const Run& run, const LoopStory& story, std::int32_t instance, TensorId tensor)
{
    Interval uses{story.live.end, story.live.begin};
    const auto& steps = run.lowering->steps;
    for (Step s = story.live.begin; s < std::min<Step>(story.live.end, Step(steps.size())); ++s) {
        const StepInfo& step = steps[std::size_t(s)];
        if (step.op == none || step.instance != instance) continue;
        const Op& op = run.program->functions[std::size_t(step.function)].ops[std::size_t(step.op)];
        for (const auto* list : {&op.inputs, &op.outputs, &op.temps})
            if (std::ranges::find(*list, tensor) != list->end()) uses = {std::min(uses.begin, s), std::max(uses.end, s + 1)};
    }
    return uses;
}

} // namespace

std::int32_t LoopPicture::placeAt(PoolId pool, Bytes offset) const
{
    const auto found = std::ranges::find(places, std::pair(pool, offset));
    return found == places.end() ? -1 : std::int32_t(found - places.begin());
}

std::size_t LoopPicture::viewsOf(std::size_t row) const
{
    return std::set<std::int32_t>(rows[row].places.begin(), rows[row].places.end()).size();
}

std::optional<LoopPicture> loopPicture(const Run& run, LoopId loop)
{
    if (!run.program || loop < 0 || std::size_t(loop) >= run.problem().loops.size()) return std::nullopt;
    auto story = loopStory(*run.program, *run.lowering, run.plan, loop);
    if (!story) return std::nullopt;
    LoopPicture picture;
    picture.story = *std::move(story);
    const auto& views = picture.story.views.views;
    const Function& function =
        run.program->functions[std::size_t(run.lowering->instances[std::size_t(picture.story.views.instance)].function)];
    const auto viewOf = [&](TensorId tensor) {
        for (std::size_t v = 0; v < views.size(); ++v)
            if (views[v].instance == picture.story.views.instance && views[v].tensor == tensor) return std::int32_t(v);
        return std::int32_t(-1);
    };
    const auto add = [&](std::int32_t v) {
        const auto known = std::ranges::find(picture.rows, v, &LoopRow::view);
        if (known != picture.rows.end()) return std::int32_t(known - picture.rows.begin());
        const LoopView& view = views[std::size_t(v)];
        LoopRow row;
        row.view = v;
        row.name = view.name;
        row.type = view.type;
        const FunctionInstance& instance = run.lowering->instances[std::size_t(view.instance)];
        row.bytes = run.program->functions[std::size_t(instance.function)].tensors[std::size_t(view.tensor)].bytes.value_or(0);
        row.live = usesOf(run, picture.story, view.instance, view.tensor);
        for (const ViewPlace& place : view.places) {
            std::int32_t at = picture.placeAt(place.pool, place.offset);
            if (at < 0) {
                at = std::int32_t(picture.places.size());
                picture.places.emplace_back(place.pool, place.offset);
            }
            row.places.push_back(at);
        }
        picture.rows.push_back(std::move(row));
        return std::int32_t(picture.rows.size()) - 1;
    };
    for (const LoopCarry& carry : picture.story.carries) {
        const std::int32_t from = viewOf(carry.from), to = viewOf(carry.to);
        if (from < 0 || to < 0) continue; // not planned
        const std::int32_t toRow = add(to), fromRow = add(from);
        picture.rows[std::size_t(toRow)].carriedIn = true;
        picture.rows[std::size_t(fromRow)].carriedTo = toRow;
        picture.rows[std::size_t(fromRow)].moved = carry.moved;
    }
    // What rotates besides, but not what only names the same places (inputs of conditions, results after the loop).
    const Op& own = function.ops[std::size_t(picture.story.views.op)];
    for (std::size_t v = 0; v < views.size(); ++v) {
        const LoopView& view = views[v];
        const bool shown = std::ranges::any_of(picture.rows, [&](const LoopRow& row) {
            return row.view == std::int32_t(v) || views[std::size_t(row.view)].places == view.places;
        });
        if (shown) continue;
        const bool result =
            view.instance == picture.story.views.instance && std::ranges::find(own.outputs, view.tensor) != own.outputs.end();
        if (view.type != ViewType::fixed && !result && !usesOf(run, picture.story, view.instance, view.tensor).empty())
            add(std::int32_t(v));
        else if (!result)
            ++picture.still;
    }
    for (LoopRow& row : picture.rows) {
        if (row.live.empty()) row.live = {picture.story.live.begin, picture.story.live.begin + (row.carriedIn ? 1 : 0)};
        if (row.carriedIn) row.live.begin = picture.story.live.begin;
        if (row.carriedTo >= 0) row.live.end = picture.story.live.end;
        if (row.live.empty()) row.live = picture.story.live;
    }
    std::vector<std::string_view> names;
    for (const LoopRow& row : picture.rows) names.emplace_back(row.name);
    picture.names = NamesApart(names);
    std::set<PoolId> pools;
    for (const LoopHold& hold : loopHolds(run.problem(), run.plan, loop, 0)) pools.insert(hold.pool);
    picture.pools.assign(pools.begin(), pools.end());
    return picture;
}

std::string loopName(const Problem& problem, LoopId loop)
{
    const std::string& own = problem.loops[std::size_t(loop)].name;
    return own.empty() ? fmt::format("loop{}", loop) : own;
}

std::vector<std::string> loopSentences(const Run& run, const LoopPicture& picture)
{
    const LoopStory& story = picture.story;
    std::vector<std::string> lines;
    const std::string name = loopName(run.problem(), story.views.loop);
    const std::string trips =
        story.tripCount ? counted(std::max<std::int64_t>(0, *story.tripCount), "iteration") : "any number of iterations";
    if (story.views.repeat == 1 && story.views.first == 0)
        lines.push_back(fmt::format("{}: {}, all in the same places.", name, trips));
    else if (story.views.repeat == 1)
        lines.push_back(fmt::format("{}: {}. The first {} places of {} own, all others use the same.", name, trips,
                                    story.views.first == 1 ? std::string("has") : fmt::format("{} have", story.views.first),
                                    story.views.first == 1 ? "its" : "their"));
    else
        lines.push_back(
            fmt::format("{}: {}. The body is unrolled {}: iteration i uses the places of iteration i - {}{}.", name, trips,
                        story.views.repeat == 2 ? "twice" : fmt::format("{} times", story.views.repeat), story.views.repeat,
                        story.views.first > 0 ? fmt::format(", from iteration {} on", story.views.iterations) : std::string()));
    std::size_t one = 0, two = 0;
    for (const LoopRow& row : picture.rows) {
        one += row.type == ViewType::typeI;
        two += row.type == ViewType::typeII;
    }
    std::string views;
    if (one > 0) views += fmt::format("{} of type I (view i mod {})", counted(std::int64_t(one), "tensor"), story.views.repeat);
    if (two > 0)
        views += fmt::format("{}{} of type II (other views first, then in turn)", views.empty() ? "" : ", ",
                             counted(std::int64_t(two), "tensor"));
    if (!views.empty()) lines.push_back("Multi-view tensors: " + views + ".");
    if (!story.carries.empty()) {
        std::string text;
        if (story.kept > 0)
            text = fmt::format("{} bytes an iteration are handed on without a copy{}.", grouped(story.kept),
                               story.tripCount && *story.tripCount > 1 && story.kept <= maxBytes / *story.tripCount
                                   ? fmt::format(", {} in all", grouped(story.kept * (*story.tripCount - 1)))
                                   : std::string());
        if (story.moved > 0)
            text += fmt::format("{}{} bytes an iteration have to be copied.", text.empty() ? "" : " ", grouped(story.moved));
        if (story.moved > 0 && run.lowering->options.loops == LoopMode::conservative)
            text += " The nnc planners plan the unrolled body, and copy nothing.";
        if (!text.empty()) lines.push_back(text);
    } else {
        lines.emplace_back("Nothing is carried round it.");
    }
    return lines;
}

std::vector<std::string> rotationRules(const Problem& problem, const Placement& placement)
{
    std::vector<std::string> rules;
    for (const Rotation& rotation : placement.rotations) {
        const bool known = rotation.loop != none && std::size_t(rotation.loop) < problem.loops.size();
        const std::string of = known ? loopName(problem, rotation.loop) : "its loop";
        rules.push_back(
            rotation.hasFirst
                ? fmt::format("In iteration 0 of {} view 0, then in iteration i view 1 + i mod {} (type II)", of, rotation.period)
                : fmt::format("In iteration i of {} view i mod {} (type I)", of, rotation.period));
    }
    return rules;
}

} // namespace stowage
