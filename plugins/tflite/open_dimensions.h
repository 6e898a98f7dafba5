// Dimensions that a model leaves open: what they are taken as, and what the user said.
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

/// `--bind NAME=N`. NAME is "batch" (axis 0 of every tensor whose axis 0 is open), a tensor's name (its only open axis), or
/// "tensor:axis"; the more particular name wins.
using Bindings = std::vector<std::pair<std::string, std::int64_t>>;

/// Replaces the extents of open dimensions by what `bindings` say. An error when a binding names no open dimension or is
/// negative.
std::optional<Error> bindOpenDimensions(Model& model, const Bindings& bindings);

/// One note on the open dimensions of the main graph's inputs that were taken as the file suggests; nothing when there are none.
void noteAssumptions(const Model& model, const Bindings& bindings, Diagnostics& diagnostics);

/// These open dimensions, with what they were taken as; each binding name once.
[[nodiscard]] std::vector<FreeDimension> openDimensions(const Model& model, const Bindings& bindings);

} // namespace stowage::tflite
