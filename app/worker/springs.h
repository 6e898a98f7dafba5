// Makes a picture from the points of Graphviz's spring model, in which connected nodes are near each other.
#pragma once

#include "plugins/host/graph_layout.h"

#include <vector>

namespace stowage::worker {

/// Rotates the picture so that its longest direction is horizontal, scales it to about the shape of a screen and three times the
/// area of the boxes, and moves boxes as little as possible until no two are closer than `nodeGap`. The smallest coordinates of
/// the boxes become 0. Deterministic. O(n^2) a round, some dozen rounds.
void spreadBoxes(const GraphSpec& spec, GraphLayout& layout);

} // namespace stowage::worker
