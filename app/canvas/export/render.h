// Renders pictures of runs into files, with the paint functions of the window.
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
    bool readable = false;    ///< graphs: the picture becomes larger than `size`, within 60 million pixels, if names would be
                              ///< unreadable otherwise
    BufferId around = none;   ///< graphs: only nodes within `hops` edges of this buffer
    int hops = 0;             ///< 0: everything
    BufferId selected = none; ///< marked as selected
    std::vector<std::pair<QString, QString>> set; ///< options of the picture (see `Picture::options`): id and value
    QString pool; ///< pool for views of one pool (heatmap, compare); empty: the workspace pool with the most buffers
};

/// The names that `renderToFile` takes: "memory-map", "liveness", "heatmap", "usage", "graph", … ("pipeline" is another name of
/// "pipes").
QStringList renderableViews();

/// The bytes that `renderToFile` would write into `file`. Thread-safe. `scenes`: a cache of scenes of the runs; null: all scenes
/// are made here.
Expected<PictureBytes> renderToBytes(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                     const RenderOptions& options, const QString& file,
                                     std::shared_ptr<SceneCache> scenes = nullptr);

/// Paints `view` of the first of `runs` ("compare": of all) and writes PNG, SVG or PDF by the suffix of `file`. Needs a
/// QGuiApplication; waits for the worker, which lays out graphs. Returns notes (a raster was embedded because there are too many
/// primitives), or an error.
Expected<Diagnostics> renderToFile(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                   const RenderOptions& options, const QString& file);

} // namespace stowage
