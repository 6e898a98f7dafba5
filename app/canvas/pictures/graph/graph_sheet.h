// A graph as it is painted: boxes and curves where the worker's layout has them, words where they can be read.
#pragma once

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/pictures/graph/run_graph.h"
#include "plugins/host/graph_layout.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// What colours of nodes mean. Buffers have the colours of the map for `kind`; ops those of what they write.
enum class GraphColour : std::uint8_t { kind, memory, bytes };

/// Boxes and edges for the layout, in logical pixels at a scale of 1. Allocations run from left to right, with room for their
/// bytes; buffers that conflict have no direction.
[[nodiscard]] GraphSpec graphSpec(const RunGraph& graph);

/// The names of the nodes, without the prefix that labels of buffers leave out.
[[nodiscard]] NamesApart nodeNames(const RunGraph& graph, std::string_view prefix);

/// By node. O(buffers + nodes).
[[nodiscard]] std::vector<QColor> graphFills(const Run& run, const RunGraph& graph, GraphColour by, const Theme& theme);

/// What is shown, in words: how much of what, what was left out, what the marks mean. Without a graph why there is none.
[[nodiscard]] QString graphCaption(const Run& run, const RunGraph& graph, const RunGraphOptions& options);

/// References must outlive the painting.
struct GraphState {
    const RunGraph* graph = nullptr;
    const GraphLayout* layout = nullptr; ///< of that graph
    const Theme* theme = nullptr;
    std::span<const QColor> fills;     ///< by node
    std::string namePrefix;            ///< that labels of buffers leave out
    const NamesApart* names = nullptr; ///< of the nodes (`nodeNames`), for labels that tell them apart
    NumberFormat numbers;
    double scale = 1; ///< logical pixels for each unit of the layout
    QPointF origin;   ///< where the layout's (0, 0) lies
    std::span<const BufferId> selected;
    const std::vector<bool>* shown = nullptr; ///< by buffer, what a filter leaves; null: all
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
    /// Among the buffers selected are some that the node writes, or is.
    [[nodiscard]] bool lit(std::size_t node) const;
};

/// Fits the whole layout into `room`, centred, at most at `most`.
void fitGraph(GraphState& state, const QRectF& room, double most = 1.2);
/// The node under a point, or -1; of those that overlap the last one, which is painted on top. O(nodes).
[[nodiscard]] std::int32_t graphNodeAt(const GraphState& state, const QPointF& point);
/// The edge within `reach` logical pixels of a point, the nearest; or -1. O(points of all edges).
[[nodiscard]] std::int32_t graphEdgeAt(const GraphState& state, const QPointF& point, double reach = 5);

/// A label that says how many bytes an edge hands over.
struct EdgeLabel {
    std::int32_t edge = 0;
    QRectF box;
    QString text;
};
/// Labels of an allocation graph that find room along their edges inside `visible`: the most bytes first, none over a box or
/// another label.
[[nodiscard]] std::vector<EdgeLabel> edgeLabels(const DrawList& list, const GraphState& state, const QRectF& visible);

inline constexpr double graphCaptionHeight = 24;
/// The caption as a band along the lower edge of a picture.
void paintGraphCaption(DrawList& list, const Theme& theme, const QRectF& band, const QString& caption);

/// Paints what of the graph is inside `visible`. O(nodes + points of edges).
void paintGraph(DrawList& list, const GraphState& state, const QRectF& visible);

} // namespace stowage
