// The ruler of the steps, with the tags of peak and cursor and the live ranges of the selection.
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/map/stack_parts.h"

namespace stowage::stack {

void paintRuler(DrawList& list, const StackState& state, const StackLayout& layout)
{
    StepRuler ruler;
    ruler.theme = state.theme;
    ruler.axis = &state.viewport.steps;
    ruler.ratio = state.ratio;
    ruler.band = layout.ruler;
    ruler.plotLeft = layout.plotLeft;
    ruler.plotRight = layout.plotRight;
    ruler.steps = state.scene->steps;
    if (layout.plotLeft > titledGutter) ruler.caption = stepCaption(state.scene->run->problem().axis != Axis::dag);
    const std::int32_t leading = leadingPool(state);
    if (leading != none) ruler.peak = state.scene->pools[std::size_t(leading)].peakStep;
    ruler.cursor = state.cursor;
    if (state.selected != none && state.scene->poolOf(state.selected) != none)
        ruler.selected = state.scene->run->problem().buffers[std::size_t(state.selected)].live;
    ruler.levels = chipsWithoutPlace(list, state, layout);
    paintStepRuler(list, ruler);
}

} // namespace stowage::stack
