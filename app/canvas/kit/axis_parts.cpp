#include "app/canvas/kit/axis_parts.h"

#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double overhang = 14; ///< the ruler goes on over the right margin

} // namespace

namespace {

/// Chips that share a place: of lines that coincide.
using SharedLevels = std::vector<LevelChip>;

LevelChip joined(const SharedLevels& levels)
{
    LevelChip one = levels.front();
    for (std::size_t i = 1; i < levels.size(); ++i) one.text += QStringLiteral(", ") + levels[i].text;
    return one;
}

/// Finds the places of chips.
class ChipPlacer {
public:
    ChipPlacer(const DrawList& list, const QRectF& band, double right, const ChipSpan& span, const Taken& taken)
        : list_(list),
          band_(band),
          right_(right),
          span_{std::min(span.begin, band.left()), std::max(span.end, right)},
          taken_(taken)
    {
    }

    LevelChips place(std::vector<LevelChip> levels)
    {
        const std::vector<LevelChip> given = levels;
        std::stable_sort(levels.begin(), levels.end(), [](const LevelChip& a, const LevelChip& b) { return a.y < b.y; });
        std::vector<SharedLevels> groups;
        std::vector<LevelChip> late;
        for (const LevelChip& level : levels) {
            if (level.away) {
                late.push_back(level);
                continue;
            }
            lines_.push_back(level.y);
            constexpr double beside = 12; // of the axis
            if (!groups.empty() && std::abs(level.y - groups.back().back().y) < coincide) {
                groups.back().push_back(level);
                if (list_.chipWidth(joined(groups.back()).text) + beside <= right_ - band_.left()) continue;
                groups.back().pop_back();
            }
            groups.push_back({level});
        }
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const double next = i + 1 < groups.size() ? groups[i + 1].front().y : band_.bottom() + DrawList::chipHeight;
            const LevelChip one = joined(groups[i]);
            const QRectF first = inLine(one, next);
            const bool covers = taken_ && free(first) && onLine(first, one.y);
            if (covers && !homeBeside(one)) { // it gives way to the chips of the lines that it would cover
                late.push_back(one);
                continue;
            }
            if (const auto home = free(first) && !covers ? std::optional(first) : homeNear(one)) {
                settle(*home, one);
                continue;
            }
            // Each for itself is narrower.
            for (const LevelChip& each : groups[i])
                if (const auto own = groups[i].size() > 1 ? homeNear(each) : std::nullopt) settle(*own, each);
        }
        for (const LevelChip& level : late) {
            const auto home = homeBelowLines(level);
            if (const auto place = home || level.away ? home : homeNear(level)) settle(*place, level);
        }
        for (const LevelChip& level : given)
            if (std::ranges::none_of(chips_.shown, [&](const LevelChip& one) {
                    return std::abs(one.y - level.y) < coincide && one.text.contains(level.text);
                }))
                chips_.without.push_back(level);
        std::stable_partition(chips_.without.begin(), chips_.without.end(), [](const LevelChip& chip) { return chip.first; });
        return std::move(chips_);
    }

private:
    static constexpr double coincide = 2.5;

    /// The upper edges of a chip above and below its line and those that coincide with it.
    [[nodiscard]] std::pair<double, double> topsBeside(const LevelChip& level) const
    {
        double highest = level.y, lowest = level.y;
        for (const double line : lines_)
            if (std::abs(line - level.y) < coincide) {
                highest = std::min(highest, line);
                lowest = std::max(lowest, line);
            }
        return {highest - DrawList::chipHeight - 1, lowest + 2};
    }

    /// Whether a line runs through `box`; those that coincide with the line at the height `own` do not count.
    [[nodiscard]] bool onLine(const QRectF& box, std::optional<double> own = {}) const
    {
        return std::ranges::any_of(lines_, [&](double line) {
            return (!own || std::abs(line - *own) >= coincide) && box.top() - 1 < line && line < box.bottom() + 1;
        });
    }

    /// At the end of the span, below or above its line and clear of the chips above.
    [[nodiscard]] QRectF inLine(const LevelChip& level, double next) const
    {
        const auto [above, below] = topsBeside(level);
        double top = level.below ? below : above;
        if (!level.below && above < free_) top = below;
        if (level.below && below + DrawList::chipHeight > next && above >= free_) top = above;
        top = std::clamp(std::max(top, free_), band_.top() + 2,
                         std::max(band_.top() + 2, band_.bottom() - DrawList::chipHeight - 2));
        const double width = list_.chipWidth(level.text);
        return {span_.end - width, top, width, DrawList::chipHeight};
    }

    [[nodiscard]] bool onChip(const QRectF& box, const std::vector<QRectF>& chips) const
    {
        return std::ranges::any_of(chips, [&](const QRectF& other) { return other.adjusted(-4, -2, 4, 2).intersects(box); });
    }
    [[nodiscard]] bool free(const QRectF& box) const { return !taken_ || (!taken_(box) && !onChip(box, homes_)); }

    /// Above or below the line, clear of other lines and chips, as far to the right as can be.
    [[nodiscard]] std::optional<QRectF> homeBeside(const LevelChip& level) const
    {
        const Taken occupied = [&](const QRectF& box) {
            return !free(box) || box.top() < band_.top() + 2 || box.bottom() > band_.bottom() - 2 || onLine(box, level.y);
        };
        const auto [above, below] = topsBeside(level);
        const double width = list_.chipWidth(level.text);
        const auto at = [&](double top) { return homeOf({0, top, width, DrawList::chipHeight}, span_, occupied); };
        const auto first = at(level.below ? below : above), other = at(level.below ? above : below);
        return first && (!other || first->left() >= other->left()) ? first : other;
    }

    /// `homeBeside`; without one, directly above the line or over it, where other lines are covered but nothing that is taken.
    [[nodiscard]] std::optional<QRectF> homeNear(const LevelChip& level) const
    {
        if (const auto beside = homeBeside(level)) return beside;
        const double top = std::max(level.y - DrawList::chipHeight - 1, band_.top() + 2);
        return homeOf({0, top, list_.chipWidth(level.text), DrawList::chipHeight}, span_,
                      [&](const QRectF& box) { return !free(box); });
    }

    /// Not far below its own line, or below the upper edge if that is `away`: clear of all lines and chips, as high and then as
    /// far to the right as can be.
    [[nodiscard]] std::optional<QRectF> homeBelowLines(const LevelChip& level) const
    {
        constexpr double deepest = 64, step = 2;
        const double width = list_.chipWidth(level.text);
        const double highest = std::max(level.y, band_.top()) + 2;
        const double lowest = std::min(highest + deepest, band_.bottom() - DrawList::chipHeight - 2);
        const Taken occupied = [&](const QRectF& box) { return onChip(box, homes_) || !free(box); };
        for (double top = highest; top <= lowest; top += step) {
            const QRectF box(0, top, width, DrawList::chipHeight);
            if (onLine(box)) continue;
            if (const auto home = homeOf(box, span_, occupied)) return home;
        }
        return std::nullopt;
    }

    /// Moves a place into the view, and off the chips that are there. What is taken stays uncovered.
    void settle(const QRectF& home, const LevelChip& level)
    {
        homes_.push_back(home);
        if (home.right() > span_.end - 0.5) free_ = std::max(free_, home.bottom() + 2);
        QRectF place = home;
        place.moveLeft(std::max(band_.left(), std::min(place.left(), right_ - place.width())));
        if (taken_ && taken_(place | home)) return;
        const double lowest = std::max(band_.top() + 2, band_.bottom() - DrawList::chipHeight - 2);
        const auto occupied = [&](const QRectF& box) { return onChip(box, chips_.boxes) || (taken_ && taken_(box)); };
        QRectF moved = place;
        while (occupied(moved) && moved.top() < lowest) moved.translate(0, 1);
        if (occupied(moved))
            for (moved = place; occupied(moved) && moved.top() > band_.top() + 2;) moved.translate(0, -1);
        if (occupied(moved)) return;
        chips_.shown.push_back(level);
        chips_.boxes.push_back(moved);
    }

    const DrawList& list_;
    QRectF band_;
    double right_;
    ChipSpan span_;
    const Taken& taken_;
    double free_ = band_.top() + 2; ///< below the chips at the end of the span
    std::vector<double> lines_;
    std::vector<QRectF> homes_; ///< along the whole span
    LevelChips chips_;          ///< in the view
};

} // namespace

ChipSpan ChipSpan::of(const PixelAxis& axis, double plotLeft, double ratio)
{
    return {plotLeft + axis.edge(axis.low()) / ratio, plotLeft + axis.edge(axis.high()) / ratio};
}

QRectF freePlace(const QRectF& box, double left, const Taken& taken)
{
    constexpr double step = 16;
    if (!taken) return box;
    for (QRectF place = box; place.left() >= left; place.translate(-step, 0))
        if (!taken(place)) return place;
    return box;
}

std::optional<QRectF> homeOf(const QRectF& box, const ChipSpan& span, const Taken& taken)
{
    constexpr double reach = 2048; // logical pixels: a wide screen
    const QRectF last(span.end - box.width(), box.top(), box.width(), box.height());
    const QRectF found = freePlace(last, std::max(span.begin, last.left() - reach), taken);
    if (taken && taken(found)) return std::nullopt;
    return found;
}

LevelChips placeLevelChips(const DrawList& list, const QRectF& band, double right, const ChipSpan& span,
                           std::vector<LevelChip> levels, const Taken& taken)
{
    return ChipPlacer(list, band, right, span, taken).place(std::move(levels));
}

void paintLevelChips(DrawList& list, const Theme& theme, const LevelChips& chips)
{
    for (std::size_t i = 0; i < chips.shown.size(); ++i)
        list.chip(chips.boxes[i].right(), chips.boxes[i].top(), chips.shown[i].text, chips.shown[i].colour, theme.well);
}

bool curveMeets(const StepFunction& function, const PixelAxis& axis, double ratio, double plotLeft,
                const std::function<double(Bytes)>& y, const QRectF& box)
{
    const auto step = [&](double x) { return axis.unitAt((x - plotLeft) * ratio); };
    const StepFunction::Range range = function.over(step(box.left()), step(box.right()) + 1);
    return y(range.most) < box.bottom() + 2 && y(range.least) > box.top() - 2;
}

namespace {

/// A line from a point to the side of its tag that faces it.
void paintLeader(DrawList& list, QPointF point, const QRectF& tag, const QColor& colour)
{
    constexpr double radius = 5; // of the point with its border
    const bool above = point.x() >= tag.left() && point.x() <= tag.right();
    const QPointF end =
        above ? QPointF(point.x(), tag.top()) : QPointF(point.x() < tag.left() ? tag.left() : tag.right(), tag.center().y());
    const QPointF way = end - point;
    const double length = std::hypot(way.x(), way.y());
    if (length > radius) list.add(draw::Line{QPolygonF{point + way * (radius / length), end}, colour, 1});
}

} // namespace

PeakTag paintPeakTag(DrawList& list, const Theme& theme, QPointF point, const QString& text, double left, double right,
                     double floor, const Taken& taken, std::span<const QRectF> chips, std::optional<ChipSpan> span,
                     const QString& shorter)
{
    constexpr double space = 15, step = 12, furthest = 400, deepest = 60; // from the point
    list.add(draw::Disc{point, 3.5, theme.warn, theme.well, 1.5});
    const double lowest = floor - DrawList::chipHeight - 2, top = std::min(point.y() + 7, lowest);
    const double first = span ? std::min(left, span->begin) : left, last = span ? std::max(right, span->end) : right;
    const auto onChip = [&](const QRectF& box) {
        return std::ranges::any_of(chips, [&](const QRectF& chip) { return chip.adjusted(-6, -2, 6, 2).intersects(box); });
    };
    const auto paint = [&](const QString& words) {
        const double width = list.chipWidth(words);
        // To the right of the point where there is room, else to its left.
        double end = point.x() + space + width;
        if (end > last) {
            end = std::min(point.x() - space, last);
            if (end - width < first) end = last;
        }
        const auto nearest = [&](const Taken& occupied) -> std::optional<QPointF> {
            for (double away = space; away < furthest; away += step)
                for (const double from : {point.x() + away, point.x() - away - width})
                    for (double y = top; y <= std::min(lowest, top + deepest); y += step / 2)
                        if (from >= first && from + width <= last && !occupied({from, y, width, DrawList::chipHeight}))
                            return QPointF{from + width, y};
            return std::nullopt;
        };
        std::optional<QPointF> place;
        if (taken)
            place = nearest([&](const QRectF& box) { return taken(box) || onChip(box); });
        else if (onChip({end - width, top, width, DrawList::chipHeight}))
            place = nearest(onChip);
        if (!place && taken) return false;
        const QPointF at = place.value_or(QPointF{end, top});
        const double inView = std::max(left + width, std::min(at.x(), right));
        if (taken && taken({inView - width, at.y(), width, DrawList::chipHeight})) return false;
        const QRectF tag = list.chip(inView, at.y(), words, theme.warn, theme.warnSoft, false);
        if (point.x() >= left && point.x() <= right) paintLeader(list, point, tag, theme.warn);
        return true;
    };
    if (paint(text)) return PeakTag::whole;
    return !shorter.isEmpty() && paint(shorter) ? PeakTag::shorter : PeakTag::nothing;
}

namespace {

constexpr double oneLine = 13, twoLines = 27, minTitledBand = 40; ///< least heights of bands

/// The first text that fits; empty if none of several does. A single one is cut at its end.
QString shortened(const DrawList& list, const QStringList& texts, double room)
{
    for (const QString& text : texts)
        if (list.width(Face::label, text) <= room) return text;
    return texts.size() == 1 ? list.elided(Face::label, texts.front(), room) : QString();
}

/// Title and figures of a band that is too low for the usual lines. A name may be shortened, a number is whole or not there.
void paintLowGutter(DrawList& list, const AddressGutter& gutter, const std::function<double(double)>& room)
{
    const Theme& theme = *gutter.theme;
    const QRectF& band = gutter.band;
    const double left = band.left() + 10;
    const bool two = band.height() >= twoLines;
    const double first = two ? band.center().y() - 6.5 : band.center().y(), second = two ? first + 13 : first;
    constexpr double apart = 6, minName = 30;
    const double taken = two ? 0 : std::min(list.width(Face::labelStrong, gutter.title), minName) + apart;
    QString figures;
    for (const QString& text : gutter.figures)
        if (list.width(Face::label, text) + taken <= room(second)) {
            figures = text;
            break;
        }
    if (figures.isEmpty() && !gutter.figures.isEmpty() && list.width(Face::label, gutter.figures.back()) <= room(second))
        figures = gutter.figures.back(); // rather than a name of one letter
    const double nameRoom = room(first) - (two || figures.isEmpty() ? 0 : list.width(Face::label, figures) + apart);
    const QString name = list.elidedInside(Face::labelStrong, gutter.title, nameRoom);
    list.text(Face::labelStrong, left, first, name, theme.text);
    if (!figures.isEmpty())
        list.text(Face::label, two ? left : left + list.width(Face::labelStrong, name) + apart, second, figures, theme.text3);
}

} // namespace

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
    const bool titled = band.height() >= minTitledBand && !gutter.title.isEmpty();
    constexpr double lowBand = 110; // its words need the room that a unit would take
    const bool bare = !gutter.title.isEmpty() && band.height() < lowBand;
    const auto tickText = [&](Bytes address) {
        return bare ? addressText(address, gutter.numbers) : axisAddressText(address, gutter.numbers);
    };
    list.clip(band.adjusted(0, 0, 1, 0));
    list.fill(band, theme.panel);
    std::optional<double> capacityY;
    if (gutter.capacity && *gutter.capacity <= axis.high()) {
        const double exact = heightOf(*gutter.capacity);
        if (exact >= band.top() && exact <= band.bottom()) {
            capacityY = inside(exact);
            const QString text = tickText(*gutter.capacity);
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
        const QString text = tickText(address);
        list.text(Face::tick, right - 8, y, text, theme.text2, draw::Text::Align::right);
        ticks.push_back(y);
        tickRoom = std::min(tickRoom, right - 8 - list.width(Face::tick, text));
    }
    // Lines of text give way to the numbers: whatever does not fit beside them is shortened.
    const auto room = [&](double y) {
        const bool beside = std::any_of(ticks.begin(), ticks.end(), [&](double tick) { return std::abs(tick - y) < 14; });
        return (beside ? tickRoom - 6 : right - 6) - (band.left() + 10);
    };
    double y = band.top() + 14;
    if (gutter.titleRoom > 0)
        while (room(y) < gutter.titleRoom && y < band.top() + 60) y += 1;
    std::vector<double> lines; // of `further`: beside an address they go below it
    const double widest = right - 6 - (band.left() + 10);
    double captionY = y + 15;
    const double captionWidth = std::min(list.width(Face::label, gutter.caption), widest);
    constexpr double furthest = 30; // from the title
    while (room(captionY) < captionWidth && captionY < std::min(y + 15 + furthest, band.bottom() - 12)) captionY += 1;
    if (room(captionY) < captionWidth) captionY = y + 15;
    double next = captionY + 17;
    for (const auto& [texts, colour] : gutter.further) {
        const double width = list.width(Face::label, texts.front());
        while (width <= widest && room(next - 2) < width && next < band.bottom() - 12) next += 1;
        if (next > band.bottom() - 12) break;
        lines.push_back(next);
        next += 15;
    }
    if (gutter.under) gutter.under(titled ? next : y);
    if (titled) {
        list.text(Face::labelStrong, band.left() + 10, y, list.elided(Face::labelStrong, gutter.title, room(y)), theme.text);
        // A caption that is a figure goes on with the shorter figures.
        const qsizetype figure = gutter.figures.indexOf(gutter.caption);
        const QStringList captions = figure < 0 ? QStringList{gutter.caption} : gutter.figures.mid(figure);
        list.text(Face::label, band.left() + 10, captionY, shortened(list, captions, room(captionY)), theme.text3);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto& [texts, colour] = gutter.further[i];
            list.text(Face::label, band.left() + 10, lines[i] - 2, shortened(list, texts, room(lines[i] - 2)), colour);
        }
        y = next;
    } else if (!gutter.title.isEmpty() && band.height() >= oneLine) {
        paintLowGutter(list, gutter, room);
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

    const QRectF plot = QRectF(ruler.plotLeft + 1, band.top(), ruler.plotRight - ruler.plotLeft + overhang, band.height()) & band;
    list.clip(plot);
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
    // Chips leave half of the ruler to the numbers, and tags where they are.
    double end = ruler.plotRight;
    for (const LevelChip& level : ruler.levels) {
        QRectF box(0, band.top() + 3, list.chipWidth(level.text), DrawList::chipHeight);
        box.moveRight(end);
        for (bool moved = true; std::exchange(moved, false);)
            for (const QRectF& other : taken)
                if (other.intersects(box)) {
                    box.moveRight(other.left() - 1);
                    moved = true;
                }
        if (box.left() < (ruler.plotLeft + ruler.plotRight) / 2) continue;
        end = list.chip(box.right(), box.top(), level.text, level.colour, theme.well).left() - 4;
        taken.push_back(box.adjusted(-3, 0, 3, 0));
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
