// From the flatbuffer to plain values.
#pragma once

#include "core/ir/expected.h"
#include "plugins/tflite/model.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage::tflite {

/// `--bind NAME=N`. NAME is "batch" (axis 0 of every tensor whose axis 0 is open), a tensor's name (its only open axis), or
/// "tensor:axis"; the more particular name wins.
using Bindings = std::vector<std::pair<std::string, std::int64_t>>;

/// Reads everything; linear in the file, however its lists overlap. Errors: a file that is damaged, an index outside its list, a
/// size above 2^62, a binding that names nothing; each with its byte. Notes say what was assumed for open dimensions.
Expected<Model> readModel(std::string_view bytes, const std::string& file, const Bindings& bindings, Diagnostics& diagnostics);

} // namespace stowage::tflite
