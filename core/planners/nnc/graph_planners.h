// The planners `nnc` and `nnc-size-first`.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// `nnc`: the NNC tensor allocation algorithm of its document. Selects candidates by interference and inserts tuples into the
/// allocation graph. core/planners/nnc/selection.h has the rules, core/planners/nnc/builder.h the handling of pools and pins.
[[nodiscard]] std::shared_ptr<const Planner> nncDocument();

/// `nnc-size-first`: the allocation graph of `nnc`, filled with the largest tensors first, as libnnc does since 2019
/// (core/planners/nnc/size_classes.h).
[[nodiscard]] std::shared_ptr<const Planner> nncSizeFirst();

} // namespace stowage
