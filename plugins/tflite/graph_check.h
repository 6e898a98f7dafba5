// Checks the data flow of a model whose indices are already checked: who writes each tensor, when it is read, which sub-graph
// calls which.
#pragma once

#include "core/ir/expected.h"
#include "plugins/tflite/model.h"

namespace stowage::tflite {

/// The first violation: a tensor that is written twice, or by an operator and also by the caller or the file; a tensor that is
/// read before it is written; an output that no operator writes; a sub-graph that calls itself, directly or through others; calls
/// nested deeper than 100; arguments and results of a call that do not match. O(model).
std::optional<Error> checkGraphs(const Model& model);

/// By tensor of a sub-graph: true for tensors that operators read although no operator, caller or file writes them. An
/// accelerator's scratch is declared this way. Requires indices in range.
std::vector<bool> scratchTensors(const Subgraph& graph);

} // namespace stowage::tflite
