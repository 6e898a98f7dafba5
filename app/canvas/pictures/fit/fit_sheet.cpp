#include "app/canvas/pictures/fit/fit_sheet.h"

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/session/verdicts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double fitMargin = 12;
constexpr double fitCardHeight = 84;
constexpr double fitHeadHeight = 28;
constexpr double fitTitleHeight = 24; ///< the line with the columns' names
constexpr double fitRowHeight = 23;
constexpr double fitChangeHeight = 36;
constexpr double fitMapHead = 30;
constexpr double smallestMap = 140;
constexpr double wideEnough = 860; ///< below it the two halves of the foot and the maps are one

struct FitMap {
    const FitRow* row = nullptr;
    std::unique_ptr<ViewState> view;
};

QString words(const std::string& text)
{
    return nameText(text);
}

MeasureText measuredIn(DrawList& list, Face face)
{
    return [&list, face](std::string_view text, bool) {
        return list.width(face, QString::fromUtf8(text.data(), qsizetype(text.size())));
    };
}

/// "tflm-greedy"; the row of the file as people call it.
QString rowName(const FitRow& row)
{
    if (row.planner == "offline") return QStringLiteral("offline plan");
    if (row.planner == "in-file") return QStringLiteral("plan in the file");
    if (row.planner == "recorded") return QStringLiteral("recorded in the log");
    return words(row.planner);
}

/// The first of `texts`, which say less and less, that has room; else the last one, cut.
QString fittingText(DrawList& list, Face face, const QStringList& texts, double room)
{
    for (const QString& text : texts)
        if (list.width(face, text) <= room) return text;
    return list.elided(face, texts.back(), std::max(0.0, room));
}

double fitChip(DrawList& list, const Theme& theme, double left, double middle, std::optional<bool> fits)
{
    if (!fits) return left;
    const QString word = QString::fromUtf8(verdictWord(*fits ? VerdictKind::fits : VerdictKind::doesNotFit));
    const QColor ink = *fits ? theme.ok : theme.bad;
    const QRectF box = list.snapped({left, middle - 9, std::ceil(list.width(Face::label, word)) + 16, 18});
    list.fill(box, *fits ? theme.okSoft : theme.badSoft, 3);
    list.text(Face::label, box.left() + 8, middle, word, ink);
    return box.right();
}

double fitSectionHead(DrawList& list, const Theme& theme, const QRectF& box, const QString& title, const QString& caption)
{
    list.fill(box, theme.panel);
    list.horizontal(box.left(), box.right(), box.top(), theme.line);
    list.horizontal(box.left(), box.right(), box.bottom() - 1, theme.line);
    double x = box.left() + fitMargin;
    list.text(Face::bodyStrong, x, box.center().y(), title, theme.text);
    x += list.width(Face::bodyStrong, title) + 10;
    const QString shown = list.elided(Face::body, caption, box.right() - fitMargin - x);
    list.text(Face::body, x, box.center().y(), shown, theme.text2);
    return x + list.width(Face::body, shown) + 16;
}

/// Tensors, scratch, tail: as the classes of `partsOf` are painted.
void swatch(DrawList& list, const Theme& theme, const QRectF& box, int part)
{
    list.fill(box, part == 2 ? theme.buffers.back() : theme.buffers[std::size_t(part)]);
    if (part == 1) list.add(draw::Hatch{box, theme.bufferInks[1], 5, false, {}});
}

/// The buffers of a map as the bars and their legend have them: tensors, and the scratch after them.
Colouring partsOf(const Fit& fit, const FitRow& row)
{
    const std::size_t all = row.run->problem().buffers.size();
    const std::size_t scratch = row.scratch && fit.log && fit.log->tensors > 0 ? std::min(all, fit.log->scratch) : 0;
    Colouring parts;
    parts.by = ColourBy::kind;
    parts.classes = {{"tensors", all - scratch}, {"scratch", scratch, true}};
    parts.of.assign(all, 0);
    std::fill(parts.of.end() - std::ptrdiff_t(scratch), parts.of.end(), std::uint8_t(1));
    return parts;
}

/// Tensors, scratch and tail end to end; marks at bound and capacity.
void fitBar(DrawList& list, const Theme& theme, const QRectF& track, const Fit& fit, const FitRow& row, Bytes scale)
{
    list.fill(track, theme.hover);
    const auto at = [&](Bytes bytes) { return track.left() + track.width() * std::min(1.0, double(bytes) / double(scale)); };
    Bytes from = 0;
    const Bytes parts[] = {row.tensors, row.scratch.value_or(0), row.tail.value_or(0)};
    for (int part = 0; part < 3; ++part) {
        const QRectF box = list.snapped({at(from), track.top(), at(from + parts[part]) - at(from), track.height()});
        if (box.width() > 0) swatch(list, theme, box, part);
        from += parts[part];
    }
    if (row.arena > scale) { // cut: two strokes in the colour of the ground
        for (const double x : {track.right() - 14, track.right() - 9})
            list.add(draw::Line{QPolygonF{QPointF(x, track.bottom() + 1), QPointF(x + 4, track.top() - 1)}, theme.panel, 2,
                                Dash::solid});
    }
    list.vertical(at(fit.bound), track.top() - 3, track.bottom() + 3, theme.ok, 2);
    if (fit.capacity && *fit.capacity <= scale)
        list.vertical(at(*fit.capacity) - 2, track.top() - 3, track.bottom() + 3, theme.bad, 2);
}

QString optionalBytes(const std::optional<Bytes>& bytes, const NumberFormat& numbers)
{
    return bytes ? bytesNumber(*bytes, numbers) : QStringLiteral("–");
}

/// The rows; returns the lower edge.
double fitRows(DrawList& list, const Theme& theme, const QRectF& box, const Fit& fit, const NumberFormat& numbers,
               std::size_t shown)
{
    const QString unit = unitText(numbers);
    const bool recorded = fit.rows.front().scratch || fit.rows.front().tail;
    // Columns end at these places; narrow sheets have name, arena and bar only.
    const bool wide = box.width() >= wideEnough;
    struct Column {
        QString title;
        double right;
        int kind;
    };
    std::vector<Column> columns;
    double x = box.left() + fitMargin + (wide ? 250 : 130);
    const auto column = [&](const QString& title, double width, int kind) { columns.push_back({title, x += width, kind}); };
    if (wide) column(QStringLiteral("tensors"), 90, 0);
    if (wide && recorded) {
        column(QStringLiteral("scratch adds"), 100, 1);
        column(QStringLiteral("tail"), 80, 2);
    }
    column(QStringLiteral("arena, %1").arg(unit), 100, 3);
    // Planners place the head: its bound knows no tail.
    if (wide) column(recorded ? QStringLiteral("head over bound") : QStringLiteral("over the bound"), 110, 4);
    const double verdictLeft = box.left() + fitMargin + 150;
    const QRectF bar(x + 24, box.top(), box.right() - fitMargin - x - 24, box.height());

    const double titleY = box.top() + fitTitleHeight / 2;
    list.text(Face::label, box.left() + fitMargin, titleY, QStringLiteral("planner"), theme.text2);
    const bool decided = std::ranges::any_of(fit.rows, [&](const FitRow& row) { return certainFit(fit, row).has_value(); });
    if (wide && decided) list.text(Face::label, verdictLeft, titleY, QStringLiteral("verdict"), theme.text2);
    for (const Column& each : columns) list.text(Face::label, each.right, titleY, each.title, theme.text2, Align::right);
    if (bar.width() > 60) {
        double after = bar.left();
        const auto key = [&](const QString& text, const QColor& colour) {
            list.vertical(after, titleY - 5, titleY + 5, colour, 2);
            list.text(Face::label, after + 6, titleY, text, theme.text2);
            after += list.width(Face::label, text) + 20;
        };
        key(QStringLiteral("bound"), theme.ok);
        if (fit.capacity) key(QStringLiteral("capacity"), theme.bad);
    }
    const Bytes scale = fitScale(fit);
    double top = box.top() + fitTitleHeight;
    for (std::size_t i = 0; i < fit.rows.size(); ++i) {
        const FitRow& row = fit.rows[i];
        if (top + fitRowHeight > box.bottom() + 0.5) break;
        const double y = top + fitRowHeight / 2;
        const bool answer = i == fit.answer;
        if (i == shown) list.fill({box.left(), top, box.width(), fitRowHeight}, theme.accentSoft);
        list.horizontal(box.left(), box.right(), top, theme.grid);
        const QString name = list.elided(answer ? Face::bodyStrong : Face::body, rowName(row), wide ? 135 : 125);
        list.text(answer ? Face::bodyStrong : Face::body, box.left() + fitMargin, y, name, theme.text);
        if (wide) fitChip(list, theme, verdictLeft, y, certainFit(fit, row));
        for (const Column& each : columns) {
            const QString text = each.kind == 0   ? bytesNumber(row.tensors, numbers)
                                 : each.kind == 1 ? optionalBytes(row.scratch, numbers)
                                 : each.kind == 2 ? optionalBytes(row.tail, numbers)
                                 : each.kind == 3 ? bytesNumber(row.arena, numbers)
                                                  : percentText(row.overBound);
            const QColor ink = each.kind == 4   ? (row.overBound > 0 ? theme.warn
                                                   : row.partial     ? theme.text2
                                                                     : theme.ok)
                               : each.kind == 3 ? (row.fits.value_or(true) ? theme.text : theme.bad)
                                                : theme.text2;
            list.text(each.kind == 3 ? Face::numberStrong : Face::number, each.right, y, text, ink, Align::right);
        }
        if (bar.width() > 60) fitBar(list, theme, {bar.left(), y - 6, bar.width(), 12}, fit, row, scale);
        top += fitRowHeight;
    }
    return top;
}

bool fitMap(DrawList& list, ViewState& view, const QRectF& box, BodyMode mode)
{
    StackState& state = view.state();
    const StackLayout layout = layOut(state, box.size());
    fitViewport(state, layout);
    list.add(draw::Shift{box.topLeft()});
    list.clip({0, 0, box.width(), box.height()});
    const bool fellBack = paintStack(list, state, layout, mode);
    paintStackOverlay(list, state, layout);
    list.unclip();
    list.add(draw::Unshift{});
    return fellBack;
}

/// The runtime's own plan beside the answer, on one scale.
bool fitMaps(DrawList& list, const Theme& theme, const QRectF& box, const Fit& fit, const FitSheetOptions& options)
{
    std::vector<FitMap> maps;
    const auto add = [&](const FitRow& row) {
        if (!row.run) return;
        const auto scene = options.scenes ? options.scenes->scene(row.run) : makeScene(row.run);
        maps.push_back({&row, std::make_unique<ViewState>(scene, theme, ColourBy::kind)});
        maps.back().view->setColouring(partsOf(fit, row));
        StackState& state = maps.back().view->state();
        state.numbers = options.numbers;
        state.ratio = list.ratio();
        state.curve = state.opTrack = state.rows = state.chain = false;
        state.strips.clear();
        if (scene->largestPool() != none) state.strips.push_back(scene->largestPool());
    };
    const std::size_t shown = options.shown && fit.rows[*options.shown].run ? *options.shown : fit.answer;
    if (box.width() >= wideEnough && shown != 0) add(fit.rows.front());
    add(fit.rows[shown]);
    Bytes top = 16;
    for (const FitMap& map : maps)
        for (const std::int32_t strip : map.view->state().strips)
            top = std::max(top, addressLimit(map.view->scene().pools[std::size_t(strip)].map));
    const double gutter = narrowGutter(list.shaper(), top, options.numbers);
    bool fellBack = false;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const double left = std::floor(box.left() + box.width() * double(i) / double(maps.size()));
        const double right = std::floor(box.left() + box.width() * double(i + 1) / double(maps.size()));
        const QRectF head(left, box.top(), right - left, fitMapHead);
        list.fill(head, theme.panel);
        list.horizontal(left, right, head.bottom() - 1, theme.line);
        const FitRow& row = *maps[i].row;
        list.text(Face::bodyStrong, left + fitMargin, head.center().y(), rowName(row), theme.text);
        double x = left + fitMargin + list.width(Face::bodyStrong, rowName(row)) + 10;
        x = fitChip(list, theme, x, head.center().y(), certainFit(fit, row)) + 10;
        const Bytes placed = row.tensors + row.scratch.value_or(0);
        const QString size = bytesText(placed, options.numbers);
        const QStringList figures{QStringLiteral("%1, bound %2").arg(size, bytesText(fit.bound, options.numbers)), size,
                                  QString()};
        list.text(Face::number, right - fitMargin, head.center().y(),
                  fittingText(list, Face::number, figures, right - fitMargin - x), theme.text2, Align::right);
        StackState& state = maps[i].view->state();
        state.minTop = top;
        state.gutter = gutter;
        fellBack |= fitMap(list, *maps[i].view, {left, head.bottom(), right - left, box.bottom() - head.bottom()}, options.mode);
        if (i > 0) list.fill({left, box.top(), 1, box.height()}, theme.line2);
    }
    return fellBack;
}

void fitChanges(DrawList& list, const Theme& theme, const QRectF& box, const Fit& fit, const NumberFormat& numbers)
{
    const FitRow& best = fit.best();
    const bool open = isMinimum(fit, best);
    double top = box.top();
    std::vector<std::string_view> names;
    for (const FitChange& change : fit.changes) names.insert(names.end(), change.names.begin(), change.names.end());
    const NamesApart apart(names);
    if (fit.changes.empty())
        list.text(Face::body, box.left() + fitMargin, top + 20, QStringLiteral("None of these changes makes the arena smaller."),
                  theme.text2);
    for (std::size_t i = 0; i < fit.changes.size() && top + fitChangeHeight <= box.bottom() + 0.5; ++i) {
        const FitChange& change = fit.changes[i];
        const QString saved = bytesText(change.arena - best.arena, numbers);
        const double y = top + fitChangeHeight / 2;
        list.text(Face::bodyStrong, box.left() + fitMargin, y, QString::number(i + 1), theme.accent);
        const QString arena = (open ? QStringLiteral("at least %1") : QStringLiteral("%1")).arg(bytesText(change.arena, numbers));
        list.text(Face::numberStrong, box.right() - fitMargin, y - 7, arena, theme.text, Align::right);
        list.text(Face::number, box.right() - fitMargin, y + 9, saved, theme.ok, Align::right);
        const double room = box.width() - 3 * fitMargin - std::max(120.0, list.width(Face::numberStrong, arena) + fitMargin);
        const std::string sentence = apart.fitSentence(change.text, change.names, room, measuredIn(list, Face::body));
        list.text(Face::body, box.left() + fitMargin + 22, y - 7, firstWords(list, Face::body, words(sentence), room),
                  theme.text);
        list.text(Face::label, box.left() + fitMargin + 22, y + 9,
                  change.proved ? QStringLiteral("proved: no plan of it needs less") : QStringLiteral("best plan found"),
                  theme.text2);
        top += fitChangeHeight;
        list.horizontal(box.left(), box.right(), top - 1, theme.grid);
    }
}

void fitPeak(DrawList& list, const Theme& theme, const QRectF& box, const Fit& fit, const NumberFormat& numbers)
{
    struct Line {
        QString name;
        Bytes bytes;
        int part; ///< 0 tensor, 1 scratch, 2 tail
    };
    std::vector<Line> lines;
    for (const FitPart& part : fit.peak) lines.push_back({words(part.name), part.bytes, part.scratch ? 1 : 0});
    std::vector<std::string> shown;
    for (const Line& line : lines) shown.push_back(line.name.toStdString());
    const NamesApart apart(std::vector<std::string_view>(shown.begin(), shown.end()));
    const auto room = std::size_t(std::max(0.0, box.height() / fitRowHeight));
    const std::size_t extra = fit.best().tail ? 1 : 0;
    if (lines.size() + extra > room && room > extra + 1) {
        Bytes rest = 0;
        const std::size_t kept = room - extra - 1;
        for (std::size_t i = kept; i < lines.size(); ++i) rest += lines[i].bytes;
        const auto count = std::int64_t(lines.size() - kept);
        lines.resize(kept);
        lines.push_back({QStringLiteral("%1 more").arg(countText(count)), rest, 0});
    }
    if (fit.best().tail) lines.push_back({QStringLiteral("tail, as recorded"), *fit.best().tail, 2});
    double top = box.top();
    for (const Line& line : lines) {
        if (top + fitRowHeight > box.bottom() + 0.5) break;
        const double y = top + fitRowHeight / 2;
        swatch(list, theme, list.snapped({box.left() + fitMargin, y - 5, 10, 10}), line.part);
        const QString bytes = bytesText(line.bytes, numbers);
        const double left = box.left() + fitMargin + 18;
        const double nameRoom = box.right() - 2 * fitMargin - left - list.width(Face::number, bytes);
        const std::string name = apart.fit(line.name.toStdString(), nameRoom, measuredIn(list, Face::body));
        list.text(Face::body, left, y, QString::fromStdString(name), theme.text);
        list.text(Face::number, box.right() - fitMargin, y, bytes, theme.text2, Align::right);
        top += fitRowHeight;
        list.horizontal(box.left(), box.right(), top - 1, theme.grid);
    }
}

} // namespace

Bytes fitScale(const Fit& fit)
{
    constexpr double beyond = 1.6;
    const Bytes core = std::max({fit.best().arena, fit.runtimes().arena, fit.capacity.value_or(0), Bytes{1}});
    Bytes largest = core;
    for (const FitRow& row : fit.rows) largest = std::max(largest, row.arena);
    return std::min(largest, Bytes(std::min(double(core) * beyond, 9e18)));
}

QRectF fitCardBox(QSizeF size)
{
    return {fitMargin, fitMargin, size.width() - 2 * fitMargin, fitCardHeight};
}

std::optional<std::size_t> fitRowAt(const Fit& fit, double y)
{
    const double first = 2 * fitMargin + fitCardHeight + fitHeadHeight + fitTitleHeight;
    if (y < first) return std::nullopt;
    const auto row = static_cast<std::size_t>((y - first) / fitRowHeight);
    return row < fit.rows.size() ? std::optional(row) : std::nullopt;
}

double paintFitCard(DrawList& list, const Theme& theme, const QRectF& box, const Fit& fit, const NumberFormat& numbers,
                    double rightRoom)
{
    const FitRow& best = fit.best();
    const QRectF card = list.snapped({box.left(), box.top(), box.width(), fitCardHeight});
    list.fill(card, theme.raised, 4);
    list.outline(card.adjusted(0.5, 0.5, -0.5, -0.5), theme.line2, 1, 4);
    const double left = card.left() + fitMargin;
    const double right = card.right() - fitMargin - rightRoom;
    const double room = right - left;
    list.text(Face::body, left, card.top() + 18, QStringLiteral("How big must the arena be?"), theme.text2);
    const bool open = isMinimum(fit, best);
    const QString arena = (open ? QStringLiteral("at least %1") : QStringLiteral("%1")).arg(bytesText(best.arena, numbers));
    double x = left;
    list.text(Face::title, x, card.top() + 42, arena, theme.text);
    x += list.width(Face::title, arena) + 12;
    if (const auto fits = certainFit(fit, best)) x = fitChip(list, theme, x, card.top() + 42, fits) + 12;
    const QString with = best.planner == "offline" ? QStringLiteral("with an offline plan in the file")
                                                   : QStringLiteral("with %1").arg(rowName(best));
    QStringList answers{with};
    if (fit.capacity && best.arena <= *fit.capacity && !best.fits.value_or(true)) {
        answers = {with + QStringLiteral(", but one of the memories is too small"),
                   QStringLiteral("one of the memories is too small"), QStringLiteral("one is too small")};
    } else if (fit.capacity) {
        const QString apart = bytesText(std::abs(*fit.capacity - best.arena), numbers), all = bytesText(*fit.capacity, numbers);
        const bool fits = best.arena <= *fit.capacity;
        const QString limit = !open ? QString() : fits ? QStringLiteral("at most ") : QStringLiteral("at least ");
        const QString far = limit + (fits ? QStringLiteral("%1 to spare of %2").arg(apart, all)
                                          : QStringLiteral("%1 more than the capacity of %2").arg(apart, all));
        answers = {with + QStringLiteral(", ") + far, far,
                   limit + (fits ? QStringLiteral("%1 to spare").arg(apart) : QStringLiteral("%1 over").arg(apart)),
                   QString()}; // no number is cut
    }
    list.text(Face::body, x, card.top() + 42, fittingText(list, Face::body, answers, right - x), theme.text);
    const QString of = QString::fromStdString(minimumHead(fit));
    const QString gain = of + words(gainLine(fit)) + u'.';
    QStringList lines;
    if (fit.runtime == Runtime::tflm && !fit.log)
        lines << gain + QStringLiteral(" Scratch and tail, which only the runtime knows, come on top.")
              << gain + QStringLiteral(" Scratch and tail come on top.");
    lines << gain;
    if (fit.saved() > 0)
        lines << of + QStringLiteral("The plan saves %1, %2.")
                          .arg(bytesText(fit.runtimes().arena - best.arena, numbers), shareText(fit.saved()));
    lines << QString();
    const bool saves = fit.saved() > 0 && !open;
    const Face face = saves ? Face::bodyStrong : Face::body;
    list.text(face, left, card.top() + 65, fittingText(list, face, lines, room), saves ? theme.ok : theme.text2);
    return fitCardHeight;
}

bool paintFitSheet(DrawList& list, const Fit& fit, const FitSheetOptions& options)
{
    const Theme& theme = *options.theme;
    const double width = options.size.width();
    const double height = std::floor(options.size.height());
    list.fill({0, 0, width, height}, theme.base);
    const QRectF card = fitCardBox({width, height});
    double top = card.top() + paintFitCard(list, theme, card, fit, options.numbers, options.cardRoom) + fitMargin;
    list.fill({0, top, width, std::max(0.0, height - top)}, theme.panel);
    if (top + fitHeadHeight + fitTitleHeight + fitRowHeight > height) return false;

    const QRectF head(0, top, width, fitHeadHeight);
    const double captionEnd = fitSectionHead(list, theme, head, QStringLiteral("Arena by planner"),
                                             fit.runtime != Runtime::tflm ? QString()
                                             : fit.log ? QStringLiteral("head at the bottom, tail at the top of one arena")
                                                       : QStringLiteral("tensors; scratch and tail are not known without a log"));
    const bool recorded = fit.best().scratch || fit.best().tail;
    double right = width - fitMargin;
    const QString names[] = {QStringLiteral("tensors"), QStringLiteral("scratch"), QStringLiteral("tail")};
    for (int part = recorded ? 2 : 0; part >= 0; --part) {
        const double wanted = list.width(Face::label, names[part]) + 16;
        if (right - wanted < captionEnd) break;
        list.text(Face::label, right, head.center().y(), names[part], theme.text2, Align::right);
        swatch(list, theme, list.snapped({right - wanted, head.center().y() - 5, 10, 10}), part);
        right -= wanted + 14;
    }
    top += fitHeadHeight;
    const double rows = fitTitleHeight + fitRowHeight * double(fit.rows.size());
    top = fitRows(list, theme, {0, top, width, std::min(rows, height - top)}, fit, options.numbers,
                  options.shown.value_or(fit.answer)) +
          4;

    const bool wide = width >= wideEnough;
    // Before the maps go, lists show their first rows only; where there are no maps, lists have all the room.
    const auto contentOf = [&](std::size_t changes, std::size_t parts) {
        return std::max(fitChangeHeight * double(std::clamp<std::size_t>(fit.changes.size(), 1, changes)),
                        fitRowHeight * double(std::min(parts, fit.peak.size() + 1)));
    };
    const double room = height - top - fitHeadHeight, content = contentOf(fit.changes.size() + 1, 6);
    if (room < contentOf(1, 2)) return false;
    const bool maps = room - smallestMap >= contentOf(2, 3);
    const double listed = maps ? std::min(content, room - smallestMap) : room;
    const double footTop = height - fitHeadHeight - listed, foot = height - footTop;
    const bool fellBack = maps && fitMaps(list, theme, {0, top, width, footTop - top}, fit, options);
    const double middle = wide ? std::floor(width * 0.55) : width;
    const auto whole = static_cast<std::size_t>(listed / fitChangeHeight);
    QString changes = QStringLiteral("on top of this plan, and what the arena is then");
    if (whole < fit.changes.size()) changes.prepend(QStringLiteral("the best %1 of %2, ").arg(whole).arg(fit.changes.size()));
    fitSectionHead(list, theme, {0, footTop, middle, fitHeadHeight}, QStringLiteral("Suggested changes"), changes);
    fitChanges(list, theme, {0, footTop + fitHeadHeight, middle, listed}, fit, options.numbers);
    if (!wide) return fellBack;
    fitSectionHead(list, theme, {middle, footTop, width - middle, fitHeadHeight}, QStringLiteral("What the peak is made of"),
                   fit.peakStep >= 0 ? QStringLiteral("live together at step %1").arg(fit.peakStep) : QString());
    list.fill({middle, footTop, 1, foot}, theme.line2);
    fitPeak(list, theme, {middle + 1, footTop + fitHeadHeight, width - middle - 1, listed}, fit, options.numbers);
    return fellBack;
}

} // namespace stowage
