// Total live bytes over the steps, with capacity, lower bound and peak.
#include "app/canvas/axis/step_function.h"
#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <cmath>

namespace stowage::stack {

namespace {

constexpr double baseline = 6;  ///< from the band's lower edge
constexpr double headroom = 14; ///< from its upper edge to the highest line
constexpr double lineWidth = 1.5;

} // namespace

namespace {

constexpr std::size_t maxCorners = 500; ///< of a line that is drawn as such

/// The highest and the lowest a curve gets over each device pixel, as heights on the picture: columns instead of a polygon of
/// thousands of corners, which would take most of a frame.
void paintColumns(DrawList& list, const Curve& curve, double ratio, double left, double floor,
                  const std::function<double(Bytes)>& y, const QColor& colour)
{
    const auto count = std::size_t(std::max(1.0, std::ceil(curve.most.back().x)));
    constexpr double nothing = 1e9;
    const bool dense = !curve.least.empty();
    const double thick = dense ? 1.0 : lineWidth;
    const auto height = [&](Bytes bytes) { return list.snap(y(bytes)); };
    std::vector<double> tops(count, floor), lows(count, floor);       ///< of the curve over each column
    std::vector<double> peaks(count, nothing), dips(count, -nothing); ///< where it only passes, between two columns
    if (dense) {
        for (const CurvePoint& point : curve.most)
            tops[std::min(count - 1, std::size_t(std::max(0.0, point.x)))] = height(point.value);
        for (const CurvePoint& point : curve.least)
            lows[std::min(count - 1, std::size_t(std::max(0.0, point.x)))] = height(point.value);
    } else {
        // Corners lie on edges of pixels.
        for (std::size_t i = 0; i + 1 < curve.most.size(); ++i) {
            const auto first = std::size_t(std::max(0.0, curve.most[i].x));
            const auto last = std::min(count, std::size_t(std::max(0.0, curve.most[i + 1].x)));
            const double at = height(curve.most[i].value);
            for (std::size_t x = first; x < last; ++x) tops[x] = lows[x] = at;
            if (first >= last && first < count) {
                peaks[first] = std::min(peaks[first], at);
                dips[first] = std::max(dips[first], at);
            }
        }
    }
    draw::Columns area{left, 1 / ratio, {}, withAlpha(colour, 0.18)}, band{left, 1 / ratio, {}, withAlpha(colour, 0.42)},
        line{left, 1 / ratio, {}, colour};
    double before = tops.front();
    for (std::size_t x = 0; x < count; ++x) {
        area.spans.emplace_back(std::min(tops[x], floor), floor);
        if (dense) band.spans.emplace_back(tops[x], lows[x]);
        // From where it was to where it is, by way of what it passes.
        const double from = std::min({tops[x], before, peaks[x]});
        const double until = std::max({tops[x], before, dips[x]});
        line.spans.emplace_back(from - thick / 2, until + thick / 2);
        before = tops[x];
    }
    list.add(std::move(area));
    if (dense) list.add(std::move(band));
    list.add(std::move(line));
}

} // namespace

void paintStepCurve(DrawList& list, const Curve& curve, double ratio, double left, double floor,
                    const std::function<double(Bytes)>& y, const QColor& colour)
{
    if (curve.most.size() > maxCorners) {
        paintColumns(list, curve, ratio, left, floor, y, colour);
        return;
    }
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
    bool capacityNear = false;
    Bytes scaleTop = 1;
    if (leading != none) {
        const PoolScene& pool = state.scene->pools[std::size_t(leading)];
        capacityNear = pool.map.capacity && double(*pool.map.capacity) <= 2.5 * double(std::max<Bytes>(1, pool.live.most()));
        scaleTop = std::max<Bytes>({capacityNear ? *pool.map.capacity : 0, pool.live.most(), pool.map.bound, 1});
    }
    // The highest number stands beside the title, which gives way to a long one.
    QString title = several ? QStringLiteral("Live") : QStringLiteral("Total live");
    if (18 + list.width(Face::labelStrong, title) + 6 + list.width(Face::tick, bytesNumber(scaleTop, state.numbers)) >
        layout.plotLeft)
        title = QStringLiteral("Live");
    // A number goes before every word.
    if (18 + list.width(Face::labelStrong, title) + 6 + list.width(Face::tick, bytesNumber(scaleTop, state.numbers)) >
        layout.plotLeft)
        title.clear();
    paintGutter(
        list, state, band, title,
        several ? QString::fromStdString(state.scene->pools[std::size_t(leading)].map.poolName)
                : QStringLiteral("%1 per step")
                      .arg(state.numbers.unit == NumberFormat::Unit::bytes ? QStringLiteral("bytes") : unitText(state.numbers)),
        14);
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height());
    const double floor = band.bottom() - baseline;
    if (leading != none) {
        const PoolScene& pool = state.scene->pools[std::size_t(leading)];
        const MapData& map = pool.map;
        const double height = floor - band.top() - headroom;
        const auto y = [&](Bytes bytes) { return floor - double(bytes) / double(scaleTop) * height; };

        list.clip(plot);
        paintGrid(list, state, layout, band);
        paintPeak(list, state, layout, band, leading);
        paintStepCurve(list, curveOf(pool.live, state.viewport.steps), state.ratio, layout.plotLeft, floor, y, theme.accent);
        list.unclip();
        list.horizontal(layout.plotLeft + 1, layout.plotRight, floor, theme.line2);
        if (map.bound > 0)
            list.horizontal(layout.plotLeft + 1, layout.plotRight, y(map.bound) - 0.5, theme.ok, 1.25, Dash::bound);
        if (capacityNear) list.horizontal(layout.plotLeft + 1, layout.plotRight, y(*map.capacity) - 0.5, theme.bad, 1.5);

        // Three ticks: the top of the scale, half of it, nothing.
        const auto tick = [&](Bytes bytes, const QColor& colour) {
            list.text(Face::tick, layout.plotLeft - 8, y(bytes), bytesNumber(bytes, state.numbers), colour,
                      draw::Text::Align::right);
        };
        tick(scaleTop, theme.text2);
        tick(scaleTop / 2, theme.text2);
        tick(0, theme.text2);

        if (pool.peakStep >= 0) {
            const StackGeometry geometry{state, layout};
            const QRectF column = geometry.column(pool.peakStep, band);
            if (column.center().x() >= plot.left() && column.center().x() <= plot.right()) {
                const QString peak = QStringLiteral("peak %1").arg(bytesText(pool.peak, state.numbers));
                const QString text = peak + QStringLiteral(", step %1").arg(countText(pool.peakStep));
                paintPeakTag(
                    list, theme, {column.center().x(), y(pool.peak)}, text, plot.left(), plot.right(), floor,
                    [&](const QRectF& box) {
                        return curveMeets(pool.live, state.viewport.steps, state.ratio, layout.plotLeft, y, box);
                    },
                    {}, ChipSpan::of(state.viewport.steps, layout.plotLeft, state.ratio), peak); // the ruler marks the step
            }
        }
    }
    list.horizontal(0, band.right(), band.bottom(), theme.line);
}

} // namespace stowage::stack
