// The liveness timeline: a row for each buffer, in groups.
#include "app/canvas/axis/label_fit.h"
#include "app/canvas/axis/names_apart.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace stowage::stack {

namespace {

constexpr double barInset = 1.5;
constexpr double nameRight = 8;

bool onChain(const StackState& state, BufferId buffer)
{
    return state.chain && std::any_of(state.support.links.begin(), state.support.links.end(),
                                      [buffer](const SupportLink& l) { return l.buffer == buffer; });
}

/// The name in the gutter, in the form that tells it from the others.
QString rowName(DrawList& list, Face face, std::string_view name, double room, const NamesApart& names)
{
    return QString::fromStdString(names.fit(name, room, [&](std::string_view text, bool) {
        return list.width(face, QString::fromUtf8(text.data(), qsizetype(text.size())));
    }));
}

/// A closed group as one strip: the more of its buffers live, the stronger.
void paintDensity(DrawList& list, const StackState& state, const StackLayout& layout, const TimelineGroup& group, double top,
                  double height)
{
    const PixelAxis& axis = state.viewport.steps;
    if (group.live.most() <= 0) return;
    const bool byClass = !ordered(state.colouring->by) && !group.members.empty();
    const QColor colour =
        byClass ? paletteOf(*state.theme, state.colouring->by).fills[state.colouring->of[std::size_t(group.members.front())]]
                : state.theme->text3;
    constexpr int levels = 8; // so that equal neighbours join
    int running = 0;
    int from = 0;
    for (int pixel = 0; pixel <= axis.pixels(); ++pixel) {
        int level = 0;
        if (pixel < axis.pixels()) {
            const Step first = axis.unitAt(pixel);
            const std::int64_t most = group.live.over(first, std::max(first + 1, axis.unitAt(pixel + 1.0))).most;
            level = most == 0 ? 0 : std::max(1, int(std::lround(levels * double(most) / double(group.live.most()))));
        }
        if (level == running && pixel < axis.pixels()) continue;
        if (running > 0)
            list.fill({layout.plotLeft + from / state.ratio, top + 2, (pixel - from) / state.ratio, height - 5},
                      mix(state.theme->raised, colour, 0.1 + 0.8 * running / levels));
        running = level;
        from = pixel;
    }
}

} // namespace

void paintRows(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF& band = layout.rows;
    const StackGeometry geometry{state, layout};
    const RunScene& scene = *state.scene;
    const Problem& problem = scene.run->problem();
    const Palette palette = paletteOf(theme, state.colouring->by);
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth(), band.height());
    list.fill({0, band.top(), layout.plotLeft, band.height()}, theme.panel);
    list.clip(band);
    const std::vector<TimelineRow> rows = state.timeline->rowsIn(state.scroll, state.scroll + band.height());
    // Not of those in view alone: a title would change while the list is scrolled.
    constexpr std::size_t maxCompared = 256;
    std::vector<std::string_view> names;
    for (const TimelineGroup& group : state.timeline->groups())
        if (names.size() < maxCompared) names.push_back(group.name);
    const NamesApart titles(names);

    // First what lies under the bars, so that the grid runs through.
    for (const TimelineRow& row : rows) {
        const double top = band.top() + row.top - state.scroll;
        if (row.buffer == none) continue;
        if (row.buffer == state.selected) list.fill({0, top, band.width(), row.height - 1}, theme.accentSoft);
        list.horizontal(0, band.right(), top + row.height - 1, theme.grid);
    }
    list.clip(plot);
    paintGrid(list, state, layout, band);
    paintPeak(list, state, layout, band, leadingPool(state));
    list.unclip();

    for (const TimelineRow& row : rows) {
        const double top = band.top() + row.top - state.scroll;
        const TimelineGroup& group = state.timeline->groups()[row.group];
        if (row.buffer == none) {
            list.fill({0, top, band.width(), row.height}, theme.raised);
            const double y = top + row.height / 2;
            const QPolygonF chevron = group.open ? QPolygonF{QPointF(8, y - 1.5), QPointF(11, y + 1.5), QPointF(14, y - 1.5)}
                                                 : QPolygonF{QPointF(9.5, y - 3), QPointF(12.5, y), QPointF(9.5, y + 3)};
            list.add(draw::Line{chevron, theme.text2, 1.4, Dash::solid});
            double left = 19;
            if (!group.members.empty() && !ordered(state.colouring->by)) {
                const auto of = state.colouring->of[std::size_t(group.members.front())];
                list.fill({left, y - 4.5, 9, 9}, palette.fills[of], 2);
                left += 14;
            }
            list.text(Face::labelStrong, left, y,
                      rowName(list, Face::labelStrong, group.name, layout.plotLeft - left - 4, titles), theme.text);
            if (!group.open) paintDensity(list, state, layout, group, top, row.height);
            const QString sums = QStringLiteral("%1, %2").arg(
                countedText(std::int64_t(group.members.size()), QStringLiteral("buffer")), bytesText(group.bytes, state.numbers));
            // The chip leaves the begin of the density in sight.
            if (!group.open)
                list.fill({layout.plotLeft + 5, top + 1, list.width(Face::label, sums) + 6, row.height - 3}, theme.raised, 2);
            double sumsLeft = layout.plotLeft + 8;
            if (group.open && !group.calls.empty()) {
                // The calls of the operator: what lives in it lies below them. Its sums stand beside the first.
                list.clip(plot);
                for (const Interval& call : group.calls) {
                    const QRectF span(geometry.x(call.begin), top + 3,
                                      std::max(2.0, geometry.x(call.end) - geometry.x(call.begin) - 1), row.height - 7);
                    list.fill(span, withAlpha(theme.text3, 0.35), 1.5);
                    list.outline(span.adjusted(0.5, 0.5, -0.5, -0.5), theme.text3, 1, 1.5);
                }
                list.unclip();
                const double width = list.width(Face::label, sums);
                const double first = geometry.x(group.calls.front().begin);
                if (first - 8 - width < layout.plotLeft + 4)
                    sumsLeft = std::max(layout.plotLeft + 8, geometry.x(group.calls.back().end) + 6);
                else
                    sumsLeft = first - 8 - width;
                if (sumsLeft + width > layout.plotRight) sumsLeft = layout.plotLeft + 8;
            }
            list.text(Face::label, sumsLeft, y, sums, theme.text3);
            list.horizontal(0, band.right(), top + row.height - 1, theme.line);
            continue;
        }
        const Buffer& buffer = problem.buffers[std::size_t(row.buffer)];
        const BufferStyle style = state.styles[std::size_t(row.buffer)];
        if (style & styleHidden) continue;
        const bool dim = style & styleDim;
        const bool strong = row.buffer == state.selected;
        const Face face = strong ? Face::labelStrong : Face::label;
        if (!group.calls.empty()) {
            // Inside its operator.
            list.vertical(11, top, top + row.height / 2, theme.line2);
            list.horizontal(11, 17, top + row.height / 2 - 0.5, theme.line2);
            if (row.buffer != group.members.back()) list.vertical(11, top + row.height / 2, top + row.height, theme.line2);
        }
        const QColor ink = dim                                    ? mix(theme.panel, theme.text3, 0.45)
                           : strong || onChain(state, row.buffer) ? theme.text
                                                                  : theme.text2;
        list.text(face, layout.plotLeft - nameRight, top + row.height / 2 - 0.5,
                  rowName(list, face, withoutPrefix(buffer.name, scene.namePrefix),
                          layout.plotLeft - nameRight - (group.calls.empty() ? 8 : 20), scene.names),
                  ink, draw::Text::Align::right);

        QColor fill = palette.fills[style & styleClass];
        if (dim) fill = mix(theme.well, fill, 0.22);
        const Step made = scene.makingStep(row.buffer);
        list.clip(plot);
        for (const Interval& live : buffer.live) {
            const QRectF bar(geometry.x(live.begin), top + barInset,
                             std::max(1.0, geometry.x(live.end) - geometry.x(live.begin) - 1), row.height - 1 - 2 * barInset);
            if (bar.right() < plot.left() || bar.left() > plot.right()) continue;
            list.fill(bar, fill, bar.width() > 4 ? 1.5 : 0);
            // The step that makes it is darker: the buffer is being written there.
            if (made >= 0 && live.contains(made) && live.length() > 1) {
                const QRectF making(geometry.x(made), bar.top(), std::min(bar.right(), geometry.x(made + 1)) - geometry.x(made),
                                    bar.height());
                if (making.width() >= 2) list.fill(making & bar, withAlpha(theme.well, 0.35));
            }
        }
        if (!dim)
            for (const Step step : scene.readingSteps(row.buffer)) {
                const QRectF column = geometry.column(step, band);
                if (column.width() >= 3 && column.right() > plot.left() && column.left() < plot.right())
                    list.add(draw::Disc{
                        {column.center().x(), top + (row.height - 1) / 2}, 1.75, palette.inks[style & styleClass], {}, 0});
            }
        list.unclip();
    }
    list.unclip();
    list.fill({layout.plotLeft, band.top(), 1, band.height()}, theme.line2);
}

void paintRowsOverlay(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF& band = layout.rows;
    const StackGeometry geometry{state, layout};
    const Problem& problem = state.scene->run->problem();
    const auto eachBar = [&](BufferId buffer, auto&& visit) {
        const auto row = state.timeline->rowOf(buffer);
        if (!row || (state.styles[std::size_t(buffer)] & styleHidden)) return;
        const double top = band.top() + row->top - state.scroll;
        if (top + row->height < band.top() || top > band.bottom()) return;
        for (const Interval& live : problem.buffers[std::size_t(buffer)].live)
            visit(QRectF(geometry.x(live.begin), top + barInset, std::max(2.0, geometry.x(live.end) - geometry.x(live.begin) - 1),
                         row->height - 1 - 2 * barInset));
    };
    list.clip({layout.plotLeft + 1, band.top(), layout.plotWidth(), band.height()});
    if (state.chain)
        for (std::size_t i = 1; i < state.support.links.size(); ++i)
            eachBar(state.support.links[i].buffer,
                    [&](const QRectF& bar) { list.outline(bar, theme.sel, 1.5, 1.5, Dash::chain); });
    if (state.hovered != none && state.hovered != state.selected)
        eachBar(state.hovered, [&](const QRectF& bar) {
            list.fill(bar, withAlpha(theme.text, 0.12), 1.5);
            list.outline(bar, theme.sel, 1, 1.5);
        });
    if (state.selected != none || !state.area.empty())
        for (const TimelineRow& row : state.timeline->rowsIn(state.scroll, state.scroll + band.height()))
            if (row.buffer != none && (row.buffer == state.selected || state.area.contains(row.buffer)))
                eachBar(row.buffer, [&](const QRectF& bar) {
                    list.outline(bar, theme.well, 3, 1.5);
                    list.outline(bar, theme.sel, 1.5, 1.5);
                });
    list.unclip();

    PictureScroll part;
    part.box = band;
    part.content = state.timeline->height();
    part.at = state.scroll;
    paintScrollBar(list, theme, part);
}

} // namespace stowage::stack
