// The ops of all stages by their cost, with the borders between the stages.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/theme.h"
#include "app/session/pipeline_data.h"

#include <QRectF>

#include <vector>

namespace stowage {

/// The positions of the parts, in logical pixels. Each op has a column.
struct OpStripLayout {
    QRectF area;
    QRectF plot;
    QRectF codes; ///< below the bars
    QRectF sums;  ///< a band for each stage
    double opWidth = 0;
    std::vector<double> borders; ///< x of the border before each stage but the first

    [[nodiscard]] double x(std::size_t op) const { return plot.left() + opWidth * double(op); }
};
[[nodiscard]] OpStripLayout layOutOps(const PipelineData& data, const QRectF& area);

/// A border that is being dragged.
struct OpStripDrag {
    std::size_t border = 0;
    std::size_t cut = 0;                                 ///< the op after the border
    const std::vector<pipeline::Ticks>* costs = nullptr; ///< costs of the stages with this border
    QString text;                                        ///< the effect in words
    bool bad = false;                                    ///< a stage does not fit
};

/// `selected`: a stage, its bars in the accent colour. `hovered`: an op. `drag`: null if no border is dragged. A bar that is much
/// higher than all others is cut.
void paintOps(DrawList& list, const Theme& theme, const PipelineData& data, const OpStripLayout& layout, std::int32_t selected,
              std::int32_t hovered, const OpStripDrag* drag);

/// "op 11 to stage 2", "ops 9 to 11 to stage 2": the ops that moving a border from `from` to `to` moves.
[[nodiscard]] QString movedText(std::size_t border, std::size_t from, std::size_t to);

} // namespace stowage
