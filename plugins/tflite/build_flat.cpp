#include "plugins/tflite/build.h"

#include "plugins/tflite/function_builder.h"

namespace stowage::tflite {
namespace {

class FlatBuilder {
public:
    explicit FlatBuilder(const Model& model)
        : model_(model), builder_(model, graphName(model, 0)), entered_(model.subgraphs.size())
    {
    }

    Built run(const std::string& name)
    {
        Built built;
        built.program.name = name;
        for (std::size_t g = 0; g < model_.subgraphs.size(); ++g) {
            const auto graph = static_cast<Index>(g);
            tensors_.push_back(builder_.addTensors(graph, 0, g == 0 ? "" : graphName(model_, graph) + '/'));
            for (const TensorId tensor : tensors_.back()) built.places.push_back({0, tensor});
        }
        builder_.setFunctionInterface(0, tensors_[0]);
        emit(0, "");
        built.program.functions.push_back(builder_.take());
        return built;
    }

private:
    /// The operators of a sub-graph, in order, with all that they call. Its memory is the same each time that it is called: the
    /// first time it is written, later it is touched again.
    void emit(Index graph, const std::string& prefix)
    {
        const bool again = entered_[at(graph)];
        entered_[at(graph)] = true;
        const Subgraph& from = model_.subgraphs[at(graph)];
        for (std::size_t o = 0; o < from.operators.size(); ++o) {
            const OpId id = builder_.addOperator(graph, static_cast<Index>(o), tensors_[at(graph)], 0, prefix);
            if (again) touchOnly(builder_.op(id));
            const OperatorInfo& op = from.operators[o];
            for (std::size_t c = 0; c < op.callees.size(); ++c) {
                const bool last = c + 1 == op.callees.size();
                call(op.callees[c], id, '/' + partName(op.call, c), last);
            }
        }
    }

    void call(Index callee, OpId caller, const std::string& part, bool last)
    {
        const Subgraph& graph = model_.subgraphs[at(callee)];
        const std::string prefix = builder_.op(caller).name + part;

        Op enter;
        enter.name = prefix + "/enter";
        enter.kind = "enter";
        enter.where = builder_.op(caller).where;
        enter.inputs = builder_.op(caller).inputs;
        for (const Index t : graph.inputs) {
            if (!graph.tensors[at(t)].constant && !graph.tensors[at(t)].variable)
                enter.outputs.push_back(tensors_[at(callee)][at(t)]);
        }
        if (entered_[at(callee)]) touchOnly(enter);
        builder_.addOp(std::move(enter), 0);

        emit(callee, prefix + '/');

        Op leave;
        leave.name = prefix + "/leave";
        leave.kind = "leave";
        leave.where = builder_.op(caller).where;
        for (const Index t : graph.outputs) leave.inputs.push_back(tensors_[at(callee)][at(t)]);
        if (last) {
            const Op& call = builder_.op(caller);
            leave.inputs.insert(leave.inputs.end(), call.inputs.begin(), call.inputs.end());
            leave.inputs.insert(leave.inputs.end(), call.outputs.begin(), call.outputs.end());
        }
        builder_.addOp(std::move(leave), 0);
    }

    static void touchOnly(Op& op)
    {
        op.inputs.insert(op.inputs.end(), op.outputs.begin(), op.outputs.end());
        op.outputs.clear();
    }

    const Model& model_;
    FunctionBuilder builder_;
    std::vector<TensorMap> tensors_; ///< by sub-graph
    std::vector<bool> entered_;      ///< by sub-graph
};

} // namespace

Expected<Built> buildFlat(const Model& model, const std::string& name)
{
    if (auto error = checkExpandedSize(model, {0}, true)) return std::move(*error);
    return FlatBuilder(model).run(name);
}

} // namespace stowage::tflite
