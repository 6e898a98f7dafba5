// From the flatbuffer to plain values.
#pragma once

#include "core/ir/expected.h"
#include "plugins/tflite/model.h"
#include "plugins/tflite/open_dimensions.h"

#include <string>
#include <string_view>

namespace stowage::tflite {

/// Reads everything; linear in the file, however its lists overlap. Errors: a file that is damaged, an index outside its list, a
/// size above 2^62, a binding that names nothing; each with its byte. Notes say what was assumed for open dimensions.
Expected<Model> readModel(std::string_view bytes, const std::string& file, const Bindings& bindings, Diagnostics& diagnostics);

} // namespace stowage::tflite
