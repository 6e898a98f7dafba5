// Computes the places of the boxes and curves of a drawn graph. The values are plain, so that code that paints does not depend on
// a layout library. Graphviz does the work in the worker, because it cannot be interrupted and may take very long for large
// graphs.
#pragma once

#include "core/ir/expected.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace stowage {

/// The size of a box, in any unit of length (pixels, points). The layout is in the same unit.
struct GraphNode {
    double width = 0;
    double height = 0;
};

struct GraphEdge {
    std::int32_t from = 0; ///< index into `GraphSpec::nodes`
    std::int32_t to = 0;   ///< index into `GraphSpec::nodes`
};

enum class GraphDirection : std::uint8_t { down, right };

enum class GraphStyle : std::uint8_t {
    ranks,   ///< nodes in rows or columns; edges point along the direction
    springs, ///< distances in proportion to the number of edges between nodes; curves are straight, from centre to centre
};

struct GraphSpec {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    GraphDirection direction = GraphDirection::down;
    double nodeGap = 16; ///< distance of neighbours of one rank
    double rankGap = 32; ///< distance of ranks
    GraphStyle style = GraphStyle::ranks;
};

struct GraphPoint {
    double x = 0; ///< from the left
    double y = 0; ///< from the top
};

/// A sequence of cubic Bézier curves: a first point, then two control points and an end point for each curve. It leads from the
/// border of one box to the border of the other, and has no arrow head.
struct GraphCurve {
    std::vector<GraphPoint> points;
};

struct GraphLayout {
    std::vector<GraphPoint> centres; ///< by node
    std::vector<GraphCurve> curves;  ///< by edge
    double width = 0;                ///< all boxes and curves are in [0, width] x [0, height]
    double height = 0;
};

/// Lays out a graph. With `ranks`, as many edges as possible point along `direction`. For edges that span more than 32 ranks
/// Graphviz would take minutes: they lead along the side of the graph. Intended for at most about 2,000 nodes, with springs a few
/// hundred. Deterministic. Blocks; may be called from any thread. Errors: "bad-graph" for an index out of range or a size that is
/// not a positive number; those of `runWorker`, among them "cancelled" within 100 ms of the request.
Expected<GraphLayout> layoutGraph(const GraphSpec& spec, const std::stop_token& stop = {},
                                  std::chrono::milliseconds timeLimit = std::chrono::seconds(20));

} // namespace stowage
