// Breaks deep graphs into columns: a network of three hundred ranks is a thin line on the screen, but readable when it is broken
// like a column of text. No Qt.
#pragma once

#include "plugins/host/graph_layout.h"

namespace stowage {

/// Breaks a layout in ranks between two ranks, once or several times, and places the parts side by side (below each other, if the
/// layout runs to the right), so that the scale is as large as possible in a picture `aspect` times as wide as high. Edges from
/// one part to the next run through the gap between them: those of one node together, each other one in a lane of its own, nested
/// so that they do not cross. The gap grows with the lanes, up to half the width of a part. A layout that would not become larger
/// is returned unchanged, as is a layout by springs. Components without edges between them are placed below each other in columns
/// if that allows a larger scale. Boxes keep their neighbours; curves stay chains of cubic segments. O(nodes log nodes + points
/// log points).
[[nodiscard]] GraphLayout foldGraph(const GraphSpec& spec, const GraphLayout& layout, double aspect);

} // namespace stowage
