// Routes the edges that Graphviz does not get. Its time grows with the ranks that an edge spans, because it makes a node in each
// of them.
#pragma once

#include "plugins/host/graph_layout.h"

#include <vector>

namespace stowage::worker {

/// Edges that span more ranks than this are led beside the graph.
inline constexpr int maxSpan = 32;

/// By edge: whether it spans more than `maxSpan` ranks. The rank of a node is the length of the longest path to it; edges that
/// close a cycle do not count. O(nodes + edges).
std::vector<bool> findLongEdges(const GraphSpec& spec);

/// Gives each long edge a curve: from below its first box through the gap between two ranks to a lane beside the graph, along the
/// lane, and back to above its second box. Edges that do not meet share a lane. Requires placed boxes, downward; the layout grows
/// by the space of the curves. O(e log e + e l) for e long edges in l lanes.
void routeLongEdges(const GraphSpec& spec, const std::vector<bool>& isLong, GraphLayout& layout);

} // namespace stowage::worker
