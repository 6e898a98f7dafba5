#include "core/lower/carries.h"

#include "core/lower/merge.h"

#include <algorithm>

namespace stowage::lowering {

namespace {

std::size_t at(Id id)
{
    return static_cast<std::size_t>(id);
}

bool plain(const Tensor& tensor)
{
    return tensor.bytes && *tensor.bytes > 0 && tensor.planned && tensor.multiBuffer == 1 && !tensor.pinnedOffset &&
           tensor.alignment == 1 && tensor.kind != TensorKind::variable;
}

TensorId rootOf(const Function& function, TensorId id)
{
    while (function.tensors[at(id)].aliasOf != none) id = function.tensors[at(id)].aliasOf;
    return id;
}

/// True when an op writes into the bytes of a tensor that is there already: to a view of it, or of an input that stands for it further
/// inside.
bool written(const Program& program, const Function& function, TensorId input)
{
    for (const Op& op : function.ops) {
        for (const TensorId output : op.outputs)
            if (function.tensors[at(output)].aliasOf != none && rootOf(function, output) == input && !isView(op)) return true;
        if (op.control == Control::leaf) continue;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (rootOf(function, op.inputs[i]) != input) continue;
            if (op.control == Control::call) {
                const Function& callee = program.functions[at(op.callee)];
                if (written(program, callee, callee.body().inputs[i])) return true;
                continue;
            }
            const std::size_t selector = op.control == Control::branch ? 1 : 0;
            for (const RegionId region : op.regions) {
                const auto& inner = function.regions[at(region)].inputs;
                if (i >= selector && i - selector < inner.size() && written(program, function, inner[i - selector])) return true;
            }
        }
    }
    return false;
}

/// The input of the loop that `to` has in the first iteration; none when the loop makes it itself.
TensorId initialOf(const Function& function, const Op& loop, TensorId to)
{
    const Region& body = function.regions[at(loop.regions.back())];
    const auto position = static_cast<std::size_t>(std::find(body.inputs.begin(), body.inputs.end(), to) - body.inputs.begin());
    return position < loop.inputs.size() ? loop.inputs[position] : none;
}

} // namespace

bool mayCarryInPlace(const Program& program, const Function& function, const Op& loop, const Carry& carry)
{
    if (loop.regions.size() != 1 || carry.from == carry.to) return false;
    const RegionId bodyId = loop.regions.front();
    const Region& body = function.regions[at(bodyId)];
    const TensorId initial = initialOf(function, loop, carry.to);
    if (initial == none) return false;
    const Tensor& from = function.tensors[at(carry.from)];
    const Tensor& to = function.tensors[at(carry.to)];
    const Tensor& first = function.tensors[at(initial)];
    const TensorId root = rootOf(function, initial);
    const Region& home = function.regions[at(function.tensors[at(root)].region)];
    const bool given = std::find(home.inputs.begin(), home.inputs.end(), root) != home.inputs.end();
    const bool oursToKeep = !given || (&function == &program.main() && home.role == RegionRole::function);
    const bool madeInside = from.aliasOf == none && from.region == bodyId && from.kind == TensorKind::intermediate &&
                            std::find(body.inputs.begin(), body.inputs.end(), carry.from) == body.inputs.end();
    const auto sameSource = [&](const Carry& other) { return other.from == carry.from; };
    const bool once = std::count_if(loop.carries.begin(), loop.carries.end(), sameSource) == 1;
    return madeInside && once && oursToKeep && plain(from) && plain(function.tensors[at(root)]) && plain(to) && plain(first) && from.bytes == to.bytes && from.bytes == first.bytes &&
           from.pools == to.pools && from.pools == first.pools && !written(program, function, carry.to) &&
           !written(program, function, root);
}

std::vector<PreciseCarry> preciseCarries(const Expansion& expansion)
{
    std::vector<PreciseCarry> found;
    std::vector<int> times(expansion.program->functions.size(), 0);
    for (const Instance& instance : expansion.instances) ++times[at(instance.function)];
    for (std::size_t i = 0; i < expansion.instances.size(); ++i) {
        const Instance& instance = expansion.instances[i];
        if (times[at(instance.function)] != 1) continue;
        const Function& function = expansion.function(static_cast<InstanceId>(i));
        for (const Op& op : function.ops) {
            if (op.control != Control::loop) continue;
            const LoopId loop = expansion.regionLoops[instance.firstRegion + at(op.regions.back())];
            for (const Carry& carry : op.carries)
                if (mayCarryInPlace(*expansion.program, function, op, carry))
                    found.push_back({static_cast<InstanceId>(i), loop, carry.from, carry.to, initialOf(function, op, carry.to)});
        }
    }
    return found;
}

} // namespace stowage::lowering
