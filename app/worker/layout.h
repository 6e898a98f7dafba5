// Lays graphs out with Graphviz.
#pragma once

#include "app/worker/channel.h"
#include "plugins/host/graph_layout.h"

#include <string_view>

namespace stowage::worker {

/// Carries out an archived `GraphSpec` and sends the answer.
void layOut(Channel& channel, std::string_view archivedSpec);

/// Boxes and curves by Graphviz' dot, long edges beside them, or by its neato. Not thread-safe, as Graphviz is not.
Expected<GraphLayout> layOut(const GraphSpec& spec);

} // namespace stowage::worker
