// Paints a graph: boxes and curves of the worker's layout, texts where they are readable.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/shared_buffers.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/pictures/graph/run_graph.h"
#include "plugins/host/graph_layout.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// The meaning of node colours. `kind`: buffers have the colours of the map, ops those of the buffers that they write.
enum class GraphColour : std::uint8_t { kind, memory, bytes };

/// The boxes and edges to lay out, in logical pixels at a scale of 1. Allocation graphs run from left to right, with room for
/// their bytes; interference graphs have no direction.
[[nodiscard]] GraphSpec graphSpec(const RunGraph& graph);

/// The names of the nodes, without the prefix that labels of buffers leave out.
[[nodiscard]] NamesApart nodeNames(const RunGraph& graph, std::string_view prefix);

/// The code of each kind of op, as in the row of ops above the map.
using NodeCodes = std::map<std::string, std::string>;
[[nodiscard]] NodeCodes nodeCodes(const RunGraph& graph);

/// The colour class of each node: of an op by its own kind, also where it writes in place into a buffer that an op of another
/// kind made; of a buffer as in the map. The classes are those of `opKindClasses`, and each counts its nodes.
/// O(buffers + steps + ops + nodes).
[[nodiscard]] Colouring graphClasses(const Run& run, const RunGraph& graph);

/// The colour of each node. O(buffers + nodes).
[[nodiscard]] std::vector<QColor> graphFills(const Run& run, const RunGraph& graph, GraphColour by, const Theme& theme);

/// The caption: what is drawn, what is left out, and the meaning of the marks; without a graph the reason why there is none.
[[nodiscard]] QString graphCaption(const Run& run, const RunGraph& graph, const RunGraphOptions& options);

/// References must outlive the painting.
struct GraphState {
    const RunGraph* graph = nullptr;
    const GraphLayout* layout = nullptr; ///< of that graph
    const Theme* theme = nullptr;
    std::span<const QColor> fills;     ///< by node
    std::string namePrefix;            ///< prefix that labels of buffers leave out
    const NamesApart* names = nullptr; ///< names of the nodes (`nodeNames`), to distinguish shortened labels
    const NodeCodes* codes = nullptr;  ///< for ops without room for their kind
    NumberFormat numbers;
    double scale = 1; ///< logical pixels for each unit of the layout
    QPointF origin;   ///< position of the layout's (0, 0)
    SharedBuffers selected;
    const std::vector<bool>* shown = nullptr; ///< by buffer: whether the filter includes it; null: all
    std::optional<Step> cursor;
    std::int32_t hovered = -1; ///< node
    std::int32_t hoveredEdge = -1;

    [[nodiscard]] QPointF place(const GraphPoint& point) const
    {
        return {origin.x() + point.x * scale, origin.y() + point.y * scale};
    }
    [[nodiscard]] QRectF box(std::size_t node) const;
    /// The curve of an edge as a line, from the border of one box to that of the other; at least two points.
    [[nodiscard]] QPolygonF line(std::size_t edge) const;
    /// Whether the node writes, or is, a selected buffer.
    [[nodiscard]] bool lit(std::size_t node) const;
};

/// Scales the whole layout to fit into `room`, centred; the scale is at most `most`.
void fitGraph(GraphState& state, const QRectF& room, double most = 1.2);
/// The node under a point, or -1; of overlapping ones the last, which is painted on top. O(nodes).
[[nodiscard]] std::int32_t graphNodeAt(const GraphState& state, const QPointF& point);
/// The edge within `reach` logical pixels of a point, the nearest; or -1. O(points of all edges).
[[nodiscard]] std::int32_t graphEdgeAt(const GraphState& state, const QPointF& point, double reach = 5);

/// A label with the bytes that an edge hands over.
struct EdgeLabel {
    std::int32_t edge = 0;
    QRectF box;
    QString text;
};
/// The labels of an allocation graph that fit along their edges inside `visible`, without covering a box or another label; edges
/// with more bytes have priority.
[[nodiscard]] std::vector<EdgeLabel> edgeLabels(const DrawList& list, const GraphState& state, const QRectF& visible);

inline constexpr double graphCaptionHeight = 24;
/// The caption as a band along the lower edge of a picture.
void paintGraphCaption(DrawList& list, const Theme& theme, const QRectF& band, const QString& caption);

/// Paints the part of the graph inside `visible`. O(nodes + points of edges).
void paintGraph(DrawList& list, const GraphState& state, const QRectF& visible);

} // namespace stowage
