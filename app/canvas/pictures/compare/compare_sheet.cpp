#include "app/canvas/pictures/compare/compare_sheet.h"

#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double sectionHead = 28;
constexpr double headMargin = 12;
constexpr double headGap = 10; ///< between title and caption
constexpr double minPaneWidth = 290;
constexpr double minPaneHeight = 190;

/// One run with what its map needs.
struct Pane {
    std::shared_ptr<const Run> run;
    std::unique_ptr<ViewState> view;
};

/// The strip of the pool in a scene; none when nothing lies there.
std::int32_t stripOf(const RunScene& scene, const std::string& poolName)
{
    for (std::size_t i = 0; i < scene.pools.size(); ++i)
        if (scene.pools[i].map.poolName == poolName) return std::int32_t(i);
    return none;
}

/// The pool of that name in the run's own problem: runs of other lowerings may number theirs in another way.
PoolId poolNamed(const Run& run, const std::string& name)
{
    const auto& pools = run.problem().pools;
    const auto found = std::ranges::find(pools, name, &Pool::name);
    return found == pools.end() ? PoolId(none) : PoolId(found - pools.begin());
}

void prepare(ViewState& view, const CompareOptions& options, const std::string& poolName, double ratio)
{
    StackState& state = view.state();
    state.numbers = options.numbers;
    state.ratio = ratio;
    state.curve = state.opTrack = state.rows = state.chain = false;
    state.strips.clear();
    if (const std::int32_t strip = stripOf(view.scene(), poolName); strip != none) state.strips.push_back(strip);
}

bool paintMap(DrawList& list, ViewState& view, const QRectF& box, BodyMode mode)
{
    StackState& state = view.state();
    const StackLayout layout = layOut(state, box.size());
    fitViewport(state, layout);
    list.add(draw::Shift{box.topLeft()});
    list.clip({0, 0, box.width(), box.height()});
    const bool fellBack = paintStack(list, state, layout, mode);
    paintStackOverlay(list, state, layout);
    if (state.strips.empty())
        list.text(Face::body, box.width() / 2, box.height() / 2, QStringLiteral("Nothing lies in this pool."), state.theme->text2,
                  Align::centre);
    list.unclip();
    list.add(draw::Unshift{});
    return fellBack;
}

double paintSectionHead(DrawList& list, const Theme& theme, const QRectF& box, const QString& title, const QString& caption)
{
    list.fill(box, theme.panel);
    list.horizontal(box.left(), box.right(), box.bottom() - 1, theme.line);
    double x = box.left() + headMargin;
    list.text(Face::bodyStrong, x, box.center().y(), title, theme.text);
    x += list.width(Face::bodyStrong, title) + headGap;
    const QString shown = caption.isEmpty() ? caption : firstWords(list, Face::body, caption, box.right() - headMargin - x);
    list.text(Face::body, x, box.center().y(), shown, theme.text2);
    return x + list.width(Face::body, shown) + 16;
}

/// "beta against alpha" within `room`. Each name keeps what tells it from the other; without room for both the text is empty, as
/// the heads of the maps name the runs.
QString againstText(const DrawList& list, const std::string& here, const std::string& there, double room)
{
    constexpr double legible = 48; // of a shortened name
    const QString between = QStringLiteral(" against ");
    const QString first = QString::fromStdString(here), second = QString::fromStdString(there);
    const std::array<std::string_view, 2> both{here, there};
    const NamesApart apart(both);
    const double names = room - list.width(Face::body, between) - 1; // letters side by side may need a little more
    const double secondWidth = list.width(Face::body, second);
    if (names < 2 * legible && list.width(Face::body, first) + secondWidth > names) return {};
    const double firstRoom = std::max(names / 2, names - secondWidth);
    const QString shownFirst = list.toldApart(Face::body, first, firstRoom, apart);
    const QString shownSecond = list.toldApart(Face::body, second, names - list.width(Face::body, shownFirst), apart);
    const QString text = shownFirst + between + shownSecond;
    return shownFirst.isEmpty() || shownSecond.isEmpty() || list.width(Face::body, text) > room ? QString() : text;
}

void paintDifferenceLegend(DrawList& list, const Theme& theme, const PlanDifference& difference, double from, double right,
                           double y)
{
    const auto counts = differenceCounts(difference);
    for (std::size_t i = counts.size(); i-- > 0;) {
        const double left = right - differenceEntryWidth(list, counts[i]);
        if (left < from) return;
        paintDifferenceEntry(list, theme, counts[i], left, y);
        right = left - 14;
    }
}

/// "lower 85".
QString entryText(const DifferenceCount& count)
{
    return QStringLiteral("%1 %2").arg(QString::fromStdString(count.name), countText(std::int64_t(count.buffers)));
}

/// One shade has a square; several are still told apart.
double swatchWidth(const DifferenceCount& count)
{
    return std::max(10.0, 6.0 * double(count.shades.size()));
}

/// Maps in rows of equal panes. Returns how many were painted.
std::size_t paintPanes(DrawList& list, const QRectF& box, std::vector<Pane>& panes, std::span<const RunGroup> groups,
                       const std::string& poolName, const CompareOptions& options, bool& fellBack)
{
    const Theme& theme = *options.theme;
    const std::size_t across = std::clamp<std::size_t>(std::size_t(box.width() / minPaneWidth), 1, 4);
    const std::size_t down = std::clamp<std::size_t>(std::size_t(box.height() / minPaneHeight), 1, 2);
    const std::size_t shown = std::min({panes.size(), across * down, maxComparedMaps});
    const std::size_t rows = (shown + across - 1) / across;
    const std::size_t columns = (shown + rows - 1) / rows;
    const double height = std::floor(box.height() / double(rows));
    std::vector<std::shared_ptr<const Run>> runs;
    for (std::size_t i = 0; i < shown; ++i) runs.push_back(panes[i].run);
    const std::vector<std::string> titles = runTitles(runs);
    const NamesApart apart(std::vector<std::string_view>(titles.begin(), titles.end()));
    for (std::size_t i = 0; i < shown; ++i) {
        const double left = std::floor(box.width() * double(i % columns) / double(columns));
        const double right = std::floor(box.width() * double(i % columns + 1) / double(columns));
        const QRectF pane(box.left() + left, box.top() + double(i / columns) * height, right - left, height);
        const Run& run = *panes[i].run;
        const auto group = std::ranges::find_if(groups, [&](const RunGroup& g) { return g.sameProblem(run); });
        const bool best = isGood(run) && group->best == run.report.totalSize() && group->runs.size() > 1;
        PaneHead head = paneHead(run, poolNamed(run, poolName), best, theme, options.numbers);
        head.title = QString::fromStdString(titles[i]);
        head.titles = apart;
        paintPaneHead(list, theme, {pane.left(), pane.top(), pane.width(), paneHeadHeight}, head);
        fellBack |= paintMap(list, *panes[i].view, pane.adjusted(0, paneHeadHeight, 0, 0), options.mode);
        if (i % columns > 0) list.fill({pane.left(), pane.top(), 1, pane.height()}, theme.line2);
        if (i >= columns) list.horizontal(pane.left(), pane.right(), pane.top(), theme.line2);
    }
    list.horizontal(box.left(), box.right(), box.bottom() - 1, theme.line2);
    return shown;
}

} // namespace

double differenceEntryWidth(const DrawList& list, const DifferenceCount& count)
{
    return swatchWidth(count) + 5 + list.width(Face::label, entryText(count));
}

void paintDifferenceEntry(DrawList& list, const Theme& theme, const DifferenceCount& count, double left, double y)
{
    const Palette palette = paletteOf(theme, ColourBy::difference);
    const double width = swatchWidth(count), each = width / double(count.shades.size());
    for (std::size_t i = 0; i < count.shades.size(); ++i)
        list.fill(list.snapped({left + each * double(i), y - 5, each, 10}), palette.fills[std::size_t(count.shades[i])],
                  count.shades.size() == 1 ? 2 : 0);
    list.text(Face::label, left + width + 5, y, entryText(count), theme.text2);
}

PoolId comparedPool(std::span<const std::shared_ptr<const Run>> runs)
{
    if (runs.empty()) return none;
    const Problem& problem = runs.front()->problem();
    std::vector<std::size_t> buffers(problem.pools.size(), 0);
    for (const auto& run : runs)
        for (const PoolReport& pool : run->report.pools)
            if (pool.pool >= 0 && std::size_t(pool.pool) < buffers.size()) buffers[std::size_t(pool.pool)] += pool.buffers;
    PoolId best = none;
    const auto rank = [&](PoolId pool) {
        return std::pair(problem.pools[std::size_t(pool)].kind == PoolKind::workspace, buffers[std::size_t(pool)]);
    };
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i] > 0 && (best == none || rank(PoolId(i)) > rank(best))) best = PoolId(i);
    return best;
}

QString groupsCaption(std::span<const RunGroup> groups)
{
    if (groups.size() < 2) return {};
    const bool lowerings = std::ranges::any_of(
        groups, [&](const RunGroup& group) { return group.lowering.withoutPools() != groups.front().lowering.withoutPools(); });
    return lowerings ? QStringLiteral("%1 set-ups: different problems, ranked apart").arg(groups.size())
                     : QStringLiteral("%1 sets of pools, ranked apart").arg(groups.size());
}

bool paintCompareSheet(DrawList& list, std::span<const std::shared_ptr<const Run>> runs, const CompareOptions& options)
{
    const Theme& theme = *options.theme;
    const double width = options.size.width();
    const double height = std::floor(options.size.height());
    const std::vector<RunGroup> groups = groupRuns(runs);
    list.fill({0, 0, width, height}, theme.well);
    const Problem& first = runs.front()->problem();
    const std::string poolName = options.pool == none ? std::string() : first.pools[std::size_t(options.pool)].name;

    std::vector<Pane> panes;
    Bytes top = 16;
    for (const auto& run : runs.first(std::min(runs.size(), maxComparedMaps))) {
        const auto scene = options.scenes ? options.scenes->scene(run) : makeScene(run);
        const ColourBy by = run->program || options.colourBy != ColourBy::opKind ? options.colourBy : defaultColouring(*run);
        panes.push_back({run, std::make_unique<ViewState>(scene, theme, by)});
        prepare(*panes.back().view, options, poolName, list.ratio());
        for (const std::int32_t strip : panes.back().view->state().strips)
            top = std::max(top, addressLimit(scene->pools[std::size_t(strip)].map));
    }
    const double gutter = narrowGutter(list.shaper(), top, options.numbers);
    for (Pane& pane : panes) {
        pane.view->state().minTop = top; // one scale for all
        pane.view->state().gutter = gutter;
    }

    // Maps above; below them the difference of the first two, and all runs as rows.
    const double rowsWanted = sectionHead + 26 + 23 * double(runs.size() + (groups.size() > 1 ? groups.size() : 0));
    const double below = std::clamp(std::max(rowsWanted, panes.size() > 1 ? 260.0 : 0.0), std::min(120.0, height), height * 0.46);
    const QRectF above(0, 0, width, height - below);
    bool fellBack = false;
    const std::size_t shown = paintPanes(list, above, panes, groups, poolName, options, fellBack);

    double left = 0;
    if (panes.size() > 1) {
        const QRectF box(0, above.bottom(), std::floor(width * 0.42), below);
        const Run& here = *panes[1].run;
        const Run& there = *panes[0].run;
        const PlanDifference changes = difference(here.problem(), here.plan, there.problem(), there.plan);
        const QRectF head(box.left(), box.top(), box.width(), sectionHead);
        const QString title = QStringLiteral("Difference");
        const double room = head.width() - 2 * headMargin - headGap - list.width(Face::bodyStrong, title);
        const std::vector<std::string> titles = runTitles(runs.first(std::max<std::size_t>(2, shown))); // as above the maps
        const double from = paintSectionHead(list, theme, head, title, againstText(list, titles[1], titles[0], room));
        paintDifferenceLegend(list, theme, changes, from, head.right() - 12, head.center().y());
        ViewState& view = *panes[1].view;
        view.setColouring(differenceColouring(changes));
        fellBack |= paintMap(list, view, box.adjusted(0, sectionHead, 0, 0), options.mode);
        left = box.right();
        list.fill({left, box.top(), 1, box.height()}, theme.line2);
        left += 1;
    }
    const QRectF box(left, above.bottom(), width - left, below);
    QString caption = groupsCaption(groups);
    if (shown < runs.size())
        caption += (caption.isEmpty() ? QString() : QStringLiteral("; ")) +
                   QStringLiteral("%1 of %2 shown above").arg(shown).arg(runs.size());
    if (runs.size() == 1) caption = QStringLiteral("name more planners to compare them");
    paintSectionHead(list, theme, {box.left(), box.top(), box.width(), sectionHead},
                     countedText(std::int64_t(runs.size()), QStringLiteral("run")), caption);
    paintRunRows(list, theme, box.adjusted(0, sectionHead, 0, 0), runs, options.numbers);
    return fellBack;
}

} // namespace stowage
