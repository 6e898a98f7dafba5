// One memory map: gutter with addresses and uses, body, reference lines and their chips.
#include "app/canvas/stack_parts.h"
#include "app/canvas/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stowage::stack {

namespace {

constexpr double usesLeft = 10;
constexpr double usesWidth = 34;
constexpr double usesRow = 5; ///< four pixels of bar, one between
constexpr double shortStrip = 150;

/// Bars of how many buffers lie at each address over all steps.
void paintUses(DrawList& list, const StackState& state, const StackGeometry& geometry, std::size_t strip, double top)
{
    const PoolScene& pool = state.scene->pools[std::size_t(state.strips[strip])];
    const QRectF& band = geometry.layout.strips[strip];
    const PixelAxis& axis = state.viewport.addresses[strip];
    if (pool.uses.most() <= 0) return;
    for (double bottom = band.bottom(); bottom - usesRow >= top; bottom -= usesRow) {
        const Bytes low = axis.unitAt((band.bottom() - bottom) * state.ratio);
        const Bytes high = std::max(low + 1, axis.unitAt((band.bottom() - bottom + usesRow) * state.ratio));
        const std::int64_t most = pool.uses.over(low, high).most;
        if (most > 0) {
            const double width = std::max(2.0, double(most) / double(pool.uses.most()) * usesWidth);
            list.fill({usesLeft, bottom - usesRow + 1, width, usesRow - 1}, mix(state.theme->panel, state.theme->text3, 0.55));
        }
    }
}

struct Reference {
    double y = 0;
    QString text;
    QColor colour;
    bool chipBelow = true;
};

/// Chips end at the right margin, beside their lines; those that would touch move apart, lines that coincide share one.
void paintChips(DrawList& list, const Theme& theme, const QRectF& band, double right, std::vector<Reference> lines)
{
    std::stable_sort(lines.begin(), lines.end(), [](const Reference& a, const Reference& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < lines.size();) {
        if (std::abs(lines[i].y - lines[i - 1].y) < 2.5) {
            lines[i - 1].text += QStringLiteral(", ") + lines[i].text;
            lines.erase(lines.begin() + std::ptrdiff_t(i));
        } else {
            ++i;
        }
    }
    double free = band.top() + 2;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Reference& line = lines[i];
        const double above = line.y - DrawList::chipHeight - 1;
        const double below = line.y + 2;
        double top = line.chipBelow ? below : above;
        if (!line.chipBelow && above < free) top = below;
        if (line.chipBelow && i + 1 < lines.size() && below + DrawList::chipHeight > lines[i + 1].y && above >= free) top = above;
        top = std::clamp(std::max(top, free), band.top() + 2, band.bottom() - DrawList::chipHeight - 2);
        list.chip(right, top, line.text, line.colour, theme.well);
        free = top + DrawList::chipHeight + 2;
    }
}

void paintVectorBody(DrawList& list, const StackState& state, const StackGeometry& geometry, std::size_t strip, const QRectF& plot, const QRectF& margin)
{
    const Theme& theme = *state.theme;
    const MapPicture picture = geometry.picture(strip);
    const MapData& map = *picture.map;
    const Palette palette = paletteOf(theme, state.colouring->by);
    const double top = geometry.y(strip, map.top);
    const double ground = geometry.y(strip, 0);
    const QPointF origin(geometry.layout.plotLeft, ground);
    const QRectF free = QRectF(QPointF(plot.left(), top), QPointF(margin.right(), ground)) & (plot | margin);
    if (!free.isEmpty()) {
        list.fill(free, theme.free);
        list.add(draw::Hatch{free, theme.line, 6, false, origin});
    }
    paintGrid(list, state, geometry.layout, plot);
    paintPeak(list, state, geometry.layout, plot, state.strips[strip]);
    if (map.capacity) {
        const QRectF over = QRectF(plot.topLeft(), QPointF(margin.right(), geometry.y(strip, *map.capacity))) & (plot | margin);
        if (!over.isEmpty()) list.add(draw::Hatch{over, withAlpha(theme.bad, 0.35), 6, true, origin});
    }
    const StepBytes box{picture.steps.unitAt(0), picture.steps.unitAt(picture.steps.pixels()) + 1, picture.addresses.unitAt(0) - map.grain,
                        picture.addresses.unitAt(picture.addresses.pixels()) + 1};
    map.rects.forEach(box, [&](std::size_t i) {
        const auto id = std::size_t(map.buffer[i]);
        const BufferStyle style = id < state.styles.size() ? state.styles[id] : BufferStyle(0);
        if (style & styleHidden) return true;
        // As the raster has it, but what is thinner than a pixel keeps its height down to a third of one.
        QRectF rect = geometry.rectOf(strip, i);
        const StepBytes& r = map.rects[i];
        const double exactHeight = double(map.paddedHigh(i) - r.low) * picture.addresses.scale() / state.ratio;
        if (exactHeight * state.ratio < 1) {
            rect.setTop(plot.bottom() - picture.addresses.toPixel(r.high) / state.ratio);
            rect.setHeight(std::max(0.35, double(r.high - r.low) * picture.addresses.scale() / state.ratio));
        }
        QColor fill = palette.fills[style & styleClass];
        if (map.flags[i] & rectOver) fill = mix(fill, theme.bad, 0.8);
        if (style & styleDim) fill = mix(theme.free, fill, 0.22);
        const bool isRound = rect.width() >= 6 && rect.height() >= 6;
        list.fill(rect, fill, isRound ? 1.5 : 0);
        if ((map.flags[i] & (rectShared | rectCarried)) && rect.height() >= 2) list.add(draw::Hatch{rect, withAlpha(theme.well, 0.55), 5, false, origin});
        if (map.paddedHigh(i) > r.high && rect.height() >= 4) {
            const double exact = double(map.paddedHigh(i) - r.high) * picture.addresses.scale() / state.ratio;
            list.add(draw::Hatch{{rect.left(), rect.top(), rect.width(), std::min(rect.height() / 2, std::max(3.0, exact))}, theme.well, 4, false, origin});
        }
        if ((style & styleClique) && picture.peak && r.begin <= picture.peak->begin && picture.peak->begin < r.end)
            list.fill(QRectF(geometry.x(picture.peak->begin), rect.top(), 3, rect.height()) & rect, theme.warn);
        return true;
    });
}

} // namespace

bool paintStrip(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip, BodyMode mode, const QImage& body)
{
    const Theme& theme = *state.theme;
    const StackGeometry geometry{state, layout};
    const PoolScene& pool = state.scene->pools[std::size_t(state.strips[strip])];
    const MapData& map = pool.map;
    const PixelAxis& axis = state.viewport.addresses[strip];
    const QRectF& band = layout.strips[strip];
    const QRectF plot(layout.plotLeft, band.top(), layout.plotWidth(), band.height());

    // The body. To its right, over the margin, free space and hatch go on, as nothing ends there.
    bool fellBack = false;
    const QRectF all(layout.plotLeft, band.top(), band.right() - layout.plotLeft, band.height());
    list.clip(all);
    const QRectF margin(layout.plotRight, band.top(), band.right() - layout.plotRight, band.height());
    if (mode == BodyMode::vector) {
        const StepBytes box{axis.low(), state.scene->steps, axis.unitAt(0), axis.unitAt(axis.pixels()) + 1};
        fellBack = map.rects.countAtMost({state.viewport.steps.unitAt(0), state.viewport.steps.unitAt(state.viewport.steps.pixels()) + 1, box.low, box.high})
                   > vectorLimit;
    }
    MapPicture picture = geometry.picture(strip);
    if (mode == BodyMode::vector && !fellBack) {
        paintVectorBody(list, state, geometry, strip, plot, margin);
    } else {
        PixelArea area = visibleArea(picture);
        if (mode != BodyMode::given) list.add(draw::Picture{plot, rasterArea(picture, area)});
        else if (!body.isNull()) list.add(draw::Picture{plot, body});
        area.x += area.width;
        area.width = int(std::lround(margin.width() * state.ratio));
        picture.buffers = false;
        picture.gridSpacing = 0;
        picture.peak.reset();
        list.add(draw::Picture{margin, rasterArea(picture, area)});
    }

    std::vector<Reference> references;
    std::vector<double> linesY;
    const auto reference = [&](Bytes bytes, const QString& what, const QColor& colour, double width, Dash dash, bool chipBelow) {
        const double y = geometry.y(strip, bytes);
        if (y < band.top() || y > band.bottom()) return;
        list.horizontal(layout.plotLeft, band.right(), y - (dash == Dash::solid ? 1 : 0.5), colour, width, dash);
        references.push_back({y, what + u' ' + bytesText(bytes, state.numbers), colour, chipBelow});
        linesY.push_back(y);
    };
    if (map.top > 0) reference(map.top, QStringLiteral("pool"), theme.text2, 1, Dash::solid, false);
    if (map.bound > 0) reference(map.bound, QStringLiteral("bound"), theme.ok, 1.25, Dash::bound, true);
    if (map.capacity) reference(*map.capacity, QStringLiteral("capacity"), theme.bad, 1.5, Dash::solid, true);
    paintFreeNames(list, state, layout, strip);
    paintLabels(list, state, layout, strip, linesY);
    if (map.capacity && *map.capacity > axis.high())
        references.push_back({band.top(), QStringLiteral("capacity %1, far above").arg(bytesText(*map.capacity, state.numbers)), theme.bad, true});
    if (band.height() >= shortStrip) {
        paintChips(list, theme, band, layout.plotRight, std::move(references));
    } else {
        // Three chips would hide what a short strip shows: one says it all, the lines keep their colours and styles.
        QString text = QStringLiteral("pool %1").arg(bytesText(map.top, state.numbers));
        if (map.capacity) text += QStringLiteral(" of %1").arg(bytesText(*map.capacity, state.numbers));
        if (map.bound > 0) text += QStringLiteral(", bound %1").arg(bytesText(map.bound, state.numbers));
        const bool over = map.capacity && map.top > *map.capacity;
        list.chip(layout.plotRight, band.top() + 4, text, over ? theme.bad : theme.text2, theme.well);
    }
    list.unclip();

    // The gutter.
    list.fill({0, band.top(), gutterWidth, band.height()}, theme.panel);
    const bool isOnly = layout.strips.size() == 1;
    const QString name = QString::fromStdString(map.poolName);
    const TickSpacing spacing = addressTicks(axis.scale() / state.ratio);
    double tickRoom = gutterWidth;
    std::vector<std::pair<double, QString>> ticks;
    const auto add = [&](Bytes address) {
        const double y = std::clamp(geometry.y(strip, address), band.top() + 7, band.bottom() - 7);
        const QString text = addressText(address, state.numbers);
        ticks.emplace_back(y, text);
        tickRoom = std::min(tickRoom, gutterWidth - 8 - list.width(Face::tick, text));
        return y;
    };
    std::optional<double> capacityY;
    list.clip({0, band.top(), gutterWidth + 1, band.height()});
    if (map.capacity && *map.capacity <= axis.high()) {
        const double exact = geometry.y(strip, *map.capacity);
        if (exact >= band.top() && exact <= band.bottom()) {
            capacityY = std::clamp(exact, band.top() + 7, band.bottom() - 7);
            const QString text = addressText(*map.capacity, state.numbers);
            list.text(Face::tick, gutterWidth - 8, *capacityY, text, theme.bad, draw::Text::Align::right);
            list.horizontal(gutterWidth - 5, gutterWidth, exact - 0.5, theme.bad);
        }
    }
    for (const Bytes address : ticksIn(axis, spacing.major)) {
        const double exact = geometry.y(strip, address);
        list.horizontal(gutterWidth - 5, gutterWidth, exact - 0.5, theme.line2);
        if (capacityY && std::abs(std::clamp(exact, band.top() + 7, band.bottom() - 7) - *capacityY) < 13) continue;
        const double y = add(address);
        list.text(Face::tick, gutterWidth - 8, y, ticks.back().second, theme.text2, draw::Text::Align::right);
    }
    // Title lines give way to the ticks: whatever does not fit beside them is shortened.
    const auto room = [&](double y) {
        const bool beside = (capacityY && std::abs(*capacityY - y) < 12)
                            || std::any_of(ticks.begin(), ticks.end(), [&](const auto& tick) { return std::abs(tick.first - y) < 12; });
        return (beside ? tickRoom - 2 : gutterWidth - 6) - 10;
    };
    // The first place at which the title has the line for itself.
    double y = band.top() + 14;
    if (isOnly)
        while (room(y) < list.width(Face::labelStrong, QStringLiteral("Memory map")) && y < band.top() + 60) y += 1;
    if (band.height() >= 40) {
        list.text(Face::labelStrong, 10, y, list.elided(Face::labelStrong, isOnly ? QStringLiteral("Memory map") : name, room(y)), theme.text);
        y += 15;
        const QString second = isOnly ? name : bytesText(map.top, state.numbers);
        list.text(Face::label, 10, y, list.elided(Face::label, second, room(y)), theme.text3);
        y += 17;
    }
    if (band.height() >= 110) {
        list.text(Face::label, 10, y, QStringLiteral("reuse"), theme.text3);
        paintUses(list, state, geometry, strip, y + 8);
    }
    list.unclip();
    list.fill({gutterWidth, band.top(), 1, band.height()}, theme.line2);
    if (strip + 1 < layout.strips.size()) list.horizontal(0, band.right(), band.bottom(), theme.line2);
    return fellBack;
}

} // namespace stowage::stack
