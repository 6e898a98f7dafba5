// Stages over time: a lane for each stage and for each connection that takes time, a box for each frame, the waits between them.
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

inline constexpr double stagesGutter = 128; ///< width of the names left of the lanes

struct GanttState {
    const PipelineData* data = nullptr;
    const Theme* theme = nullptr;
    double ratio = 1;
    PixelAxis axis; ///< time in nanoseconds, device pixels
    bool prediction = true;
    bool measured = true;
    std::int32_t selected = none;      ///< a stage
    std::int64_t selectedFrame = none; ///< frame of the selected stage
    std::int32_t hoveredStage = none;
    std::int64_t hoveredFrame = none;
};

/// The positions of the parts, in logical pixels.
struct GanttLayout {
    QRectF all;
    QRectF head;               ///< the steady period
    QRectF body;               ///< visible lanes; the others are above and below
    double content = 0;        ///< height of all lanes
    std::vector<QRectF> lanes; ///< by stage
    std::vector<QRectF> links; ///< by connection; empty if it takes no time
    QRectF ruler;
    double plotLeft = 0;
    double plotRight = 1;
};

/// Lanes of 44 px or more if there is room (up to `maxLane`), connections of 16 px between them, a ruler of 22 px. With less room
/// lanes are lower, and those without a place are scrolled by `scroll`.
[[nodiscard]] GanttLayout layOut(const GanttState& state, const QRectF& area, double maxLane = 96, double scroll = 0);
/// Sets the size of the axis for `layout` and keeps its visible range; a new axis shows everything.
void fitAxis(GanttState& state, const GanttLayout& layout);

struct GanttHit {
    std::int32_t stage = none;
    std::int64_t frame = none; ///< `none`: between frames

    friend bool operator==(const GanttHit&, const GanttHit&) = default;
};
[[nodiscard]] GanttHit hitGantt(const GanttState& state, const GanttLayout& layout, QPointF at);
/// Start, end and cause of the wait of a frame.
[[nodiscard]] std::optional<CardText> ganttCard(const GanttState& state, const GanttHit& hit);

/// Paints predicted times as fills and measured times as 1 px outlines in the lower half of a lane. A frame has one hue in all
/// lanes, and its number; a stage whose frames are too narrow has no numbers. Waits are hatched in dashed boxes: for input, for
/// a full output, for a connection, for the device.
void paintGantt(DrawList& list, const GanttState& state, const GanttLayout& layout);
/// Width of the legend of waits with all kinds whose sum is not 0.
[[nodiscard]] double waitsWidth(const DrawList& list, const GanttState& state);
/// Paints the kinds of waits with their sums, right-aligned at `right` and centred at the height `y`. Where they have no room
/// between `left` and `right`, the smallest ones are left out.
void paintWaits(DrawList& list, const GanttState& state, double left, double right, double y);

} // namespace stowage
