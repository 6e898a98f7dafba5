// Pipes over time: where the parts lie, and what is under a point.
#include "app/canvas/pictures/pipes/pipe_chart.h"

#include "app/canvas/pictures/map/stack.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double summaryHeight = 30;
constexpr double loopsHeight = 20;
constexpr double minLane = 30;
constexpr double goodLane = 50;
constexpr double maxLane = 76;
constexpr double listHeadHeight = 24;
constexpr double rowHeight = 22;
constexpr double minListRows = 2;
constexpr double boxMargin = 7;
constexpr double maxBox = 46;
constexpr double reach = 2; ///< of the pointer, for what is thin

QString name(const PipeScene& scene, BufferId buffer)
{
    return QString::fromStdString(scene.bufferName(buffer));
}

} // namespace

PipeLayout layOut(const PipeState& state, QSizeF size)
{
    PipeLayout layout;
    layout.all = QRectF(QPointF(0, 0), size);
    layout.plotLeft = gutterWidth;
    layout.plotRight = std::max(layout.plotLeft + 1, std::floor(size.width() - rightMargin));
    if (!state.scene) return layout;
    const double width = size.width();
    layout.summary = {0, 0, width, summaryHeight};
    double top = summaryHeight;
    if (!state.scene->loops.empty()) {
        layout.loops = {0, top, width, loopsHeight};
        top += loopsHeight;
    }
    const auto lanes = double(std::max<std::size_t>(1, state.scene->lanes.size()));
    const double rows = std::max(1.0, double(state.scene->report().edges.size()));
    const double room = std::max(0.0, std::floor(size.height()) - top - rulerHeight);
    const double minList = listHeadHeight + std::min(rows, minListRows) * rowHeight;
    double list = 0;
    if (room - minList >= lanes * (minLane + 1))
        list = std::clamp(listHeadHeight + rows * rowHeight, minList, std::max(minList, room - lanes * (goodLane + 1)));
    const double each = std::clamp(std::floor((room - list) / lanes) - 1, 8.0, maxLane);
    for (std::size_t i = 0; i < state.scene->lanes.size(); ++i) {
        layout.lanes.emplace_back(0, top, width, each);
        top += each + 1;
    }
    layout.ruler = {0, top, width, rulerHeight};
    top += rulerHeight;
    if (list > 0) {
        layout.listHead = {0, top, width, listHeadHeight};
        top += listHeadHeight;
        layout.list = {0, top, width, std::max(0.0, std::floor(size.height()) - top)};
    }
    return layout;
}

void fitAxis(PipeState& state, const PipeLayout& layout)
{
    if (!state.scene) return;
    const std::int64_t time = std::max<std::int64_t>(1, state.scene->report().time);
    const int pixels = std::max(1, int(std::lround(layout.plotWidth() * state.ratio)));
    if (state.axis.high() != time || state.axis.low() != 0)
        state.axis = PixelAxis(0, time, 4, pixels);
    else if (state.axis.pixels() != pixels)
        state.axis.resize(pixels);
}

double listOverhang(const PipeState& state, const PipeLayout& layout)
{
    if (!state.scene || layout.list.isEmpty()) return 0;
    return std::max(0.0, double(state.scene->report().edges.size()) * rowHeight - layout.list.height());
}

QRectF PipeGeometry::box(std::size_t lane, std::int64_t begin, std::int64_t end, double least) const
{
    const QRectF& band = layout.lanes[lane];
    const double height = std::max(4.0, std::min(maxBox, band.height() - 2 * boxMargin));
    const double left = x(begin);
    return {left, std::round(band.center().y() - height / 2), std::max(least, x(end) - left), height};
}

QRectF PipeGeometry::row(std::size_t edge) const
{
    return {layout.list.left(), layout.list.top() + double(edge) * rowHeight - state.scroll, layout.list.width(), rowHeight};
}

PipeHit hitPipes(const PipeState& state, const PipeLayout& layout, QPointF at)
{
    PipeHit hit;
    if (!state.scene) return hit;
    if (layout.list.contains(at)) {
        const double row = std::floor((at.y() - layout.list.top() + state.scroll) / rowHeight);
        if (row < 0 || row >= double(state.scene->report().edges.size())) return hit;
        hit.what = PipeHit::What::edge;
        hit.edge = std::int32_t(row);
        return hit;
    }
    if (at.x() < layout.plotLeft || at.x() >= layout.plotRight) return hit;
    const auto band = std::ranges::find_if(layout.lanes, [&](const QRectF& lane) { return lane.contains(at); });
    if (band == layout.lanes.end()) return hit;
    hit.lane = std::int32_t(band - layout.lanes.begin());
    const PipeLane& lane = state.scene->lanes[std::size_t(hit.lane)];
    const double pixel = (at.x() - layout.plotLeft) * state.ratio;
    const std::int64_t time = state.axis.unitAt(pixel);
    const auto around = [&](const auto& items) {
        return std::ranges::upper_bound(items, time, {}, [](const auto& item) { return item.begin; });
    };
    const auto nextOp = around(lane.ops);
    if (nextOp != lane.ops.begin() && std::prev(nextOp)->end > time) {
        hit.what = PipeHit::What::op;
        hit.span = std::prev(nextOp)->span;
        return hit;
    }
    // Nothing runs then: an op thinner than a pixel may be near.
    const auto away = [&](const LaneOp& op) {
        return std::max({0.0, state.axis.toPixel(op.begin) - pixel, pixel - state.axis.toPixel(op.end)}) / state.ratio;
    };
    const auto thin = [&](const LaneOp& op) { return double(op.end - op.begin) * state.axis.scale() <= 2 * state.ratio; };
    const LaneOp* nearest = nullptr;
    if (nextOp != lane.ops.end() && thin(*nextOp) && away(*nextOp) <= reach) nearest = &*nextOp;
    if (nextOp != lane.ops.begin())
        if (const LaneOp& before = *std::prev(nextOp);
            thin(before) && away(before) <= reach && (!nearest || away(before) < away(*nearest)))
            nearest = &before;
    if (nearest) {
        hit.what = PipeHit::What::op;
        hit.span = nearest->span;
        return hit;
    }
    const auto gap = around(lane.gaps);
    if (gap == lane.gaps.begin() || std::prev(gap)->end <= time) return hit;
    hit.what = PipeHit::What::gap;
    hit.span = std::prev(gap)->span;
    hit.cause = std::prev(gap)->cause;
    if (hit.cause == LaneWait::reuse) hit.edge = state.scene->span(hit.span).edge;
    return hit;
}

QString reuseText(ReuseKind kind)
{
    switch (kind) {
    case ReuseKind::samePipe: return QStringLiteral("same pipe");
    case ReuseKind::crossPipe: return QStringLiteral("cross pipe");
    case ReuseKind::breaksDoubleBuffer: return QStringLiteral("breaks a double buffer");
    }
    return {};
}

QColor reuseColour(const Theme& theme, ReuseKind kind)
{
    return kind == ReuseKind::samePipe ? theme.text2 : kind == ReuseKind::crossPipe ? theme.warn : theme.bad;
}

void paintReuseArrow(DrawList& list, const Theme& theme, const QPolygonF& path, ReuseKind kind, double alpha, Dash dash)
{
    if (path.size() < 2) return;
    const QPointF tip = path.last();
    QPointF along = tip - path[path.size() - 2];
    const double length = std::hypot(along.x(), along.y());
    if (length <= 0) return;
    along /= length;
    const QPointF across(-along.y(), along.x());
    const QPointF base = tip - along * 6;
    const QColor colour = reuseColour(theme, kind), ink = alpha < 1 ? stack::withAlpha(colour, alpha) : colour;
    list.add(draw::Line{path, stack::withAlpha(theme.well, 0.85 * alpha), 4, Dash::solid});
    list.add(draw::Line{path, ink, 1.6, dash});
    list.add(draw::Area{QPolygonF{tip, base + across * 3.4, base - across * 3.4}, ink});
    if (kind != ReuseKind::breaksDoubleBuffer) return;
    const QPointF middle = tip - along * 9;
    list.add(draw::Line{QPolygonF{middle + across * 4, middle - across * 4}, ink, 1.6, Dash::solid});
}

QString waitText(const PipeScene& scene, std::int32_t span, LaneWait cause)
{
    const PipeSpan& execution = scene.span(span);
    switch (cause) {
    case LaneWait::otherPipe: return QStringLiteral("waits for its other pipe");
    case LaneWait::data:
        return execution.waitsFor == none ? QStringLiteral("waits")
                                          : QStringLiteral("waits for %1").arg(name(scene, execution.waitsFor));
    case LaneWait::ownSlot: return QStringLiteral("waits for a slot of %1").arg(name(scene, execution.waitsFor));
    case LaneWait::reuse: break;
    }
    if (execution.edge == none) return QStringLiteral("waits for reuse");
    const ReuseEdge& edge = scene.report().edges[std::size_t(execution.edge)];
    return QStringLiteral("waits for %1 to free %2")
        .arg(QString::fromStdString(scene.pipeNames(edge.fromPipes)), name(scene, edge.from));
}

QString timeUnit(const PipeScene& scene)
{
    return scene.analysis.model.unit == CostUnit::nanoseconds ? QStringLiteral("ns") : QStringLiteral("bytes moved");
}

} // namespace stowage
