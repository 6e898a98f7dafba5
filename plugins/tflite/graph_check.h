// Rules that a model keeps beyond its indices: who writes what, what is read when, who calls whom.
#pragma once

#include "core/ir/expected.h"
#include "plugins/tflite/model.h"

namespace stowage::tflite {

/// The first rule that is broken: a tensor written twice, or as well by an operator as by the caller or the file; read before it
/// is written; an output that nobody writes; a sub-graph that calls itself, also through others; calls nested deeper than 100;
/// arguments and results of a call that do not match. O(model).
std::optional<Error> checkGraphs(const Model& model);

/// By tensor of a sub-graph: true for those that operators read although nothing writes them and no data is in the file. An
/// accelerator's scratch is declared this way. Requires indices in range.
std::vector<bool> scratchTensors(const Subgraph& graph);

} // namespace stowage::tflite
