// Models that Arm's Vela has compiled: an `ethos-u` op's scratch tensor is the arena that its inputs and outputs lie in.
#pragma once

#include "plugins/tflite/build.h"

#include <optional>
#include <utility>
#include <vector>

namespace stowage::tflite {

struct AcceleratorArena {
    Index tensor = -1;                            ///< the scratch tensor that covers all others
    std::vector<std::pair<Index, Bytes>> members; ///< what lies in it (fast scratch, inputs, outputs …), and where in it
};

/// The arena of a model with one graph whose file brings a plan: the largest scratch of its `ethos-u` ops, and every tensor that
/// the plan puts wholly inside it. Nothing for other models, and where nothing lies inside. O(tensors + operands).
std::optional<AcceleratorArena> acceleratorArena(const Model& model);

/// Makes the members views of the arena in the program's first function. The arena is an input then: it holds what the caller has
/// written into it before the first op.
void placeInArena(const AcceleratorArena& arena, Built& built);

} // namespace stowage::tflite
