// Pipes over time: painting.
#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/pictures/map/stack_parts.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

using Align = draw::Text::Align;
using stack::withAlpha;

constexpr double labelInset = 5;
constexpr double minGap = 3;    ///< logical pixels from which a wait is a box
constexpr double twoLines = 32; ///< of a box, for the iteration below the name
constexpr std::size_t maxArrows = 400;
constexpr double labelPixels = 84; ///< times are long numbers

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

/// Where a column of the list begins and ends; nothing of it when there is no room.
struct Columns {
    double kind = 10, from = 0, to = 0, pipes = 0, apart = 0, bytes = 0, times = 0, stall = 0, bar = 0, names = 0;
    bool showsApart = true, showsTimes = true, showsPipes = true;

    /// `bytesWidth` and `stallWidth`: of the widest numbers and titles.
    Columns(double width, double bytesWidth, double stallWidth)
    {
        constexpr double kindWidth = 176, pipesWidth = 132, apartWidth = 112, timesWidth = 62, barWidth = 76, between = 20,
                         least = 84;
        bytesWidth += between;
        stallWidth += between;
        const auto left = [&] {
            return width - kind - kindWidth - (showsPipes ? pipesWidth : 0) - (showsApart ? apartWidth : 0) - bytesWidth -
                   (showsTimes ? timesWidth : 0) - stallWidth - barWidth - rightMargin;
        };
        if (left() < 2 * least) showsTimes = false;
        if (left() < 2 * least) showsApart = false;
        if (left() < 2 * least) showsPipes = false;
        names = std::clamp(left() / 2, 40.0, 260.0);
        from = kind + kindWidth;
        to = from + names;
        pipes = to + names;
        apart = pipes + (showsPipes ? pipesWidth : 0);
        bytes = apart + (showsApart ? apartWidth : 0) + bytesWidth; // right edges from here on
        times = bytes + (showsTimes ? timesWidth : 0);
        stall = times + stallWidth;
        bar = stall + 10;
    }
};

/// An arrow of 18 px, as in a legend.
void paintKey(DrawList& list, const Theme& theme, double left, double y, ReuseKind kind, double alpha = 1)
{
    paintReuseArrow(list, theme, QPolygonF{QPointF(left, y), QPointF(left + 17, y)}, kind, alpha);
}

QString apartText(const ReuseEdge& edge)
{
    if (edge.loop == none || edge.distance == 0) return QStringLiteral("same iteration");
    return edge.distance == 1 ? QStringLiteral("next iteration") : QStringLiteral("%1 iterations").arg(edge.distance);
}

void paintSummary(DrawList& list, const PipeState& state, const PipeLayout& layout)
{
    const Theme& theme = *state.theme;
    const PipeReport& report = state.scene->report();
    const QRectF& band = layout.summary;
    const double y = band.center().y();
    list.fill(band, theme.panel);
    list.horizontal(0, band.right(), band.bottom() - 1, theme.line);
    // The legend first: figures take what is left.
    double right = band.right() - rightMargin;
    for (const ReuseKind kind : {ReuseKind::breaksDoubleBuffer, ReuseKind::crossPipe, ReuseKind::samePipe}) {
        const bool on = state.arrows[std::size_t(kind)];
        const QString count = countText(report.count(kind));
        const QString name = reuseText(kind);
        list.text(Face::numberStrong, right, y, count, on ? theme.text : theme.text3, Align::right);
        right -= list.width(Face::numberStrong, count) + 6;
        list.text(Face::label, right, y, name, on ? theme.text2 : theme.text3, Align::right);
        right -= list.width(Face::label, name) + 23;
        paintKey(list, theme, right, y, kind, on ? 1 : 0.45);
        right -= 16;
    }
    double x = 10;
    const auto figure = [&](const QString& label, const QString& value, const QColor& colour) {
        const double width = list.width(Face::label, label) + 6 + list.width(Face::numberStrong, value);
        if (x + width > right - 8) return;
        list.text(Face::label, x, y, label, theme.text3);
        list.text(Face::numberStrong, x + list.width(Face::label, label) + 6, y, value, colour);
        x += width + 18;
    };
    const std::int64_t lost = report.time - report.timeWithoutReuse;
    figure(QStringLiteral("simulated time"), countText(report.time), theme.text);
    figure(QStringLiteral("lost to reuse"),
           lost > 0 ? QStringLiteral("%1, %2").arg(countText(lost), percentText(report.slowdown())) : QStringLiteral("0"),
           lost > 0 ? theme.bad : theme.ok);
    figure(QStringLiteral("stalls"), countText(report.stall()), report.stall() > 0 ? theme.warn : theme.text);
    figure(QStringLiteral("unit"), timeUnit(*state.scene), theme.text2);
    if (report.truncated)
        figure(QStringLiteral("cut short at"), QStringLiteral("%1 executions").arg(countText(std::int64_t(report.spans.size()))),
               theme.warn);
}

void paintLoops(DrawList& list, const PipeState& state, const PipeLayout& layout)
{
    const Theme& theme = *state.theme;
    const PipeGeometry geometry{state, layout};
    const QRectF& band = layout.loops;
    list.fill(band, theme.panel);
    list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
    list.text(Face::label, 10, band.center().y(), QStringLiteral("loops"), theme.text3);
    list.clip({layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height()});
    for (const LaneLoop& loop : state.scene->loops) {
        const QRectF box = QRectF(geometry.x(loop.begin), band.top() + 2,
                                  std::max(2.0, geometry.x(loop.end) - geometry.x(loop.begin) - 1), band.height() - 4) &
                           QRectF(layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height());
        if (box.isEmpty()) continue;
        list.fill(box, theme.hover, 2);
        const Loop& what = state.scene->run->problem().loops[std::size_t(loop.loop)];
        QString words = text(what.name);
        if (loop.iterations > 0)
            words += what.tripCount ? QStringLiteral(", %1 of %2 iterations").arg(loop.iterations).arg(countText(*what.tripCount))
                                    : QStringLiteral(", %1").arg(countedText(loop.iterations, QStringLiteral("iteration")));
        words = list.elided(Face::label, words, box.width() - 2 * labelInset);
        if (box.width() > 40) list.text(Face::label, box.left() + labelInset, box.center().y(), words, theme.text2);
    }
    list.unclip();
    list.horizontal(0, band.right(), band.bottom() - 1, theme.line);
}

/// Name, share of the time in which it works, and how long it stalls.
void paintLaneHead(DrawList& list, const PipeState& state, const PipeLayout& layout, std::size_t number)
{
    const Theme& theme = *state.theme;
    const PipeLane& lane = state.scene->lanes[number];
    const QRectF& band = layout.lanes[number];
    const double time = double(std::max<std::int64_t>(1, state.scene->report().time));
    const double right = layout.plotLeft - 8;
    const bool tall = band.height() >= 44;
    const double y = tall ? band.center().y() - 9 : band.center().y() - (band.height() >= 28 ? 4 : 0);
    list.fill({0, band.top(), layout.plotLeft, band.height()}, theme.panel);
    list.text(Face::labelStrong, 10, y, text(lane.name), theme.text);
    list.text(Face::number, right, y, shareText(double(lane.busy) / time), theme.text, Align::right);
    if (band.height() >= 28) {
        const QRectF bar = list.snapped({10, tall ? band.center().y() + 1 : band.center().y() + 6, right - 10, 4});
        list.fill(bar, theme.hover);
        list.fill({bar.left(), bar.top(), bar.width() * std::min(1.0, double(lane.busy) / time), bar.height()}, theme.accent);
        if (lane.stall > 0) {
            const double begin = bar.left() + bar.width() * std::min(1.0, double(lane.busy) / time);
            list.fill({begin, bar.top(), std::max(1.0, std::min(bar.right() - begin, bar.width() * double(lane.stall) / time)),
                       bar.height()},
                      theme.bad);
        }
    }
    if (tall) {
        const QString caption = lane.stall > 0 ? QStringLiteral("%1 stalled").arg(shareText(double(lane.stall) / time))
                                               : countedText(std::int64_t(lane.kinds), QStringLiteral("op"));
        list.text(Face::label, 10, band.center().y() + 14, caption, lane.stall > 0 ? theme.bad : theme.text3);
    }
    list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
    list.horizontal(0, band.right(), band.bottom(), theme.line);
}

bool passes(const PipeState& state, const PipeOp& op)
{
    if (!state.shown || (op.reads.empty() && op.writes.empty())) return true;
    const auto isShown = [&](BufferId b) { return std::size_t(b) >= state.shown->size() || (*state.shown)[std::size_t(b)]; };
    return std::ranges::any_of(op.writes, isShown) || std::ranges::any_of(op.reads, isShown);
}

void paintOp(DrawList& list, const PipeState& state, const QRectF& box, const QRectF& plot, std::int32_t span,
             const Palette& palette)
{
    const Theme& theme = *state.theme;
    const PipeOp& op = state.scene->opOf(span);
    const std::size_t colour = state.scene->classOf[std::size_t(state.scene->span(span).op)];
    const bool dim = !passes(state, op);
    const QColor fill = dim ? mix(theme.well, palette.fills[colour], 0.22) : palette.fills[colour];
    const QRectF drawn = box.width() >= 4 ? box.adjusted(0, 0, -1, 0) : box;
    list.fill(drawn, fill, drawn.width() >= 6 ? 1.5 : 0);
    if (dim) return;
    const QRectF seen = drawn & plot;
    const QRectF inner = seen.adjusted(labelInset, 0, -labelInset, 0);
    const double exact = double(op.cost) * state.axis.scale() / state.ratio;
    if (seen.width() < 12) return;
    const QColor& ink = palette.inks[colour];
    QString name = text(op.name);
    if (list.width(Face::label, name) > inner.width()) name = name.section(u':', 0, 0);
    if (list.width(Face::label, name) > inner.width()) {
        const auto number = std::size_t(state.scene->span(span).op);
        for (const std::string& code : {state.scene->codes[number], state.scene->shortCodes[number]}) {
            const QString letters = text(code);
            if (list.width(Face::code, letters) > std::min(seen.width() + 1, exact) - 3)
                continue; // by its exact width: all executions of an op alike
            list.text(Face::code, seen.center().x(), seen.center().y(), letters, ink, Align::centre);
            return;
        }
        return;
    }
    const QString iteration =
        op.loop == none ? QString() : QStringLiteral("iteration %1").arg(countText(state.scene->span(span).iteration));
    const bool second = !iteration.isEmpty() && box.height() >= twoLines && list.width(Face::tick, iteration) <= inner.width();
    const double y = box.center().y();
    list.text(Face::label, inner.center().x(), second ? y - 7 : y, name, ink, Align::centre);
    if (second) list.text(Face::tick, inner.center().x(), y + 8, iteration, ink, Align::centre);
}

void paintGap(DrawList& list, const PipeState& state, const QRectF& box, const QRectF& plot, const LaneGap& gap)
{
    const Theme& theme = *state.theme;
    const bool reuse = gap.cause == LaneWait::reuse;
    const std::int32_t edge = reuse ? state.scene->span(gap.span).edge : std::int32_t(none);
    // What a stall costs is bad whatever its kind: the words and the list say which it is.
    const QColor colour =
        reuse ? (edge == none ? theme.bad : reuseColour(theme, state.scene->report().edges[std::size_t(edge)].kind))
              : theme.text3;
    const QRectF inner = box.adjusted(0.5, 2.5, -1.5, -2.5);
    const QRectF seen = inner & plot;
    if (seen.width() < minGap) return;
    if (reuse) {
        list.fill(seen, withAlpha(colour, 0.1));
        list.add(draw::Hatch{seen, withAlpha(colour, 0.4), 6, true, plot.bottomLeft()});
    }
    list.outline(inner, withAlpha(colour, reuse ? 1 : 0.55), 1, 2, Dash::stall);
    const QString words = waitText(*state.scene, gap.span, gap.cause);
    const double room = seen.width() - 2 * labelInset;
    QString fitting = words;
    if (reuse && edge != none && list.width(Face::label, fitting) > room)
        fitting = QStringLiteral("waits for %1")
                      .arg(text(state.scene->pipeNames(state.scene->report().edges[std::size_t(edge)].fromPipes)));
    if (reuse && list.width(Face::label, fitting) > room) fitting = QStringLiteral("stall");
    if (list.width(Face::label, fitting) > room) return;
    const double width = list.width(Face::label, fitting);
    if (reuse) list.fill(list.snapped({seen.center().x() - width / 2 - 4, seen.center().y() - 8, width + 8, 16}), theme.well, 3);
    list.text(Face::label, seen.center().x(), seen.center().y(), fitting, colour, Align::centre);
}

void paintLane(DrawList& list, const PipeState& state, const PipeLayout& layout, std::size_t number, const Palette& palette)
{
    const Theme& theme = *state.theme;
    const PipeGeometry geometry{state, layout};
    const PipeLane& lane = state.scene->lanes[number];
    const QRectF& band = layout.lanes[number];
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height());
    const std::int64_t first = state.axis.unitAt(0);
    const std::int64_t last = state.axis.unitAt(state.axis.pixels()) + 1;
    list.clip(plot);
    for (const std::int64_t tick : ticksIn(state.axis, stepTicks(state.axis.scale() / state.ratio, labelPixels).major))
        list.vertical(geometry.x(tick), band.top(), band.bottom(), theme.grid);
    const auto from = [&](const auto& items) {
        return std::ranges::upper_bound(items, first, {}, [](const auto& item) { return item.end; });
    };
    double painted = -1; // right edge of the last stall that was too thin for a box
    for (auto gap = from(lane.gaps); gap != lane.gaps.end() && gap->begin < last; ++gap) {
        const QRectF box = geometry.box(number, gap->begin, gap->end);
        if (box.width() >= minGap + 2) {
            paintGap(list, state, box, plot, *gap);
        } else if (gap->cause == LaneWait::reuse && box.left() >= painted) {
            const double width = std::max(1 / state.ratio, box.width());
            list.fill({box.left(), box.top() + 2, width, box.height() - 4}, theme.bad);
            painted = box.left() + width;
        }
    }
    // Ops thinner than a pixel add up, in the colour of the last one of each pixel.
    struct Column {
        double share = 0;
        std::size_t colour = 0;
    };
    std::vector<Column> columns;
    for (auto op = from(lane.ops); op != lane.ops.end() && op->begin < last; ++op) {
        const double begin = state.axis.toPixel(op->begin);
        const double end = state.axis.toPixel(op->end);
        if (end - begin >= 1.5) {
            paintOp(list, state, geometry.box(number, op->begin, op->end), plot, op->span, palette);
            continue;
        }
        if (columns.empty()) columns.resize(std::size_t(state.axis.pixels()) + 1);
        for (int pixel = std::max(0, int(std::floor(begin))); pixel <= std::min(int(std::floor(end)), state.axis.pixels());
             ++pixel) {
            Column& column = columns[std::size_t(pixel)];
            column.share += std::max(0.0, std::min(end, pixel + 1.0) - std::max(begin, double(pixel)));
            column.colour = state.scene->classOf[std::size_t(state.scene->span(op->span).op)];
        }
    }
    for (std::size_t pixel = 0; pixel < columns.size(); ++pixel)
        if (columns[pixel].share > 0) {
            const QRectF box = geometry.box(number, 0, 0);
            list.fill({layout.plotLeft + double(pixel) / state.ratio, box.top(), 1 / state.ratio, box.height()},
                      mix(theme.well, palette.fills[columns[pixel].colour], std::clamp(columns[pixel].share, 0.5, 1.0)));
        }
    list.unclip();
    paintLaneHead(list, state, layout, number);
}

void paintList(DrawList& list, const PipeState& state, const PipeLayout& layout)
{
    const Theme& theme = *state.theme;
    const PipeGeometry geometry{state, layout};
    const PipeReport& report = state.scene->report();
    const QString stallTitle =
        QStringLiteral("stall, %1")
            .arg(state.scene->analysis.model.unit == CostUnit::nanoseconds ? QStringLiteral("ns") : QStringLiteral("time"));
    std::int64_t most = 1;
    Bytes largest = 0;
    for (const ReuseEdge& edge : report.edges) most = std::max(most, edge.stall), largest = std::max(largest, edge.bytes);
    const Columns columns(layout.list.width(), list.width(Face::number, bytesNumber(largest, state.numbers)),
                          std::max(list.width(Face::number, countText(most)), list.width(Face::label, stallTitle)));
    const QRectF& head = layout.listHead;
    const double y = head.center().y();
    list.fill(head, theme.raised);
    list.horizontal(0, head.right(), head.bottom() - 1, theme.line);
    list.fill(layout.list, theme.panel);
    list.text(Face::labelStrong, columns.kind, y, QStringLiteral("Reuse"), theme.text);
    if (report.edges.empty()) {
        list.text(Face::body, columns.kind, layout.list.top() + 14,
                  QStringLiteral("No buffer takes over another one's bytes: no pipe waits for reuse."), theme.text2);
        return;
    }
    list.text(Face::label, columns.kind + list.width(Face::labelStrong, QStringLiteral("Reuse")) + 6, y,
              QStringLiteral("worst first"), theme.text3);
    const auto title = [&](double x, const QString& words, Align align) {
        list.text(Face::label, x, y, words, theme.text2, align);
    };
    // Narrow columns have short titles.
    const QString from = QStringLiteral("held before by"), to = QStringLiteral("taken over by");
    const bool room = std::max(list.width(Face::label, from), list.width(Face::label, to)) + 8 <= columns.to - columns.from;
    title(columns.from, room ? from : QStringLiteral("before"), Align::left);
    title(columns.to, room ? to : QStringLiteral("after"), Align::left);
    if (columns.showsPipes) title(columns.pipes, QStringLiteral("pipes"), Align::left);
    if (columns.showsApart) title(columns.apart, QStringLiteral("apart"), Align::left);
    title(columns.bytes, unitText(state.numbers), Align::right);
    if (columns.showsTimes) title(columns.times, QStringLiteral("times"), Align::right);
    title(columns.stall, stallTitle, Align::right);

    list.clip(layout.list);
    for (std::size_t i = 0; i < report.edges.size(); ++i) {
        const QRectF row = geometry.row(i);
        if (row.bottom() <= layout.list.top()) continue;
        if (row.top() >= layout.list.bottom()) break;
        const ReuseEdge& edge = report.edges[i];
        const double middle = row.center().y();
        const QColor colour = reuseColour(theme, edge.kind);
        list.horizontal(0, row.right(), row.bottom() - 1, theme.line);
        paintKey(list, theme, columns.kind, middle, edge.kind);
        list.text(Face::label, columns.kind + 25, middle, reuseText(edge.kind),
                  edge.kind == ReuseKind::samePipe ? theme.text2 : colour);
        const PipeScene& scene = *state.scene;
        list.text(Face::label, columns.from, middle,
                  list.toldApart(Face::label, text(scene.bufferName(edge.from)), columns.names - 10, scene.names), theme.text);
        list.text(Face::label, columns.to, middle,
                  list.toldApart(Face::label, text(scene.bufferName(edge.to)), columns.names - 10, scene.names), theme.text);
        if (columns.showsPipes)
            list.text(Face::label, columns.pipes, middle,
                      QStringLiteral("%1 then %2")
                          .arg(text(state.scene->pipeNames(edge.fromPipes)), text(state.scene->pipeNames(edge.toPipes))),
                      theme.text2);
        if (columns.showsApart) list.text(Face::label, columns.apart, middle, apartText(edge), theme.text2);
        list.text(Face::number, columns.bytes, middle, bytesNumber(edge.bytes, state.numbers), theme.text, Align::right);
        if (columns.showsTimes) list.text(Face::number, columns.times, middle, countText(edge.count), theme.text2, Align::right);
        if (edge.stall <= 0) continue;
        list.text(Face::number, columns.stall, middle, countText(edge.stall), theme.text, Align::right);
        const QRectF bar = list.snapped({columns.bar, middle - 4, 64, 8});
        list.fill(bar, theme.hover);
        list.fill({bar.left(), bar.top(), std::max(1.0, bar.width() * double(edge.stall) / double(most)), bar.height()}, colour);
    }
    list.unclip();
    if (const double over = listOverhang(state, layout); over > 0) {
        const double length = std::max(16.0, layout.list.height() * layout.list.height() / (layout.list.height() + over));
        list.fill(list.snapped({layout.list.right() - 6,
                                layout.list.top() + (layout.list.height() - length) * state.scroll / over, 4, length}),
                  theme.edge, 2);
    }
}

/// From box to box: down or up into the other lane, or along below the own one.
QPolygonF arrowPath(const QRectF& from, std::size_t fromLane, const QRectF& to, std::size_t toLane)
{
    const double x0 = from.right() - std::min(4.0, from.width() / 2);
    const double x1 = to.left() + std::min(4.0, to.width() / 2);
    if (fromLane == toLane)
        return {QPointF(x0, from.bottom() - 1), QPointF(x0, from.bottom() + 4), QPointF(x1, to.bottom() + 4),
                QPointF(x1, to.bottom() - 1)};
    const bool down = toLane > fromLane;
    const QPointF begin(x0, down ? from.bottom() - 2 : from.top() + 2);
    const QPointF tip(x1, down ? to.top() : to.bottom());
    const QPointF end = tip - QPointF(0, down ? 6 : -6); // the head stands upright
    const double middle = (begin.y() + end.y()) / 2;
    QPolygonF path;
    constexpr int pieces = 16;
    for (int i = 0; i <= pieces; ++i) {
        const double t = double(i) / pieces, u = 1 - t;
        const double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
        path.append(
            {a * begin.x() + b * begin.x() + c * end.x() + d * end.x(), a * begin.y() + b * middle + c * middle + d * end.y()});
    }
    path.append(tip);
    return path;
}

void paintArrows(DrawList& list, const PipeState& state, const PipeLayout& layout)
{
    const PipeScene& scene = *state.scene;
    const PipeReport& report = scene.report();
    const PipeGeometry geometry{state, layout};
    const std::int64_t first = state.axis.unitAt(0);
    const std::int64_t last = state.axis.unitAt(state.axis.pixels()) + 1;
    const bool chosen = state.selected != none || state.hoveredEdge != none;
    const auto isMeant = [&](const Handover& handover) {
        const ReuseEdge& edge = report.edges[std::size_t(handover.edge)];
        return handover.edge == state.hoveredEdge ||
               (state.selected != none && (edge.from == state.selected || edge.to == state.selected));
    };
    std::size_t drawn = 0;
    // What is not meant first, so that the rest lies on top.
    for (const bool meant : {false, true})
        for (const Handover& handover : report.handovers) {
            const auto kind = std::size_t(report.edges[std::size_t(handover.edge)].kind);
            if (isMeant(handover) != meant || (!meant && !state.arrows[kind])) continue;
            if (scene.span(handover.to).begin < first || scene.endOf(handover.from) > last) continue;
            if (++drawn > maxArrows) return;
            const std::int32_t fromLane = scene.laneOf(scene.opOf(handover.from).pipes.front());
            const std::int32_t toLane = scene.laneOf(scene.opOf(handover.to).pipes.front());
            if (fromLane == none || toLane == none) continue;
            const QRectF from =
                geometry.box(std::size_t(fromLane), scene.span(handover.from).begin, scene.endOf(handover.from), 1);
            const QRectF to = geometry.box(std::size_t(toLane), scene.span(handover.to).begin, scene.endOf(handover.to), 1);
            paintReuseArrow(list, *state.theme, arrowPath(from, std::size_t(fromLane), to, std::size_t(toLane)), ReuseKind(kind),
                            chosen && !meant ? 0.3 : 1);
        }
}

} // namespace

void paintPipes(DrawList& list, const PipeState& state, const PipeLayout& layout, const QString& empty)
{
    const Theme& theme = *state.theme;
    list.fill(layout.all, theme.well);
    if (!state.scene) {
        list.text(Face::body, layout.all.center().x(), layout.all.center().y(),
                  list.elided(Face::body, empty, layout.all.width() - 40), theme.text2, Align::centre);
        return;
    }
    const Palette palette = paletteOf(theme, state.scene->colourBy);
    paintSummary(list, state, layout);
    if (!layout.loops.isEmpty()) paintLoops(list, state, layout);
    for (std::size_t i = 0; i < layout.lanes.size(); ++i) paintLane(list, state, layout, i, palette);
    StepRuler ruler;
    ruler.theme = &theme;
    ruler.axis = &state.axis;
    ruler.ratio = state.ratio;
    ruler.band = layout.ruler;
    ruler.plotLeft = layout.plotLeft;
    ruler.plotRight = layout.plotRight;
    ruler.steps = state.axis.high();
    ruler.caption = state.scene->analysis.model.unit == CostUnit::nanoseconds ? QStringLiteral("time, ns")
                                                                              : QStringLiteral("time, bytes moved");
    ruler.labelPixels = labelPixels;
    paintStepRuler(list, ruler);
    if (!layout.list.isEmpty()) paintList(list, state, layout);
}

void paintPipesOverlay(DrawList& list, const PipeState& state, const PipeLayout& layout)
{
    if (!state.scene) return;
    const Theme& theme = *state.theme;
    const PipeScene& scene = *state.scene;
    const PipeGeometry geometry{state, layout};
    const std::int64_t first = state.axis.unitAt(0);
    const std::int64_t last = state.axis.unitAt(state.axis.pixels()) + 1;
    if (layout.lanes.empty()) return;
    list.clip({layout.plotLeft + 1, layout.lanes.front().top(), layout.plotWidth() - 1,
               layout.lanes.back().bottom() - layout.lanes.front().top()});
    for (std::size_t i = 0; i < layout.lanes.size(); ++i) {
        const auto& ops = scene.lanes[i].ops;
        double outlinedTo = -1; // right edge of the last outline; executions within a pixel of it need none of their own
        const auto isSelected = [&](BufferId id) { return id == state.selected || state.others.contains(id); };
        for (auto op = std::ranges::upper_bound(ops, first, {}, [](const LaneOp& each) { return each.end; });
             op != ops.end() && op->begin < last; ++op) {
            const PipeOp& what = scene.opOf(op->span);
            const bool selected = std::ranges::any_of(what.writes, isSelected) || std::ranges::any_of(what.reads, isSelected);
            if (!selected && op->span != state.hoveredSpan && (!state.cursor || what.step != *state.cursor)) continue;
            const QRectF box = geometry.box(i, op->begin, op->end, 3);
            const QRectF drawn = box.width() >= 4 ? box.adjusted(0, 0, -1, 0) : box;
            if (op->span == state.hoveredSpan) list.fill(drawn, withAlpha(theme.text, 0.12), 1.5);
            if (selected && drawn.right() >= outlinedTo + 1) {
                list.outline(drawn, theme.well, 4, 2);
                list.outline(drawn, theme.sel, 2, 1.5);
                outlinedTo = drawn.right();
            } else if (!selected) {
                list.outline(drawn.adjusted(0.5, 0.5, -0.5, -0.5), op->span == state.hoveredSpan ? theme.sel : theme.text2, 1,
                             1.5);
            }
            if (state.cursor && what.step == *state.cursor)
                list.fill({drawn.left(), drawn.bottom() + 2, drawn.width(), 2}, theme.accent);
        }
    }
    paintArrows(list, state, layout);
    list.unclip();
    if (layout.list.isEmpty()) return;
    list.clip(layout.list);
    for (std::size_t i = 0; i < scene.report().edges.size(); ++i) {
        const ReuseEdge& edge = scene.report().edges[i];
        const QRectF row = geometry.row(i);
        if (row.bottom() <= layout.list.top()) continue;
        if (row.top() >= layout.list.bottom()) break;
        if (std::int32_t(i) == state.hoveredEdge) list.fill(row.adjusted(0, 0, 0, -1), withAlpha(theme.text, 0.06));
        if (state.selected != none && (edge.from == state.selected || edge.to == state.selected)) {
            list.fill(row.adjusted(0, 0, 0, -1), withAlpha(theme.accent, 0.14));
            list.fill({0, row.top(), 3, row.height() - 1}, theme.accent);
        }
    }
    list.unclip();
}

std::optional<CardText> pipeCard(const PipeState& state, const PipeHit& hit)
{
    if (!state.scene || hit.span == none || hit.lane == none || hit.what == PipeHit::What::edge ||
        hit.what == PipeHit::What::nothing)
        return std::nullopt;
    const PipeScene& scene = *state.scene;
    const PipeSpan& span = scene.span(hit.span);
    const PipeOp& op = scene.opOf(hit.span);
    const QString where =
        op.loop == none ? text(scene.pipeNames(op.pipes))
                        : QStringLiteral("%1, iteration %2").arg(text(scene.pipeNames(op.pipes)), countText(span.iteration));
    const auto names = [&](const std::vector<BufferId>& buffers) {
        QStringList words;
        for (std::size_t i = 0; i < buffers.size() && i < 3; ++i) words << text(scene.bufferName(buffers[i]));
        if (buffers.size() > 3) words << QStringLiteral("…");
        return words.join(QStringLiteral(", "));
    };
    const auto range = [](std::int64_t begin, std::int64_t end) {
        return QStringLiteral("[%1, %2)").arg(countText(begin), countText(end));
    };
    const Palette palette = paletteOf(*state.theme, scene.colourBy);
    CardText card;
    card.titleIsNumber = false;
    std::int64_t begin = span.begin, end = scene.endOf(hit.span);
    if (hit.what == PipeHit::What::op) {
        card.title = text(op.name);
        card.caption = where;
        card.lines.push_back(
            {palette.fills[scene.classOf[std::size_t(span.op)]], QStringLiteral("time"), range(begin, end), false});
        if (!op.reads.empty()) card.lines.push_back({{}, QStringLiteral("reads"), names(op.reads), false});
        if (!op.writes.empty()) card.lines.push_back({{}, QStringLiteral("writes"), names(op.writes), false});
        if (span.stall > 0)
            card.lines.push_back({state.theme->bad, waitText(scene, hit.span, LaneWait::reuse), countText(span.stall), false});
        else if (span.wait > 0)
            card.lines.push_back({{},
                                  waitText(scene, hit.span, span.cause == PipeWait::ownSlot ? LaneWait::ownSlot : LaneWait::data),
                                  countText(span.wait),
                                  false});
    } else {
        const auto& gaps = scene.lanes[std::size_t(hit.lane)].gaps;
        const auto gap =
            std::ranges::find_if(gaps, [&](const LaneGap& each) { return each.span == hit.span && each.cause == hit.cause; });
        if (gap == gaps.end()) return std::nullopt;
        begin = gap->begin;
        end = gap->end;
        card.title = waitText(scene, hit.span, hit.cause);
        card.caption = QStringLiteral("%1 before %2").arg(where, text(op.name));
        card.lines.push_back({{}, QStringLiteral("time"), range(begin, end), false});
        card.lines.push_back({{}, QStringLiteral("stalls for"), countText(end - begin), true});
        if (hit.edge != none) {
            const ReuseEdge& edge = scene.report().edges[std::size_t(hit.edge)];
            card.lines.push_back({reuseColour(*state.theme, edge.kind), reuseText(edge.kind), apartText(edge), false});
        }
    }
    return card;
}

} // namespace stowage
