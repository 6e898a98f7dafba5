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

/// NAME is a dimension's name, and binds it wherever an input has it, or an output of the graph that an operator of another
/// domain makes (no rule infers that one); or INPUT.AXIS, axes counting from 0, which also reaches dimensions without a name and
/// inputs without a shape. With `everywhere`, named dimensions are bound in all declared shapes of the model, not only in its
/// inputs'. Errors: a negative size, a name that no free dimension has, an axis that the input does not have or whose size is
/// fixed. Warnings: dimensions that stay free, which become `open`.
std::optional<Error> bindDimensions(Model& model, Bindings bindings, bool everywhere, Diagnostics& diagnostics,
                                    std::vector<FreeDimension>& open);

} // namespace stowage::onnxfile
