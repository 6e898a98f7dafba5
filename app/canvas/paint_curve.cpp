// Total live bytes over the steps, with capacity, lower bound and peak.
#include "app/canvas/stack_parts.h"
#include "app/canvas/step_function.h"
#include "app/canvas/ticks.h"

#include <algorithm>

namespace stowage::stack {

namespace {

constexpr double baseline = 6;  ///< from the band's lower edge
constexpr double headroom = 14; ///< from its upper edge to the highest line
constexpr double lineWidth = 1.5;

} // namespace

void paintStepCurve(DrawList& list, const Curve& curve, double ratio, double left, double floor, const std::function<double(Bytes)>& y,
                    const QColor& colour)
{
    const auto polygon = [&](const std::vector<CurvePoint>& points) {
        QPolygonF line;
        for (const CurvePoint& point : points)
            line.append({left + point.x / ratio, list.snap(y(point.value)) + (point.value == 0 ? 0 : -lineWidth / 2)});
        return line;
    };
    const QPolygonF top = polygon(curve.most);
    if (top.isEmpty()) return;
    QPolygonF area = top;
    area.append({top.last().x(), floor});
    area.append({top.first().x(), floor});
    list.add(draw::Area{area, withAlpha(colour, 0.18)});
    if (!curve.least.empty()) {
        // Too many changes to follow: the band between the least and the most over each pixel, its upper edge as a line.
        QPolygonF band = top;
        const QPolygonF bottom = polygon(curve.least);
        for (qsizetype i = bottom.size(); i-- > 0;) band.append(bottom[i]);
        list.add(draw::Area{band, withAlpha(colour, 0.42)});
    }
    list.add(draw::Line{top, colour, curve.least.empty() ? lineWidth : 1.0, Dash::solid});
}

void paintCurve(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF& band = layout.curve;
    const std::int32_t leading = leadingPool(state);
    const bool several = state.scene->pools.size() > 1 && leading != none;
    paintGutter(list, state, band, QStringLiteral("Total live"),
                several ? QString::fromStdString(state.scene->pools[std::size_t(leading)].map.poolName) : QStringLiteral("bytes per step"), 14);
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height());
    const double floor = band.bottom() - baseline;
    if (leading != none) {
        const PoolScene& pool = state.scene->pools[std::size_t(leading)];
        const MapData& map = pool.map;
        const bool capacityNear = map.capacity && double(*map.capacity) <= 2.5 * double(std::max<Bytes>(1, pool.live.most()));
        const Bytes scaleTop = std::max<Bytes>({capacityNear ? *map.capacity : 0, pool.live.most(), map.bound, 1});
        const double height = floor - band.top() - headroom;
        const auto y = [&](Bytes bytes) { return floor - double(bytes) / double(scaleTop) * height; };

        list.clip(plot);
        paintGrid(list, state, layout, band);
        paintPeak(list, state, layout, band, leading);
        paintStepCurve(list, curveOf(pool.live, state.viewport.steps), state.ratio, layout.plotLeft, floor, y, theme.accent);
        list.unclip();
        list.horizontal(layout.plotLeft + 1, layout.plotRight, floor, theme.line2);
        if (map.bound > 0) list.horizontal(layout.plotLeft + 1, layout.plotRight, y(map.bound) - 0.5, theme.ok, 1.25, Dash::bound);
        if (capacityNear) list.horizontal(layout.plotLeft + 1, layout.plotRight, y(*map.capacity) - 0.5, theme.bad, 1.5);

        // Three ticks: the top of the scale, half of it, nothing.
        const auto tick = [&](Bytes bytes, const QColor& colour) {
            list.text(Face::tick, gutterWidth - 8, y(bytes), bytesNumber(bytes, state.numbers), colour, draw::Text::Align::right);
        };
        tick(scaleTop, theme.text2);
        tick(scaleTop / 2, theme.text2);
        tick(0, theme.text2);

        if (pool.peakStep >= 0) {
            const StackGeometry geometry{state, layout};
            const QRectF column = geometry.column(pool.peakStep, band);
            if (column.center().x() >= plot.left() && column.center().x() <= plot.right()) {
                const QPointF dot(column.center().x(), y(pool.peak));
                list.add(draw::Disc{dot, 3.5, theme.warn, theme.well, 1.5});
                const QString text = QStringLiteral("peak %1, step %2").arg(bytesText(pool.peak, state.numbers), countText(pool.peakStep));
                const double width = list.chipWidth(text);
                const double right = dot.x() + 15 + width <= plot.right() ? dot.x() + 15 + width : dot.x() - 15;
                list.chip(right, std::min(dot.y() + 7, floor - DrawList::chipHeight - 2), text, theme.warn, theme.warnSoft, false);
            }
        }
    }
    list.horizontal(0, band.right(), band.bottom(), theme.line);
}

} // namespace stowage::stack
