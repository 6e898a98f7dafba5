// Writes a plan into a module: one arena for each memory space, and views of it at constant offsets (see arena_form.h).
#pragma once

#include "plugins/api/rewriter.h"
#include "plugins/mlir/module_reader.h"

namespace stowage::mlirfile {

/// The module's text with the allocations of the planned functions replaced. Errors: "dynamic-shape" for an allocation that
/// cannot become a view (dynamic shape, a non-default layout), "not-supported" for a function whose callees allocate.
Expected<Rewritten> rewritePlanned(const RewriteRequest& request);

} // namespace stowage::mlirfile
