// Stages over time: a lane for each stage and each link that takes time, a box for each frame, the waits between them.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/kit/card.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/session/pipeline_data.h"

#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace stowage {

struct GanttState {
    const PipelineData* data = nullptr;
    const Theme* theme = nullptr;
    double ratio = 1;
    PixelAxis axis; ///< time in nanoseconds, device pixels
    bool prediction = true;
    bool measured = true;
    std::int32_t selected = none; ///< a stage
    std::int32_t hoveredStage = none;
    std::int64_t hoveredFrame = none;
};

/// Where the parts lie, in logical pixels.
struct GanttLayout {
    QRectF all;
    QRectF head;               ///< the steady period
    std::vector<QRectF> lanes; ///< by stage
    std::vector<QRectF> links; ///< by connection; empty where it takes no time
    QRectF ruler;
    double plotLeft = 0;
    double plotRight = 1;
};

/// Lanes of 44 px and more where there is room, links of 16 between them, a ruler of 22.
[[nodiscard]] GanttLayout layOut(const GanttState& state, const QRectF& area);
/// Sizes the axis for `layout`, keeping what it shows; a new one shows everything.
void fitAxis(GanttState& state, const GanttLayout& layout);

struct GanttHit {
    std::int32_t stage = none;
    std::int64_t frame = none; ///< none: between frames

    friend bool operator==(const GanttHit&, const GanttHit&) = default;
};
[[nodiscard]] GanttHit hitGantt(const GanttState& state, const GanttLayout& layout, QPointF at);
/// Start, end and cause of the wait of a frame.
[[nodiscard]] std::optional<CardText> ganttCard(const GanttState& state, const GanttHit& hit);

/// Prediction as fill, measurement as a 1 px outline on the lane's lower half. A frame keeps its hue on all lanes. Waits are
/// hatched in dashed boxes: for input, for a full output, for a link, for the device.
void paintGantt(DrawList& list, const GanttState& state, const GanttLayout& layout);
/// The kinds of waits with their sums, right-aligned at `right` around the height `y`.
void paintWaits(DrawList& list, const GanttState& state, double left, double right, double y);

/// Horizontal bars: the op costs of all stages with the borders between them. `borders`: x of the border in front of each stage
/// but the first.
struct OpStripLayout {
    QRectF area;
    QRectF plot;
    double opWidth = 0;
    std::vector<double> borders;
};
[[nodiscard]] OpStripLayout layOutOps(const PipelineData& data, const QRectF& area);
/// `selected`: its bars in the accent's colour. `dragged`: a border (from 1) that is moved to op `to`.
void paintOps(DrawList& list, const Theme& theme, const PipelineData& data, const OpStripLayout& layout, std::int32_t selected,
              std::int32_t dragged, std::size_t to);

} // namespace stowage
