// The memory planner of TFLite Micro.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Size descending, of equals the later index first; the first gap that fits. Gives the same offsets as TFLM's
/// GreedyMemoryPlanner.
std::shared_ptr<const Planner> tflmGreedy();

} // namespace stowage
