// Makes a program from a model and the facts of its names.
#pragma once

#include "core/ir/program.h"
#include "plugins/onnx/inference.h"

namespace stowage::onnxfile {

/// Treatment of the graphs inside If, Loop and Scan.
enum class Subgraphs : std::uint8_t {
    nested, ///< regions of their op
    main,   ///< left out; the op reads its inputs and the outer names that its graphs read
    flat,   ///< their ops follow the op in one list, and all tensors belong to one region
};

struct BuildOptions {
    Subgraphs subgraphs = Subgraphs::nested;
    bool planIo = true; ///< false: the graph's inputs and outputs are kept out of planning
};

struct Built {
    Program program;
    std::vector<std::string> unknownSizes; ///< names of tensors that are not constant and whose size is unknown, in order
};

/// Makes one function from the model. Every node becomes one op, in order, so that in the main graph the step of a node is its
/// number plus one. A folded node becomes an op too; its outputs are not planned. Tensors, in order: the inputs that are not
/// initializers, constants, the outputs of the nodes. Errors: a tensor of more than 2^62 bytes; a nested graph whose inputs and
/// outputs do not match those of its node. O(model).
Expected<Built> buildProgram(const Model& model, const GraphFacts& facts, const BuildOptions& options);

} // namespace stowage::onnxfile
