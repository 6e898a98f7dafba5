#include "app/canvas/kit/axis_parts.h"

#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/number_text.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double overhang = 14; ///< the ruler goes on over the right margin

} // namespace

namespace {

/// Sorted from the top; lines that coincide share a chip where it has room. Returns the upper edge of each chip.
std::vector<double> stackChips(const DrawList& list, const QRectF& band, double right, std::vector<LevelChip>& levels)
{
    std::stable_sort(levels.begin(), levels.end(), [](const LevelChip& a, const LevelChip& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < levels.size();) {
        constexpr double beside = 12; // of the axis
        const QString both = levels[i - 1].text + QStringLiteral(", ") + levels[i].text;
        if (std::abs(levels[i].y - levels[i - 1].y) < 2.5 && list.chipWidth(both) + beside <= right - band.left()) {
            levels[i - 1].text = both;
            levels.erase(levels.begin() + std::ptrdiff_t(i));
        } else {
            ++i;
        }
    }
    double free = band.top() + 2;
    std::vector<double> tops;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const LevelChip& level = levels[i];
        const double above = level.y - DrawList::chipHeight - 1;
        const double below = level.y + 2;
        double top = level.below ? below : above;
        if (!level.below && above < free) top = below;
        if (level.below && i + 1 < levels.size() && below + DrawList::chipHeight > levels[i + 1].y && above >= free) top = above;
        top = std::clamp(std::max(top, free), band.top() + 2, std::max(band.top() + 2, band.bottom() - DrawList::chipHeight - 2));
        tops.push_back(top);
        free = top + DrawList::chipHeight + 2;
    }
    return tops;
}

} // namespace

std::vector<QRectF> levelChipBoxes(const DrawList& list, const QRectF& band, double right, std::vector<LevelChip> levels)
{
    const std::vector<double> tops = stackChips(list, band, right, levels);
    std::vector<QRectF> boxes;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const double width = list.chipWidth(levels[i].text);
        boxes.emplace_back(right - width, tops[i], width, DrawList::chipHeight);
    }
    return boxes;
}

void paintLevelChips(DrawList& list, const Theme& theme, const QRectF& band, double right, std::vector<LevelChip> levels)
{
    const std::vector<double> tops = stackChips(list, band, right, levels);
    for (std::size_t i = 0; i < levels.size(); ++i) list.chip(right, tops[i], levels[i].text, levels[i].colour, theme.well);
}

void paintPeakTag(DrawList& list, const Theme& theme, QPointF point, const QString& text, double left, double right, double floor)
{
    constexpr double space = 15;
    list.add(draw::Disc{point, 3.5, theme.warn, theme.well, 1.5});
    const double width = list.chipWidth(text);
    double end = point.x() + space + width;
    if (end > right) {
        end = std::min(point.x() - space, right);
        if (end - width < left) end = right;
    }
    list.chip(end, std::min(point.y() + 7, floor - DrawList::chipHeight - 2), text, theme.warn, theme.warnSoft, false);
}

double paintAddressGutter(DrawList& list, const AddressGutter& gutter)
{
    const Theme& theme = *gutter.theme;
    const QRectF& band = gutter.band;
    const PixelAxis& axis = *gutter.axis;
    const double right = band.right();
    const auto heightOf = [&](Bytes address) { return band.bottom() - double(axis.edge(address)) / gutter.ratio; };
    const auto inside = [&](double exact) {
        return std::clamp(exact, band.top() + 7, std::max(band.top() + 7, band.bottom() - 7));
    };
    std::vector<double> ticks;
    double tickRoom = right;
    list.clip(band.adjusted(0, 0, 1, 0));
    list.fill(band, theme.panel);
    std::optional<double> capacityY;
    if (gutter.capacity && *gutter.capacity <= axis.high()) {
        const double exact = heightOf(*gutter.capacity);
        if (exact >= band.top() && exact <= band.bottom()) {
            capacityY = inside(exact);
            const QString text = addressText(*gutter.capacity, gutter.numbers);
            list.text(Face::tick, right - 8, *capacityY, text, theme.bad, draw::Text::Align::right);
            list.horizontal(right - 5, right, exact - 0.5, theme.bad);
            ticks.push_back(*capacityY);
            tickRoom = std::min(tickRoom, right - 8 - list.width(Face::tick, text));
        }
    }
    for (const Bytes address : ticksIn(axis, addressTicks(axis.scale() / gutter.ratio).major)) {
        const double exact = heightOf(address);
        list.horizontal(right - 5, right, exact - 0.5, theme.line2);
        const double y = inside(exact);
        if (capacityY && std::abs(y - *capacityY) < 13) continue;
        const QString text = addressText(address, gutter.numbers);
        list.text(Face::tick, right - 8, y, text, theme.text2, draw::Text::Align::right);
        ticks.push_back(y);
        tickRoom = std::min(tickRoom, right - 8 - list.width(Face::tick, text));
    }
    // Lines of text give way to the numbers: whatever does not fit beside them is shortened.
    const auto room = [&](double y) {
        const bool beside = std::any_of(ticks.begin(), ticks.end(), [&](double tick) { return std::abs(tick - y) < 12; });
        return (beside ? tickRoom - 2 : right - 6) - (band.left() + 10);
    };
    double y = band.top() + 14;
    if (gutter.titleRoom > 0)
        while (room(y) < gutter.titleRoom && y < band.top() + 60) y += 1;
    if (band.height() >= 40 && !gutter.title.isEmpty()) {
        list.text(Face::labelStrong, band.left() + 10, y, list.elided(Face::labelStrong, gutter.title, room(y)), theme.text);
        y += 15;
        list.text(Face::label, band.left() + 10, y, list.elided(Face::label, gutter.caption, room(y)), theme.text3);
        y += 17;
        for (const auto& [text, colour] : gutter.further) {
            if (y > band.bottom() - 12) break;
            list.text(Face::label, band.left() + 10, y - 2, list.elided(Face::label, text, room(y - 2)), colour);
            y += 15;
        }
    }
    list.unclip();
    return y;
}

QString stepCaption(bool ordered)
{
    return ordered ? QStringLiteral("step [first, end)") : QStringLiteral("step, one order");
}

void paintStepRuler(DrawList& list, const StepRuler& ruler)
{
    const Theme& theme = *ruler.theme;
    const QRectF& band = ruler.band;
    const PixelAxis& axis = *ruler.axis;
    const auto x = [&](Step step) { return ruler.plotLeft + double(axis.edge(step)) / ruler.ratio; };
    list.fill(band, theme.raised);
    list.horizontal(band.left(), band.right(), band.top(), theme.line2);
    list.horizontal(band.left(), band.right(), band.bottom() - 1, theme.line);
    list.fill({ruler.plotLeft, band.top(), 1, band.height()}, theme.line2);
    list.text(Face::label, band.left() + 10, band.center().y(), ruler.caption, theme.text3);

    const QRectF plot(ruler.plotLeft + 1, band.top(), ruler.plotRight - ruler.plotLeft + overhang, band.height());
    list.clip(plot & band);
    const TickSpacing spacing = stepTicks(axis.scale() / ruler.ratio, ruler.labelPixels);
    for (const Step step : ticksIn(axis, spacing.minor)) {
        if (step > ruler.steps) break;
        const bool isMajor = step % spacing.major == 0;
        list.vertical(x(step), band.top() + 1, band.top() + (isMajor ? 6 : 4), isMajor ? theme.edge : theme.line2);
    }
    for (const Interval& live : ruler.selected)
        list.fill({x(live.begin), band.top() + 1, std::max(1.0, x(live.end) - x(live.begin)), 3}, theme.accent);

    // Tags first come, first served: a number that would lie under one is left out.
    std::vector<QRectF> taken;
    const auto tag = [&](Step step, const QColor& fill, const QColor& ink) {
        const double columnLeft = x(step);
        const double columnRight = std::max(columnLeft + 1, x(step + 1));
        const QString text = countText(step);
        const double width = std::max(std::min(columnRight - columnLeft, 40.0), list.width(Face::tickStrong, text) + 10);
        const double left = std::clamp(columnLeft, plot.left(), std::max(plot.left(), plot.right() - width));
        if (columnRight < plot.left() || columnLeft > ruler.plotRight) return;
        const QRectF rect = list.snapped({left, band.top() + 3, width, 17});
        list.fill(rect, fill, 3);
        list.text(Face::tickStrong, rect.center().x(), rect.center().y(), text, ink, draw::Text::Align::centre);
        taken.push_back(rect.adjusted(-3, 0, 3, 0));
    };
    if (ruler.peak >= 0 && (!ruler.cursor || *ruler.cursor != ruler.peak))
        tag(ruler.peak, theme.warn, theme.dark ? theme.onAccent : theme.well);
    if (ruler.cursor && *ruler.cursor >= 0 && *ruler.cursor < ruler.steps) {
        const bool both = *ruler.cursor == ruler.peak;
        tag(*ruler.cursor, both ? theme.warn : theme.sel, both && theme.dark ? theme.onAccent : theme.well);
    }
    for (const Step step : ticksIn(axis, spacing.major)) {
        if (step >= ruler.steps) break;
        const QString text = countText(step);
        const QRectF box(x(step) + 5, band.top() + 4, list.width(Face::tick, text), band.height() - 5);
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& t) { return t.intersects(box); }) ||
            box.right() > plot.right())
            continue;
        list.text(Face::tick, box.left(), box.center().y(), text, theme.text2);
    }
    list.unclip();
}

} // namespace stowage
