// Lays graphs out with Graphviz.
#pragma once

#include "app/worker/channel.h"
#include "plugins/host/graph_layout.h"

#include <string_view>

namespace stowage::worker {

/// Lays out an archived `GraphSpec` and sends the layout.
void layOut(Channel& channel, std::string_view archivedSpec);

/// Boxes and curves by Graphviz's dot, with long edges led beside the graph, or by its neato. Not thread-safe, because Graphviz
/// is not.
Expected<GraphLayout> layOut(const GraphSpec& spec);

} // namespace stowage::worker
