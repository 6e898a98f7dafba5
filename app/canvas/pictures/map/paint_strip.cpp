// One memory map: gutter with addresses and uses, body, reference lines and their chips.
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace stowage::stack {

namespace {

constexpr double usesLeft = 10;
constexpr double usesWidth = 34;
constexpr double usesLeast = 8;   ///< a longest bar that still tells
constexpr double usesStrip = 110; ///< lowest strip with bars
constexpr double usesRow = 5;     ///< four pixels of bar, one between
constexpr double halfLine = 7;    ///< of a line of words
constexpr double shortStrip = 150;

/// Bars of how many buffers lie at each address over all steps, below `top`: above it are words. `room`: of the longest bar.
void paintUses(DrawList& list, const StackState& state, const StackGeometry& geometry, std::size_t strip, double top, double room)
{
    const Theme& theme = *state.theme;
    const PoolScene& pool = state.scene->pools[std::size_t(state.strips[strip])];
    const QRectF& band = geometry.layout.strips[strip];
    const PixelAxis& axis = state.viewport.addresses[strip];
    if (pool.uses.most() <= 0) return;
    for (double bottom = band.bottom(); bottom - usesRow >= top; bottom -= usesRow) {
        const Bytes low = axis.unitAt((band.bottom() - bottom) * state.ratio);
        const Bytes high = std::max(low + 1, axis.unitAt((band.bottom() - bottom + usesRow) * state.ratio));
        const std::int64_t most = pool.uses.over(low, high).most;
        if (most > 0) {
            const double width = std::max(2.0, double(most) / double(pool.uses.most()) * room);
            list.fill({usesLeft, bottom - usesRow + 1, width, usesRow - 1}, mix(theme.panel, theme.text3, 0.55));
        }
    }
}

void paintVectorBody(DrawList& list, const StackState& state, const StackGeometry& geometry, std::size_t strip,
                     const QRectF& plot, const QRectF& margin)
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
    const StepBytes box{picture.steps.unitAt(0), picture.steps.unitAt(picture.steps.pixels()) + 1,
                        picture.addresses.unitAt(0) - map.grain, picture.addresses.unitAt(picture.addresses.pixels()) + 1};
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
        if ((style & styleHatch) && !(style & styleDim) && rect.height() >= 2)
            list.add(draw::Hatch{rect, palette.inks[style & styleClass], 5, false, origin});
        else if ((map.flags[i] & (rectShared | rectCarried)) && rect.height() >= 2)
            list.add(draw::Hatch{rect, withAlpha(theme.well, 0.55), 5, false, origin});
        if (map.paddedHigh(i) > r.high && rect.height() >= 4) {
            const double exact = double(map.paddedHigh(i) - r.high) * picture.addresses.scale() / state.ratio;
            list.add(draw::Hatch{{rect.left(), rect.top(), rect.width(), std::min(rect.height() / 2, std::max(3.0, exact))},
                                 theme.well,
                                 4,
                                 false,
                                 origin});
        }
        if (map.flags[i] & rectFallback) {
            if (rect.width() >= fallbackLeast && rect.height() >= fallbackLeast) {
                const auto corner = [&](double legs) {
                    return QPolygonF{QPointF(rect.right() - legs, rect.top()), rect.topRight(),
                                     QPointF(rect.right(), rect.top() + legs)};
                };
                list.add(draw::Area{corner(fallbackCorner + 1), theme.well});
                list.add(draw::Area{corner(fallbackCorner), theme.warn});
            } else if (rect.width() >= 5) {
                list.fill({rect.right() - fallbackBar, rect.top(), fallbackBar, rect.height()}, theme.warn);
            }
        }
        if ((style & styleClique) && picture.peak && r.begin <= picture.peak->begin && picture.peak->begin < r.end)
            list.fill(QRectF(geometry.x(picture.peak->begin), rect.top(), 3, rect.height()) & rect, theme.warn);
        return true;
    });
}

/// A line at an address that a strip is measured by.
struct Reference {
    LevelChip chip; ///< without words: another line at the same place has them
    double width = 1;
    Dash dash = Dash::solid;
};

/// Those that are in sight, in the order in which they are drawn.
std::vector<Reference> referencesOf(const StackState& state, const StackGeometry& geometry, const QRectF& band, std::size_t strip)
{
    const Theme& theme = *state.theme;
    const MapData& map = state.scene->pools[std::size_t(state.strips[strip])].map;
    std::vector<Reference> all;
    const auto add = [&](Bytes bytes, const QString& what, const QColor& colour, double width, Dash dash, bool chipBelow,
                         bool first = false) {
        const double y = geometry.y(strip, bytes);
        if (y < band.top() || y > band.bottom()) return;
        const QString text = what.isEmpty() ? what : what + u' ' + bytesText(bytes, state.numbers);
        all.push_back({{y, text, colour, chipBelow, first}, width, dash});
    };
    const bool reached = map.bound == map.top; // one chip for both
    if (map.top > 0)
        add(map.top, reached ? QStringLiteral("pool and bound") : QStringLiteral("pool"), theme.text2, 1, Dash::solid, false);
    if (state.baseline) add(*state.baseline, QStringLiteral("baseline"), theme.text2, 1, Dash::stall, false);
    if (map.bound > 0) add(map.bound, reached ? QString() : QStringLiteral("bound"), theme.ok, 1.25, Dash::bound, true);
    if (map.capacity) add(*map.capacity, QStringLiteral("capacity"), theme.bad, 1.5, Dash::solid, true, true);
    return all;
}

/// Where chips may lie: beside the gutter, which is not part of it.
QRectF chipArea(const StackLayout& layout, std::size_t strip)
{
    const QRectF& band = layout.strips[strip];
    return {layout.plotLeft, band.top(), layout.plotWidth(), band.height()};
}

/// What the steps of the run take, wherever the view is.
ChipSpan spanOf(const StackState& state, const StackLayout& layout)
{
    return ChipSpan::of(state.viewport.steps, layout.plotLeft, state.ratio);
}

/// The chips of a high strip.
std::vector<LevelChip> levelsOf(const StackState& state, const StackLayout& layout, std::size_t strip)
{
    const MapData& map = state.scene->pools[std::size_t(state.strips[strip])].map;
    const QRectF& band = layout.strips[strip];
    std::vector<LevelChip> chips;
    for (Reference& reference : referencesOf(state, {state, layout}, band, strip))
        if (!reference.chip.text.isEmpty()) chips.push_back(std::move(reference.chip));
    if (map.capacity && *map.capacity > state.viewport.addresses[strip].high())
        chips.push_back({band.top(), QStringLiteral("capacity %1, far above").arg(bytesText(*map.capacity, state.numbers)),
                         state.theme->bad, true, true});
    return chips;
}

/// Chips leave the buffers free.
Taken buffersOf(const StackState& state, const StackLayout& layout, std::size_t strip)
{
    return [&state, &layout, strip](const QRectF& box) {
        const PixelAxis& steps = state.viewport.steps;
        const PixelAxis& addresses = state.viewport.addresses[strip];
        const auto step = [&](double x) { return steps.unitAt((x - layout.plotLeft) * state.ratio); };
        const auto address = [&](double y) { return addresses.unitAt((layout.strips[strip].bottom() - y) * state.ratio); };
        const StepBytes place{step(box.left()), step(box.right()) + 1, address(box.bottom()), address(box.top()) + 1};
        bool any = false;
        state.scene->pools[std::size_t(state.strips[strip])].map.rects.forEach(place, [&](std::size_t) { return !(any = true); });
        return any;
    };
}

/// The one chip of a short strip: three would hide what it shows; the lines keep their colours and styles.
struct Summary {
    QString text;
    QRectF box;
    bool capacity = false; ///< it says the capacity too, if there is one
};

/// As much as has a place beside the buffers; nothing in a high strip, and where there is no place: the gutter has the pool's
/// size.
std::optional<Summary> summaryOf(const DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip)
{
    const QRectF& band = layout.strips[strip];
    if (band.height() >= shortStrip) return std::nullopt;
    const MapData& map = state.scene->pools[std::size_t(state.strips[strip])].map;
    const QString size = QStringLiteral("pool %1").arg(bytesText(map.top, state.numbers));
    const QString capacity = map.capacity ? QStringLiteral(" of %1").arg(bytesText(*map.capacity, state.numbers)) : QString();
    const QString bound = map.bound > 0 ? QStringLiteral(", bound %1").arg(bytesText(map.bound, state.numbers)) : QString();
    const Taken taken = buffersOf(state, layout, strip);
    const ChipSpan span = spanOf(state, layout);
    for (const auto& [text, both] :
         {std::pair(size + capacity + bound, true), std::pair(size + capacity, true), std::pair(size, false)}) {
        const double width = list.chipWidth(text);
        auto box = homeOf({0, band.top() + 4, width, DrawList::chipHeight}, span, taken);
        if (!box) continue;
        QRectF place = *box;
        place.moveLeft(std::max(layout.plotLeft + 4, std::min(box->left(), layout.plotRight - width)));
        if (!taken(place | *box)) return Summary{text, place, both};
    }
    return std::nullopt;
}

LevelChips levelChipsOf(const DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip)
{
    return placeLevelChips(list, chipArea(layout, strip), layout.plotRight, spanOf(state, layout), levelsOf(state, layout, strip),
                           buffersOf(state, layout, strip));
}

/// The gutter of a strip.
struct StripGutter {
    AddressGutter words;
    double usesRoom = 0; ///< of the longest reuse bar; 0: there are no bars
};

StripGutter gutterOf(const DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip)
{
    const Theme& theme = *state.theme;
    const MapData& map = state.scene->pools[std::size_t(state.strips[strip])].map;
    const PixelAxis& axis = state.viewport.addresses[strip];
    const QRectF& band = layout.strips[strip];
    const bool isOnly = layout.strips.size() == 1;
    const QString name = QString::fromStdString(map.poolName);
    AddressGutter gutter{
        &theme, &axis, state.ratio, {0, band.top(), layout.plotLeft, band.height()}, state.numbers, map.capacity, {}, {}, {}, 0};
    const bool isWide = layout.plotLeft > titledGutter;
    if (isWide) gutter.title = isOnly ? QStringLiteral("Memory map") : name;
    gutter.caption = isOnly ? name : bytesText(map.top, state.numbers);
    const QString size = bytesText(map.top, state.numbers);
    if (map.capacity) gutter.figures = {QStringLiteral("%1 of %2").arg(size, bytesText(*map.capacity, state.numbers))};
    gutter.figures << size << shortBytes(map.top, state.numbers);
    const QString constants = map.kind == PoolKind::constant     ? QStringLiteral("constants")
                              : map.kind == PoolKind::persistent ? QStringLiteral("persistent")
                                                                 : QString();
    if (isWide && !isOnly && map.capacity) { // the size above it has the unit
        QStringList of;
        for (const QString& capacity : {bytesText(*map.capacity, state.numbers), bytesNumber(*map.capacity, state.numbers),
                                        shortBytes(*map.capacity, state.numbers)})
            of << QStringLiteral("of %1").arg(capacity);
        gutter.further.emplace_back(of, theme.text3);
    }
    if (isWide && !constants.isEmpty()) gutter.further.emplace_back(QStringList{constants}, theme.text3);
    if (isWide && map.fallbackCount > 0)
        gutter.further.emplace_back(QStringList{countedText(std::int64_t(map.fallbackCount), QStringLiteral("fallback"))},
                                    theme.warn);
    if (isOnly && isWide) gutter.titleRoom = list.width(Face::labelStrong, gutter.title);
    // Long addresses leave less room for the bars, or none.
    const double longest = list.width(Face::tick, axisAddressText(axis.high(), state.numbers));
    const double usesRoom = std::min(usesWidth, layout.plotLeft - 8 - longest - 4 - usesLeft);
    const bool bars = band.height() >= usesStrip && isWide && usesRoom >= usesLeast;
    if (bars) gutter.further.emplace_back(QStringList{QStringLiteral("reuse")}, theme.text3);
    return {std::move(gutter), bars ? usesRoom : 0};
}

} // namespace

std::int64_t usesAt(TextShaper& shaper, const StackState& state, const StackLayout& layout, std::size_t strip, QPointF at)
{
    if (at.x() < usesLeft || at.x() >= usesLeft + usesWidth) return 0;
    const QRectF& band = layout.strips[strip];
    DrawList list(shaper, state.ratio); // shown nowhere: it says where the words end
    const StripGutter gutter = gutterOf(list, state, layout, strip);
    if (at.x() >= usesLeft + gutter.usesRoom) return 0;
    const double up = std::floor((band.bottom() - at.y()) / usesRow) * usesRow; // the row of bars, as it is painted
    if (band.bottom() - up - usesRow < paintAddressGutter(list, gutter.words) - halfLine) return 0;
    const PixelAxis& axis = state.viewport.addresses[strip];
    const Bytes low = axis.unitAt(up * state.ratio);
    return state.scene->pools[std::size_t(state.strips[strip])]
        .uses.over(low, std::max(low + 1, axis.unitAt((up + usesRow) * state.ratio)))
        .most;
}

void paintStripChips(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip)
{
    const Theme& theme = *state.theme;
    const MapData& map = state.scene->pools[std::size_t(state.strips[strip])].map;
    const QRectF& band = layout.strips[strip];
    if (band.height() >= shortStrip) {
        paintLevelChips(list, theme, levelChipsOf(list, state, layout, strip));
    } else if (const auto summary = summaryOf(list, state, layout, strip)) {
        const bool over = map.capacity && map.top > *map.capacity;
        list.chip(summary->box.right(), summary->box.top(), summary->text, over ? theme.bad : theme.text2, theme.well);
    }
}

std::vector<LevelChip> chipsWithoutPlace(const DrawList& list, const StackState& state, const StackLayout& layout)
{
    if (layout.strips.size() != 1 || layout.plotLeft <= titledGutter) return {};
    if (layout.strips[0].height() >= shortStrip) return levelChipsOf(list, state, layout, 0).without;
    std::vector<LevelChip> chips = levelsOf(state, layout, 0);
    std::stable_partition(chips.begin(), chips.end(), [](const LevelChip& chip) { return chip.first; });
    if (const auto summary = summaryOf(list, state, layout, 0))
        std::erase_if(chips, [&](const LevelChip& chip) { return summary->capacity || !chip.first; });
    return chips;
}

bool paintStrip(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip, BodyMode mode,
                const QImage& body)
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
        fellBack =
            map.rects.countAtMost({state.viewport.steps.unitAt(0), state.viewport.steps.unitAt(state.viewport.steps.pixels()) + 1,
                                   box.low, box.high}) > vectorLimit;
    }
    MapPicture picture = geometry.picture(strip);
    if (mode == BodyMode::vector && !fellBack) {
        paintVectorBody(list, state, geometry, strip, plot, margin);
    } else {
        PixelArea area = visibleArea(picture);
        if (mode != BodyMode::given)
            list.add(draw::Picture{plot, rasterArea(picture, area)});
        else if (!body.isNull())
            list.add(draw::Picture{plot, body});
        area.x += area.width;
        area.width = int(std::lround(margin.width() * state.ratio));
        picture.buffers = false;
        picture.gridSpacing = 0;
        picture.peak.reset();
        list.add(draw::Picture{margin, rasterArea(picture, area)});
    }

    std::vector<double> linesY;
    for (const Reference& reference : referencesOf(state, geometry, band, strip)) {
        list.horizontal(layout.plotLeft, band.right(), reference.chip.y - (reference.dash == Dash::solid ? 1 : 0.5),
                        reference.chip.colour, reference.width, reference.dash);
        linesY.push_back(reference.chip.y);
    }
    LabelObstacles obstacles{linesY, {}};
    if (band.height() >= shortStrip) {
        obstacles.chips = levelChipsOf(list, state, layout, strip).boxes;
    } else if (const auto summary = summaryOf(list, state, layout, strip)) {
        obstacles.chips = {summary->box};
    }
    paintFreeNames(list, state, layout, strip);
    paintLabels(list, state, layout, strip, obstacles);
    paintStripChips(list, state, layout, strip);
    list.unclip();

    // The gutter.
    StripGutter gutter = gutterOf(list, state, layout, strip);
    if (gutter.usesRoom > 0)
        gutter.words.under = [&](double y) { paintUses(list, state, geometry, strip, y - halfLine, gutter.usesRoom); };
    paintAddressGutter(list, gutter.words);
    list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
    if (strip + 1 < layout.strips.size()) list.horizontal(0, band.right(), band.bottom(), theme.line2);
    return fellBack;
}

} // namespace stowage::stack
