// Pictures of runs: the same paint functions that the window uses, into a file.
#pragma once

#include "app/canvas/export/picture_file.h"
#include "app/canvas/kit/theme.h"
#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

class SceneCache;

struct RenderOptions {
    QSize size{1600, 1000}; ///< logical pixels
    double scale = 1.0;     ///< device pixels for each logical pixel (PNG)
    bool dark = true;
    QString colourBy = QStringLiteral("op kind"); ///< kind, op kind, pool, operator, size, lifetime, slack
    bool readable = false; ///< graphs: the picture becomes larger than `size`, within 60 million pixels, where names could not be
                           ///< read otherwise
    BufferId around = none;                       ///< graphs: what is within `hops` of this buffer
    int hops = 0;                                 ///< 0: everything
    BufferId selected = none;                     ///< marked
    std::vector<std::pair<QString, QString>> set; ///< options of the picture (see `Picture::options`): id and value
    QString pool; ///< the pool that views of one pool show (heatmap, compare); empty: the workspace with the most buffers
};

/// The names that `renderToFile` takes: "memory-map", "liveness", "heatmap", "usage", "graph", … ("pipeline" is another name of
/// "pipes").
QStringList renderableViews();

/// What `renderToFile` would write into `file`, without writing it. May be called from any thread. `scenes`: where the scenes of
/// runs are, for who has some of them already; null: all are made here.
Expected<PictureBytes> renderToBytes(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                     const RenderOptions& options, const QString& file,
                                     std::shared_ptr<SceneCache> scenes = nullptr);

/// Paints `view` of `runs` (the first one; "compare" takes all) and writes PNG, SVG or PDF by the suffix of `file`. Needs a
/// QGuiApplication; graphs are laid out by the worker, and take as long as that does. Returns notes (a raster was embedded
/// because there are too many primitives), or an error.
Expected<Diagnostics> renderToFile(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                   const RenderOptions& options, const QString& file);

} // namespace stowage
