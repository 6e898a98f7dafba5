// Heads and rows that say what a run came to: verdict, size, how far above the bound, time.
#include "app/canvas/pictures/compare/compare_sheet.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double runRowHeight = 23;
constexpr double headerHeight = 24;

/// A check mark or a cross, 8 px wide.
void paintMark(DrawList& list, QPointF centre, bool good, const QColor& colour)
{
    const double x = centre.x();
    const double y = centre.y();
    if (good) {
        list.add(draw::Line{QPolygonF{QPointF(x - 3.6, y + 0.2), QPointF(x - 1.1, y + 2.8), QPointF(x + 3.8, y - 2.8)}, colour,
                            1.4, Dash::solid});
        return;
    }
    list.add(draw::Line{QPolygonF{QPointF(x - 3, y - 3), QPointF(x + 3, y + 3)}, colour, 1.4, Dash::solid});
    list.add(draw::Line{QPolygonF{QPointF(x + 3, y - 3), QPointF(x - 3, y + 3)}, colour, 1.4, Dash::solid});
}

/// A triangle with its stroke and point, as the icon of widgets.
void paintWarning(DrawList& list, QPointF centre, const QColor& colour)
{
    const double x = centre.x(), y = centre.y();
    const QPolygonF outline{QPointF(x, y - 5), QPointF(x + 5.5, y + 4.5), QPointF(x - 5.5, y + 4.5), QPointF(x, y - 5)};
    list.add(draw::Line{outline, colour, 1.2, Dash::solid});
    list.add(draw::Line{QPolygonF{QPointF(x, y - 1.7), QPointF(x, y + 1.2)}, colour, 1.2, Dash::solid});
    list.add(draw::Line{QPolygonF{QPointF(x, y + 2.4), QPointF(x, y + 3.2)}, colour, 1.2, Dash::solid});
}

/// Mark and word, 18 px high; returns the right edge.
double paintVerdict(DrawList& list, const Theme& theme, double left, double middle, VerdictKind verdict)
{
    const QString word = verdictText(verdict);
    const bool open = isOpen(verdict);
    const QColor ink = verdictColour(verdict, theme);
    const double width = std::ceil(list.width(Face::label, word)) + 28;
    const QRectF box = list.snapped({left, middle - 9, width, 18});
    list.fill(box, open ? theme.warnSoft : isYes(verdict) ? theme.okSoft : theme.badSoft, 3);
    if (open)
        paintWarning(list, {box.left() + 11, box.center().y()}, ink);
    else
        paintMark(list, {box.left() + 11, box.center().y()}, isYes(verdict), ink);
    list.text(Face::label, box.left() + 21, box.center().y(), word, ink);
    return box.right();
}

/// What a run was made with beside its planner, each setting as text: "seed 2".
std::vector<std::string> settingsOf(const Run& run)
{
    std::vector<std::string> settings;
    const auto add = [&](std::string_view name, const std::string& value) {
        settings.push_back(std::string(name) + '=' + value);
    };
    settings.push_back(run.targetName.empty() ? "own pools" : run.targetName);
    for (const auto& [name, value] : run.lowering->fingerprint.fields()) add(name, value);
    for (const auto& [name, value] : run.plan.options) add(name, value);
    settings.push_back("seed " + std::to_string(run.plan.seed));
    return settings;
}

/// The title of each run among those of its group; the head of a group says how it differs from the others.
std::vector<std::string> titlesInGroups(std::span<const std::shared_ptr<const Run>> runs, std::span<const RunGroup> groups)
{
    std::vector<std::string> titles(runs.size());
    for (const RunGroup& group : groups) {
        std::vector<std::shared_ptr<const Run>> members;
        for (const std::size_t index : group.runs) members.push_back(runs[index]);
        const std::vector<std::string> own = runTitles(members);
        for (std::size_t i = 0; i < own.size(); ++i) titles[group.runs[i]] = own[i];
    }
    return titles;
}

/// The most important remark: there is room for one.
QString remarkOf(const Run& run, const NumberFormat& numbers)
{
    const auto all = verdictRemarks(run, [&](Bytes bytes) { return bytesText(bytes, numbers).toStdString(); });
    return all.empty() ? QString() : QString::fromStdString(all.front());
}

} // namespace

QString verdictText(VerdictKind verdict)
{
    const std::string_view word = verdictWord(verdict);
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

QString firstWords(const DrawList& list, Face face, const QString& text, double room)
{
    constexpr double legible = 60;
    if (list.width(face, text) <= room) return text;
    if (room < legible || text.front().isDigit()) return {};
    const QString cut = list.elided(face, text, room);
    qsizetype end = cut.lastIndexOf(u' ');
    while (end > 0 && cut[end - 1].isDigit()) end = cut.lastIndexOf(u' ', end - 1);
    return end > 0 ? cut.left(end) + QChar(0x2026) : QString();
}

QColor verdictColour(VerdictKind verdict, const Theme& theme)
{
    return isOpen(verdict) ? theme.warn : isYes(verdict) ? theme.ok : theme.bad;
}

QColor goodColour(VerdictKind verdict, const Theme& theme)
{
    return verdict == VerdictKind::partial ? theme.text2 : theme.ok;
}

QColor overBoundColour(const Run& run, const Theme& theme)
{
    if (!isGood(run)) return theme.bad;
    return run.report.totalSize() > run.report.totalBound() ? theme.warn : goodColour(verdictKind(run), theme);
}

std::optional<Bytes> capacityOf(const Report& report)
{
    const PoolReport* used = nullptr;
    for (const PoolReport& pool : report.pools) {
        if (pool.size == 0) continue;
        if (used) return std::nullopt;
        used = &pool;
    }
    return used ? used->capacity : std::nullopt;
}

std::vector<std::string> runTitles(std::span<const std::shared_ptr<const Run>> runs)
{
    std::vector<std::string> titles;
    std::vector<std::vector<std::string>> settings;
    for (const auto& run : runs) {
        titles.push_back(run->plan.planner);
        settings.push_back(settingsOf(*run));
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const std::string& setting : settings[i])
            for (std::size_t other = 0; other < runs.size(); ++other)
                if (runs[other]->plan.planner == runs[i]->plan.planner && std::ranges::count(settings[other], setting) == 0) {
                    titles[i] += ", " + setting;
                    break;
                }
    return titles;
}

PaneHead paneHead(const Run& run, PoolId pool, bool best, const Theme& theme, const NumberFormat& numbers)
{
    PaneHead head;
    head.title = QString::fromStdString(run.plan.planner);
    head.verdict = verdictKind(run);
    head.good = isGood(run);
    head.best = best && head.good;
    head.remark = remarkOf(run, numbers);
    const auto used = std::ranges::count_if(run.report.pools, [](const PoolReport& p) { return p.size > 0; });
    const auto shown = std::ranges::find(run.report.pools, pool, &PoolReport::pool);
    const QColor good = goodColour(head.verdict, theme);
    const auto overBound = [&](double gap) { // of all pools, as in the table of runs
        head.figures.push_back({QStringLiteral("over bound"), percentText(gap), gap > 0 ? theme.warn : good});
    };
    if (used > 1) {
        head.figures.push_back({QStringLiteral("all pools"), bytesText(run.report.totalSize(), numbers), theme.text});
        overBound(totalGap(run.report));
    }
    if (shown != run.report.pools.end()) {
        const QString name =
            used > 1 ? QString::fromStdString(run.problem().pools[std::size_t(pool)].name) : QStringLiteral("pool");
        head.figures.push_back({name, bytesText(shown->size, numbers), theme.text});
        if (used <= 1) overBound(shown->gap());
        if (shown->capacity) {
            const Bytes spare = *shown->capacity - shown->size;
            head.figures.push_back({spare < 0 ? QStringLiteral("short") : QStringLiteral("spare"),
                                    bytesText(spare < 0 ? -spare : spare, numbers), spare < 0 ? theme.bad : good});
        }
    }
    head.figures.push_back({QStringLiteral("time"), planningTimeText(run.elapsedMs), theme.text2});
    return head;
}

void paintPaneHead(DrawList& list, const Theme& theme, const QRectF& box, const PaneHead& head)
{
    list.fill(box, theme.panel);
    list.horizontal(box.left(), box.right(), box.bottom() - 1, theme.line);
    const double right = box.right() - 12;
    const double upper = box.top() + 17;
    double x = box.left() + 12;
    const double verdictRoom = list.width(Face::label, verdictText(head.verdict)) + 40;
    const QString title = list.toldApart(Face::title, head.title, std::max(40.0, right - x - verdictRoom), head.titles);
    list.text(Face::title, x, upper, title, theme.text);
    x += list.width(Face::title, title) + 9;
    x = paintVerdict(list, theme, x, upper, head.verdict) + 9;
    if (head.best) {
        const double width = list.chipWidth(QStringLiteral("best"));
        const QColor good = goodColour(head.verdict, theme);
        if (x + width < right)
            x = list.chip(x + width, upper - DrawList::chipHeight / 2, QStringLiteral("best"), good, theme.panel).right() + 9;
    }
    list.text(Face::label, right, upper, firstWords(list, Face::label, head.remark, right - x), theme.text2, Align::right);

    x = box.left() + 12;
    const double lower = box.top() + 38;
    for (const PaneHead::Figure& figure : head.figures) {
        const double labelWidth = list.width(Face::label, figure.label);
        const double valueWidth = list.width(Face::numberStrong, figure.value);
        if (x + labelWidth + 5 + valueWidth > right) break; // none is cut
        list.text(Face::label, x, lower, figure.label, theme.text3);
        list.text(Face::numberStrong, x + labelWidth + 5, lower, figure.value, figure.colour);
        x += labelWidth + 5 + valueWidth + 14;
    }
}

double narrowGutter(TextShaper& shaper, Bytes top, const NumberFormat& numbers)
{
    constexpr double usual = 20, least = 7; // beside the longest address
    const double text = std::ceil(shaper.width(Face::tick, axisAddressText(top, numbers)));
    return std::min(text + usual, std::max(text + least, titledGutter)); // a long address does not bring a title with it
}

Bytes barScale(std::span<const std::shared_ptr<const Run>> runs)
{
    Bytes most = 1;
    Bytes least = 0;
    for (const auto& run : runs) {
        const Bytes reference = std::max(run->report.totalBound(), capacityOf(run->report).value_or(0));
        most = std::max({most, run->report.totalSize(), reference});
        const Bytes needed =
            std::max<Bytes>(1, run->report.totalBound() > 0 ? run->report.totalBound() : run->report.totalSize());
        least = least == 0 ? needed : std::min(least, needed);
    }
    return std::max<Bytes>(1, std::min(most, least > maxBytes / 2 ? most : 2 * least));
}

bool marksCapacity(std::span<const std::shared_ptr<const Run>> runs)
{
    const Bytes scale = barScale(runs);
    return std::ranges::any_of(runs, [&](const auto& run) {
        const auto capacity = capacityOf(run->report);
        return capacity && *capacity <= scale;
    });
}

void paintSizeBar(DrawList& list, const Theme& theme, const QRectF& track, const Run& run, Bytes scale)
{
    const Report& report = run.report;
    const auto at = [&](Bytes bytes) {
        return list.snap(track.left() + track.width() * std::min(1.0, double(bytes) / double(scale)));
    };
    const Bytes size = report.totalSize();
    const Bytes bound = report.totalBound();
    list.fill(track, theme.hover);
    list.fill({track.left(), track.top(), at(std::min(size, bound)) - track.left(), track.height()},
              mix(theme.text3, theme.panel, 0.25));
    if (size > bound)
        list.fill({at(bound), track.top(), std::max(1.0, at(size) - at(bound)), track.height()},
                  isGood(run) ? theme.warn : theme.bad);
    if (size > scale) {
        // The cut says that the bar goes on.
        const double x = track.right() - 9;
        list.add(draw::Line{
            QPolygonF{QPointF(x - 3, track.top() - 1), QPointF(x + 3, track.center().y()), QPointF(x - 3, track.bottom() + 1)},
            theme.panel, 2.5, Dash::solid});
    }
    if (const auto capacity = capacityOf(report); capacity && *capacity <= scale)
        list.fill({at(*capacity) - 1, track.top() - 2, 2, track.height() + 4}, theme.bad);
    if (bound > 0) list.fill({at(bound) - 1, track.top(), 2, track.height()}, theme.ok);
}

void paintRunRows(DrawList& list, const Theme& theme, const QRectF& box, std::span<const std::shared_ptr<const Run>> runs,
                  const NumberFormat& numbers)
{
    const std::vector<RunGroup> groups = groupRuns(runs);
    const Bytes scale = barScale(runs);
    list.fill(box, theme.panel);
    list.clip(box);
    const std::vector<std::string> titles = titlesInGroups(runs, groups);
    const NamesApart names(std::vector<std::string_view>(titles.begin(), titles.end()));
    double nameWidth = 60;
    double sizeWidth = list.width(Face::label, QStringLiteral("size, %1").arg(unitText(numbers)));
    for (const std::string& title : titles)
        nameWidth = std::max(nameWidth, list.width(Face::body, QString::fromStdString(title)));
    for (const auto& run : runs)
        sizeWidth = std::max(sizeWidth, list.width(Face::bodyNumber, bytesNumber(run->report.totalSize(), numbers)));
    nameWidth = std::min(nameWidth, box.width() * 0.3);
    // Columns: name, best, verdict, size, over the bound, bar, time. The bar takes what is left, and goes first where nothing is.
    const double name = box.left() + 12;
    const double best = name + nameWidth + 8;
    const double verdict = best + 42;
    const double size = verdict + 104 + sizeWidth; // right edge
    const double over = size + 78;                 // right edge
    const double timeRight = box.right() - 12;     // right edge
    const double barLeft = over + 18;
    const double barRight = timeRight - 76;
    const bool bars = barRight - barLeft >= 60;
    QString barTitle = marksCapacity(runs) ? QStringLiteral("size, bound, capacity") : QStringLiteral("size, bound");
    // The last words go first.
    while (list.width(Face::label, barTitle) > barRight - barLeft && barTitle.contains(u','))
        barTitle.truncate(barTitle.lastIndexOf(u','));
    double y = box.top();
    const auto caption = [&](double x, const QString& text, Align align) {
        list.text(Face::label, x, y + headerHeight / 2, text, theme.text3, align);
    };
    caption(name, QStringLiteral("planner"), Align::left);
    caption(verdict, QStringLiteral("checker"), Align::left);
    caption(size, QStringLiteral("size, %1").arg(unitText(numbers)), Align::right);
    caption(over, QStringLiteral("over bound"), Align::right);
    if (bars) caption(barLeft, barTitle, Align::left);
    caption(timeRight, QStringLiteral("time"), Align::right);
    y += headerHeight;
    list.horizontal(box.left(), box.right(), y - 1, theme.line);

    std::size_t left = runs.size();
    for (const RunGroup& group : groups) {
        if (groups.size() > 1) {
            if (y + runRowHeight > box.bottom()) break;
            list.fill({box.left(), y, box.width(), runRowHeight}, theme.raised);
            QString text = QString::fromStdString(group.lowering.text());
            if (!group.target.empty()) text += QStringLiteral(", %1").arg(QString::fromStdString(group.target));
            list.text(Face::label, name, y + runRowHeight / 2, list.elided(Face::label, text, box.width() - 24), theme.text2);
            y += runRowHeight;
        }
        for (const std::size_t index : group.runs) {
            const Run& run = *runs[index];
            const double middle = y + runRowHeight / 2;
            if (y + runRowHeight > box.bottom() || (left > 1 && y + 2 * runRowHeight > box.bottom())) {
                list.text(Face::label, name, middle, QStringLiteral("%1 more").arg(left), theme.text2);
                list.unclip();
                return;
            }
            list.text(Face::body, name, middle,
                      list.toldApart(Face::body, QString::fromStdString(titles[index]), nameWidth, names), theme.text);
            if (group.runs.size() > 1 && isGood(run) && group.best == run.report.totalSize())
                list.chip(best + list.chipWidth(QStringLiteral("best")), middle - DrawList::chipHeight / 2,
                          QStringLiteral("best"), goodColour(verdictKind(run), theme), theme.panel);
            paintVerdict(list, theme, verdict, middle, verdictKind(run));
            list.text(Face::bodyNumber, size, middle, bytesNumber(run.report.totalSize(), numbers), theme.text, Align::right);
            list.text(Face::bodyNumber, over, middle, percentText(totalGap(run.report)), overBoundColour(run, theme),
                      Align::right);
            if (bars) paintSizeBar(list, theme, {barLeft, y + 6, barRight - barLeft, 11}, run, scale);
            list.text(Face::bodyNumber, timeRight, middle, planningTimeText(run.elapsedMs), theme.text2, Align::right);
            y += runRowHeight;
            list.horizontal(box.left(), box.right(), y - 1, theme.line);
            --left;
        }
    }
    list.unclip();
}

} // namespace stowage
