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

/// Widths in a row of entries, in logical pixels.
struct LegendSpacing {
    double sign = 10;     ///< of the sign, with the space before the name
    double apart = 12;    ///< between entries
    double rest = 34;     ///< of "+12" after the last one, with its distance
    double longest = 150; ///< of a name, where there is no room for all names as they are
    double least = 48;    ///< of a shortened name; `longest`: none is shortened for others
};
/// The first of `names`, as many as fit into `room`. If a long name would leave room for fewer than three, names are shortened
/// first, so that they stay different. O(names log letters) measurements.
[[nodiscard]] std::vector<QString> legendNames(const std::vector<QString>& names, double room, const LegendSpacing& spacing,
                                               const std::function<double(const QString&)>& measure);

/// The same for the classes of a colouring that have buffers; names of categories are shortened by `legendNames`.
void paintColourLegend(DrawList& list, const Theme& theme, const Colouring& colouring, double left, double right, double y);

} // namespace stowage
