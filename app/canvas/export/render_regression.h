// A suite against its baseline into files.
#pragma once

#include "app/canvas/export/render.h"
#include "app/session/regress/regression.h"

#include <memory>

namespace stowage {

/// The name that `render --view` has for it.
inline constexpr auto regressionView = "regression";

/// Writes PNG, SVG or PDF by the suffix of `file`. Needs a QGuiApplication. `options.set` may name a row by its key ("row"),
/// which rows are listed ("show") and what colours mean ("maps"). Returns notes (a raster was embedded), or an error.
Expected<Diagnostics> renderRegressionToFile(const std::shared_ptr<const Regression>& regression, const RenderOptions& options,
                                             const QString& file);

} // namespace stowage
