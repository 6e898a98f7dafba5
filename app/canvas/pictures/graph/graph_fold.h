// Deep and wide graphs in columns: a network of three hundred ranks is a thread on the screen, and legible when it is broken like
// a column of text. No Qt.
#pragma once

#include "plugins/host/graph_layout.h"

namespace stowage {

/// Breaks a layout in ranks between two of these, once or several times, and sets the parts side by side (of one that runs to the
/// right, below each other), such that it is shown as large as can be in a picture `aspect` times as wide as high. Edges from one
/// part to the next go round through the gap between them: those of one node together, and each in a lane of its own, nested so
/// that they do not cross there. The gap grows with them, up to half a part's width. A layout that is no larger for it comes back
/// as it is, and so does one by springs. A graph in pieces that no edge joins has its pieces below each other in columns, where
/// that shows it larger still. Boxes keep their neighbours; curves stay chains of cubic pieces.
/// O(nodes log nodes + points log points).
[[nodiscard]] GraphLayout foldGraph(const GraphSpec& spec, const GraphLayout& layout, double aspect);

} // namespace stowage
