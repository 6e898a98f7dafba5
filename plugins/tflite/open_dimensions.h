// Dimensions that a model leaves open: the extents that are assumed, and those that the user gives.
#pragma once

#include "core/ir/expected.h"
#include "plugins/api/importer.h"
#include "plugins/tflite/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage::tflite {

/// `--bind NAME=N`. NAME is "batch" (the open axis 0 of each input of an entry graph, and of each result that keeps the rows of
/// operands which have the batch there), the name of a tensor (its only open axis), or "tensor:axis". If several apply, the last
/// of these forms wins.
using Bindings = std::vector<std::pair<std::string, std::int64_t>>;

/// The NAME for an open axis of a tensor: "tensor" if it is the only one, otherwise "tensor:axis".
[[nodiscard]] std::string bindingName(const TensorInfo& tensor, Index axis);

/// Sets the extents of open dimensions from `bindings`, and those of results from the extents of operands (extent_rules.h). The
/// inputs of a branch have the extents of what is handed to it; those of a loop, and its results, only if its body gives them
/// back with the same ones. Any other open axis of these is not known: -1. Inputs of an entry graph, variables and constants
/// keep the extents of the file. Without a binding, all tensors do if such an input is open, because what the file states then
/// goes together; if none is, an open axis depends on data. O(tensors + operands) for each round over the loops, of which there
/// are few (`maxRounds`). Errors: a binding that names no open dimension, a negative extent.
std::optional<Error> bindOpenDimensions(Model& model, const Bindings& bindings);

/// Adds one note that lists the open dimensions of the main sub-graph's inputs for which the extent in the file is assumed, with
/// the number of other tensors and the first of them; none if no extent is assumed.
void noteAssumptions(const Model& model, const Bindings& bindings, Diagnostics& diagnostics);

/// These open dimensions with their assumed extents, each name once.
[[nodiscard]] std::vector<FreeDimension> openDimensions(const Model& model, const Bindings& bindings);

} // namespace stowage::tflite
