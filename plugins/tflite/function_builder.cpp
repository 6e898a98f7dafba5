#include "plugins/tflite/function_builder.h"

#include "plugins/tflite/graph_check.h"

#include <algorithm>

namespace stowage::tflite {
namespace {

constexpr std::int64_t maxExpanded = std::int64_t{1} << 22;

/// `name` itself, or with the first number that makes it unique.
std::string uniqueName(std::unordered_set<std::string>& taken, const std::string& name, Index number)
{
    std::string unique = name.empty() ? std::to_string(number) : name;
    while (!taken.insert(unique).second) unique += '_' + std::to_string(number);
    return unique;
}

} // namespace

FunctionBuilder::FunctionBuilder(const Model& model, std::string name) : model_(model), scratch_(model.subgraphs.size())
{
    function_.name = std::move(name);
    addRegion(RegionRole::function, none);
}

RegionId FunctionBuilder::addRegion(RegionRole role, OpId owner)
{
    function_.regions.push_back({role, owner, {}, {}, {}});
    return static_cast<RegionId>(function_.regions.size() - 1);
}

TensorMap FunctionBuilder::addTensors(Index subgraph, RegionId region, const std::string& prefix)
{
    const Subgraph& graph = model_.subgraphs[at(subgraph)];
    TensorMap map;
    map.reserve(graph.tensors.size());
    for (const TensorInfo& from : graph.tensors) {
        const auto index = static_cast<Index>(map.size());
        Tensor to;
        to.name = uniqueName(tensorNames_, from.name.empty() ? prefix + "t" + std::to_string(index) : prefix + from.name, index);
        to.kind = from.variable ? TensorKind::variable : from.constant ? TensorKind::constant : TensorKind::intermediate;
        if (to.kind == TensorKind::constant) to.available = Availability::compileTime;
        to.dtype = from.type.name;
        to.shape = from.shape;
        to.bytes = from.bytes;
        to.region = region;
        to.where = {model_.file, 0, 0, from.byte};
        map.push_back(static_cast<TensorId>(function_.tensors.size()));
        function_.tensors.push_back(std::move(to));
    }
    return map;
}

const std::vector<bool>& FunctionBuilder::scratch(Index subgraph)
{
    std::vector<bool>& found = scratch_[at(subgraph)];
    if (found.empty()) found = scratchTensors(model_.subgraphs[at(subgraph)]);
    return found;
}

OpId FunctionBuilder::addOperator(Index subgraph, Index index, const TensorMap& tensors, RegionId region,
                                  const std::string& prefix)
{
    const Subgraph& graph = model_.subgraphs[at(subgraph)];
    const OperatorInfo& from = graph.operators[at(index)];
    Op to;
    to.name = prefix + from.kind + '_' + std::to_string(index);
    to.kind = from.kind;
    to.where = {model_.file, 0, 0, from.byte};
    const std::vector<bool>& isScratch = scratch(subgraph);
    for (const Index t : from.inputs) {
        if (t >= 0) (isScratch[at(t)] ? to.temps : to.inputs).push_back(tensors[at(t)]);
    }
    for (const Index t : from.outputs) {
        if (t >= 0) to.outputs.push_back(tensors[at(t)]);
    }
    return addOp(std::move(to), region);
}

OpId FunctionBuilder::addOp(Op op, RegionId region)
{
    const auto id = static_cast<OpId>(function_.ops.size());
    op.name = uniqueName(opNames_, op.name, id);
    op.parent = region;
    function_.ops.push_back(std::move(op));
    this->region(region).ops.push_back(id);
    return id;
}

void FunctionBuilder::setInterface(RegionId id, Index subgraph, const TensorMap& tensors)
{
    const Subgraph& graph = model_.subgraphs[at(subgraph)];
    Region& to = region(id);
    for (const Index t : graph.inputs) to.inputs.push_back(tensors[at(t)]);
    for (const Index t : graph.outputs) to.outputs.push_back(tensors[at(t)]);
}

void FunctionBuilder::setFunctionInterface(Index subgraph, const TensorMap& tensors)
{
    setInterface(0, subgraph, tensors);
    const auto setKind = [&](const std::vector<TensorId>& ids, TensorKind kind) {
        for (const TensorId id : ids) {
            Tensor& tensor = function_.tensors[at(id)];
            if (tensor.kind == TensorKind::intermediate) tensor.kind = kind;
        }
    };
    setKind(function_.body().inputs, TensorKind::input);
    setKind(function_.body().outputs, TensorKind::output);
}

std::string graphName(const Model& model, Index subgraph)
{
    const std::string& name = model.subgraphs[at(subgraph)].name;
    if (!name.empty()) return name;
    return subgraph == 0 ? "main" : "subgraph_" + std::to_string(subgraph);
}

namespace {

class SizeCount {
public:
    SizeCount(const Model& model, bool functions) : model_(model), functions_(functions), sizes_(model.subgraphs.size(), -1) {}

    /// Never more than maxExpanded + 1. Calls nest at most as deep as `checkGraphs` lets them.
    std::int64_t size(Index g)
    {
        if (sizes_[at(g)] >= 0) return sizes_[at(g)];
        const Subgraph& graph = model_.subgraphs[at(g)];
        auto total = static_cast<std::int64_t>(graph.tensors.size()) + 1;
        for (const OperatorInfo& op : graph.operators) {
            total += 1 + static_cast<std::int64_t>(op.inputs.size() + op.outputs.size());
            if (callsFunction(op.call) && !functions_) continue;
            for (const Index callee : op.callees) total = std::min(total + size(callee), maxExpanded + 1);
        }
        return sizes_[at(g)] = std::min(total, maxExpanded + 1);
    }

private:
    const Model& model_;
    bool functions_;
    std::vector<std::int64_t> sizes_;
};

} // namespace

std::optional<Error> checkExpandedSize(const Model& model, const std::vector<Index>& roots, bool functions)
{
    SizeCount count(model, functions);
    std::int64_t total = 0;
    for (const Index root : roots) {
        total += count.size(root);
        if (total > maxExpanded)
            return failure(Code::tooLarge,
                           "with the sub-graphs that they call copied into them, the graphs come to more than " +
                               std::to_string(maxExpanded) + " operators, operands and tensors, at " + describe(model, root),
                           {model.file, 0, 0, model.subgraphs[at(root)].byte},
                           "Read the main graph alone (--import subgraphs=main).");
    }
    return std::nullopt;
}

} // namespace stowage::tflite
