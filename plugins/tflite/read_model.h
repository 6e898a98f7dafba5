// Reads a model as plain values from the flatbuffer.
#pragma once

#include "core/ir/expected.h"
#include "plugins/tflite/model.h"
#include "plugins/tflite/open_dimensions.h"

#include <string>
#include <string_view>

namespace stowage::tflite {

/// Errors, with the byte: a damaged file, an index outside its list, a size above 2^62, a binding that names no open dimension.
/// Adds a note on the extents that are assumed for open dimensions. O(bytes), even if lists of the file overlap.
Expected<Model> readModel(std::string_view bytes, const std::string& file, const Bindings& bindings, Diagnostics& diagnostics);

} // namespace stowage::tflite
