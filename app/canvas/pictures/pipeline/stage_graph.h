// The stages of a pipeline as boxes with what flows between them.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/session/pipeline_data.h"

#include <QRectF>

#include <vector>

namespace stowage {

/// Where the boxes lie, in logical pixels.
struct StageGraphLayout {
    QRectF area;
    std::vector<QRectF> stages; ///< by stage
    QRectF input;
    QRectF output;
};

/// Columns by the longest way from an entry, so that every connection leads to the right; stages of one column stand above each
/// other.
[[nodiscard]] StageGraphLayout layOutStages(const PipelineData& data, const QRectF& area);

/// A box says the stage, its device, its ops, its time, its share of the period and its memory over the device's; a line what it
/// moves and how long that takes. The slowest stage is marked. `selected`: outlined.
void paintStages(DrawList& list, const Theme& theme, const NumberFormat& numbers, const PipelineData& data,
                 const StageGraphLayout& layout, std::int32_t selected);

/// "268.6": µs with one digit, thousands by comma.
[[nodiscard]] QString microText(pipeline::Ticks ticks);

} // namespace stowage
