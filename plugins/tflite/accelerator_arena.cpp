#include "plugins/tflite/accelerator_arena.h"

#include "plugins/tflite/graph_check.h"

#include <algorithm>

namespace stowage::tflite {
namespace {

constexpr auto acceleratorOp = "ethos-u";

} // namespace

std::optional<AcceleratorArena> acceleratorArena(const Model& model)
{
    if (!model.plan || model.subgraphs.size() != 1) return std::nullopt;
    const Subgraph& graph = model.subgraphs.front();
    const std::vector<bool> scratch = scratchTensors(graph);
    const auto begin = [&](Index t) -> Bytes { return model.plan->offsets[at(t)]; };
    const auto bytes = [&](Index t) { return graph.tensors[at(t)].bytes.value_or(0); };
    AcceleratorArena arena;
    for (const OperatorInfo& op : graph.operators) {
        if (op.kind != acceleratorOp) continue;
        for (const Index t : op.inputs)
            if (t >= 0 && scratch[at(t)] && begin(t) >= 0 && (arena.tensor < 0 || bytes(t) > bytes(arena.tensor)))
                arena.tensor = t;
    }
    if (arena.tensor < 0) return std::nullopt;
    for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
        const auto index = static_cast<Index>(t);
        const TensorInfo& tensor = graph.tensors[t];
        const bool inside = begin(index) >= begin(arena.tensor) &&
                            begin(index) + bytes(index) <= begin(arena.tensor) + bytes(arena.tensor) && bytes(index) > 0;
        if (index != arena.tensor && inside && !tensor.constant && !tensor.variable)
            arena.members.emplace_back(index, begin(index) - begin(arena.tensor));
    }
    if (arena.members.empty()) return std::nullopt;
    return arena;
}

void placeInArena(const AcceleratorArena& arena, Built& built)
{
    Function& function = built.program.functions.front();
    const TensorId whole = built.places[at(arena.tensor)].tensor;
    for (const auto& [member, offset] : arena.members) {
        Tensor& tensor = function.tensors[at(built.places[at(member)].tensor)];
        tensor.aliasOf = whole;
        tensor.aliasOffset = offset;
        if (tensor.kind == TensorKind::input) tensor.kind = TensorKind::intermediate; // the arena is, with this in it
    }
    function.tensors[at(whole)].kind = TensorKind::input;
    auto& inputs = function.regions.front().inputs;
    std::erase_if(inputs, [&](TensorId id) { return function.tensors[at(id)].aliasOf == whole; });
    inputs.push_back(whole);
    for (Op& op : function.ops) {
        const auto inArena = [&](TensorId id) { return id == whole || function.tensors[at(id)].aliasOf == whole; };
        std::copy_if(op.temps.begin(), op.temps.end(), std::back_inserter(op.inputs), inArena);
        std::erase_if(op.temps, inArena);
    }
}

} // namespace stowage::tflite
