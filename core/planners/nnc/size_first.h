// Registered in core/planners/registry.cpp.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// The allocation graph of `nnc`, filled largest tensor first, as libnnc does since 2019: each into the edge with the fewest dummy ends and
/// among these the smallest (bytes times the steps in which they lie idle around it), else into new memory. Equal sizes: the lower id first.
[[nodiscard]] std::shared_ptr<const Planner> nncSizeFirst();

} // namespace stowage
