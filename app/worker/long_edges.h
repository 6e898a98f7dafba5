// Edges that are kept away from Graphviz: its time grows with the ranks that edges span, as each rank gets a node for each of
// them.
#pragma once

#include "plugins/host/graph_layout.h"

#include <vector>

namespace stowage::worker {

/// Edges that span more ranks than this are led along the side.
inline constexpr int maxSpan = 32;

/// By edge: whether it spans more than `maxSpan` ranks, a node's rank being the longest way to it. Edges that close a circle do
/// not count for ranks. O(nodes + edges).
std::vector<bool> findLongEdges(const GraphSpec& spec);

/// Gives each long edge a curve: out below its first box, through the gap between ranks to a lane beside the graph, along it, and
/// back above its second box. Edges share a lane where they do not meet. Boxes are placed already (downward); the layout grows by
/// what the curves need. O(e log e + e l) for e long edges in l lanes.
void routeLongEdges(const GraphSpec& spec, const std::vector<bool>& isLong, GraphLayout& layout);

} // namespace stowage::worker
