#include "core/plan/loop_views.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace stowage {

namespace {

constexpr std::int64_t maxShown = 4096;

std::int64_t valueOf(std::span<const std::int64_t> values, LoopId loop, std::int64_t missing)
{
    return loop != none && at(loop) < values.size() ? values[at(loop)] : missing;
}

/// The loops of the problem around the declaration of a tensor.
std::vector<LoopId> loopsAround(const Program& program, const Lowering& lowering, std::int32_t instance, TensorId tensor)
{
    std::vector<LoopId> found;
    const auto functionOf = [&](std::int32_t i) -> const Function& {
        return program.functions[at(lowering.instances[at(i)].function)];
    };
    RegionId region = functionOf(instance).tensors[at(tensor)].region;
    while (instance != none) {
        const FunctionInstance& own = lowering.instances[at(instance)];
        OpId op = functionOf(instance).regions[at(region)].owner;
        if (op == none) { // the body of a function: continue at its call
            op = own.callSite;
            instance = own.caller;
            if (instance == none) break;
        } else {
            for (const auto& [loopOp, loop] : own.loops)
                if (loopOp == op) found.push_back(loop);
        }
        region = functionOf(instance).ops[at(op)].parent;
    }
    return found;
}

/// Extends `repeat`, a period in iterations of `loop`, and `first`, the number of iterations before the period, so that they hold
/// for the binding and its placements, too.
void follow(const TensorBinding& binding, const Plan& plan, LoopId loop, std::int64_t& first, std::int64_t& repeat)
{
    if (binding.buffer != none)
        for (const Rotation& rotation : plan.placements[at(binding.buffer)].rotations)
            if (rotation.loop == loop) {
                repeat = std::min(std::lcm(repeat, std::int64_t{rotation.period}), maxShown);
                if (rotation.hasFirst) first = std::max<std::int64_t>(first, 1 + binding.distance);
            }
    if (binding.distance > 0 && binding.loop == loop && !binding.after) first = std::max<std::int64_t>(first, binding.distance);
    for (const TensorBinding& early : binding.first) follow(early, plan, loop, first, repeat);
    for (const TensorBinding& choice : binding.choices) follow(choice, plan, loop, first, repeat);
}

} // namespace

ViewPlace placeOf(const Lowering& lowering, const Plan& plan, std::int32_t instance, TensorId tensor,
                  std::span<const std::int64_t> current, std::span<const std::int64_t> ran)
{
    return placeOf(lowering, plan, lowering.instances[at(instance)].bindings[at(tensor)], current, ran);
}

ViewPlace placeOf(const Lowering& lowering, const Plan& plan, const TensorBinding& binding, std::span<const std::int64_t> current,
                  std::span<const std::int64_t> ran)
{
    const TensorBinding* bound = &binding;
    const auto count = [&] { return bound->after ? valueOf(ran, bound->loop, 1) : valueOf(current, bound->loop, 0); };
    for (;;) {
        if (!bound->choices.empty())
            bound = &bound->choices.front();
        else if (bound->distance > 0 && count() < bound->distance)
            bound = &bound->first[static_cast<std::size_t>(count())];
        else
            break;
    }
    if (bound->buffer == none) return {};
    const Placement& placement = plan.placements[at(bound->buffer)];
    std::vector<std::int64_t> iterations;
    for (const Rotation& rotation : placement.rotations) {
        const bool ofLast =
            bound->distance > 0 && rotation.loop != bound->loop && isInside(lowering.problem, rotation.loop, bound->loop);
        iterations.push_back(rotation.loop == bound->loop && bound->distance > 0 ? count() - bound->distance
                             : ofLast ? std::max<std::int64_t>(valueOf(ran, rotation.loop, 1) - 1, 0)
                                      : valueOf(current, rotation.loop, 0));
    }
    return {bound->buffer, placement.pool, placement.at(iterations) + bound->delta};
}

std::optional<LoopViews> loopViews(const Program& program, const Lowering& lowering, const Plan& plan, LoopId loop,
                                   std::span<const std::int64_t> around)
{
    LoopViews out;
    out.loop = loop;
    for (std::size_t i = 0; i < lowering.instances.size() && out.op == none; ++i)
        for (const auto& [op, id] : lowering.instances[i].loops)
            if (id == loop) {
                out.instance = static_cast<std::int32_t>(i);
                out.op = op;
            }
    if (out.op == none) return std::nullopt;
    out.name = lowering.problem.loops[at(loop)].name;

    // The tensors that the loop accesses: those of the ops in its body, and those of the regions of its op.
    std::set<std::pair<std::int32_t, TensorId>> touched;
    const auto functionOf = [&](std::int32_t instance) -> const Function& {
        return program.functions[at(lowering.instances[at(instance)].function)];
    };
    const Function& function = functionOf(out.instance);
    const Op& own = function.ops[at(out.op)];
    for (const RegionId region : own.regions) {
        for (const TensorId t : function.regions[at(region)].inputs) touched.insert({out.instance, t});
        for (const TensorId t : function.regions[at(region)].outputs) touched.insert({out.instance, t});
    }
    for (const TensorId t : own.outputs) touched.insert({out.instance, t});
    const Interval& live = lowering.problem.loops[at(loop)].live;
    for (Step s = live.begin; s < std::min<Step>(live.end, static_cast<Step>(lowering.steps.size())); ++s) {
        const StepInfo& step = lowering.steps[static_cast<std::size_t>(s)];
        if (step.op == none) continue;
        const Op& op = functionOf(step.instance).ops[at(step.op)];
        for (const auto* list : {&op.inputs, &op.outputs, &op.temps})
            for (const TensorId t : *list)
                if (t != none) touched.insert({step.instance, t});
    }
    for (const auto& [instance, tensor] : touched) {
        const TensorBinding& binding = lowering.instances[at(instance)].bindings[at(tensor)];
        if (binding.buffer != none) follow(binding, plan, loop, out.first, out.repeat);
    }
    out.first = std::min(out.first, maxShown);
    out.iterations = out.first + out.repeat;

    std::vector<std::int64_t> current(lowering.problem.loops.size(), 0), ran(lowering.problem.loops.size(), 1);
    for (std::size_t l = 0; l < current.size(); ++l) {
        const Loop& each = lowering.problem.loops[l];
        ran[l] = std::max<std::int64_t>(each.tripCount.value_or(1), 1);
        current[l] = valueOf(around, static_cast<LoopId>(l), 0);
    }
    for (const auto& [instance, tensor] : touched) {
        LoopView view{instance, tensor, functionOf(instance).tensors[at(tensor)].name, ViewType::fixed, {}};
        if (lowering.instances[at(instance)].bindings[at(tensor)].buffer == none) continue;
        const TensorBinding& binding = lowering.instances[at(instance)].bindings[at(tensor)];
        // A tensor declared outside of an inner loop is shown as after the end of that loop.
        const std::vector<LoopId> in = loopsAround(program, lowering, instance, tensor);
        for (std::size_t l = 0; l < current.size(); ++l)
            if (const auto id = static_cast<LoopId>(l); id != loop && isInside(lowering.problem, id, loop))
                current[l] = std::find(in.begin(), in.end(), id) == in.end() ? ran[l] - 1 : 0;
        const auto placesOf = [&](const TensorBinding& each) {
            std::vector<ViewPlace> places;
            for (std::int64_t i = 0; i < out.iterations; ++i) {
                current[at(loop)] = i;
                ran[at(loop)] = i + 1; // for results: as if this iteration were the last one
                places.push_back(placeOf(lowering, plan, each, current, ran));
            }
            return places;
        };
        view.places = placesOf(binding);
        for (const TensorBinding& choice : binding.choices) view.choices.push_back(placesOf(choice));
        const auto same = [&](std::int64_t i, std::int64_t j) {
            const ViewPlace& a = view.places[static_cast<std::size_t>(i)];
            const ViewPlace& b = view.places[static_cast<std::size_t>(j)];
            return a.pool == b.pool && a.offset == b.offset;
        };
        bool moves = false, regular = true;
        for (std::int64_t i = 1; i < out.iterations; ++i) moves = moves || !same(0, i);
        for (std::int64_t i = 0; i < out.first; ++i) // in a view of type I the first iterations follow the period, too
            regular = regular && same(i, i + (out.first - i + out.repeat - 1) / out.repeat * out.repeat);
        if (moves) view.type = regular ? ViewType::typeI : ViewType::typeII;
        if (!view.choices.empty()) view.type = ViewType::chosen;
        out.views.push_back(std::move(view));
    }
    return out;
}

} // namespace stowage
