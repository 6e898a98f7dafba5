// Renders the comparison of a suite with its baseline into files.
#pragma once

#include "app/canvas/export/render.h"
#include "app/session/regress/regression.h"

#include <memory>

namespace stowage {

/// Its name for `render --view`.
inline constexpr auto regressionView = "regression";

/// Writes PNG, SVG or PDF by the suffix of `file`. Needs a QGuiApplication. `options.set` may choose a row by its key ("row"),
/// the listed rows ("show") and the meaning of colours ("maps"). Returns notes (a raster was embedded), or an error.
Expected<Diagnostics> renderRegressionToFile(const std::shared_ptr<const Regression>& regression, const RenderOptions& options,
                                             const QString& file);

} // namespace stowage
