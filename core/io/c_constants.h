// Decides which constant pools of a planned model are arrays of constants in the generated source.
#pragma once

#include "core/io/c_model.h"
#include "core/io/c_source_model.h"
#include "core/ir/expected.h"

#include <optional>

namespace stowage::io {

/// Marks the constant pools of `model` with all bytes known as packed. Adds a warning for a pool of which only some bytes are
/// known: the application fills it. Errors: more bytes than a constant has; an internal pool with unknown bytes, which would have
/// to be an array without contents. O(pools * buffers).
std::optional<Error> packConstants(const CSourceModel& source, CModel& model);

} // namespace stowage::io
