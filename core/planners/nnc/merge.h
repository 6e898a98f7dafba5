// The planner `nnc-merge`.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// An allocation graph with merged edges: a tensor may take adjacent bytes that come from different tensors, so any bytes that no
/// conflicting tensor occupies. Tries several orders, the largest tensor first, then `nnc-size-first` and `nnc`, then exchanges
/// of adjacent buffers in the order, until it reaches the lower bound or the work limit. Keeps the smallest plan, so it is never
/// larger than those of `nnc-size-first` and `nnc`. With more buffers than an allocation graph supports (`Tensors::maxTensors`),
/// it tries only orders.
[[nodiscard]] std::shared_ptr<const Planner> nncMerge();

} // namespace stowage
