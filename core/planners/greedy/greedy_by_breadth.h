// The fullest step first.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Steps by live bytes descending; the buffers of each by size; gaps as in greedy-by-size. Pisarchyk and Lee 2020, algorithm 2.
std::shared_ptr<const Planner> greedyByBreadth();

} // namespace stowage
