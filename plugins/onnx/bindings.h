// `--bind NAME=N`: sizes for the free dimensions of a model's inputs.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/onnx/model.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stowage::onnxfile {

using Bindings = std::span<const std::pair<std::string, std::int64_t>>;

/// Sets free dimensions of the model. NAME is one of two forms. The name of a dimension sets it in every input that has it, and
/// in every output of the graph that an operator of another domain makes, since no inference rule gives that output's shape.
/// INPUT.AXIS, axes counting from 0, sets one dimension of an input; the dimension may have no name, and the input no shape. With
/// `everywhere`, a named dimension is set in all declared shapes of the model. Errors: a negative size, a name that no free
/// dimension has, an axis that the input does not have or whose size is fixed. Adds a warning for each dimension that stays free,
/// and appends it to `open`, then the next axis of each input that has no shape in the file and got one by a binding.
std::optional<Error> bindDimensions(Model& model, Bindings bindings, bool everywhere, Diagnostics& diagnostics,
                                    std::vector<FreeDimension>& open);

} // namespace stowage::onnxfile
