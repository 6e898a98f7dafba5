// Makes the contents of the generated code of a planned model.
#pragma once

#include "core/io/c_model.h"
#include "core/io/c_source_model.h"
#include "core/ir/expected.h"

namespace stowage::io {

/// The names, sizes and lines for the header and the source of a model. Errors: see `writeCSource`.
Expected<CModel> makeCModel(const CSourceModel& source);

} // namespace stowage::io
