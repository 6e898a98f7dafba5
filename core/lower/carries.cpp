#include "core/lower/carries.h"

#include <algorithm>

namespace stowage::lowering {

bool mayLieElsewhere(const Tensor& tensor)
{
    return tensor.bytes && *tensor.bytes > 0 && tensor.planned && tensor.multiBuffer == 1 && !tensor.pinnedOffset &&
           tensor.kind != TensorKind::variable;
}

TensorId rootOf(const Function& function, TensorId id)
{
    while (function.tensors[at(id)].aliasOf != none) id = function.tensors[at(id)].aliasOf;
    return id;
}

bool writtenInside(const Program& program, const Function& function, TensorId input)
{
    for (const Op& op : function.ops) {
        for (const TensorId output : op.outputs)
            if (function.tensors[at(output)].aliasOf != none && rootOf(function, output) == input && !isView(op)) return true;
        if (op.control == Control::leaf) continue;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (rootOf(function, op.inputs[i]) != input) continue;
            if (op.control == Control::call) {
                const Function& callee = program.functions[at(op.callee)];
                if (writtenInside(program, callee, callee.body().inputs[i])) return true;
                continue;
            }
            const std::size_t selector = op.control == Control::branch ? 1 : 0;
            for (const RegionId region : op.regions) {
                const auto& inner = function.regions[at(region)].inputs;
                if (i >= selector && i - selector < inner.size() && writtenInside(program, function, inner[i - selector]))
                    return true;
            }
        }
    }
    return false;
}

bool writtenAround(const Program& program, const Function& function, TensorId tensor)
{
    for (TensorId root = rootOf(function, tensor);;) {
        if (writtenInside(program, function, root)) return true;
        const Region& home = function.regions[at(function.tensors[at(root)].region)];
        const auto given = std::find(home.inputs.begin(), home.inputs.end(), root);
        if (given == home.inputs.end()) return false;
        if (home.owner == none) // a callee's input: the caller does not change it meanwhile, but may have passed the same tensor
                                // for another input
            return std::any_of(home.inputs.begin(), home.inputs.end(),
                               [&](TensorId other) { return writtenInside(program, function, other); });
        const Op& op = function.ops[at(home.owner)];
        const std::size_t position =
            static_cast<std::size_t>(given - home.inputs.begin()) + (op.control == Control::branch ? 1 : 0);
        if (position >= op.inputs.size()) return false;
        root = rootOf(function, op.inputs[position]);
    }
}

namespace {

/// The input of the loop that `to` equals in the first iteration; none when the loop makes it itself.
TensorId initialOf(const Function& function, const Op& loop, TensorId to)
{
    const Region& body = function.regions[at(loop.regions.back())];
    const auto position = static_cast<std::size_t>(std::find(body.inputs.begin(), body.inputs.end(), to) - body.inputs.begin());
    return position < loop.inputs.size() ? loop.inputs[position] : none;
}

/// Why `made`, the carried value, cannot have the address of `to`, an input of the body. `initial`: the value of `to` in the
/// first iteration.
MoveReason obstacleOf(const Program& program, const Function& function, const Tensor& made, TensorId to, TensorId initial)
{
    if (initial == none) return MoveReason::noFirstValue;
    const Tensor& input = function.tensors[at(to)];
    const Tensor& first = function.tensors[at(initial)];
    const Tensor& root = function.tensors[at(rootOf(function, initial))];
    if (!mayLieElsewhere(input) || !mayLieElsewhere(first) || !mayLieElsewhere(root)) return MoveReason::hasFixedPlace;
    if (input.bytes != made.bytes || input.bytes != first.bytes) return MoveReason::sizesDiffer;
    if (input.pools != made.pools || input.pools != first.pools) return MoveReason::poolsDiffer;
    if (writtenInside(program, function, to) || writtenAround(program, function, initial)) return MoveReason::written;
    return MoveReason::none;
}

/// The carry that gives `to` its next value; null when nothing does, or `to` itself.
const Carry* carryTo(const Op& loop, TensorId to)
{
    const auto found = std::find_if(loop.carries.begin(), loop.carries.end(), [&](const Carry& carry) { return carry.to == to; });
    return found == loop.carries.end() || found->from == found->to ? nullptr : &*found;
}

/// The loop's result that equals the next value of `to`. None when there is no such result, or when it cannot lie there: several
/// carries take that value (without an iteration, each of them has another one), or a result with the same value is overwritten.
TensorId resultOf(const Program& program, const Function& function, const Op& loop, const Carry& carry)
{
    const Region& body = function.regions[at(loop.regions.back())];
    if (std::count_if(loop.carries.begin(), loop.carries.end(), [&](const Carry& other) { return other.from == carry.from; }) > 1)
        return none;
    for (std::size_t i = 0; i < loop.outputs.size(); ++i)
        if (body.outputs[i] == carry.from && writtenInside(program, function, loop.outputs[i])) return none;
    for (std::size_t i = 0; i < loop.outputs.size(); ++i) {
        if (body.outputs[i] != carry.from) continue;
        const TensorId result = loop.outputs[i];
        const Tensor& tensor = function.tensors[at(result)];
        if (mayLieElsewhere(tensor) && tensor.aliasOf == none && tensor.bytes == function.tensors[at(carry.to)].bytes &&
            tensor.pools == function.tensors[at(carry.to)].pools && tensor.region == loop.parent)
            return result;
    }
    return none;
}

} // namespace

CarriedValue followCarry(const Program& program, const Function& function, const Op& loop, const Carry& carry)
{
    const Region& body = function.regions[at(loop.regions.back())];
    const auto isInput = [&](TensorId id) { return std::find(body.inputs.begin(), body.inputs.end(), id) != body.inputs.end(); };
    CarriedValue value;
    std::vector<TensorId> through{carry.to};
    for (const Carry* next = &carry;;) {
        value.made = next->from;
        if (!isInput(value.made)) break;
        next = carryTo(loop, value.made);
        if (!next) {
            value.obstacle = MoveReason::unchangedInput;
            return value;
        }
        if (through.size() > body.inputs.size()) {
            value.obstacle = MoveReason::inputsChangePlaces;
            return value;
        }
        through.push_back(next->to);
    }
    const Tensor& made = function.tensors[at(value.made)];
    if (made.aliasOf != none || made.region != loop.regions.back() || made.kind != TensorKind::intermediate) {
        value.obstacle = MoveReason::notMadeInBody;
        return value;
    }
    if (!mayLieElsewhere(made)) {
        value.obstacle = MoveReason::madeHasFixedPlace;
        return value;
    }
    value.distance = static_cast<std::int32_t>(through.size());
    for (const TensorId to : through) {
        value.initials.push_back(initialOf(function, loop, to));
        if (value.obstacle == MoveReason::none) value.obstacle = obstacleOf(program, function, made, to, value.initials.back());
    }
    return value;
}

Carries findCarries(const Expansion& expansion)
{
    Carries found;
    std::vector<std::vector<std::vector<CarriedValue>>> known(expansion.program->functions.size()); // by function, op and carry
    for (std::size_t i = 0; i < expansion.instances.size(); ++i) {
        const Instance& instance = expansion.instances[i];
        const Function& function = expansion.function(static_cast<InstanceId>(i));
        auto& values = known[at(instance.function)];
        if (values.empty()) {
            values.resize(function.ops.size());
            for (std::size_t o = 0; o < function.ops.size(); ++o)
                for (const Carry& carry : function.ops[o].carries)
                    values[o].push_back(carry.from == carry.to
                                            ? CarriedValue{}
                                            : followCarry(*expansion.program, function, function.ops[o], carry));
        }
        for (std::size_t o = 0; o < function.ops.size(); ++o) {
            const Op& op = function.ops[o];
            if (op.control != Control::loop) continue;
            const LoopId loop = expansion.regionLoops[instance.firstRegion + at(op.regions.back())];
            for (std::size_t c = 0; c < op.carries.size(); ++c) {
                const CarriedValue& value = values[o][c];
                const Carry& carry = op.carries[c];
                if (carry.from == carry.to) continue;
                const auto id = static_cast<OpId>(o);
                if (value.obstacle != MoveReason::none)
                    found.moved.push_back({static_cast<InstanceId>(i), id, carry, value.obstacle});
                else
                    found.precise.push_back({static_cast<InstanceId>(i), id, loop, carry.to, value,
                                             resultOf(*expansion.program, function, op, carry)});
            }
        }
    }
    return found;
}

} // namespace stowage::lowering
