// Where the boxes and lines of a drawn graph go. Plain values, so that whoever paints needs to know no layout library; the work
// is done by Graphviz in the worker, as it can neither be interrupted nor be trusted with large graphs.
#pragma once

#include "core/ir/expected.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace stowage {

/// A box, in any unit of length (pixels, points): the layout comes back in the same.
struct GraphNode {
    double width = 0;
    double height = 0;
};

struct GraphEdge {
    std::int32_t from = 0; ///< into `GraphSpec::nodes`
    std::int32_t to = 0;
};

enum class GraphDirection : std::uint8_t { down, right };

enum class GraphStyle : std::uint8_t {
    ranks,   ///< in rows or columns, edges pointing along the direction
    springs, ///< as far apart as edges lie between them, whatever their direction; curves are straight from centre to centre
};

struct GraphSpec {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    GraphDirection direction = GraphDirection::down;
    double nodeGap = 16; ///< between neighbours of one rank
    double rankGap = 32; ///< between ranks
    GraphStyle style = GraphStyle::ranks;
};

struct GraphPoint {
    double x = 0; ///< from the left
    double y = 0; ///< from the top
};

/// Cubic Bézier pieces that follow on each other: a first point, then two control points and an end point for each piece.
/// Goes from the border of one box to that of the other; without a tip.
struct GraphCurve {
    std::vector<GraphPoint> points;
};

struct GraphLayout {
    std::vector<GraphPoint> centres; ///< by node
    std::vector<GraphCurve> curves;  ///< by edge
    double width = 0;                ///< everything lies in [0, width] x [0, height]
    double height = 0;
};

/// Lays the graph out in ranks, edges pointing along `direction` where they can. Edges that span more than 32 ranks would take
/// Graphviz minutes, and are led along the side instead. Blocks; may be called from any thread. Meant for up to about 2000 nodes,
/// with springs a few hundred. The same graph is always laid out the same.
/// Errors: "bad-graph" for indices outside, sizes that are no lengths; those of `runWorker`, "cancelled" within 100 ms among
/// them.
Expected<GraphLayout> layoutGraph(const GraphSpec& spec, const std::stop_token& stop = {},
                                  std::chrono::milliseconds timeLimit = std::chrono::seconds(20));

} // namespace stowage
