// From a model, and what is known of its names, to a program.
#pragma once

#include "core/ir/program.h"
#include "plugins/onnx/inference.h"

namespace stowage::onnxfile {

/// What becomes of the graphs inside If, Loop and Scan.
enum class Subgraphs : std::uint8_t {
    nested, ///< regions of their op
    main,   ///< left out: the op is a leaf that reads, besides its inputs, what its graphs read of the graph around
    flat,   ///< their ops follow the op in one list, and all tensors share one scope
};

struct BuildOptions {
    Subgraphs subgraphs = Subgraphs::nested;
    bool planIo = true; ///< false: the graph's inputs and outputs are kept out of planning
};

struct Built {
    Program program;
    std::vector<std::string> unknownSizes; ///< tensors that change from run to run and whose size is not known, in order
};

/// Makes one function out of the model. Every node becomes one op at its place, so that step numbers are node numbers plus one in
/// the main graph; a folded node too, whose outputs are kept out of planning. Tensors: the inputs that are not initializers,
/// constants, then the outputs of the nodes in order. Errors: a tensor of more than 2^62 bytes; a graph whose inputs and outputs
/// do not fit its node's. O(model).
Expected<Built> buildProgram(const Model& model, const GraphFacts& facts, const BuildOptions& options);

} // namespace stowage::onnxfile
