#include "plugins/tflite/build.h"

#include "plugins/tflite/function_builder.h"

#include <algorithm>

namespace stowage::tflite {
namespace {

/// Sub-graphs that become functions, in the order of their function ids: the main one, what an op calls as a function, and what
/// nobody calls.
std::vector<Index> functionGraphs(const Model& model)
{
    std::vector<bool> function = entryGraphs(model);
    for (const Subgraph& graph : model.subgraphs) {
        for (const OperatorInfo& op : graph.operators) {
            if (callsFunction(op.call)) function[at(op.callees[0])] = true;
        }
    }
    std::vector<Index> graphs;
    for (std::size_t g = 0; g < function.size(); ++g) {
        if (function[g]) graphs.push_back(static_cast<Index>(g));
    }
    return graphs;
}

class NestedBuilder {
public:
    NestedBuilder(const Model& model, std::vector<Index> graphs) : model_(model), graphs_(std::move(graphs))
    {
        for (const Subgraph& graph : model.subgraphs) {
            firstPlace_.push_back(built_.places.size());
            built_.places.resize(built_.places.size() + graph.tensors.size());
        }
    }

    Built run(const std::string& name)
    {
        built_.program.name = name;
        std::unordered_set<std::string> names;
        for (const Index graph : graphs_) {
            std::string unique = graphName(model_, graph);
            while (!names.insert(unique).second) unique += '_' + std::to_string(graph);
            FunctionBuilder builder(model_, std::move(unique));
            const TensorMap tensors = copyTensors(builder, graph, 0, "");
            builder.setFunctionInterface(graph, tensors);
            copyOperators(builder, graph, tensors, 0, "");
            built_.program.functions.push_back(builder.take());
        }
        return std::move(built_);
    }

private:
    TensorMap copyTensors(FunctionBuilder& builder, Index graph, RegionId region, const std::string& prefix)
    {
        TensorMap tensors = builder.addTensors(graph, region, prefix);
        const auto function = static_cast<FunctionId>(built_.program.functions.size());
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            TensorPlace& place = built_.places[firstPlace_[at(graph)] + t];
            if (place.tensor == none) place = {function, tensors[t]};
        }
        return tensors;
    }

    /// All operators first, then what is inside them: the main graph's keep their numbers.
    void copyOperators(FunctionBuilder& builder, Index graph, const TensorMap& tensors, RegionId region,
                       const std::string& prefix)
    {
        const Subgraph& from = model_.subgraphs[at(graph)];
        std::vector<OpId> ids;
        ids.reserve(from.operators.size());
        for (std::size_t o = 0; o < from.operators.size(); ++o)
            ids.push_back(builder.addOperator(graph, static_cast<Index>(o), tensors, region, prefix));
        for (std::size_t o = 0; o < from.operators.size(); ++o) {
            const OperatorInfo& op = from.operators[o];
            switch (op.call) {
            case CallKind::none: break;
            case CallKind::once:
            case CallKind::call: {
                const auto callee = std::lower_bound(graphs_.begin(), graphs_.end(), op.callees[0]);
                builder.op(ids[o]).control = Control::call;
                builder.op(ids[o]).callee = static_cast<FunctionId>(callee - graphs_.begin());
                break;
            }
            case CallKind::conditional:
            case CallKind::choice:
                builder.op(ids[o]).control = Control::branch;
                for (std::size_t c = 0; c < op.callees.size(); ++c) copyCallee(builder, op, c, ids[o], RegionRole::branch);
                break;
            case CallKind::loop: {
                builder.op(ids[o]).control = Control::loop;
                copyCallee(builder, op, 0, ids[o], RegionRole::condition);
                const RegionId bodyId = copyCallee(builder, op, 1, ids[o], RegionRole::body);
                const Region& body = builder.region(bodyId);
                std::vector<Carry> carries;
                for (std::size_t i = 0; i < body.inputs.size(); ++i) carries.push_back({body.outputs[i], body.inputs[i]});
                builder.op(ids[o]).carries = std::move(carries);
                break;
            }
            }
        }
    }

    RegionId copyCallee(FunctionBuilder& builder, const OperatorInfo& op, std::size_t part, OpId owner, RegionRole role)
    {
        const Index callee = op.callees[part];
        const std::string prefix = builder.op(owner).name + '/' + partName(op.call, part) + '/';
        const RegionId region = builder.addRegion(role, owner);
        builder.op(owner).regions.push_back(region);
        const TensorMap tensors = copyTensors(builder, callee, region, prefix);
        builder.setInterface(region, callee, tensors);
        copyOperators(builder, callee, tensors, region, prefix);
        return region;
    }

    const Model& model_;
    std::vector<Index> graphs_; ///< by function id; ascending
    std::vector<std::size_t> firstPlace_;
    Built built_;
};

} // namespace

Built buildMain(const Model& model, const std::string& name)
{
    Built built;
    built.program.name = name;
    FunctionBuilder builder(model, graphName(model, 0));
    const TensorMap tensors = builder.addTensors(0, 0, "");
    builder.setFunctionInterface(0, tensors);
    for (std::size_t o = 0; o < model.subgraphs[0].operators.size(); ++o)
        builder.addOperator(0, static_cast<Index>(o), tensors, 0, "");
    for (const TensorId tensor : tensors) built.places.push_back({0, tensor});
    for (std::size_t g = 1; g < model.subgraphs.size(); ++g)
        built.places.resize(built.places.size() + model.subgraphs[g].tensors.size());
    built.program.functions.push_back(builder.take());
    return built;
}

Expected<Built> buildNested(const Model& model, const std::string& name)
{
    std::vector<Index> graphs = functionGraphs(model);
    if (auto error = checkExpandedSize(model, graphs, false)) return std::move(*error);
    return NestedBuilder(model, std::move(graphs)).run(name);
}

} // namespace stowage::tflite
