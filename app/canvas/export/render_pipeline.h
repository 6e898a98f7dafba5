// Renders pictures of pipelines into files: the stage graph, and the stages over time.
#pragma once

#include "app/canvas/export/render.h"
#include "app/canvas/kit/draw_list.h"
#include "app/session/pipeline_data.h"

namespace stowage {

/// The names that `renderPipelineToFile` takes: "stages", "pipeline".
QStringList pipelineViews();

/// Paints `view` of a pipeline and writes PNG, SVG or PDF by the suffix of `file`. Needs a QGuiApplication.
Expected<Diagnostics> renderPipelineToFile(const PipelineData& data, const QString& view, const RenderOptions& options,
                                           const QString& file);

/// Paints head and picture, for files and tests.
void paintPipelineSheet(DrawList& list, const PipelineData& data, const QString& view, const RenderOptions& options);

} // namespace stowage
