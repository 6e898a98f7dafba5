// The ruler of the steps, with the tags of peak and cursor and the live ranges of the selection.
#include "app/canvas/stack_parts.h"
#include "app/canvas/ticks.h"

#include <algorithm>

namespace stowage::stack {

void paintRuler(DrawList& list, const StackState& state, const StackLayout& layout)
{
    const Theme& theme = *state.theme;
    const QRectF& band = layout.ruler;
    const PixelAxis& axis = state.viewport.steps;
    const StackGeometry geometry{state, layout};
    list.fill(band, theme.raised);
    list.horizontal(0, band.right(), band.top(), theme.line2);
    list.horizontal(0, band.right(), band.bottom() - 1, theme.line);
    list.fill({gutterWidth, band.top(), 1, band.height()}, theme.line2);
    const bool noOrder = state.scene->run->problem().axis == Axis::dag;
    list.text(Face::label, 10, band.center().y(), noOrder ? QStringLiteral("step, one order") : QStringLiteral("step [first, end)"), theme.text3);

    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth() + rightMargin, band.height());
    list.clip(plot);
    const TickSpacing spacing = stepTicks(axis.scale() / state.ratio);
    for (const Step step : ticksIn(axis, spacing.minor)) {
        if (step > state.scene->steps) break;
        const bool isMajor = step % spacing.major == 0;
        list.vertical(geometry.x(step), band.top() + 1, band.top() + (isMajor ? 6 : 4), isMajor ? theme.edge : theme.line2);
    }
    if (state.selected != none && state.scene->poolOf(state.selected) != none)
        for (const Interval& live : state.scene->run->problem().buffers[std::size_t(state.selected)].live)
            list.fill({geometry.x(live.begin), band.top() + 1, std::max(1.0, geometry.x(live.end) - geometry.x(live.begin)), 3}, theme.accent);

    // Tags first come, first served: a number that would lie under one is left out.
    std::vector<QRectF> taken;
    const auto tag = [&](Step step, const QColor& fill, const QColor& ink) {
        const QRectF column = geometry.column(step, band);
        const QString text = countText(step);
        const double width = std::max(std::min(column.width(), 40.0), list.width(Face::tickStrong, text) + 10);
        const double left = std::clamp(column.left(), plot.left(), std::max(plot.left(), plot.right() - width));
        if (column.right() < plot.left() || column.left() > layout.plotRight) return;
        const QRectF rect = list.snapped({left, band.top() + 3, width, 17});
        list.fill(rect, fill, 3);
        list.text(Face::tickStrong, rect.center().x(), rect.center().y(), text, ink, draw::Text::Align::centre);
        taken.push_back(rect.adjusted(-3, 0, 3, 0));
    };
    const std::int32_t leading = leadingPool(state);
    const Step peak = leading != none ? state.scene->pools[std::size_t(leading)].peakStep : -1;
    if (peak >= 0 && (!state.cursor || *state.cursor != peak)) tag(peak, theme.warn, theme.dark ? theme.onAccent : theme.well);
    if (state.cursor && *state.cursor >= 0 && *state.cursor < state.scene->steps) {
        const bool both = *state.cursor == peak;
        tag(*state.cursor, both ? theme.warn : theme.sel, both && theme.dark ? theme.onAccent : theme.well);
    }
    for (const Step step : ticksIn(axis, spacing.major)) {
        if (step >= state.scene->steps) break;
        const QString text = countText(step);
        const QRectF box(geometry.x(step) + 5, band.top() + 4, list.width(Face::tick, text), band.height() - 5);
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& t) { return t.intersects(box); }) || box.right() > plot.right()) continue;
        list.text(Face::tick, box.left(), box.center().y(), text, theme.text2);
    }
    list.unclip();
}

} // namespace stowage::stack
