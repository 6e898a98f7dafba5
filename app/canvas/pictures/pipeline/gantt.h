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
    std::int32_t selected = none;      ///< a stage
    std::int64_t selectedFrame = none; ///< of it
    std::int32_t hoveredStage = none;
    std::int64_t hoveredFrame = none;
};

/// Where the parts lie, in logical pixels.
struct GanttLayout {
    QRectF all;
    QRectF head;               ///< the steady period
    QRectF body;               ///< the lanes that are in view; the others lie above and below it
    double content = 0;        ///< height of all lanes
    std::vector<QRectF> lanes; ///< by stage
    std::vector<QRectF> links; ///< by connection; empty where it takes no time
    QRectF ruler;
    double plotLeft = 0;
    double plotRight = 1;
};

/// Lanes of 44 px and more where there is room (up to `maxLane`), links of 16 between them, a ruler of 22. Where there is less
/// room lanes are lower, and lanes that have no place are scrolled by `scroll`.
[[nodiscard]] GanttLayout layOut(const GanttState& state, const QRectF& area, double maxLane = 96, double scroll = 0);
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

} // namespace stowage
