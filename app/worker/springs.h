// What Graphviz' springs leave: points that say who belongs together. These make a picture of it.
#pragma once

#include "plugins/host/graph_layout.h"

#include <vector>

namespace stowage::worker {

/// Turns the picture so that its longest direction lies across, stretches it to about the shape of a screen, with three times the
/// room that the boxes take, and moves boxes apart until no two are closer than `nodeGap`, each as little as the others let it.
/// The least coordinates of the boxes become 0. Deterministic. O(n^2) a round, some dozen rounds.
void spreadBoxes(const GraphSpec& spec, GraphLayout& layout);

} // namespace stowage::worker
