#include "app/canvas/pictures/map/stack.h"

#include "app/canvas/axis/ticks.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double curveHeight = 80;
constexpr double opsHeight = 26;
constexpr double minStrip = 96;
constexpr double minRows = 60;
constexpr double addressMinimumBytes = 16;
constexpr double stepMinimum = 2;

} // namespace

Bytes addressLimit(const MapData& map)
{
    // A capacity far above the top would squeeze the plan into a few pixels: it stays off the scale, and its chip says so.
    const bool near = map.capacity && double(*map.capacity) <= 2.5 * double(map.top);
    const double high = double(near ? std::max(*map.capacity, map.top) : map.top);
    return std::max<Bytes>(16, Bytes(high * (near ? 1.045 : 1.06)));
}

StackLayout layOut(const StackState& state, QSizeF size)
{
    StackLayout layout;
    layout.all = QRectF(QPointF(0, 0), size);
    layout.plotLeft = state.gutter;
    layout.plotRight = std::max(layout.plotLeft + 1, std::floor(size.width() - rightMargin));
    const double width = size.width();
    double top = 0;
    if (state.curve) {
        layout.curve = {0, top, width, curveHeight};
        top += curveHeight + 1; // hairlines lie between the bands
    }
    if (state.opTrack && !state.scene->ops.empty()) {
        layout.ops = {0, top, width, opsHeight};
        top += opsHeight + 1;
    }
    const double flexible = std::max(0.0, std::floor(size.height()) - top - rulerHeight);
    double rows = 0;
    if (state.rows) {
        if (!state.map)
            rows = flexible;
        else if (flexible >= minStrip + minRows)
            rows = std::floor(std::clamp(flexible * state.rowsShare, minRows, flexible - minStrip));
        rows = std::min(rows, std::max(0.0, state.timeline->height() + 2));
    }
    double maps = std::max(0.0, flexible - rows);
    if (!state.map) maps = 0;
    if (state.map && !state.strips.empty()) {
        const auto count = double(state.strips.size());
        const double each = std::floor((maps - (count - 1)) / count);
        for (std::size_t i = 0; i < state.strips.size(); ++i) {
            const double height = i + 1 < state.strips.size() ? each : maps - (each + 1) * (count - 1);
            layout.strips.emplace_back(0, top, width, std::max(1.0, height));
            top += height + 1;
        }
        top -= 1;
    }
    layout.ruler = {0, top, width, rulerHeight};
    top += rulerHeight;
    if (state.rows) layout.rows = {0, top, width, std::max(0.0, std::floor(size.height()) - top)};
    return layout;
}

void fitViewport(StackState& state, const StackLayout& layout)
{
    const auto device = [&](double logical) { return std::max(1, int(std::lround(logical * state.ratio))); };
    Viewport& view = state.viewport;
    const Step steps = state.scene->steps;
    if (view.steps.high() != steps || view.steps.low() != 0)
        view.steps = PixelAxis(0, steps, stepMinimum, device(layout.plotWidth()));
    else if (view.steps.pixels() != device(layout.plotWidth()))
        view.steps.resize(device(layout.plotWidth()));
    view.addresses.resize(layout.strips.size());
    for (std::size_t i = 0; i < layout.strips.size(); ++i) {
        const Bytes limit = std::max(state.minTop, addressLimit(state.scene->pools[std::size_t(state.strips[i])].map));
        PixelAxis& axis = view.addresses[i];
        const int pixels = device(layout.strips[i].height());
        if (axis.high() != limit)
            axis = PixelAxis(0, limit, addressMinimumBytes, pixels);
        else if (axis.pixels() != pixels)
            axis.resize(pixels);
    }
}

MapPicture StackGeometry::picture(std::size_t strip) const
{
    const PoolScene& pool = state.scene->pools[std::size_t(state.strips[strip])];
    MapPicture picture;
    picture.map = &pool.map;
    picture.steps = state.viewport.steps;
    picture.addresses = state.viewport.addresses[strip];
    picture.styles = state.styles;
    picture.colours = mapColours(*state.theme, paletteOf(*state.theme, state.colouring->by));
    picture.ratio = state.ratio;
    if (state.clique && pool.peakStep >= 0) picture.peak = Interval{pool.peakStep, pool.peakStep + 1};
    picture.gridSpacing = stepTicks(state.viewport.steps.scale() / state.ratio).major;
    return picture;
}

QRectF StackGeometry::rectOf(std::size_t strip, std::size_t rect, double least) const
{
    const MapData& map = state.scene->pools[std::size_t(state.strips[strip])].map;
    const RectPixels pixels = rectPixels(map, state.viewport.steps, state.viewport.addresses[strip], state.ratio, rect);
    const double ratio = state.ratio;
    const QRectF& band = layout.strips[strip];
    QRectF result(QPointF(layout.plotLeft + pixels.x.first / ratio, band.bottom() - pixels.y.last / ratio),
                  QPointF(layout.plotLeft + pixels.x.last / ratio, band.bottom() - pixels.y.first / ratio));
    const double dx = std::max(0.0, least - result.width()) / 2;
    const double dy = std::max(0.0, least - result.height()) / 2;
    return result.adjusted(-dx, -dy, dx, dy);
}

QRectF StackGeometry::column(Step step, const QRectF& band) const
{
    const double left = x(step);
    return {left, band.top(), std::max(1.0, x(step + 1) - left), band.height()};
}

QImage rasterArea(const MapPicture& picture, const PixelArea& area)
{
    QImage image(area.width, area.height, QImage::Format_RGB32);
    // An image's rows are aligned to four bytes, which a row of 32-bit pixels always is.
    paintArea(picture, area, reinterpret_cast<Argb*>(image.bits()), image.bytesPerLine() / 4);
    return image;
}

bool paintStack(DrawList& list, const StackState& state, const StackLayout& layout, BodyMode mode, std::span<const QImage> bodies)
{
    const Theme& theme = *state.theme;
    list.fill(layout.all, theme.well);
    bool fellBack = false;
    if (state.scene->pools.empty()) {
        const QRectF plot(layout.plotLeft, layout.ops.isEmpty() ? layout.curve.bottom() : layout.ops.bottom(), layout.plotWidth(),
                          layout.all.height());
        list.text(Face::body, plot.center().x(), layout.all.center().y(), QStringLiteral("Nothing is placed in this plan."),
                  theme.text2, draw::Text::Align::centre);
    }
    if (!layout.curve.isEmpty()) stack::paintCurve(list, state, layout);
    if (!layout.ops.isEmpty()) stack::paintOps(list, state, layout);
    for (std::size_t i = 0; i < layout.strips.size(); ++i)
        fellBack |= stack::paintStrip(list, state, layout, i, mode, i < bodies.size() ? bodies[i] : QImage());
    if (!layout.rows.isEmpty()) stack::paintRows(list, state, layout);
    return fellBack;
}

void paintStackOverlay(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    if (state.cursor && *state.cursor >= 0 && *state.cursor < state.scene->steps) {
        // The cursor's column through all bands: a wash where it is wide, a line where it is not.
        const StackGeometry geometry{state, layout};
        list.clip({layout.plotLeft, 0, layout.plotWidth(), layout.all.height()});
        for (const QRectF& band : {layout.curve, layout.rows}) {
            if (band.isEmpty()) continue;
            const QRectF column = geometry.column(*state.cursor, band);
            list.fill(column, stack::withAlpha(theme.sel, column.width() >= 4 ? 0.08 : 0.5));
        }
        for (const QRectF& band : layout.strips) {
            const QRectF column = geometry.column(*state.cursor, band);
            list.fill(column, stack::withAlpha(theme.sel, column.width() >= 4 ? 0.08 : 0.5));
        }
        list.unclip();
    }
    for (std::size_t i = 0; i < layout.strips.size(); ++i) stack::paintStripOverlay(list, state, layout, i);
    if (!layout.rows.isEmpty()) stack::paintRowsOverlay(list, state, layout);
    stack::paintNotes(list, state, layout);
    stack::paintRuler(list, state, layout); // its tags follow the cursor
}

namespace stack {

std::int32_t leadingPool(const StackState& state)
{
    return state.strips.empty() ? state.scene->largestPool() : state.strips.front();
}

QColor withAlpha(QColor colour, double alpha)
{
    colour.setAlphaF(float(alpha));
    return colour;
}

std::vector<Step> selectedOpSteps(const StackState& state)
{
    std::vector<Step> steps;
    if (state.selected == none) return steps;
    steps = state.scene->readingSteps(state.selected);
    if (const Step made = state.scene->makingStep(state.selected); made >= 0) steps.push_back(made);
    std::sort(steps.begin(), steps.end());
    return steps;
}

void paintGutter(DrawList& list, const StackState& state, const QRectF& band, const QString& title, const QString& caption,
                 double titleY)
{
    const Theme& theme = *state.theme;
    list.fill({band.left(), band.top(), state.gutter, band.height()}, theme.panel);
    list.fill({state.gutter, band.top(), 1, band.height()}, theme.line2);
    list.text(Face::labelStrong, 10, band.top() + titleY, title, theme.text);
    list.text(Face::label, 10, band.top() + titleY + 15, caption, theme.text3);
}

void paintGrid(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band)
{
    const StackGeometry geometry{state, layout};
    const PixelAxis& steps = state.viewport.steps;
    for (const Step step : ticksIn(steps, stepTicks(steps.scale() / state.ratio).major))
        if (step < state.scene->steps) list.vertical(geometry.x(step), band.top(), band.bottom(), state.theme->grid);
}

void paintPeak(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band, std::int32_t pool)
{
    if (!state.clique || pool == none) return;
    const Step peak = state.scene->pools[std::size_t(pool)].peakStep;
    if (peak < 0) return;
    const StackGeometry geometry{state, layout};
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height());
    const QRectF column = geometry.column(peak, band);
    list.fill(column & plot, withAlpha(state.theme->warn, column.width() < 3 ? 0.5 : 0.12));
}

} // namespace stack

} // namespace stowage
