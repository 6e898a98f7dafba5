// Models that Arm's Vela has compiled: the scratch tensor of an `ethos-u` op is the arena that contains the op's inputs and
// outputs.
#pragma once

#include "plugins/tflite/build.h"

#include <optional>
#include <utility>
#include <vector>

namespace stowage::tflite {

struct AcceleratorArena {
    Index tensor = -1;                            ///< the scratch tensor that covers all others
    std::vector<std::pair<Index, Bytes>> members; ///< tensors in it, with their offsets in it
};

/// The arena of a model with one sub-graph and a plan in its file: the largest scratch tensor of its `ethos-u` ops, with every
/// tensor that the plan places wholly inside it. No value for other models, and if no tensor lies inside. O(tensors + operands).
std::optional<AcceleratorArena> acceleratorArena(const Model& model);

/// Makes the members views of the arena in the program's first function. The arena becomes an input, because the caller writes
/// into it before the first op.
void placeInArena(const AcceleratorArena& arena, Built& built);

} // namespace stowage::tflite
