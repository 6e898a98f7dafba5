// A compiler's plan of a kernel, read from another file and checked on the kernel.
#pragma once

#include "app/session/session.h"

namespace stowage {

/// The first plan in `source` (a `memory_info.json` as its importer read it), as a run of the function of `model` that `request`
/// names, with the core's verdict. Buffers are matched by line and column of their allocations, otherwise by line, otherwise, if
/// both files have the same count of buffers of the same sizes, by order. Each buffer keeps the offset of `source`, also if it
/// was merged in place: the lowering uses `inplace=off`, and pairs that may be in place may share bytes. Buffers that `source`
/// does not place are unplaced, and the verdict reports them. Errors: no plan, another kernel (a buffer of the plan that is not
/// found), another size.
Expected<std::shared_ptr<const Run>> foreignRun(const Model& model, const Model& source, const PlanRequest& request);

} // namespace stowage
