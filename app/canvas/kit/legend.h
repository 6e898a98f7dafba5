// Legends in one line: signs with names, for the head of a picture.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/theme.h"

#include <QRectF>
#include <QString>

#include <cstddef>
#include <functional>
#include <vector>

namespace stowage {

/// Paints entries right-aligned at `right` and centred at the height `y`: as many as fit from `left` on, and the count of the
/// others ("+3"). `paintSign` paints the sign of an entry into its square of `sign` pixels.
void paintLegendEntries(DrawList& list, const Theme& theme, const std::vector<QString>& names, double sign, double left,
                        double right, double y, const std::function<void(std::size_t, const QRectF&)>& paintSign);

/// The same for the classes of a colouring that have buffers.
void paintColourLegend(DrawList& list, const Theme& theme, const Colouring& colouring, double left, double right, double y);

} // namespace stowage
