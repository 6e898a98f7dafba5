// Largest first into the tightest gap.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// Size descending, ties by index; the smallest gap that fits, else above everything in conflict. Pisarchyk and Lee, "Efficient
/// Memory Management for Deep Neural Net Inference", 2020, algorithm 3, as in TFLite.
std::shared_ptr<const Planner> greedyBySize();

} // namespace stowage
