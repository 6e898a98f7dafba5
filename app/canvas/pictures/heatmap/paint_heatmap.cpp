// Painting the heatmap: body, bars of reuse, the pools against each other, what is free.
#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/kit/card.h"
#include "app/canvas/kit/outlined.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/pictures/heatmap/heatmap.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

using stack::withAlpha;
using Align = draw::Text::Align;

constexpr double poolBinPixels = 2;

/// Device pixels [from, to) of the columns, and of the rows upwards, clipped to the body.
struct Edges {
    std::vector<int> x;
    std::vector<int> y;
};

Edges edgesOf(const HeatState& state)
{
    const OccupancyGrid& grid = state.grid;
    Edges edges;
    for (std::int32_t column = 0; column <= grid.columns; ++column)
        edges.x.push_back(std::clamp(state.steps.edge(std::min(grid.steps, grid.firstStep + Step(column) * grid.binSteps)), 0,
                                     state.steps.pixels()));
    for (std::int32_t row = 0; row <= grid.rows; ++row)
        edges.y.push_back(
            std::clamp(state.addresses.edge(grid.firstByte + Bytes(row) * grid.binBytes), 0, state.addresses.pixels()));
    return edges;
}

/// The bins as an image of the body.
QImage binImage(const HeatState& state, const Edges& edges)
{
    const OccupancyGrid& grid = state.grid;
    QImage image(state.steps.pixels(), state.addresses.pixels(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    for (std::int32_t row = 0; row < grid.rows; ++row) {
        const int low = edges.y[std::size_t(row)];
        const int high = edges.y[std::size_t(row) + 1];
        if (high <= low) continue;
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(image.height() - high));
        for (std::int32_t column = 0; column < grid.columns; ++column)
            if (const auto colour = binColour(state, column, row))
                std::fill(line + edges.x[std::size_t(column)], line + edges.x[std::size_t(column) + 1], colour->rgb());
        for (int y = low + 1; y < high; ++y)
            std::copy(line, line + image.width(), reinterpret_cast<QRgb*>(image.scanLine(image.height() - y)));
    }
    return image;
}

/// One rectangle for each run of bins of one colour in a row.
void paintBins(DrawList& list, const HeatState& state, const HeatLayout& layout, const Edges& edges)
{
    const OccupancyGrid& grid = state.grid;
    const QRectF body = layout.body();
    for (std::int32_t row = 0; row < grid.rows; ++row) {
        const int low = edges.y[std::size_t(row)];
        const int high = edges.y[std::size_t(row) + 1];
        if (high <= low) continue;
        for (std::int32_t column = 0; column < grid.columns;) {
            const auto colour = binColour(state, column, row);
            const std::int32_t first = column++;
            if (!colour) continue;
            for (; column < grid.columns; ++column)
                if (const auto next = binColour(state, column, row); !next || *next != *colour) break;
            const double left = edges.x[std::size_t(first)] / state.ratio;
            const double right = edges.x[std::size_t(column)] / state.ratio;
            if (right > left)
                list.fill({body.left() + left, body.bottom() - high / state.ratio, right - left, (high - low) / state.ratio},
                          *colour);
        }
    }
}

/// A line at an address that the map is measured by, and its chip.
struct LevelLine {
    LevelChip chip;
    double width = 1;
    Dash dash = Dash::solid;
};

/// Those that are in view.
std::vector<LevelLine> levelLines(const HeatState& state, const HeatLayout& layout)
{
    const Theme& theme = *state.theme;
    const MapData& map = state.shownScene().map;
    const QRectF& band = layout.map;
    std::vector<LevelLine> lines;
    const auto level = [&](Bytes bytes, const QString& what, const QColor& colour, double width, Dash dash, bool below,
                           bool first = false) {
        const double y = HeatGeometry{state, layout}.y(bytes);
        if (y < band.top() || y > band.bottom()) return;
        lines.push_back({{y, what + u' ' + bytesText(bytes, state.numbers), colour, below, first}, width, dash});
    };
    const QString pool = map.bound == map.top ? QStringLiteral("pool and bound") : QStringLiteral("pool");
    if (map.top > 0) level(map.top, pool, theme.text2, 1, Dash::solid, false);
    if (map.bound > 0 && map.bound != map.top) level(map.bound, QStringLiteral("bound"), theme.ok, 1.25, Dash::bound, true);
    if (map.capacity) level(*map.capacity, QStringLiteral("capacity"), theme.bad, 1.5, Dash::solid, true, true);
    return lines;
}

/// The chips of the lines, and that of a capacity above them all; none covers a bin.
LevelChips levelChipsOf(const DrawList& list, const HeatState& state, const HeatLayout& layout)
{
    const MapData& map = state.shownScene().map;
    const QRectF body = layout.body();
    const Edges edges = edgesOf(state);
    std::vector<LevelChip> chips;
    for (LevelLine& line : levelLines(state, layout)) chips.push_back(std::move(line.chip));
    if (map.capacity && *map.capacity > state.addresses.high())
        chips.push_back({layout.map.top(), QStringLiteral("capacity %1, far above").arg(bytesText(*map.capacity, state.numbers)),
                         state.theme->bad, true, true});
    const Taken onBins = [&](const QRectF& box) {
        const auto binAt = [](const std::vector<int>& ends, double pixel) {
            return std::max<std::ptrdiff_t>(0, std::ranges::upper_bound(ends, pixel) - ends.begin() - 1);
        };
        const double left = (box.left() - body.left()) * state.ratio, right = (box.right() - body.left()) * state.ratio;
        const double low = (body.bottom() - box.bottom()) * state.ratio, high = (body.bottom() - box.top()) * state.ratio;
        for (auto column = binAt(edges.x, left); column < state.grid.columns && edges.x[std::size_t(column)] < right; ++column)
            for (auto row = binAt(edges.y, low); row < state.grid.rows && edges.y[std::size_t(row)] < high; ++row)
                if (binColour(state, std::int32_t(column), std::int32_t(row))) return true;
        return false;
    };
    // Bins are known of what is in view only.
    ChipSpan span = ChipSpan::of(state.steps, body.left(), state.ratio);
    span.begin = body.left();
    return placeLevelChips(list, body, body.right(), span, std::move(chips), onBins);
}

void paintBody(DrawList& list, const HeatState& state, const HeatLayout& layout, bool asCommands)
{
    const Theme& theme = *state.theme;
    const HeatGeometry geometry{state, layout};
    const MapData& map = state.shownScene().map;
    const QRectF& band = layout.map;
    const QRectF body = layout.body();
    const QRectF wide(body.left(), band.top(), band.right() - body.left(), band.height());
    list.clip(wide);
    const Edges edges = edgesOf(state);
    if (asCommands)
        paintBins(list, state, layout, edges);
    else
        list.add(draw::Picture{body, binImage(state, edges)});
    if (map.capacity) {
        // Over the bins: what lies above the capacity is no memory, however full it is.
        const QRectF over = QRectF(wide.topLeft(), QPointF(wide.right(), geometry.y(*map.capacity))) & wide;
        if (!over.isEmpty())
            list.add(draw::Hatch{over, withAlpha(theme.bad, map.top > *map.capacity ? 0.7 : 0.35), 6, true, body.bottomLeft()});
    }
    // Fine lines over the bins, at the marks of both axes.
    const QColor fine = withAlpha(theme.text3, 0.16);
    for (const Bytes address : ticksIn(state.addresses, addressTicks(state.addresses.scale() / state.ratio).major))
        if (address > 0) list.horizontal(body.left(), body.right(), geometry.y(address) - 0.5, fine);
    for (const Step step : ticksIn(state.steps, stepTicks(state.steps.scale() / state.ratio).major))
        if (step > 0 && step < state.grid.steps) list.vertical(geometry.x(step), band.top(), band.bottom(), fine);

    for (const LevelLine& line : levelLines(state, layout))
        list.horizontal(body.left(), band.right(), line.chip.y - (line.dash == Dash::solid ? 1 : 0.5), line.chip.colour,
                        line.width, line.dash);
    paintLevelChips(list, theme, levelChipsOf(list, state, layout));
    list.unclip();

    AddressGutter gutter{&theme,
                         &state.addresses,
                         state.ratio,
                         {0, band.top(), layout.plotLeft, band.height()},
                         state.numbers,
                         map.capacity,
                         {},
                         {},
                         {},
                         0};
    gutter.title = QStringLiteral("Occupancy");
    gutter.caption = QString::fromStdString(map.poolName);
    gutter.titleRoom = list.width(Face::labelStrong, gutter.title);
    paintAddressGutter(list, gutter);
    list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
}

/// How many buffers lie on the same byte one after the other, by rows of bins.
void paintReuse(DrawList& list, const HeatState& state, const HeatLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF& side = layout.side;
    list.fill(side, theme.panel);
    list.fill({side.left(), side.top(), 1, side.height()}, theme.line2);
    const PoolOccupancy& occupancy = state.shown().occupancy;
    const std::int32_t most = occupancy.maxReuse();
    const double left = side.left() + 8;
    const double room = side.right() - 8 - left;
    const Edges edges = edgesOf(state);
    const QColor colour = theme.rampAt(0.5);
    const QColor pale = mix(theme.panel, colour, 0.2); // below the caption
    const double captionBottom = side.top() + 22;
    for (std::int32_t row = 0; row < state.grid.rows && most > 0; ++row) {
        const auto [low, high] = state.grid.bytesOf(row);
        const std::int32_t count = occupancy.reuse(low, high);
        const double top = layout.map.bottom() - edges.y[std::size_t(row) + 1] / state.ratio;
        const double height = (edges.y[std::size_t(row) + 1] - edges.y[std::size_t(row)]) / state.ratio;
        if (count == 0 || height <= 0) continue;
        list.fill({left, top, std::max(2.0, room * double(count) / double(most)), std::max(0.5, height - (height > 2 ? 1 : 0))},
                  top < captionBottom ? pale : colour);
    }
    // The axis below says the most as well.
    const QString caption = QStringLiteral("reuse, most %1").arg(countText(most));
    list.text(Face::label, left, side.top() + 12, list.width(Face::label, caption) <= room ? caption : QStringLiteral("reuse"),
              theme.text2);
    const double axisTop = layout.map.bottom();
    list.fill({side.left(), axisTop, side.width(), rulerHeight}, theme.raised);
    list.horizontal(side.left(), side.right(), axisTop, theme.line2);
    list.horizontal(side.left(), side.right(), axisTop + rulerHeight - 1, theme.line);
    list.fill({side.left(), axisTop, 1, rulerHeight}, theme.line2);
    list.text(Face::tick, left, axisTop + rulerHeight / 2, QStringLiteral("0"), theme.text2);
    if (most > 0) list.text(Face::tick, side.right() - 8, axisTop + rulerHeight / 2, countText(most), theme.text2, Align::right);
}

void paintHead(DrawList& list, const HeatState& state, const QRectF& band, const QString& title, const QString& caption)
{
    const Theme& theme = *state.theme;
    list.fill(band, theme.panel);
    list.horizontal(0, band.right(), band.bottom() - 1, theme.line);
    list.text(Face::labelStrong, 10, band.center().y(), title, theme.text);
    list.text(Face::label, 10 + list.width(Face::labelStrong, title) + 10, band.center().y(), caption, theme.text3);
}

/// Each pool over the steps: the most live bytes of a few pixels' steps against its capacity, or against its size where it has
/// none.
void paintPools(DrawList& list, const HeatState& state, const HeatLayout& layout)
{
    const Theme& theme = *state.theme;
    const HeatGeometry geometry{state, layout};
    const auto& all = state.scene->pools;
    const auto limited = [&](std::int32_t pool) {
        return state.scene->scene->pools[std::size_t(all[std::size_t(pool)].of)].map.capacity.has_value();
    };
    const bool any = std::ranges::any_of(layout.poolOrder, limited), every = std::ranges::all_of(layout.poolOrder, limited);
    QString caption = QStringLiteral("most bytes live, of the %1")
                          .arg(every ? QStringLiteral("capacity")
                               : any ? QStringLiteral("capacity or else the size")
                                     : QStringLiteral("size"));
    if (layout.poolOrder.size() < all.size())
        caption += QStringLiteral("; %1 of %2 pools").arg(layout.poolOrder.size()).arg(all.size());
    paintHead(list, state, layout.poolsHead, QStringLiteral("Pools %1 step").arg(QChar(0xD7)), caption);
    const Step bin = std::max<Step>(1, stepTicks(state.steps.scale() / state.ratio, poolBinPixels, poolBinPixels).major);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const QRectF& band = layout.pools[i];
        const HeatPool& heat = all[std::size_t(layout.poolOrder[i])];
        const PoolScene& pool = state.scene->scene->pools[std::size_t(heat.of)];
        const StepFunction& curve = heat.live ? *heat.live : pool.live;
        const Bytes whole = std::max<Bytes>(1, pool.map.capacity.value_or(pool.map.top));
        const QRectF body(layout.plotLeft, band.top() + 2, layout.plotRight - layout.plotLeft, band.height() - 5);
        list.clip({body.left(), band.top(), layout.side.left() - body.left(), band.height()});
        list.fill(body, theme.free);
        const Step first = state.steps.unitAt(0) / bin * bin;
        const Step last = state.steps.unitAt(state.steps.pixels());
        double from = std::max(body.left(), geometry.x(first));
        std::optional<QColor> colour;
        const auto flush = [&](double to) {
            if (colour && to > from) list.fill({from, body.top(), to - from, body.height()}, *colour);
            from = to;
        };
        for (Step step = first; step <= last; step += bin) {
            const Bytes live = curve.over(step, step + bin).most;
            std::optional<QColor> now;
            if (live > whole)
                now = theme.bad;
            else if (live > 0)
                now = theme.rampAt(0.06 + 0.94 * double(live) / double(whole));
            if (now == colour) continue;
            flush(std::clamp(geometry.x(step), body.left(), body.right()));
            colour = now;
        }
        flush(body.right());
        list.unclip();
        const bool isShown = layout.poolOrder[i] == state.pool;
        list.fill({0, band.top(), layout.plotLeft, band.height() - 1},
                  isShown && all.size() > 1 ? theme.accentSoft : theme.panel);
        if (isShown && all.size() > 1) list.fill({0, band.top(), 3, band.height() - 1}, theme.accent);
        list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
        const QString name = QString::fromStdString(pool.map.poolName);
        list.text(Face::labelStrong, 10, band.top() + 10, list.elided(Face::labelStrong, name, layout.plotLeft - 16), theme.text);
        list.text(Face::tick, 10, band.top() + 23,
                  pool.map.capacity ? bytesText(*pool.map.capacity, state.numbers) : QStringLiteral("unbounded"), theme.text3);
        const QRectF side(layout.side.left(), band.top(), layout.side.width(), band.height());
        list.fill(side, theme.panel);
        list.fill({side.left(), side.top(), 1, side.height()}, theme.line2);
        const Bytes peak = curve.most();
        list.text(Face::numberStrong, side.right() - 8, band.top() + 10, shareText(double(peak) / double(whole)),
                  peak > whole ? theme.bad : theme.text, Align::right);
        list.text(Face::label, side.right() - 8, band.top() + 23,
                  pool.map.capacity ? QStringLiteral("at the peak") : QStringLiteral("of its size"), theme.text3, Align::right);
        list.horizontal(0, band.right(), band.bottom() - 1, theme.line);
    }
}

void paintCurves(DrawList& list, const HeatState& state, const HeatLayout& layout)
{
    const Theme& theme = *state.theme;
    const HeatPool& pool = state.shown();
    const QRectF& band = layout.curves;
    paintHead(
        list, state, layout.curvesHead, QStringLiteral("Fragmentation"),
        QStringLiteral("%1, below its top of %2")
            .arg(QString::fromStdString(state.shownScene().map.poolName), bytesText(state.shownScene().map.top, state.numbers)));
    // The legend, from the right.
    double right = layout.curvesHead.right() - 10;
    const double middle = layout.curvesHead.center().y();
    const auto entry = [&](const QString& name, const QColor& colour, Dash dash) {
        right -= list.width(Face::label, name);
        list.text(Face::label, right, middle, name, theme.text2);
        list.horizontal(right - 24, right - 6, middle - 1, colour, 1.5, dash);
        right -= 38;
    };
    entry(QStringLiteral("largest hole"), theme.accent, Dash::chain);
    entry(QStringLiteral("free"), theme.warn, Dash::solid);

    const double floor = band.bottom() - 7;
    const double height = floor - band.top() - 12;
    const bool any = pool.free.most() > 0;
    const Bytes top = std::max<Bytes>(1, pool.free.most());
    const auto y = [&](Bytes bytes) { return floor - double(bytes) / double(top) * height; };
    list.clip({layout.plotLeft, band.top(), layout.plotRight - layout.plotLeft, band.height()});
    const Bytes spacing = addressTicks(height / double(top), 26, 26).major;
    for (Bytes value = 0; any && value <= top; value += spacing)
        list.horizontal(layout.plotLeft, layout.plotRight, y(value), theme.grid);
    if (!any) list.text(Face::label, layout.plotLeft + 10, band.center().y(), QStringLiteral("nothing free"), theme.text3);
    stack::paintStepCurve(list, curveOf(pool.free, state.steps), state.ratio, layout.plotLeft, floor, y, theme.warn);
    const Curve largest = curveOf(pool.largestFree, state.steps);
    QPolygonF line;
    for (const CurvePoint& point : largest.most)
        line.append({layout.plotLeft + point.x / state.ratio, list.snap(y(point.value)) - 0.75});
    if (line.size() > 1) list.add(draw::Line{line, theme.accent, 1.5, Dash::chain});
    list.unclip();

    list.fill({0, band.top(), layout.plotLeft, band.height()}, theme.panel);
    list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
    list.text(Face::labelStrong, 10, band.top() + 12, QStringLiteral("Free"), theme.text);
    for (Bytes value = 0; any && value <= top; value += spacing) {
        const double at = std::min(y(value), band.bottom() - 8);
        if (at < band.top() + 20) continue;
        list.text(Face::tick, layout.plotLeft - 8, at, bytesTick(value, spacing, state.numbers), theme.text2, Align::right);
    }
    const QRectF side(layout.side.left(), band.top(), layout.side.width(), band.height());
    list.fill(side, theme.panel);
    list.fill({side.left(), side.top(), 1, side.height()}, theme.line2);
    const auto most = [&](double at, const StepFunction& function, const QColor& colour, const QString& what) {
        // A number that is too long is written small, and at last without its unit: the axis has none either.
        const QString whole = bytesText(function.most(), state.numbers), number = bytesNumber(function.most(), state.numbers);
        std::pair<Face, QString> figure{Face::numberStrong, roughBytes(function.most(), state.numbers)};
        for (const auto& words :
             {std::pair(Face::numberStrong, whole), std::pair(Face::tickStrong, whole), std::pair(Face::tickStrong, number)})
            if (list.width(words.first, words.second) <= side.width() - 14) {
                figure = words;
                break;
            }
        list.text(figure.first, side.right() - 8, at, figure.second, colour, Align::right);
        list.text(Face::label, side.right() - 8, at + 14, what, theme.text3, Align::right);
    };
    Step where = -1;
    for (std::size_t i = 0; i < pool.free.size() && where < 0; ++i)
        if (pool.free.values()[i] == pool.free.most()) where = pool.free.at()[i];
    QString at = where >= 0 ? QStringLiteral("most, step %1").arg(countText(where)) : QStringLiteral("free");
    if (list.width(Face::label, at) > side.width() - 16) at = QStringLiteral("most free");
    most(band.top() + 14, pool.free, theme.warn, at);
    if (band.height() >= 74) most(band.top() + 48, pool.largestFree, theme.accent, QStringLiteral("largest hole"));
    list.horizontal(0, band.right(), band.bottom() - 1, theme.line);
}

} // namespace

bool paintHeatmap(DrawList& list, const HeatState& state, const HeatLayout& layout, bool vector)
{
    list.fill(layout.all, state.theme->well);
    const bool tooMany = vector && state.grid.cells.size() > vectorLimit;
    paintBody(list, state, layout, vector && !tooMany);
    paintReuse(list, state, layout);
    if (!layout.pools.empty()) paintPools(list, state, layout);
    if (!layout.curves.isEmpty()) paintCurves(list, state, layout);
    return tooMany;
}

void paintHeatmapOverlay(DrawList& list, const HeatState& state, const HeatLayout& layout)
{
    const Theme& theme = *state.theme;
    const HeatGeometry geometry{state, layout};
    const QRectF body = layout.body();
    const MapData& map = state.shownScene().map;
    if (state.cursor && *state.cursor >= 0 && *state.cursor < state.grid.steps) {
        const double left = geometry.x(*state.cursor);
        const double width = std::max(1.0, geometry.x(*state.cursor + 1) - left);
        const auto column = [&](const QRectF& band) {
            const QRectF strip =
                QRectF(left, band.top(), width, band.height()) & QRectF(body.left(), band.top(), body.width(), band.height());
            if (width < 4) {
                list.fill(strip, withAlpha(theme.sel, 0.5));
            } else {
                list.fill(strip, withAlpha(theme.sel, 0.1));
                list.add(draw::Line{QPolygonF{strip.topLeft(), strip.bottomLeft()}, withAlpha(theme.sel, 0.55), 1, Dash::stall});
                list.add(
                    draw::Line{QPolygonF{strip.topRight(), strip.bottomRight()}, withAlpha(theme.sel, 0.55), 1, Dash::stall});
            }
        };
        if (left + width > body.left() && left < body.right()) {
            column(layout.map);
            for (const QRectF& pool : layout.pools) column(pool);
            if (!layout.curves.isEmpty()) column(layout.curves);
        }
    }
    list.clip(body);
    const auto outline = [&](std::size_t rect, bool main) {
        const StepBytes& r = map.rects[rect];
        const QRectF box = geometry.box({{r.begin, r.end}, r.low, r.high}).adjusted(-0.5, -0.5, 0.5, 0.5);
        list.outline(box, theme.well, main ? 4 : 3, 2);
        list.outline(box, theme.sel, main ? 2 : 1, 1.5);
    };
    const OccupancyWindow shown = shownWindow(state);
    const StepBytes view{shown.steps.begin, shown.steps.end, shown.low, shown.high};
    const bool all = forEachOutlined(map, state.others, view, [&](std::size_t rect) {
        if (map.buffer[rect] != state.selected) outline(rect, false);
    });
    if (state.selected != none)
        forEachOutlined(map, SharedBuffers{state.selected}, view, [&](std::size_t rect) { outline(rect, true); });
    if (state.area) {
        const QRectF box = geometry.box(*state.area) & body;
        list.fill(box, withAlpha(theme.accent, 0.16));
        list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.accent, 1);
    }
    if (state.hovered) {
        const QRectF box = geometry.box(*state.hovered);
        const QColor faint = withAlpha(theme.sel, 0.55);
        const QPointF c = box.center();
        list.add(draw::Line{QPolygonF{QPointF(body.left(), c.y()), QPointF(box.left(), c.y())}, faint, 1, Dash::stall});
        list.add(draw::Line{QPolygonF{QPointF(box.right(), c.y()), QPointF(body.right(), c.y())}, faint, 1, Dash::stall});
        list.add(draw::Line{QPolygonF{QPointF(c.x(), body.top()), QPointF(c.x(), box.top())}, faint, 1, Dash::stall});
        list.add(draw::Line{QPolygonF{QPointF(c.x(), box.bottom()), QPointF(c.x(), body.bottom())}, faint, 1, Dash::stall});
        list.outline(box.adjusted(-0.5, -0.5, 0.5, 0.5), theme.well, 4, 2);
        list.outline(box.adjusted(-0.5, -0.5, 0.5, 0.5), theme.sel, 2, 1.5);
    }
    double chip = body.top() + 4;
    paintSelectedCount(list, theme, body, chip, state.others, all);
    list.unclip();

    StepRuler ruler;
    ruler.theme = &theme;
    ruler.axis = &state.steps;
    ruler.ratio = state.ratio;
    ruler.band = layout.ruler;
    ruler.plotLeft = layout.plotLeft;
    ruler.plotRight = layout.plotRight;
    ruler.steps = state.scene->scene->steps;
    ruler.caption = stepCaption(state.scene->scene->run->problem().axis != Axis::dag);
    ruler.peak = state.shownScene().peakStep;
    ruler.cursor = state.cursor;
    if (state.selected != none && !map.rectsOf(state.selected).empty())
        ruler.selected = state.scene->scene->run->problem().buffers[std::size_t(state.selected)].live;
    ruler.levels = levelChipsOf(list, state, layout).without;
    paintStepRuler(list, ruler);
}

CardText heatCard(const HeatState& state, const OccupancyWindow& window, const HeatSums& sums)
{
    const Theme& theme = *state.theme;
    const Problem& problem = state.scene->scene->run->problem();
    // Mean bytes over the steps, of those that the box has: exact where the box is one bin.
    const Step steps = std::max<Step>(1, std::min(window.steps.end, state.grid.steps) - window.steps.begin);
    const double share = sums.occupied / (double(steps) * double(window.high - window.low));
    CardText card;
    card.title = QStringLiteral("%1 to %2").arg(addressText(window.low, state.numbers), addressText(window.high, state.numbers));
    card.caption =
        steps == 1 ? QStringLiteral("step %1, ").arg(countText(window.steps.begin))
                   : QStringLiteral("steps [%1, %2), ").arg(countText(window.steps.begin), countText(window.steps.begin + steps));
    card.caption +=
        sums.buffers == 0
            ? QStringLiteral("nothing here")
            : QStringLiteral("%1 %2").arg(countedText(std::int64_t(sums.buffers), QStringLiteral("buffer")),
                                          sums.buffers == 1 ? QStringLiteral("touches it") : QStringLiteral("touch it"));
    card.share = share;
    card.shareColour = share > 1 ? theme.bad : theme.rampAt(0.06 + 0.94 * share);
    card.lines.push_back({{},
                          share > 1 ? QStringLiteral("%1 full: buffers overlap").arg(shareText(share))
                                    : QStringLiteral("%1 full").arg(shareText(share)),
                          QStringLiteral("%1 of %2")
                              .arg(bytesNumber(Bytes(std::llround(sums.occupied / double(steps))), state.numbers),
                                   bytesText(window.high - window.low, state.numbers)),
                          true});
    Palette palette;
    if (state.colouring) palette = paletteOf(theme, state.colouring->by);
    for (const BufferId buffer : sums.named) {
        const auto id = std::size_t(buffer);
        QColor swatch;
        if (state.colouring && id < state.colouring->of.size()) swatch = palette.fills[state.colouring->of[id]];
        card.lines.push_back({swatch, QString::fromStdString(problem.buffers[id].name),
                              bytesText(problem.buffers[id].size, state.numbers), false});
    }
    if (const std::size_t named = sums.named.size(); named > 0 && sums.buffers > named)
        card.lines.push_back({{}, QStringLiteral("and %1 more").arg(sums.buffers - named), {}, false});
    return card;
}

double paintScale(DrawList& list, const HeatState& state, double right, double y, double width)
{
    const Theme& theme = *state.theme;
    const QString end = scaleEnd(state);
    list.text(Face::label, right, y, end, theme.text2, Align::right);
    const double rampRight = right - list.width(Face::label, end) - 7;
    for (int i = 0; i < int(width); ++i)
        list.fill({rampRight - width + i, y - 5, 1, 10}, theme.rampAt(0.06 + 0.94 * i / (width - 1)));
    const double left = rampRight - width - 7;
    list.text(Face::label, left, y, QStringLiteral("0"), theme.text2, Align::right);
    return left - list.width(Face::label, QStringLiteral("0"));
}

} // namespace stowage
