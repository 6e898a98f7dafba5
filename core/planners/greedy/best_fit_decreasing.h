// The heap simulator of XLA.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Places by (size, duration) and by (duration, size), both descending, each buffer in the smallest free chunk that fits, and
/// keeps the smaller of the two plans. XLA's GlobalDecreasingSizeBestFitHeap, spatial and temporal.
std::shared_ptr<const Planner> bestFitDecreasing();

} // namespace stowage
