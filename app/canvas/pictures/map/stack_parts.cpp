#include "app/canvas/pictures/map/stack_parts.h"

#include "app/canvas/axis/ticks.h"

#include <algorithm>

namespace stowage::stack {

std::int32_t leadingPool(const StackState& state)
{
    return state.strips.empty() ? state.scene->largestPool() : state.strips.front();
}

QColor withAlpha(QColor colour, double alpha)
{
    colour.setAlphaF(float(alpha));
    return colour;
}

std::vector<Step> selectedOpSteps(const StackState& state)
{
    std::vector<Step> steps;
    if (state.selected == none) return steps;
    steps = state.scene->readingSteps(state.selected);
    if (const Step made = state.scene->makingStep(state.selected); made >= 0) steps.push_back(made);
    std::sort(steps.begin(), steps.end());
    return steps;
}

void paintGutter(DrawList& list, const StackState& state, const QRectF& band, const QString& title, const QString& caption,
                 double titleY)
{
    const Theme& theme = *state.theme;
    list.fill({band.left(), band.top(), state.gutter, band.height()}, theme.panel);
    list.fill({state.gutter, band.top(), 1, band.height()}, theme.line2);
    list.text(Face::labelStrong, 10, band.top() + titleY, title, theme.text);
    list.text(Face::label, 10, band.top() + titleY + 15, caption, theme.text3);
}

void paintGrid(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band)
{
    const StackGeometry geometry{state, layout};
    const PixelAxis& steps = state.viewport.steps;
    for (const Step step : ticksIn(steps, stepTicks(steps.scale() / state.ratio).major))
        if (step < state.scene->steps) list.vertical(geometry.x(step), band.top(), band.bottom(), state.theme->grid);
}

void paintPeak(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band, std::int32_t pool)
{
    if (!state.clique || pool == none) return;
    const Step peak = state.scene->pools[std::size_t(pool)].peakStep;
    if (peak < 0) return;
    const StackGeometry geometry{state, layout};
    const QRectF plot(layout.plotLeft + 1, band.top(), layout.plotWidth() - 1, band.height());
    const QRectF column = geometry.column(peak, band);
    list.fill(column & plot, withAlpha(state.theme->warn, column.width() < 3 ? 0.5 : 0.12));
}

} // namespace stowage::stack
