// Registered in core/planners/registry.cpp.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// The NNC tensor allocation algorithm as its document tells it: candidate selection by interference, insertion of tuples into
/// the allocation graph. See core/planners/nnc/selection.h for the rules, core/planners/nnc/builder.h for pools and pins.
[[nodiscard]] std::shared_ptr<const Planner> nncDocument();

/// The allocation graph of `nnc`, filled largest tensor first, as libnnc does since 2019: see core/planners/nnc/size_classes.h.
[[nodiscard]] std::shared_ptr<const Planner> nncSizeFirst();

} // namespace stowage
