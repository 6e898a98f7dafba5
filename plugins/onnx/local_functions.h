// Replaces calls of the functions that a model file defines by the bodies of those functions.
#pragma once

#include "plugins/onnx/model.h"

#include <optional>

namespace stowage::onnxfile {

/// Inlines every call, including those in nested graphs and in functions. A node of a body is named "call/node" after the node
/// that calls; names inside the body get the same prefix. Errors: two functions of one domain, name and overload, a function that
/// calls itself, calls nested more than 32 deep, more than a million nodes after inlining.
std::optional<Error> inlineLocalFunctions(Model& model);

} // namespace stowage::onnxfile
