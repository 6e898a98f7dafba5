// Pictures of runs: the same paint functions that the window uses, into a file.
#pragma once

#include "app/canvas/kit/theme.h"
#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace stowage {

struct RenderOptions {
    QSize size{1600, 1000}; ///< logical pixels
    double scale = 1.0;     ///< device pixels for each logical pixel (PNG)
    bool dark = true;
    QString colourBy = QStringLiteral("op kind"); ///< kind, op kind, pool, operator, size, lifetime, slack
    bool readable = false; ///< graphs: the picture becomes larger than `size`, within 60 million pixels, where names could not be
                           ///< read otherwise
    BufferId around = none;                        ///< graphs: what is within `hops` of this buffer
    int hops = 0;                                  ///< 0: everything
    QString loop;                                  ///< by name; empty: the first
    std::int64_t iteration = 0;                    ///< of that loop
    bool close = false;                            ///< only the addresses of what rotates or is carried
    std::int64_t iterations = 8;                   ///< pipes: simulated, of each loop at most
    std::array<bool, 3> arrows{false, true, true}; ///< pipes: those drawn, by ReuseKind
    std::int64_t timeBegin = 0;                    ///< pipes: what is in view, in simulated time
    std::int64_t timeEnd = 0;                      ///< 0: everything
    BufferId selected = none;                      ///< pipes
    QString pool; ///< the pool that views of one pool show (heatmap, compare); empty: the workspace with the most buffers
};

/// The names that `renderToFile` takes: "memory-map", "liveness", "heatmap", "usage", "graph", … ("pipeline" is another name of
/// "pipes").
QStringList renderableViews();

/// Paints `view` of `runs` (the first one; "compare" takes all) and writes PNG, SVG or PDF by the suffix of `file`. Needs a
/// QGuiApplication; graphs are laid out by the worker, and take as long as that does. Returns notes (a raster was embedded
/// because there are too many primitives), or an error.
Expected<Diagnostics> renderToFile(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                   const RenderOptions& options, const QString& file);

} // namespace stowage
