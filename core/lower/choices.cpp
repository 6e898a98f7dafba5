#include "core/lower/choices.h"

#include "core/lower/carries.h"

#include <algorithm>
#include <vector>

namespace stowage::lowering {

bool chooses(const Function& function, const Op& op)
{
    return op.control == Control::branch || (op.control == Control::loop && !exitsOf(function, op).empty());
}

namespace {

/// Why a loop's use of `root` forbids that `root` is a phi view; `none`: no loop forbids it.
MoveReason carried(const Function& function, TensorId root)
{
    const auto is = [&](TensorId id) { return rootOf(function, id) == root; };
    for (const Op& op : function.ops) {
        if (op.control != Control::loop) continue;
        const Region& body = function.regions[at(op.regions.back())];
        for (const Carry& carry : op.carries) {
            if (is(carry.from) || is(carry.to)) return MoveReason::carriedOn;
            const auto input =
                static_cast<std::size_t>(std::find(body.inputs.begin(), body.inputs.end(), carry.to) - body.inputs.begin());
            if (input < op.inputs.size() && is(op.inputs[input])) return MoveReason::firstValueOfCarry;
        }
    }
    return {};
}

/// Why the receiver of `root`, as a region's output, needs it at a fixed address; `none`: there is no such receiver.
MoveReason givenOut(const Function& function, TensorId root, bool entry, const std::map<TensorId, MoveReason>& reasons)
{
    for (std::size_t r = 0; r < function.regions.size(); ++r) {
        const Region& region = function.regions[r];
        for (std::size_t i = 0; i < region.outputs.size(); ++i) {
            if (rootOf(function, region.outputs[i]) != root || (r == 0 && entry && region.outputs[i] == root)) continue;
            if (region.outputs[i] != root) return MoveReason::partGivenOut;
            if (region.owner == none) return MoveReason::givenToCaller;
            if (region.role == RegionRole::condition) return MoveReason::givenByCondition;
            if (region.role != RegionRole::branch) return MoveReason::givenByBody;
            const auto shown = reasons.find(function.ops[at(region.owner)].outputs[i]);
            if (shown == reasons.end() || shown->second != MoveReason::none) return MoveReason::givenByBranch;
        }
    }
    return {};
}

/// True when an op of `function` has to write over `root`.
bool forced(const Function& function, TensorId root)
{
    return std::any_of(function.ops.begin(), function.ops.end(), [&](const Op& op) {
        return op.inPlaceRequired && std::any_of(op.inPlace.begin(), op.inPlace.end(),
                                                 [&](const InPlace& pair) { return rootOf(function, pair.input) == root; });
    });
}

} // namespace

std::map<TensorId, MoveReason> copyReasons(const Program& program, const Function& function, const RegionTree& tree, bool entry)
{
    std::map<TensorId, MoveReason> shown;
    const auto obstacleOf = [&](const Op& op, TensorId output) -> MoveReason {
        const Tensor& tensor = function.tensors[at(output)];
        if (std::count(op.outputs.begin(), op.outputs.end(), output) != 1) return MoveReason::listedTwice;
        if (!mayLieElsewhere(tensor)) return MoveReason::hasFixedPlace;
        if (tensor.aliasOf != none || tensor.region != op.parent || tensor.kind == TensorKind::constant)
            return MoveReason::partOrConstant;
        if (forced(function, output)) return MoveReason::overwritten;
        if (writtenInside(program, function, output)) return MoveReason::written;
        if (const MoveReason loops = carried(function, output); loops != MoveReason::none) return loops;
        return givenOut(function, output, entry, shown);
    };
    // An output of a branch depends on the case's output: ops that end later are visited first.
    std::vector<OpId> order = tree.order;
    std::stable_sort(order.begin(), order.end(), [&](OpId a, OpId b) { return tree.ops[at(a)].end > tree.ops[at(b)].end; });
    for (const OpId id : order) {
        const Op& op = function.ops[at(id)];
        if (!chooses(function, op)) continue;
        for (const TensorId output : op.outputs) shown.emplace(output, obstacleOf(op, output));
    }
    return shown;
}

} // namespace stowage::lowering
