// Registered in core/planners/registry.cpp.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// An allocation graph whose edges merge: a tensor may take neighbouring bytes that come from different tensors, which an edge of
/// `nnc` cannot give. That is: any bytes that no conflicting tensor has. Largest first, then other orders, then `nnc-size-first`
/// and `nnc` themselves, then exchanges of neighbours in the order, until the lower bound is met or the work is over; the
/// smallest plan is kept, so it is never larger than either of the two. With more buffers than an allocation graph takes, the
/// orders alone.
[[nodiscard]] std::shared_ptr<const Planner> nncMerge();

} // namespace stowage
