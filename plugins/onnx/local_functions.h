// Replaces calls of the functions that a model brings along by their bodies.
#pragma once

#include "plugins/onnx/model.h"

#include <optional>

namespace stowage::onnxfile {

/// Inlines every call, also inside graphs and inside functions. A node of a body is named after the call, "call/node", and so are
/// the names inside it. Errors: a function that calls itself, calls nested more than 32 deep, more than a million nodes in the
/// end.
std::optional<Error> inlineLocalFunctions(Model& model);

} // namespace stowage::onnxfile
