// Text inside maps: labels of buffers, and the name of large free areas.
#include "app/canvas/axis/label_fit.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stowage::stack {

namespace {

constexpr std::size_t maxLabels = 1500;
constexpr std::size_t maxNamesCompared = 2000; ///< of those in view
constexpr double patch = 3;
constexpr double lockRoom = 12; ///< at the right end of a pinned buffer

/// A padlock, 8 x 9 pixels: the buffer is pinned.
void paintLock(DrawList& list, QPointF at, const QColor& ink)
{
    const double x = list.snap(at.x());
    const double y = list.snap(at.y());
    list.fill({x, y + 4, 8, 5}, ink, 1);
    list.add(draw::Line{QPolygonF{QPointF(x + 1.8, y + 4.5), QPointF(x + 1.8, y + 2.2), QPointF(x + 2.8, y + 0.9),
                                  QPointF(x + 5.2, y + 0.9), QPointF(x + 6.2, y + 2.2), QPointF(x + 6.2, y + 4.5)},
                        ink, 1.2, Dash::solid});
}

/// The rectangle of the most cells in a grid of free (true) and taken cells, by the stack of rising heights in each row.
QRect largestFree(const std::vector<bool>& free, int columns, int rows)
{
    QRect best;
    std::vector<int> height(std::size_t(columns) + 1, 0);
    for (int row = 0; row < rows; ++row) {
        std::vector<std::pair<int, int>> rising; // where it began, how high
        for (int column = 0; column <= columns; ++column) {
            int& h = height[std::size_t(column)];
            h = column < columns && free[std::size_t(row * columns + column)] ? h + 1 : 0;
            int start = column;
            while (!rising.empty() && rising.back().second >= h) {
                const auto [from, high] = rising.back();
                rising.pop_back();
                if (high * (column - from) > best.width() * best.height())
                    best = QRect(from, row - high + 1, column - from, high);
                start = from;
            }
            if (h > 0) rising.emplace_back(start, h);
        }
    }
    return best;
}

/// What of a buffer is left for its label: all of it, or the part below the chip, or the part to the left of it, whichever is
/// larger.
QRectF besideChip(const QRectF& box, const QRectF& chip)
{
    constexpr double apart = 2;
    if (!box.intersects(chip)) return box;
    const QRectF below(QPointF(box.left(), std::min(chip.bottom() + apart, box.bottom())), box.bottomRight());
    const QRectF before(box.topLeft(), QPointF(std::max(chip.left() - apart, box.left()), box.bottom()));
    const bool oneLineBelow = below.height() >= labelMinimumHeight;
    return oneLineBelow && below.width() * below.height() >= before.width() * before.height() ? below : before;
}

} // namespace

void paintLabels(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip,
                 const LabelObstacles& obstacles)
{
    const Theme& theme = *state.theme;
    const StackGeometry geometry{state, layout};
    const MapPicture picture = geometry.picture(strip);
    const MapData& map = *picture.map;
    const Palette palette = paletteOf(theme, state.colouring->by);
    const Problem& problem = state.scene->run->problem();
    const QRectF& band = layout.strips[strip];
    const QRectF plot(layout.plotLeft, band.top(), layout.plotWidth(), band.height());
    const auto measure = [&](std::string_view text, bool number) {
        return list.width(number ? Face::number : Face::label, QString::fromUtf8(text.data(), qsizetype(text.size())));
    };
    const StepBytes box{picture.steps.unitAt(0), picture.steps.unitAt(picture.steps.pixels()) + 1, picture.addresses.unitAt(0),
                        picture.addresses.unitAt(picture.addresses.pixels()) + 1};
    const auto minSteps = Step(labelMinimumHeight * state.ratio / picture.steps.scale());
    const auto minBytes = Bytes(labelMinimumHeight * state.ratio / picture.addresses.scale()) - map.grain;
    // What the names in view have in common says nothing there.
    ShortForms forms;
    std::size_t named = 0;
    const auto shownName = [&](std::size_t id) { return withoutPrefix(problem.buffers[id].name, state.scene->namePrefix); };
    map.rects.forEach(box, minSteps, minBytes, [&](std::size_t i) {
        const auto id = std::size_t(map.buffer[i]);
        if (id >= state.styles.size() || !(state.styles[id] & (styleHidden | styleDim)))
            forms.add(withoutSuffix(shownName(id), state.scene->nameSuffix));
        return ++named < maxNamesCompared;
    });
    std::size_t labels = 0;
    map.rects.forEach(box, minSteps, minBytes, [&](std::size_t i) {
        const auto id = std::size_t(map.buffer[i]);
        const BufferStyle style = id < state.styles.size() ? state.styles[id] : BufferStyle(0);
        if (style & (styleHidden | styleDim)) return true;
        // The part in view carries the label, so that a long buffer has one wherever one looks.
        const QRectF rect = geometry.rectOf(strip, i) & plot;
        const Bytes padding = map.paddedHigh(i) - map.rects[i].high;
        const double strips = padding > 0 ? std::max(3.0, double(padding) * picture.addresses.scale() / state.ratio) : 0;
        const Buffer& buffer = problem.buffers[id];
        const bool locked = buffer.pin && rect.width() >= lockRoom + 6 && rect.height() >= labelMinimumHeight;
        const bool cornered = (map.flags[i] & rectFallback) && rect.width() >= 34 && rect.height() >= fallbackLeast;
        QRectF inner =
            rect.adjusted(0, std::min(strips, rect.height() / 2), (locked ? -lockRoom : 0) - (cornered ? fallbackCorner : 0), 0);
        for (const QRectF& chip : obstacles.chips) inner = besideChip(inner, chip);
        if (locked) paintLock(list, {inner.right() + 1, inner.top() + 4}, palette.inks[style & styleClass]);
        const LabelFit fit = fitLabel(shownName(id), bytesText(buffer.size, state.numbers).toStdString(),
                                      bytesNumber(buffer.size, state.numbers).toStdString(), inner.width(), inner.height(),
                                      measure, state.scene->nameEndsTell, state.scene->nameSuffix, &forms);
        const bool bareSlot = fit.place == LabelFit::Place::nowhere && state.scene->run->plan.placements[id].rotating() &&
                              rect.height() >= 18 && inner.width() >= 10;
        if (fit.place == LabelFit::Place::nowhere && !bareSlot) return true;
        QColor fill = palette.fills[style & styleClass];
        QColor ink = palette.inks[style & styleClass];
        if (map.flags[i] & rectOver) {
            fill = mix(fill, theme.bad, 0.8);
            ink = theme.inkOn(fill);
        }
        const bool hatched = (style & styleHatch) || (map.flags[i] & (rectShared | rectCarried));
        const QString name = QString::fromStdString(fit.name);
        const QString size = QString::fromStdString(fit.size);
        // A patch of the fill keeps text off hatches, reference lines, and the bar of those that prove the bound.
        const auto keepClear = [&](const QRectF& around) {
            const bool crossed = std::any_of(obstacles.linesY.begin(), obstacles.linesY.end(),
                                             [&](double line) { return around.top() < line && line < around.bottom(); });
            const double bar = (style & styleClique) && picture.peak ? geometry.x(picture.peak->begin) : rect.left();
            const bool barred = bar > rect.left() + 1 && bar < around.right() && bar + 3 > around.left();
            if (hatched || crossed || barred) list.fill(list.snapped(around & inner.adjusted(1, 0, -1, -1)), fill);
        };
        const auto write = [&](Face face, double x, double y, const QString& text, draw::Text::Align align) {
            if (text.isEmpty()) return;
            const double width = list.width(face, text);
            const double left = align == draw::Text::Align::left    ? x
                                : align == draw::Text::Align::right ? x - width
                                                                    : x - width / 2;
            keepClear({left - patch, y - 6 - patch, width + 2 * patch, 12 + 2 * patch});
            list.text(face, x, y, text, ink, align);
        };
        const double lineY = fit.sizeOnLine2 || inner.height() >= labelTwoLines ? inner.top() + 11.5 : inner.center().y();
        switch (fit.place) {
        case LabelFit::Place::topLeft:
            write(Face::label, inner.left() + labelInset, lineY, name, draw::Text::Align::left);
            if (fit.sizeOnLine2)
                write(Face::number, inner.left() + labelInset, lineY + 14, size, draw::Text::Align::left);
            else
                write(Face::number, inner.right() - labelInset, lineY, size, draw::Text::Align::right);
            break;
        case LabelFit::Place::centre:
            write(Face::number, inner.center().x(), inner.center().y(), size, draw::Text::Align::centre);
            break;
        case LabelFit::Place::rotated: {
            const Face face = name.isEmpty() ? Face::number : Face::label;
            const double x = list.snap(inner.center().x() + list.shaper().capHeight(face) / 2);
            const double tall = list.shaper().capHeight(face);
            const double wide = list.width(face, name.isEmpty() ? size : name);
            keepClear({x - tall - patch, inner.bottom() - labelInset - wide - patch, tall + 2 * patch, wide + 2 * patch});
            list.add(draw::Text{draw::Text::Align::left,
                                {x, list.snap(inner.bottom() - labelInset)},
                                face,
                                ink,
                                true,
                                name.isEmpty() ? size : name});
            break;
        }
        case LabelFit::Place::nowhere:
            list.text(Face::number, inner.center().x(), inner.center().y(), QString::number(map.slot[i] + 1), ink,
                      draw::Text::Align::centre);
            break;
        }
        // Slots of a multi-buffered tensor say which one they are, after a bracket at the left.
        if (const auto& placement = state.scene->run->plan.placements[id]; placement.rotating() && rect.height() >= 18) {
            list.horizontal(rect.left() - 5, rect.left() - 1, rect.top() + 1, fill, 1.5);
            list.horizontal(rect.left() - 5, rect.left() - 1, rect.bottom() - 2, fill, 1.5);
            list.vertical(rect.left() - 5, rect.top() + 1, rect.bottom() - 1, fill, 1.5);
            const QString number = QString::number(map.slot[i] + 1);
            const QString slot = QStringLiteral("slot %1").arg(number);
            const double beside = 2 * labelInset + (fit.sizeOnLine2 ? list.width(Face::label, name) + 8 : inner.width());
            if (inner.width() >= list.chipWidth(slot) + beside) {
                list.chip(inner.right() - 4, inner.top() + 4, slot, theme.text, theme.well, false);
            } else if (rect.height() >= labelTwoLines + 24 && fit.place == LabelFit::Place::topLeft &&
                       inner.width() >= list.chipWidth(slot) + 8) {
                list.chip(inner.right() - 4, inner.bottom() - 4 - DrawList::chipHeight, slot, theme.text, theme.well,
                          false); // below the label
            } else if (inner.width() >= list.chipWidth(number) + beside) {
                list.chip(inner.right() - 4, inner.top() + 4, number, theme.text, theme.well, false);
            } else if (fit.place == LabelFit::Place::rotated) {
                // Above what reads upwards, where that leaves room.
                const double taken =
                    list.width(fit.name.empty() ? Face::number : Face::label, fit.name.empty() ? size : name) + 2 * labelInset;
                if (inner.height() >= taken + 16)
                    list.text(Face::number, inner.center().x(), inner.top() + 10, number, ink, draw::Text::Align::centre);
            }
        } else if (map.flags[i] & rectFallback) {
            // Where there is room, the corner says what it means.
            const QString text = QStringLiteral("fallback");
            const double taken =
                fit.place == LabelFit::Place::topLeft && !fit.sizeOnLine2 ? list.width(Face::number, size) + labelInset : 0;
            const double needed = list.chipWidth(text) + 3 * labelInset + list.width(Face::label, name) + taken + fallbackCorner;
            if (fit.place == LabelFit::Place::topLeft && inner.width() >= needed && inner.height() >= 20)
                list.chip(inner.right() - fallbackCorner - 6 - taken, inner.top() + 4, text, theme.warn, theme.well);
        }
        return ++labels < maxLabels;
    });
}

void paintFreeNames(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip)
{
    constexpr int cell = 8;
    constexpr std::size_t maxRects = 20000;
    const StackGeometry geometry{state, layout};
    const MapPicture picture = geometry.picture(strip);
    const MapData& map = *picture.map;
    const QRectF& band = layout.strips[strip];
    const double top = std::max(band.top(), geometry.y(strip, map.top));
    const double bottom = std::min(band.bottom(), geometry.y(strip, 0));
    const int columns = int(layout.plotWidth() / cell);
    const int rows = int((bottom - top) / cell);
    if (columns < 4 || rows < 4 || map.rects.size() == 0) return;
    const StepBytes box{picture.steps.unitAt(0), picture.steps.unitAt(picture.steps.pixels()) + 1, picture.addresses.unitAt(0),
                        picture.addresses.unitAt(picture.addresses.pixels()) + 1};
    if (map.rects.countAtMost(box) > maxRects) return;
    std::vector<bool> free(std::size_t(columns) * std::size_t(rows), true);
    const auto take = [&](const QRectF& r) {
        const int x0 = std::max(0, int(std::floor((r.left() - layout.plotLeft) / cell)));
        const int x1 = std::min(columns - 1, int(std::floor((r.right() - layout.plotLeft) / cell)));
        const int y0 = std::max(0, int(std::floor((r.top() - top) / cell)));
        const int y1 = std::min(rows - 1, int(std::floor((r.bottom() - top) / cell)));
        for (int y = y0; y <= y1; ++y)
            for (int x = x0; x <= x1; ++x) free[std::size_t(y * columns + x)] = false;
    };
    map.rects.forEach(box, [&](std::size_t i) {
        take(geometry.rectOf(strip, i, 1));
        return true;
    });
    for (const Bytes bytes : {map.bound, map.capacity.value_or(map.bound)})
        if (bytes > 0) take({layout.plotLeft, geometry.y(strip, bytes) - 2, layout.plotWidth(), 4});
    if (map.capacity) { // what lies above it is not free
        const double above = geometry.y(strip, *map.capacity) - top;
        if (above > 0) take({layout.plotLeft, top, layout.plotWidth(), above});
    }
    const QString text = QStringLiteral("free");
    const double width = std::ceil(list.width(Face::label, text)) + 12;
    for (int round = 0; round < 2; ++round) {
        const QRect found = largestFree(free, columns, rows);
        if (found.width() * cell < 110 || found.height() * cell < 40) break;
        const QPointF middle(layout.plotLeft + (found.left() + found.width() / 2.0) * cell,
                             top + (found.top() + found.height() / 2.0) * cell);
        const QRectF box2 = list.snapped({middle.x() - width / 2, middle.y() - 8, width, 16});
        list.fill(box2, state.theme->well, 3);
        list.text(Face::label, box2.center().x(), box2.center().y(), text, state.theme->text3, draw::Text::Align::centre);
        take(
            QRectF(layout.plotLeft + found.left() * cell, top + found.top() * cell, found.width() * cell, found.height() * cell));
    }
}

} // namespace stowage::stack
