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
