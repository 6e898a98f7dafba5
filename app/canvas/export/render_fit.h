// Renders the sheet of `fit` into files.
#pragma once

#include "app/canvas/export/render.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/picture.h"
#include "app/session/fit.h"

namespace stowage {

/// Its name for `render --view`.
inline constexpr auto fitView = "fit";

/// Paints head and sheet, for files and tests. Returns true if a vector body had to become a raster.
bool paintFitFile(DrawList& list, const Fit& fit, const QString& model, const RenderOptions& options, BodyMode mode);

/// Writes PNG, SVG or PDF by the suffix of `file`. Needs a QGuiApplication. Returns notes (a raster was embedded), or an error.
Expected<Diagnostics> renderFitToFile(const Fit& fit, const QString& model, const RenderOptions& options, const QString& file);

} // namespace stowage
