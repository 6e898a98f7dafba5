// Builds a function of the program from copies of sub-graphs.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/program.h"
#include "plugins/tflite/model.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace stowage::tflite {

/// By index of a tensor of a sub-graph: the id of its copy in the function.
using TensorMap = std::vector<TensorId>;

class FunctionBuilder {
public:
    FunctionBuilder(const Model& model, std::string name);

    RegionId addRegion(RegionRole role, OpId owner);
    /// Copies the tensors of a sub-graph. Their names get the prefix, and a number if they are not unique.
    TensorMap addTensors(Index subgraph, RegionId region, const std::string& prefix);
    /// Copies an operator as an op without regions. Absent inputs are left out; scratch becomes temporaries; a result that only
    /// gives its input another shape becomes a view.
    OpId addOperator(Index subgraph, Index op, const TensorMap& tensors, RegionId region, const std::string& prefix);
    /// Adds an op that is not in the file.
    OpId addOp(Op op, RegionId region);
    /// Makes the inputs and outputs of a sub-graph the parameters and results of a region.
    void setInterface(RegionId region, Index subgraph, const TensorMap& tensors);
    /// The same for the function itself, whose tensors get the kinds input and output.
    void setFunctionInterface(Index subgraph, const TensorMap& tensors);

    [[nodiscard]] Op& op(OpId id) { return function_.ops[static_cast<std::size_t>(id)]; }
    [[nodiscard]] Region& region(RegionId id) { return function_.regions[static_cast<std::size_t>(id)]; }
    [[nodiscard]] Function take() { return std::move(function_); }

private:
    const std::vector<bool>& scratch(Index subgraph);

    const Model& model_;
    Function function_;
    std::unordered_set<std::string> tensorNames_;
    std::unordered_set<std::string> opNames_;
    std::vector<std::vector<bool>> scratch_; ///< by sub-graph; computed on first use
};

/// The name of a sub-graph; if it has none, a name made of its number.
std::string graphName(const Model& model, Index subgraph);

/// An error if the sub-graphs `roots`, with copies of all sub-graphs that they call, exceed the limit on operators, operands and
/// tensors together. `functions`: those that would be functions of their own (`callsFunction`) are copied, too.
std::optional<Error> checkExpandedSize(const Model& model, const std::vector<Index>& roots, bool functions);

} // namespace stowage::tflite
