// A compiler's plan of a kernel, read from another file and judged on the kernel.
#pragma once

#include "app/session/session.h"

namespace stowage {

/// The first plan that `source` brings (a `memory_info.json` as its importer read it), for the function of `model` that `request`
/// names, as a run with the core's verdict. Buffers are found by the line and column of their allocations, else by the line,
/// else, where both files have as many of the same sizes, by their order. Each lies where the source says, those merged in place
/// too: lowered with `inplace=off`, and pairs that may be in place are allowed to meet. Buffers that the source does not
/// place stay unplaced, and the verdict says so. Errors: no plan, another kernel (a buffer of the plan that is not found),
/// another size.
Expected<std::shared_ptr<const Run>> foreignRun(const Model& model, const Model& source, const PlanRequest& request);

} // namespace stowage
