// How big the arena must be, as one sheet: the answer on a card, a row for each planner, the runtime's plan beside the one for
// the file, what would save most, and what the peak is made of.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/kit/theme.h"
#include "app/session/fit.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <optional>

namespace stowage {

struct FitSheetOptions {
    QSizeF size;
    const Theme* theme = nullptr;
    NumberFormat numbers;
    BodyMode mode = BodyMode::raster;
    SceneCache* scenes = nullptr;     ///< where the maps' scenes are; null: each is made when it is painted
    double cardRoom = 0;              ///< kept free at the right end of the card, for buttons
    std::optional<std::size_t> shown; ///< row whose plan lies in the map on the right; nothing: the answer
};

/// The card, in a sheet of that size.
[[nodiscard]] QRectF fitCardBox(QSizeF size);
/// The row at height `y` of a sheet; nothing where there is none. O(1).
[[nodiscard]] std::optional<std::size_t> fitRowAt(const Fit& fit, double y);

/// What a bar of full length stands for: the largest arena, but no more than 1.6 times the largest of capacity, answer and the
/// runtime's own; longer bars are cut.
[[nodiscard]] Bytes fitScale(const Fit& fit);

/// The card alone, as wide as `box`: "81,760 B", the verdict, and what the plan saves. Returns its height, which is the same with
/// an empty `list` of rows below it. `rightRoom` is left free at the right end.
double paintFitCard(DrawList& list, const Theme& theme, const QRectF& box, const Fit& fit, const NumberFormat& numbers,
                    double rightRoom = 0);

/// Everything. Parts without room are left out from the bottom up: first the maps, then changes and peak. Returns true when a
/// vector body had to be a raster.
bool paintFitSheet(DrawList& list, const Fit& fit, const FitSheetOptions& options);

} // namespace stowage
