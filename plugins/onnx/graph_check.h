// Checks the names of a model: each is defined once, and before it is read. All other sources of this folder require that.
#pragma once

#include "plugins/onnx/model.h"

#include <optional>

namespace stowage::onnxfile {

/// The first error of the main graph or of a nested graph: a name that is read but not defined before, a name that is defined
/// twice, an input or initializer without a name. O(model).
std::optional<Error> checkNames(const Model& model);

/// The names of outer graphs that a graph reads, in order of first use, each once. Requires a checked graph.
std::vector<std::string> capturedNames(const onnx::GraphProto& graph);

} // namespace stowage::onnxfile
