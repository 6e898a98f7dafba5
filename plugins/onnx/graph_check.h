// Checks what all later steps require: names are defined once, and before they are read.
#pragma once

#include "plugins/onnx/model.h"

#include <optional>

namespace stowage::onnxfile {

/// The first error of the main graph or of a graph inside it: a name that is read but not defined (or only later), defined twice,
/// or empty where it must not be (of an input or an initializer). O(model).
std::optional<Error> checkNames(const Model& model);

/// The names of outer graphs that a graph reads, in order of first use, each once. Requires a checked graph.
std::vector<std::string> capturedNames(const onnx::GraphProto& graph);

} // namespace stowage::onnxfile
