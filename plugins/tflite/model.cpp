#include "plugins/tflite/model.h"

namespace stowage::tflite {
namespace {

std::string quoted(const std::string& name)
{
    return name.empty() ? std::string() : " '" + name + "'";
}

const Subgraph& subgraphOf(const Model& model, Index subgraph)
{
    return model.subgraphs[static_cast<std::size_t>(subgraph)];
}

} // namespace

std::string partName(CallKind kind, std::size_t callee)
{
    switch (kind) {
    case CallKind::none: break;
    case CallKind::conditional: return callee == 0 ? "then" : "else";
    case CallKind::choice: return "branch" + std::to_string(callee);
    case CallKind::loop: return callee == 0 ? "cond" : "body";
    case CallKind::once: return "init";
    case CallKind::call: return "body";
    }
    return {};
}

std::vector<bool> touchedTensors(const Subgraph& graph)
{
    std::vector<bool> touched(graph.tensors.size());
    const auto touch = [&](const std::vector<Index>& tensors) {
        for (const Index t : tensors) {
            if (t >= 0) touched[at(t)] = true;
        }
    };
    touch(graph.inputs);
    touch(graph.outputs);
    for (const OperatorInfo& op : graph.operators) {
        touch(op.inputs);
        touch(op.outputs);
    }
    return touched;
}

std::vector<bool> entryGraphs(const Model& model)
{
    std::vector<bool> called(model.subgraphs.size());
    std::vector<bool> entry(model.subgraphs.size());
    for (const Subgraph& graph : model.subgraphs) {
        for (const OperatorInfo& op : graph.operators) {
            for (const Index callee : op.callees) (op.call == CallKind::once ? entry : called)[at(callee)] = true;
        }
    }
    for (std::size_t g = 0; g < entry.size(); ++g) entry[g] = g == 0 || entry[g] || !called[g];
    return entry;
}

std::string describe(const Model& model, Index subgraph)
{
    return "sub-graph " + std::to_string(subgraph) + quoted(subgraphOf(model, subgraph).name);
}

std::string describeTensor(const Subgraph& graph, Index tensor)
{
    return "tensor " + std::to_string(tensor) + quoted(graph.tensors[static_cast<std::size_t>(tensor)].name);
}

std::string describeTensor(const Model& model, Index subgraph, Index tensor)
{
    return describeTensor(subgraphOf(model, subgraph), tensor) + " of " + describe(model, subgraph);
}

std::string describeOperator(const Subgraph& graph, Index op)
{
    return "operator " + std::to_string(op) + " (" + graph.operators[static_cast<std::size_t>(op)].kind + ")";
}

std::string describeOperator(const Model& model, Index subgraph, Index op)
{
    return describeOperator(subgraphOf(model, subgraph), op) + " of " + describe(model, subgraph);
}

} // namespace stowage::tflite
