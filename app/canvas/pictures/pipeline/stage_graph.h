// The stages of a pipeline as boxes, with the connections between them.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/session/pipeline_data.h"

#include <QRectF>

#include <vector>

namespace stowage {

inline constexpr double stageGraphHeight = 126; ///< with its margins, logical pixels

/// The positions of the boxes, in logical pixels.
struct StageGraphLayout {
    QRectF area;
    std::vector<QRectF> stages; ///< by stage
    QRectF input;
    QRectF output;
};

/// Places stages in columns by the longest path from an entry, so that every connection leads to the right; stages of one column
/// are above each other.
[[nodiscard]] StageGraphLayout layOutStages(const PipelineData& data, const QRectF& area);

/// Paints the stages. A box has the name of the stage, its device, ops, time, share of the period, and its bytes and those of the
/// device; a line has the bytes that it moves and their time. The slowest stage is marked; `selected` is outlined.
void paintStages(DrawList& list, const Theme& theme, const NumberFormat& numbers, const PipelineData& data,
                 const StageGraphLayout& layout, std::int32_t selected);

/// "268.6": microseconds with one digit after the point, and a comma for each thousand.
[[nodiscard]] QString microText(pipeline::Ticks ticks);

} // namespace stowage
