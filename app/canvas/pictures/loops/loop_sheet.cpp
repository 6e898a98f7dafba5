#include "app/canvas/pictures/loops/loop_sheet.h"

#include "app/canvas/axis/label_fit.h"
#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/pictures/map/stack.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double gutter = 196;
constexpr double factsLine = 18;
constexpr double factsPad = 8;
constexpr double headRow = 38;
constexpr double opsRow = 24;
constexpr double rowHeight = 26;
constexpr double barHeight = 18;
constexpr double columnGap = 44;
constexpr double minColumn = 116;
constexpr double maxColumn = 420;
constexpr double minStrip = 96;

double factsHeight(std::size_t lines)
{
    return double(lines) * factsLine + 2 * factsPad;
}

struct FactLine {
    QString text;
    bool strong = false;
};

/// The sentences, broken between words. By the number of letters that are sure to fit: the layout is made without a typeface at
/// hand.
std::vector<FactLine> factLines(const LoopState& state, double width)
{
    constexpr double letter = 6.3, strongLetter = 6.9;
    std::vector<FactLine> lines;
    for (const std::string& sentence : loopSentences(*state.scene->run, *state.picture)) {
        const bool strong = lines.empty();
        const auto most = qsizetype(std::max(24.0, (width - 24) / (strong ? strongLetter : letter)));
        QString rest = QString::fromStdString(sentence);
        const std::size_t first = lines.size();
        while (rest.size() > most) {
            const qsizetype blank = rest.lastIndexOf(u' ', most);
            if (blank <= 0) break;
            lines.push_back({rest.left(blank), strong});
            rest = rest.mid(blank + 1);
            if (lines.size() - first == 3) break;
        }
        lines.push_back({rest, strong});
    }
    return lines;
}

/// Colours of places: the palette in order, "other" beyond.
QColor placeColour(const Theme& theme, std::int32_t place)
{
    return theme.buffers[std::min(std::size_t(place), theme.buffers.size() - 1)];
}
QColor placeInk(const Theme& theme, std::int32_t place)
{
    return theme.bufferInks[std::min(std::size_t(place), theme.bufferInks.size() - 1)];
}

BufferId bufferOf(const LoopState& state, std::size_t row, std::int64_t iteration)
{
    const auto& view = state.picture->story.views.views[std::size_t(state.picture->rows[row].view)];
    return view.places[std::size_t(state.picture->story.like(iteration))].buffer;
}

std::int32_t placeOf(const LoopState& state, std::size_t row, std::int64_t iteration)
{
    return state.picture->rows[row].places[std::size_t(state.picture->story.like(iteration))];
}

/// "0, 2, 4, …": iterations that are like the one of a column.
QString likeText(const LoopStory& story, std::int64_t iteration)
{
    if (iteration < story.views.first) return QStringLiteral("once");
    const std::int64_t r = story.views.repeat;
    if (r == 1) return story.views.first == 0 ? QStringLiteral("as all the others") : QStringLiteral("and all that follow");
    return QStringLiteral("also %1, %2, \u2026").arg(iteration + r).arg(iteration + 2 * r);
}

bool dim(const LoopState& state, BufferId buffer)
{
    return state.shown && buffer >= 0 && std::size_t(buffer) < state.shown->size() && !(*state.shown)[std::size_t(buffer)];
}

double stepX(const LoopState& state, double left, double width, Step step)
{
    const Interval& live = state.picture->story.live;
    return left + width * double(step - live.begin) / double(std::max<Step>(1, live.length()));
}

/// The same in the strips, where it can be zoomed.
double stripX(const LoopState& state, const LoopLayout& layout, Step step)
{
    return layout.plotLeft + double(state.viewport.steps.edge(step)) / state.ratio;
}

double stripY(const LoopState& state, const LoopLayout& layout, std::size_t strip, Bytes address)
{
    return layout.strips[strip].bottom() - double(state.viewport.addresses[strip].edge(address)) / state.ratio;
}

void paintFacts(DrawList& list, const LoopState& state, const LoopLayout& layout)
{
    const Theme& theme = *state.theme;
    list.fill(layout.facts, theme.panel);
    list.horizontal(layout.facts.left(), layout.facts.right(), layout.facts.bottom() - 1, theme.line);
    double y = layout.facts.top() + factsPad + factsLine / 2;
    for (const FactLine& line : factLines(state, layout.facts.width())) {
        const Face face = line.strong ? Face::bodyStrong : Face::body;
        list.text(face, 12, y, list.elided(face, line.text, layout.facts.width() - 24), line.strong ? theme.text : theme.text2);
        y += factsLine;
    }
}

void paintColumnHead(DrawList& list, const LoopState& state, const LoopLayout& layout, std::size_t column)
{
    const Theme& theme = *state.theme;
    const LoopStory& story = state.picture->story;
    const QRectF& box = layout.columns[column];
    const std::int64_t iteration = layout.firstColumn + std::int64_t(column);
    const bool again = iteration >= story.views.iterations;
    const bool current = !again && story.like(state.iteration) == iteration;
    if (current) {
        const double left = std::max(gutter + 1, box.left() - columnGap / 2 + 8), right = box.right() + columnGap / 2 - 8;
        list.fill({left, box.top(), right - left, box.height()}, mix(theme.well, theme.accentSoft, 0.45));
        list.fill({left, box.top(), right - left, 2}, theme.accent);
    }
    const QString title = QStringLiteral("iteration %1").arg(iteration);
    const QString note = again ? QStringLiteral("like %1 again").arg(story.like(iteration)) : likeText(story, iteration);
    list.text(Face::labelStrong, box.left(), layout.head.top() + 13, list.elided(Face::labelStrong, title, box.width()),
              current ? theme.accent
              : again ? theme.text3
                      : theme.text);
    list.text(Face::label, box.left(), layout.head.top() + 28, list.elided(Face::label, note, box.width()), theme.text3);
}

void paintOps(DrawList& list, const LoopState& state, const LoopLayout& layout, std::size_t column)
{
    const Theme& theme = *state.theme;
    const OpTrack& track = state.scene->ops;
    const Interval& live = state.picture->story.live;
    const QRectF& box = layout.columns[column];
    const bool again = layout.firstColumn + std::int64_t(column) >= state.picture->story.views.iterations;
    const double top = list.snap(layout.ops.top() + 3), height = layout.ops.height() - 6;
    // Too many ops for the width: one band.
    if (box.width() / double(std::max<Step>(1, live.length())) < 2) {
        list.fill(list.snapped({box.left(), top, box.width(), height}), again ? mix(theme.well, theme.press, 0.5) : theme.press,
                  1.5);
        list.text(Face::code, box.center().x(), top + height / 2,
                  countedText(std::int64_t(live.length()), QStringLiteral("step")), theme.text2, Align::centre);
        return;
    }
    for (Step s = live.begin; s < live.end; ++s) {
        const std::int32_t kind = std::size_t(s) < track.kindOf.size() ? track.kindOf[std::size_t(s)] : none;
        if (kind == none) continue;
        const double left = list.snap(stepX(state, box.left(), box.width(), s)),
                     right = list.snap(stepX(state, box.left(), box.width(), s + 1));
        auto [fill, ink] = opColours(theme, track, std::size_t(kind));
        if (again) fill = mix(theme.well, fill, 0.4);
        list.fill({left + 0.5, top, std::max(1.0, right - left - 1), height}, fill, 1.5);
        if (state.cursor && *state.cursor == s)
            list.fill({left + 0.5, top + height - 2, std::max(1.0, right - left - 1), 2}, theme.warn);
        if (again) continue;
        const QString code = QString::fromStdString(track.codes[std::size_t(kind)]),
                      brief = QString::fromStdString(track.shortCodes[std::size_t(kind)]);
        const QString& text = list.width(Face::code, code) + 4 <= right - left ? code : brief;
        if (list.width(Face::code, text) + 3 <= right - left)
            list.text(Face::code, (left + right) / 2, top + height / 2, text, ink, Align::centre);
    }
}

void paintRowName(DrawList& list, const LoopState& state, const LoopLayout& layout, std::size_t row)
{
    const Theme& theme = *state.theme;
    const LoopRow& told = state.picture->rows[row];
    const double y = layout.rows.top() - state.scroll + (double(row) + 0.5) * rowHeight;
    const std::size_t views = state.picture->viewsOf(row);
    const QString type = told.type == ViewType::fixed
                             ? QStringLiteral("fixed")
                             : QStringLiteral("%1, %2").arg(told.type == ViewType::typeI    ? QStringLiteral("I")
                                                            : told.type == ViewType::typeII ? QStringLiteral("II")
                                                                                            : QStringLiteral("chosen"),
                                                            countedText(std::int64_t(views), QStringLiteral("view")));
    const double right = gutter - 12, used = list.width(Face::label, type) + 8;
    list.text(Face::label, right, y, type, theme.text3, Align::right);
    const bool lit = state.selected != none && bufferOf(state, row, state.iteration) == state.selected;
    const Face face = lit ? Face::labelStrong : Face::label;
    list.text(face, 12, y, list.toldApart(face, QString::fromStdString(told.name), right - used - 12, state.picture->names),
              lit ? theme.accent : theme.text);
}

void paintBar(DrawList& list, const LoopState& state, const LoopLayout& layout, std::size_t row, std::size_t column)
{
    const Theme& theme = *state.theme;
    const std::int64_t iteration = layout.firstColumn + std::int64_t(column);
    const bool again = iteration >= state.picture->story.views.iterations;
    const std::int32_t place = placeOf(state, row, iteration);
    const BufferId buffer = bufferOf(state, row, iteration);
    const QRectF bar = list.snapped(loopBar(state, layout, row, column));
    QColor fill = placeColour(theme, place), ink = placeInk(theme, place);
    const bool pale = again || dim(state, buffer);
    if (pale) fill = mix(theme.well, fill, again ? 0.4 : 0.22);
    if (buffer != none && buffer == state.hovered) fill = mix(fill, theme.text, 0.12);
    constexpr double readable = 4.5;
    if (pale) ink = contrastRatio(theme.text2, fill) >= readable ? theme.text2 : theme.text;
    list.fill(bar, fill, 1.5);
    if (buffer != none && buffer == state.selected && !again) {
        list.outline(bar.adjusted(-2, -2, 2, 2), theme.well, 2, 3);
        list.outline(bar.adjusted(-1, -1, 1, 1), theme.sel, 2, 2.5);
    }
    // Its address: inside, else beside it.
    const QString text = addressText(state.picture->places[std::size_t(place)].second, state.numbers);
    const double width = list.width(Face::tick, text);
    const QRectF& box = layout.columns[column];
    const double y = bar.center().y();
    if (width + 8 <= bar.width())
        list.text(Face::tick, bar.left() + 5, y, text, ink);
    else if (bar.right() + 5 + width <= box.right())
        list.text(Face::tick, bar.right() + 5, y, text, again ? theme.text3 : theme.text2);
    else if (bar.left() - 5 - width >= box.left())
        list.text(Face::tick, bar.left() - 5, y, text, again ? theme.text3 : theme.text2, Align::right);
}

/// From where an iteration leaves a value to where the next one reads it.
void paintCarries(DrawList& list, const LoopState& state, const LoopLayout& layout, std::size_t column)
{
    const Theme& theme = *state.theme;
    if (column + 1 >= layout.columns.size()) return;
    for (std::size_t row = 0; row < state.picture->rows.size(); ++row) {
        const LoopRow& told = state.picture->rows[row];
        if (told.carriedTo < 0) continue;
        const QRectF from = loopBar(state, layout, row, column),
                     to = loopBar(state, layout, std::size_t(told.carriedTo), column + 1);
        const QColor colour = told.moved ? theme.bad : theme.text2;
        const QPointF a(from.right() + 2, from.center().y()), b(to.left() - 2, to.center().y());
        const double first = a.x() + 8, last = b.x() - 10;
        list.add(draw::Line{QPolygonF{a, QPointF(first, a.y()), QPointF(last, b.y()), QPointF(b.x() - 5, b.y())}, colour, 1.5,
                            told.moved ? Dash::stall : Dash::solid});
        list.add(draw::Area{QPolygonF{b, QPointF(b.x() - 7, b.y() - 3.5), QPointF(b.x() - 7, b.y() + 3.5)}, colour});
    }
}

void paintColumns(DrawList& list, const LoopState& state, const LoopLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF body(0, layout.head.top(), layout.all.width(), layout.rows.bottom() - layout.head.top());
    list.fill(body, theme.well);
    list.fill({0, body.top(), gutter, body.height()}, theme.panel);
    list.text(Face::labelStrong, 12, layout.head.top() + 13, QStringLiteral("Unrolled body"), theme.text);
    list.text(Face::label, 12, layout.head.top() + 28, QStringLiteral("one colour: the same bytes"), theme.text3);
    list.text(Face::label, 12, layout.ops.center().y(),
              countedText(std::int64_t(state.picture->story.live.length()), QStringLiteral("step")), theme.text3);
    for (std::size_t c = 0; c < layout.columns.size(); ++c) paintColumnHead(list, state, layout, c);
    list.horizontal(0, layout.all.width(), layout.ops.top(), theme.line);
    for (std::size_t c = 0; c < layout.columns.size(); ++c) paintOps(list, state, layout, c);
    list.horizontal(0, layout.all.width(), layout.ops.bottom(), theme.line);
    list.clip(layout.rows);
    const auto visible = [&](std::size_t row) {
        const double top = layout.rows.top() - state.scroll + double(row) * rowHeight;
        return top < layout.rows.bottom() && top + rowHeight > layout.rows.top();
    };
    for (std::size_t row = 0; row < state.picture->rows.size(); ++row) {
        if (!visible(row)) continue;
        list.horizontal(gutter, layout.all.width(), layout.rows.top() - state.scroll + double(row + 1) * rowHeight - 1,
                        theme.grid);
        paintRowName(list, state, layout, row);
    }
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
        paintCarries(list, state, layout, c);
        for (std::size_t row = 0; row < state.picture->rows.size(); ++row)
            if (visible(row)) paintBar(list, state, layout, row, c);
    }
    const double end = layout.rows.top() - state.scroll + double(state.picture->rows.size()) * rowHeight + rowHeight / 2;
    if (state.picture->still > 0)
        list.text(Face::label, 12, end,
                  state.picture->rows.empty()
                      ? QStringLiteral("%1 of the body, each in one place in every iteration")
                            .arg(countedText(std::int64_t(state.picture->still), QStringLiteral("tensor")))
                      : QStringLiteral("and %1 in one place each")
                            .arg(countedText(std::int64_t(state.picture->still), QStringLiteral("tensor"))),
                  theme.text3);
    list.unclip();
    if (layout.contentHeight > layout.rows.height() + 0.5) { // where one is in it
        const double share = layout.rows.height() / layout.contentHeight, at = state.scroll / layout.contentHeight;
        list.fill({layout.all.right() - 6, layout.rows.top() + at * layout.rows.height(), 4, share * layout.rows.height()},
                  theme.line2, 2);
    }
    list.fill({gutter, body.top(), 1, body.height()}, theme.line2);
}

void paintStrip(DrawList& list, const LoopState& state, const LoopLayout& layout, std::size_t strip)
{
    const Theme& theme = *state.theme;
    const Problem& problem = state.scene->run->problem();
    const Plan& plan = state.scene->run->plan;
    const LoopPicture& picture = *state.picture;
    const PoolId pool = picture.pools[strip];
    const QRectF& box = layout.strips[strip];
    const PixelAxis& axis = state.viewport.addresses[strip];
    const double perByte = axis.scale() / state.ratio;
    const auto y = [&](Bytes address) { return stripY(state, layout, strip, address); };
    list.fill({0, box.top(), gutter, box.height()}, theme.panel);
    list.fill({gutter, box.top(), layout.all.width() - gutter, box.height()}, theme.well);
    const Bytes spacing = addressTicks(perByte, 30, 30).major;
    double lastLabel = 1e9;
    for (const Bytes at : ticksIn(axis, spacing)) {
        if (y(at) < box.top() + 1) continue;
        list.horizontal(gutter, layout.plotRight, y(at) - (at == axis.low() ? 1 : 0), theme.grid);
        const double label = std::max(box.top() + 8, std::min(y(at), box.bottom() - 8)); // a strip may be lower than both margins
        if (label < box.top() + 40 || lastLabel - label < 14) continue;                  // the title is there
        list.text(Face::tick, gutter - 8, label, axisAddressText(at, state.numbers), theme.text2, Align::right);
        lastLabel = label;
    }
    list.text(Face::labelStrong, 12, box.top() + 14, QStringLiteral("Iteration %1").arg(countText(state.iteration)),
              theme.accent);
    list.text(Face::label, 12, box.top() + 29,
              list.elided(Face::label, QString::fromStdString(problem.pools[std::size_t(pool)].name), gutter - 24), theme.text3);
    list.clip({gutter + 1, box.top(), layout.all.width(), box.height()});
    // The other views of what rotates, after.
    const LoopId loop = picture.story.views.loop;
    std::set<BufferId> own; ///< of the rows
    for (const LoopRow& row : picture.rows)
        for (const ViewPlace& view : picture.story.views.views[std::size_t(row.view)].places) own.insert(view.buffer);
    std::set<std::pair<BufferId, Bytes>> active;
    for (const LoopHold& hold : state.holds) active.insert({hold.buffer, hold.offset});
    const auto rotates = [&](BufferId id) {
        return std::ranges::any_of(plan.placements[std::size_t(id)].rotations,
                                   [&](const Rotation& rotation) { return rotation.loop == loop; });
    };
    for (std::size_t b = 0; b < plan.placements.size(); ++b) {
        const Placement& placement = plan.placements[b];
        if (placement.pool != pool || !rotates(BufferId(b))) continue;
        for (std::size_t k = 0; k < placement.offsets.size(); ++k) {
            const Bytes offset = placement.offsets[k];
            if (active.contains({BufferId(b), offset})) continue;
            const QRectF ghost =
                list.snapped(loopHoldBox(state, layout, strip, {BufferId(b), picture.story.live, pool, offset, 0}))
                    .adjusted(1.5, 1.5, -1.5, -1.5);
            if (ghost.height() < 2) continue;
            const std::int32_t place = picture.placeAt(pool, offset);
            list.outline(ghost, place >= 0 ? placeColour(theme, place) : theme.text3, 1, 1.5, Dash::chain);
        }
    }
    for (const LoopHold& hold : state.holds) {
        if (hold.pool != pool) continue;
        const Buffer& buffer = problem.buffers[std::size_t(hold.buffer)];
        const QRectF rect = list.snapped(loopHoldBox(state, layout, strip, hold)).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool turning = rotates(hold.buffer);
        const std::int32_t place = own.contains(hold.buffer) ? picture.placeAt(hold.pool, hold.offset) : -1;
        QColor fill = place >= 0 ? placeColour(theme, place) : theme.press,
               ink = place >= 0 ? placeInk(theme, place) : theme.text;
        if (dim(state, hold.buffer)) {
            fill = mix(theme.well, fill, 0.22);
            ink = theme.text3;
        }
        if (hold.buffer == state.hovered) fill = mix(fill, theme.text, 0.12);
        list.fill(rect, fill, 1.5);
        if (hold.made < state.iteration) list.add(draw::Hatch{rect, mix(fill, ink, 0.28), 5, false, {}});
        if (turning && rect.height() > 6) list.outline(rect.adjusted(1, 1, -1, -1), theme.sel, 1.5, 1);
        if (hold.buffer == state.selected) list.outline(rect.adjusted(-1, -1, 1, 1), theme.sel, 2, 2);
        const auto measure = [&](std::string_view text, bool number) {
            return list.width(number ? Face::number : Face::label, QString::fromUtf8(text.data(), qsizetype(text.size())));
        };
        const LabelFit fit =
            fitLabel(loopHoldName(state, hold), bytesText(buffer.size, state.numbers).toStdString(),
                     bytesNumber(buffer.size, state.numbers).toStdString(), rect.width(), rect.height(), measure);
        if (fit.place == LabelFit::Place::nowhere || fit.place == LabelFit::Place::rotated) continue;
        const QString name = QString::fromStdString(fit.name.empty() ? fit.size : fit.name);
        const Face face = fit.name.empty() ? Face::number : Face::label;
        const double middle = rect.height() >= 34 ? rect.top() + 12 : rect.center().y();
        const double room = rect.width() - 2 * labelInset;
        if (hold.made < state.iteration)
            list.fill(list.snapped({rect.left() + 3, middle - 7, std::min(room, list.width(face, name)) + 4, 14}), fill);
        list.text(face, rect.left() + labelInset, middle, name, ink);
        // Which iteration made it, where there is room.
        if (hold.made < state.iteration) {
            const QString made = QStringLiteral("of iteration %1").arg(countText(hold.made));
            const double needed = list.width(Face::label, made), used = list.width(face, name) + 16;
            if (used + needed + 4 <= room) {
                list.fill(list.snapped({rect.right() - labelInset - needed - 3, middle - 7, needed + 6, 14}), fill);
                list.text(Face::label, rect.right() - labelInset, middle, made, ink, Align::right);
            }
        }
    }
    if (state.cursor && picture.story.live.contains(*state.cursor))
        list.vertical(stripX(state, layout, *state.cursor), box.top(), box.bottom(), theme.accent);
    list.unclip();
    list.fill({gutter, box.top(), 1, box.height()}, theme.line2);
    list.horizontal(0, layout.all.width(), box.top(), theme.line2);
}

void paintRuler(DrawList& list, const LoopState& state, const LoopLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF& box = layout.ruler;
    list.fill(box, theme.raised);
    list.horizontal(0, layout.all.width(), box.top(), theme.line);
    list.text(Face::label, 12, box.center().y(), stepCaption(state.scene->run->problem().axis != Axis::dag), theme.text3);
    const PixelAxis& axis = state.viewport.steps;
    for (const Step s : ticksIn(axis, stepTicks(axis.scale() / state.ratio).major)) {
        if (s >= axis.high()) continue;
        const double x = stripX(state, layout, s);
        list.vertical(x, box.top(), box.top() + 5, theme.text3);
        list.text(Face::tick, x + 4, box.center().y() + 1, QString::number(s), theme.text2);
    }
}

} // namespace

std::int64_t loopColumns(const LoopPicture& picture)
{
    return picture.story.views.iterations + 1;
}

LoopLayout layOut(const LoopState& state, QSizeF size)
{
    const LoopPicture& picture = *state.picture;
    LoopLayout layout;
    layout.all = {0, 0, size.width(), size.height()};
    layout.plotLeft = gutter + 12;
    layout.plotRight = size.width() - rightMargin;
    layout.facts = {0, 0, size.width(), factsHeight(factLines(state, size.width()).size())};
    layout.head = {0, layout.facts.bottom(), size.width(), headRow};
    layout.ops = {0, layout.head.bottom(), size.width(), opsRow};
    layout.ruler = {0, size.height() - rulerHeight, size.width(), rulerHeight};
    layout.contentHeight = (double(picture.rows.size()) + (picture.still > 0 ? 1 : 0)) * rowHeight + 4;
    const double room = std::max(rowHeight, layout.ruler.top() - layout.ops.bottom());
    const double strips = std::max(minStrip, room * 0.4);
    const double rows = std::clamp(room - strips, rowHeight, std::max(rowHeight, layout.contentHeight));
    layout.rows = {0, layout.ops.bottom(), size.width(), std::floor(rows)};

    const double plot = layout.plotRight - layout.plotLeft;
    const std::int64_t all = loopColumns(picture);
    const std::int64_t most = std::max<std::int64_t>(1, std::int64_t((plot + columnGap) / (minColumn + columnGap)));
    const std::int64_t count = std::min(all, most);
    const double width = std::floor(std::min(maxColumn, (plot - columnGap * double(count - 1)) / double(count)));
    // The current one is among them.
    layout.firstColumn = std::clamp<std::int64_t>(picture.story.like(state.iteration) - count / 2, 0, all - count);
    for (std::int64_t c = 0; c < count; ++c)
        layout.columns.emplace_back(layout.plotLeft + double(c) * (width + columnGap), layout.head.top(), width,
                                    layout.rows.bottom() - layout.head.top());

    const double left = layout.ruler.top() - layout.rows.bottom();
    const std::size_t shown = std::min<std::size_t>(picture.pools.size(), std::size_t(std::max(1.0, left / minStrip)));
    for (std::size_t strip = 0; strip < shown; ++strip) {
        const double top = layout.rows.bottom() + std::floor(left * double(strip) / double(shown)),
                     bottom = layout.rows.bottom() + std::floor(left * double(strip + 1) / double(shown));
        layout.strips.emplace_back(0, top, size.width(), bottom - top);
    }
    return layout;
}

std::string loopHoldName(const LoopState& state, const LoopHold& hold)
{
    const LoopPicture& picture = *state.picture;
    const bool earlier = hold.made < state.iteration;
    const std::int32_t place = picture.placeAt(hold.pool, hold.offset);
    std::string_view name = state.scene->run->problem().buffers[std::size_t(hold.buffer)].name; // whole, as those of the rows
    int best = 0;
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const LoopRow& told = picture.rows[row];
        if (bufferOf(state, row, state.iteration) != hold.buffer || placeOf(state, row, state.iteration) != place ||
            !told.live.overlaps(hold.live))
            continue;
        // Several tensors may be in one buffer: of an earlier iteration is the one that is carried in. A buffer that holds it in
        // all iterations counts as made in this one.
        const int rank = told.carriedIn == earlier ? 3 : told.carriedIn ? 1 : 2;
        if (rank <= best) continue;
        best = rank;
        name = told.name;
    }
    return std::string(name);
}

QRectF loopBar(const LoopState& state, const LoopLayout& layout, std::size_t row, std::size_t column)
{
    const Interval& live = state.picture->rows[row].live;
    const QRectF& box = layout.columns[column];
    const double left = stepX(state, box.left(), box.width(), live.begin),
                 right = stepX(state, box.left(), box.width(), live.end);
    return {left, layout.rows.top() - state.scroll + double(row) * rowHeight + (rowHeight - barHeight) / 2,
            std::max(3.0, right - left), barHeight};
}

QRectF loopHoldBox(const LoopState& state, const LoopLayout& layout, std::size_t strip, const LoopHold& hold)
{
    const double left = stripX(state, layout, hold.live.begin), right = stripX(state, layout, hold.live.end);
    const Bytes size = state.scene->run->problem().buffers[std::size_t(hold.buffer)].size;
    const double bottom = stripY(state, layout, strip, hold.offset), top = stripY(state, layout, strip, hold.offset + size);
    return {left, top, std::max(1.0, right - left), std::max(1.0, bottom - top)};
}

LoopHit loopHit(const LoopState& state, const LoopLayout& layout, const QPointF& point)
{
    LoopHit hit;
    for (std::size_t strip = 0; strip < layout.strips.size(); ++strip) {
        if (!layout.strips[strip].contains(point)) continue;
        for (std::size_t i = state.holds.size(); i-- > 0;) {
            if (state.holds[i].pool != state.picture->pools[strip]) continue;
            if (const QRectF box = loopHoldBox(state, layout, strip, state.holds[i]);
                box.contains(point)) { // also one that reaches out of the strip
                hit.kind = LoopHit::Kind::hold;
                hit.hold = i;
                hit.iteration = state.iteration;
                hit.buffer = state.holds[i].buffer;
                hit.box = box;
                return hit;
            }
        }
    }
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
        const std::int64_t iteration = layout.firstColumn + std::int64_t(c);
        if (layout.rows.contains(point))
            for (std::size_t row = 0; row < state.picture->rows.size(); ++row)
                if (const QRectF box = loopBar(state, layout, row, c); box.contains(point)) {
                    hit.kind = LoopHit::Kind::bar;
                    hit.row = row;
                    hit.iteration = iteration;
                    hit.buffer = bufferOf(state, row, iteration);
                    hit.box = box;
                    return hit;
                }
        if (layout.columns[c].adjusted(-columnGap / 2, 0, columnGap / 2, 0).contains(point)) {
            hit.kind = LoopHit::Kind::column;
            hit.iteration = iteration;
            hit.box = layout.columns[c];
        }
    }
    return hit;
}

void paintLoop(DrawList& list, const LoopState& state, const LoopLayout& layout)
{
    list.fill(layout.all, state.theme->well);
    paintFacts(list, state, layout);
    paintColumns(list, state, layout);
    for (std::size_t strip = 0; strip < layout.strips.size(); ++strip) paintStrip(list, state, layout, strip);
    paintRuler(list, state, layout);
}

} // namespace stowage
