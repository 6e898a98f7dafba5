// Makes the contents of the generated code of a planned model.
#pragma once

#include "core/io/c_model.h"
#include "core/io/c_source_model.h"
#include "core/ir/expected.h"

namespace stowage::io {

/// The names, sizes and lines of a model in C, for both files. Errors: what cannot be written as C.
Expected<CModel> makeCModel(const CSourceModel& source);

} // namespace stowage::io
