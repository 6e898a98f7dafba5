#include "app/canvas/pictures/graph/graph_sheet.h"

#include "app/canvas/axis/label_fit.h"
#include "app/canvas/axis/op_codes.h"
#include "app/canvas/kit/palette.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double boxHeight = 34;
constexpr double opWidth = 132;
constexpr double bufferWidth = 112;
constexpr double dummyWidth = 92;
constexpr double twoLinesFrom = 28; ///< logical pixels of a box
constexpr double oneLineFrom = 13;
constexpr double narrowest = 26;  ///< a box that gets text
constexpr double widestFlow = 6;  ///< of the edge that hands over the most bytes
constexpr double farShare = 0.25; ///< of a picture's sides

bool isDummy(const GraphItem& item)
{
    return item.role == GraphItem::Role::source || item.role == GraphItem::Role::sink;
}

double widthOf(const RunGraph& graph, const GraphItem& item)
{
    return graph.kind == GraphKind::computation ? opWidth : isDummy(item) ? dummyWidth : bufferWidth;
}

QPointF cubic(const QPointF& a, const QPointF& b, const QPointF& c, const QPointF& d, double t)
{
    const double s = 1 - t;
    return a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t);
}

/// Where the line from the middle of `box` to `to` leaves it.
QPointF borderOf(const QRectF& box, const QPointF& to)
{
    const QPointF way = to - box.center();
    const double x = std::abs(way.x()) > 1e-9 ? box.width() / 2 / std::abs(way.x()) : 1e9;
    const double y = std::abs(way.y()) > 1e-9 ? box.height() / 2 / std::abs(way.y()) : 1e9;
    return box.center() + way * std::min({1.0, x, y});
}

double distanceTo(const QPointF& point, const QPointF& a, const QPointF& b)
{
    const QPointF way = b - a;
    const double length = QPointF::dotProduct(way, way);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(point - a, way) / length, 0.0, 1.0) : 0;
    const QPointF off = point - (a + way * t);
    return std::hypot(off.x(), off.y());
}

/// The point at a share of the length.
QPointF along(const QPolygonF& line, double share)
{
    double length = 0;
    for (qsizetype i = 1; i < line.size(); ++i)
        length += std::hypot(line[i].x() - line[i - 1].x(), line[i].y() - line[i - 1].y());
    double left = length * share;
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QPointF way = line[i] - line[i - 1];
        const double piece = std::hypot(way.x(), way.y());
        if (piece >= left && piece > 0) return line[i - 1] + way * (left / piece);
        left -= piece;
    }
    return line.back();
}

Bytes byteLimit(const RunGraph& graph)
{
    Bytes most = 1;
    for (const GraphLink& edge : graph.edges) most = std::max(most, edge.bytes);
    return most;
}

void paintEdges(DrawList& list, const GraphState& state, const QRectF& visible)
{
    const Theme& theme = *state.theme;
    const RunGraph& graph = *state.graph;
    const auto most = double(byteLimit(graph));
    const bool flows = graph.kind == GraphKind::allocation;
    const auto litEdge = [&](std::size_t i) {
        const GraphLink& edge = graph.edges[i];
        if (std::int32_t(i) == state.hoveredEdge) return true;
        if (graph.kind == GraphKind::computation) return state.selected.contains(edge.buffer);
        const bool from = state.lit(std::size_t(edge.from)), to = state.lit(std::size_t(edge.to));
        // Of several that are selected what is between them; of one all that it has.
        return state.selected.size() > 1 ? from && to : from || to || edge.from == state.hovered || edge.to == state.hovered;
    };
    const bool anyLit = !state.selected.empty() || state.hovered >= 0;
    for (int pass = 0; pass < 2; ++pass) { // lit ones over the others
        for (std::size_t i = 0; i < graph.edges.size(); ++i) {
            const bool lit = litEdge(i);
            if (lit != (pass == 1)) continue;
            const GraphLink& edge = graph.edges[i];
            const QPolygonF line = state.line(i);
            const QRectF around = line.boundingRect();
            if (!around.adjusted(-8, -8, 8, 8).intersects(visible)) continue;
            const bool proof = graph.kind == GraphKind::interference && graph.nodes[std::size_t(edge.from)].proof &&
                               graph.nodes[std::size_t(edge.to)].proof;
            QColor colour = lit ? theme.accent : proof ? theme.warn : theme.text3;
            if (!lit) {
                // What goes far is lighter than what joins neighbours, and all of it is where some edges are lit. The lightest
                // still has a contrast of 3 to the well in both themes.
                const bool far = around.width() + around.height() > farShare * (visible.width() + visible.height());
                const bool lighter = anyLit ? !proof : far && graph.kind != GraphKind::interference;
                colour.setAlphaF(lighter ? 0.7F : 0.9F);
            }
            double width = lit ? 2 : 1;
            if (flows)
                width = std::max(width,
                                 std::max(1.0, widestFlow * std::sqrt(double(edge.bytes) / most)) * std::min(1.0, state.scale));
            if (graph.kind == GraphKind::interference) {
                list.add(draw::Line{line, colour, width, Dash::solid});
                continue;
            }
            // The tip, along the last piece of the curve; the line ends inside it.
            const QPointF end = line.back();
            QPointF before = line[line.size() - 2];
            for (qsizetype at = line.size() - 2; at > 0 && std::hypot(end.x() - before.x(), end.y() - before.y()) < 6; --at)
                before = line[at - 1];
            const double angle = std::atan2(end.y() - before.y(), end.x() - before.x());
            const double size = state.scale < 0.25 ? 0 : std::max(6.0, width * 1.6) * std::clamp(state.scale * 1.3, 0.5, 1.0);
            QPolygonF shaft = line;
            if (size > 0) {
                while (shaft.size() > 2 &&
                       std::hypot(end.x() - shaft[shaft.size() - 2].x(), end.y() - shaft[shaft.size() - 2].y()) < size)
                    shaft.removeLast();
                shaft.last() = end - QPointF(std::cos(angle), std::sin(angle)) * size * 0.8;
            }
            list.add(draw::Line{shaft, colour, width, Dash::solid});
            if (size <= 0) continue;
            const auto corner = [&](double turn) { return end - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * size; };
            list.add(draw::Area{QPolygonF{end, corner(0.5), corner(-0.5)}, colour});
        }
    }
}

void paintNode(DrawList& list, const GraphState& state, std::size_t i)
{
    const Theme& theme = *state.theme;
    const GraphItem& item = state.graph->nodes[i];
    const QRectF box = list.snapped(state.box(i));
    const bool lit = state.lit(i);
    const bool hovered = std::int32_t(i) == state.hovered;
    const bool touched = !state.selected.empty() && std::ranges::binary_search(item.touches, state.selected.front());
    const bool dim = state.shown && !isDummy(item) && std::ranges::none_of(item.touches, [&](BufferId buffer) {
                         return std::size_t(buffer) >= state.shown->size() || (*state.shown)[std::size_t(buffer)];
                     });
    QColor fill = isDummy(item) ? theme.raised : state.fills[i];
    if (hovered) fill = mix(fill, theme.text, 0.12);
    if (dim) fill = mix(theme.well, fill, 0.22);
    const double radius = std::min(3.0, box.height() / 4);
    if (lit || hovered) { // a halo keeps the outline off the edges
        list.fill(box.adjusted(-4, -4, 4, 4), theme.well, radius + 3);
        list.outline(box.adjusted(-3, -3, 3, 3), hovered && !lit ? theme.text2 : theme.sel, lit ? 2 : 1, radius + 2);
    } else if (touched) {
        list.outline(box.adjusted(-2.5, -2.5, 2.5, 2.5), theme.text2, 1, radius + 2);
    }
    list.fill(box, fill, radius);
    if (isDummy(item)) list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.line2, 1, radius);
    if (item.proof && state.graph->kind == GraphKind::interference && !dim && box.height() >= 6)
        list.fill({box.left(), box.bottom() - 3, box.width(), 3}, theme.warn, std::min(1.0, radius));
    if (state.cursor && item.step >= 0 && item.step <= *state.cursor && *state.cursor < item.end)
        list.fill({box.left() - 7, box.top(), 3, box.height()}, theme.warn);
    if (dim || box.height() < oneLineFrom || box.width() < narrowest) return;

    const QColor ink = isDummy(item) ? theme.text : theme.inkOn(fill);
    const double room = box.width() - 2 * labelInset;
    const auto measure = [&](std::string_view text, bool number) {
        return list.width(number ? Face::number : Face::label, QString::fromUtf8(text.data(), qsizetype(text.size())));
    };
    // Of kinds, which nodes share: whole parts where they fit, else as many of the last ones as do; a word is cut only where it
    // is alone.
    const auto shorten = [&](std::string_view name, Face face) {
        QString parts = QString::fromStdString(shortenedName(name, room, measure));
        if (!parts.isEmpty() && list.width(face, parts) <= room) return parts;
        const QString whole = QString::fromUtf8(name.data(), qsizetype(name.size()));
        for (qsizetype at = whole.indexOf(u'/'); at >= 0; at = whole.indexOf(u'/', at + 1))
            if (QString end = whole.mid(at + 1); list.width(face, end) <= room && !end.isEmpty()) return end;
        return list.elided(face, whole, room);
    };
    // The parts of a name that tell it from the other nodes.
    const auto apart = [&](std::string_view name, Face face) {
        if (!state.names) return shorten(name, face);
        return QString::fromStdString(state.names->fit(name, room, [&](std::string_view text, bool) {
            return list.width(face, QString::fromUtf8(text.data(), qsizetype(text.size())));
        }));
    };
    QString first, second;
    Face secondFace = Face::number;
    switch (item.role) {
    case GraphItem::Role::op:
        first = shorten(item.kind.empty() ? item.name : item.kind, Face::labelStrong);
        second = apart(item.name, Face::label);
        secondFace = Face::label;
        break;
    case GraphItem::Role::block:
        first = shorten(item.kind, Face::labelStrong);
        second = list.elided(Face::label, countedText(std::int64_t(item.ops), QStringLiteral("op")), room);
        secondFace = Face::label;
        break;
    case GraphItem::Role::buffer:
        first = apart(withoutPrefix(item.name, state.namePrefix), Face::labelStrong);
        second = list.elided(Face::number,
                             (item.places > 1 ? QStringLiteral("%1 × ").arg(item.places) : QString()) +
                                 bytesText(item.bytes, state.numbers),
                             room);
        break;
    case GraphItem::Role::source:
        first = list.elided(Face::labelStrong, QStringLiteral("source"), room);
        second = list.elided(Face::label, QString::fromStdString(item.name), room);
        secondFace = Face::label;
        break;
    case GraphItem::Role::sink:
        first = list.elided(Face::labelStrong, QStringLiteral("sink"), room);
        second = list.elided(Face::number, bytesText(item.bytes, state.numbers), room);
        break;
    }
    // By the height before it is snapped, so that boxes of one picture are alike; the bar of a proof takes three pixels.
    const double high = boxHeight * state.scale;
    if (high >= twoLinesFrom + (item.proof ? 2 : 0)) {
        const double apartBy = std::min(7.0, high / 4.4);
        list.text(Face::labelStrong, box.left() + labelInset, box.center().y() - apartBy, first, ink);
        list.text(secondFace, box.left() + labelInset, box.center().y() + apartBy, second, ink);
    } else {
        // A word that is cut tells nothing: the code stands for it, as above the map.
        if (item.role == GraphItem::Role::op && state.codes && first != QString::fromStdString(item.kind))
            if (const auto code = state.codes->find(item.kind); code != state.codes->end())
                first = QString::fromStdString(code->second);
        list.text(Face::labelStrong, box.left() + labelInset, box.center().y(), first, ink);
    }
}

} // namespace

GraphSpec graphSpec(const RunGraph& graph)
{
    GraphSpec spec;
    for (const GraphItem& item : graph.nodes) spec.nodes.push_back({widthOf(graph, item), boxHeight});
    for (const GraphLink& edge : graph.edges) spec.edges.push_back({edge.from, edge.to});
    if (graph.kind == GraphKind::allocation) {
        spec.direction = GraphDirection::right;
        spec.nodeGap = 20;
        spec.rankGap = 96;
    } else if (graph.kind == GraphKind::interference) {
        spec.style = GraphStyle::springs;
    }
    return spec;
}

NamesApart nodeNames(const RunGraph& graph, std::string_view prefix)
{
    std::vector<std::string_view> names;
    for (const GraphItem& node : graph.nodes) {
        const bool buffer = node.role == GraphItem::Role::buffer;
        if (buffer || node.role == GraphItem::Role::op) names.push_back(buffer ? withoutPrefix(node.name, prefix) : node.name);
    }
    return NamesApart(names);
}

NodeCodes nodeCodes(const RunGraph& graph)
{
    std::vector<std::string> kinds;
    for (const GraphItem& node : graph.nodes)
        if (node.role == GraphItem::Role::op && !node.kind.empty() && std::ranges::find(kinds, node.kind) == kinds.end())
            kinds.push_back(node.kind);
    const std::vector<std::string> codes = opCodes(kinds);
    NodeCodes byKind;
    for (std::size_t i = 0; i < kinds.size(); ++i) byKind.emplace(kinds[i], codes[i]);
    return byKind;
}

Colouring graphClasses(const Run& run, const RunGraph& graph)
{
    const Colouring buffers = colouring(run, defaultColouring(run));
    const bool byKind = buffers.by == ColourBy::opKind;
    OpKindClasses kinds = byKind ? opKindClasses(run, buffers) : OpKindClasses{buffers.classes, {}};
    Colouring result{buffers.by, std::move(kinds.classes), {}};
    for (ColourClass& each : result.classes) each.buffers = 0;
    for (const GraphItem& item : graph.nodes) {
        const bool op = item.role == GraphItem::Role::op || item.role == GraphItem::Role::block;
        std::size_t at = colourClasses - 1;
        if (op && byKind) {
            if (const auto found = kinds.of.find(kindInWords(item.kind)); found != kinds.of.end()) at = found->second;
        } else if (!item.writes.empty()) {
            at = buffers.of[std::size_t(item.writes.front())];
        }
        if (at < result.classes.size()) ++result.classes[at].buffers;
        result.of.push_back(std::uint8_t(at));
    }
    return result;
}

std::vector<QColor> graphFills(const Run& run, const RunGraph& graph, GraphColour by, const Theme& theme)
{
    const Colouring classes = by == GraphColour::kind ? graphClasses(run, graph) : Colouring{};
    const Palette palette = paletteOf(theme, classes.by);
    Bytes most = 1;
    for (const GraphItem& item : graph.nodes)
        if (!isDummy(item)) most = std::max(most, item.bytes);
    std::vector<QColor> fills;
    fills.reserve(graph.nodes.size());
    for (const GraphItem& item : graph.nodes) {
        const BufferId buffer = item.writes.empty() ? none : item.writes.front();
        QColor fill = theme.buffers.back();
        switch (by) {
        case GraphColour::kind:
            if (!isDummy(item)) fill = palette.fills[std::min<std::size_t>(classes.of[fills.size()], palette.fills.size() - 1)];
            break;
        case GraphColour::memory:
            if (const PoolId pool = buffer == none ? none : run.plan.placements[std::size_t(buffer)].pool; pool != none)
                fill = theme.buffers[std::min(std::size_t(pool), theme.buffers.size() - 1)];
            break;
        case GraphColour::bytes:
            fill = theme.rampAt(0.15 + 0.75 * std::log2(1.0 + double(item.bytes)) / std::log2(1.0 + double(most)));
            break;
        }
        fills.push_back(fill);
    }
    return fills;
}

QString graphCaption(const Run& run, const RunGraph& graph, const RunGraphOptions& options)
{
    const bool computation = options.kind == GraphKind::computation;
    if (computation && !run.program)
        return QStringLiteral("The input is a list of buffers: it has no ops to draw. Interference and allocation can be drawn.");
    if (options.hops > 0 && options.around == none) return QStringLiteral("Select a buffer to see what is round it.");
    const QString noun = computation ? QStringLiteral("op") : QStringLiteral("buffer");
    if (graph.nodes.empty())
        return computation ? QStringLiteral("The program has no ops.") : QStringLiteral("Nothing lies in a pool that is reused.");
    if (graph.blocks)
        return QStringLiteral("%1: each box stands for about %2 of them. Select a buffer and choose hops to see single ops.")
            .arg(countedText(std::int64_t(graph.shown), noun))
            .arg(graph.nodes.front().ops);
    QString text = countedText(std::int64_t(graph.shown), noun);
    if (graph.shown < graph.all) {
        text = QStringLiteral("%1 of %2").arg(countText(std::int64_t(graph.shown)), countedText(std::int64_t(graph.all), noun));
        if (!computation && options.hops == 0)
            text += QStringLiteral(" (the largest; select one and choose hops for what is round it)");
        if (graph.apart > 0)
            text +=
                QStringLiteral("; %1 that no buffer joins to others, such as constants and loops, %2 left out")
                    .arg(countText(std::int64_t(graph.apart)), graph.apart == 1 ? QStringLiteral("is") : QStringLiteral("are"));
    }
    if (graph.kind == GraphKind::interference) {
        text += QStringLiteral(", %1").arg(countedText(std::int64_t(graph.edges.size()), QStringLiteral("conflict")));
        if (std::ranges::any_of(graph.nodes, &GraphItem::proof))
            text += QStringLiteral("; a bar marks those that prove the bound");
    } else if (graph.kind == GraphKind::allocation) {
        const std::string& planner = run.plan.planner;
        text += planner == "nnc" || planner == "nnc-size-first"
                    ? QStringLiteral("; %1 plans by such a graph").arg(QString::fromStdString(planner))
                    : QStringLiteral("; read off the plan, as %1 keeps no such graph (nnc and nnc-size-first do)")
                          .arg(QString::fromStdString(planner));
    }
    return text;
}

QRectF GraphState::box(std::size_t node) const
{
    const GraphPoint& centre = layout->centres[node];
    const double width = widthOf(*graph, graph->nodes[node]);
    const QPointF corner = place({centre.x - width / 2, centre.y - boxHeight / 2});
    return {corner, QSizeF(width * scale, boxHeight * scale)};
}

QPolygonF GraphState::line(std::size_t edge) const
{
    const GraphLink& link = graph->edges[edge];
    const auto& points = layout->curves[edge].points;
    if (graph->kind == GraphKind::interference || points.size() < 4) {
        const QRectF from = box(std::size_t(link.from)), to = box(std::size_t(link.to));
        return {borderOf(from, to.center()), borderOf(to, from.center())};
    }
    QPolygonF line{place(points[0])};
    for (std::size_t at = 1; at + 2 < points.size(); at += 3) {
        const QPointF a = line.back(), b = place(points[at]), c = place(points[at + 1]), d = place(points[at + 2]);
        const double length = std::hypot(b.x() - a.x(), b.y() - a.y()) + std::hypot(c.x() - b.x(), c.y() - b.y()) +
                              std::hypot(d.x() - c.x(), d.y() - c.y());
        const int pieces = std::clamp(int(length / 8), 2, 24);
        for (int piece = 1; piece <= pieces; ++piece) line << cubic(a, b, c, d, double(piece) / pieces);
    }
    return line;
}

bool GraphState::lit(std::size_t node) const
{
    return std::ranges::any_of(graph->nodes[node].writes, [this](BufferId buffer) { return selected.contains(buffer); });
}

void fitGraph(GraphState& state, const QRectF& room, double most)
{
    const GraphLayout& layout = *state.layout;
    if (layout.width <= 0 || layout.height <= 0 || room.isEmpty()) return;
    state.scale = std::min({room.width() / layout.width, room.height() / layout.height, most});
    state.origin = room.center() - QPointF(layout.width, layout.height) * (state.scale / 2);
}

std::int32_t graphNodeAt(const GraphState& state, const QPointF& point)
{
    for (std::size_t i = state.layout->centres.size(); i-- > 0;)
        if (state.box(i).contains(point)) return std::int32_t(i);
    return -1;
}

std::int32_t graphEdgeAt(const GraphState& state, const QPointF& point, double reach)
{
    std::int32_t nearest = -1;
    for (std::size_t i = 0; i < state.graph->edges.size(); ++i) {
        const QPolygonF line = state.line(i);
        if (!line.boundingRect().adjusted(-reach, -reach, reach, reach).contains(point)) continue;
        for (qsizetype at = 1; at < line.size(); ++at)
            if (const double distance = distanceTo(point, line[at - 1], line[at]); distance < reach) {
                reach = distance;
                nearest = std::int32_t(i);
            }
    }
    return nearest;
}

std::vector<EdgeLabel> edgeLabels(const DrawList& list, const GraphState& state, const QRectF& visible)
{
    constexpr double minScale = 0.5;
    constexpr std::size_t maxLabels = 400;
    constexpr double height = 13;
    std::vector<EdgeLabel> labels;
    if (state.graph->kind != GraphKind::allocation || state.scale < minScale) return labels;
    std::vector<QRectF> taken;
    for (std::size_t i = 0; i < state.graph->nodes.size(); ++i)
        if (const QRectF box = state.box(i); box.intersects(visible)) taken.push_back(box.adjusted(-2, -1, 2, 1));
    std::vector<std::int32_t> order(state.graph->edges.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::int32_t(i);
    std::ranges::stable_sort(order, {}, [&](std::int32_t edge) { return -state.graph->edges[std::size_t(edge)].bytes; });
    for (const std::int32_t edge : order) {
        if (labels.size() == maxLabels) break;
        const QPolygonF line = state.line(std::size_t(edge));
        if (!line.boundingRect().adjusted(-1, -1, 1, 1).intersects(visible)) continue;
        const QString text = bytesText(state.graph->edges[std::size_t(edge)].bytes, state.numbers);
        const double width = std::ceil(list.width(Face::tick, text)) + 8;
        for (const double share : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
            const QPointF middle = along(line, share);
            const QRectF box(list.snap(middle.x() - width / 2), list.snap(middle.y() - height / 2), width, height);
            if (!visible.contains(box) || std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
                continue;
            taken.push_back(box);
            labels.push_back({edge, box, text});
            break;
        }
    }
    return labels;
}

void paintGraphCaption(DrawList& list, const Theme& theme, const QRectF& band, const QString& caption)
{
    list.fill(band, theme.panel);
    list.horizontal(band.left(), band.right(), band.top(), theme.line);
    list.text(Face::label, band.left() + 12, band.center().y() + 0.5, list.elided(Face::label, caption, band.width() - 24),
              theme.text2);
}

void paintGraph(DrawList& list, const GraphState& state, const QRectF& visible)
{
    const Theme& theme = *state.theme;
    list.clip(visible);
    paintEdges(list, state, visible);
    for (const EdgeLabel& label : edgeLabels(list, state, visible)) {
        const GraphLink& edge = state.graph->edges[std::size_t(label.edge)];
        const bool lit = label.edge == state.hoveredEdge || state.lit(std::size_t(edge.from)) || state.lit(std::size_t(edge.to));
        list.fill(label.box, theme.well, 3);
        list.text(Face::tick, label.box.center().x(), label.box.center().y(), label.text, lit ? theme.accent : theme.text2,
                  Align::centre);
    }
    for (std::size_t i = 0; i < state.graph->nodes.size(); ++i)
        if (state.box(i).adjusted(-8, -6, 8, 6).intersects(visible)) paintNode(list, state, i);
    list.unclip();
}

} // namespace stowage
