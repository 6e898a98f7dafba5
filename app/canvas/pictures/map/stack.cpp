#include "app/canvas/pictures/map/stack.h"

#include "app/canvas/axis/ticks.h"

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

StepBytes StackGeometry::inView(std::size_t strip) const
{
    const PixelAxis& steps = state.viewport.steps;
    const PixelAxis& addresses = state.viewport.addresses[strip];
    return {steps.unitAt(0), steps.unitAt(steps.pixels()) + 1, addresses.unitAt(0), addresses.unitAt(addresses.pixels()) + 1};
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

} // namespace stowage
