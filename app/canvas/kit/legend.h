// The classes of a colouring by colour and name, for the head of a picture.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/theme.h"

namespace stowage {

/// Classes that have buffers, right-aligned at `right` around the height `y`: the first ones, as many as have room from `left`
/// on, and the number of the others ("+3").
void paintColourLegend(DrawList& list, const Theme& theme, const Colouring& colouring, double left, double right, double y);

} // namespace stowage
