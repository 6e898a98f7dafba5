// The required arena size as one sheet: the answer on a card, a row for each planner, maps of the runtime's plan and of the plan
// for the file, the changes that save most, and the buffers of the peak.
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
    SceneCache* scenes = nullptr;     ///< cache of the maps' scenes; null: each is made when it is painted
    double cardRoom = 0;              ///< width kept free at the right end of the card for buttons
    std::optional<std::size_t> shown; ///< row whose plan is in the map on the right; no value: the answer
};

/// The box of the card in a sheet of this size.
[[nodiscard]] QRectF fitCardBox(QSizeF size);
/// The row at height `y` of a sheet; no value if there is none. O(1).
[[nodiscard]] std::optional<std::size_t> fitRowAt(const Fit& fit, double y);

/// The value of a bar of full length: the largest arena, but at most 1.6 times the largest of capacity, answer and the runtime's
/// own arena; longer bars are cut.
[[nodiscard]] Bytes fitScale(const Fit& fit);

/// Paints the card, as wide as `box`: "81,760 B", the verdict, and the saving. Returns its height, which does not depend on the
/// rows. `rightRoom` is kept free at the right end.
double paintFitCard(DrawList& list, const Theme& theme, const QRectF& box, const Fit& fit, const NumberFormat& numbers,
                    double rightRoom = 0);

/// Paints the sheet. Parts without room are left out from the bottom up: first the maps, then changes and peak. Returns true if a
/// vector body had to become a raster.
bool paintFitSheet(DrawList& list, const Fit& fit, const FitSheetOptions& options);

} // namespace stowage
