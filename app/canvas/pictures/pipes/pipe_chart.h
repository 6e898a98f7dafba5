// Pipes over time: a lane for each with its ops and stalls, arrows where bytes change hands, and the list of who takes over from
// whom. What is shown, where the parts lie, what is under a point, and the functions that paint it: to the screen, into files,
// for tests.
#pragma once

#include "app/canvas/axis/pipe_lanes.h"
#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/kit/card.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"

#include <QRectF>
#include <QSizeF>

#include <array>
#include <optional>
#include <vector>

namespace stowage {

inline constexpr std::size_t reuseKinds = 3;

struct PipeState {
    const PipeScene* scene = nullptr;
    const Theme* theme = nullptr;
    NumberFormat numbers;
    double ratio = 1;  ///< device pixels for each logical one
    PixelAxis axis;    ///< time, in device pixels
    double scroll = 0; ///< of the list, logical pixels
    /// Which arrows are drawn, by ReuseKind. Those of the selected buffer always are.
    std::array<bool, reuseKinds> arrows{false, true, true};

    BufferId selected = none;
    std::vector<BufferId> others;             ///< further selected ones
    std::optional<Step> cursor;               ///< ops of this step are marked
    const std::vector<bool>* shown = nullptr; ///< by buffer: what a filter leaves; null: all
    std::int32_t hoveredSpan = none;          ///< into the report's spans
    std::int32_t hoveredEdge = none;          ///< into the report's edges
};

/// Where the parts lie, in logical pixels. Empty rectangles: not shown.
struct PipeLayout {
    QRectF all;
    QRectF summary;
    QRectF loops;
    std::vector<QRectF> lanes; ///< as the scene's
    QRectF ruler;
    QRectF listHead;
    QRectF list;
    double plotLeft = 0;
    double plotRight = 1;

    [[nodiscard]] double plotWidth() const { return plotRight - plotLeft; }
};
[[nodiscard]] PipeLayout layOut(const PipeState& state, QSizeF size);
/// Sizes the axis for `layout`, keeping what it shows; a new one shows everything.
void fitAxis(PipeState& state, const PipeLayout& layout);
/// By how much the list can be scrolled.
[[nodiscard]] double listOverhang(const PipeState& state, const PipeLayout& layout);

struct PipeGeometry {
    const PipeState& state;
    const PipeLayout& layout;

    [[nodiscard]] double x(std::int64_t time) const { return layout.plotLeft + double(state.axis.edge(time)) / state.ratio; }
    /// The box of [begin, end) in a lane, not clipped; at least `least` wide.
    [[nodiscard]] QRectF box(std::size_t lane, std::int64_t begin, std::int64_t end, double least = 0) const;
    [[nodiscard]] QRectF row(std::size_t edge) const; ///< of the list, not clipped
};

/// What is under a point.
struct PipeHit {
    enum class What : std::uint8_t { nothing, op, gap, edge } what = What::nothing;
    std::int32_t lane = none;
    std::int32_t span = none; ///< op, gap: the execution, or the one after the gap
    LaneWait cause = LaneWait::data;
    std::int32_t edge = none; ///< edge: a row of the list; gap: what the pipe waits for, where that is reuse

    friend bool operator==(const PipeHit&, const PipeHit&) = default;
};
/// Ops win over gaps; an op that is thinner than a pixel is met within 2 logical ones. O(log executions).
[[nodiscard]] PipeHit hitPipes(const PipeState& state, const PipeLayout& layout, QPointF at);

/// "same pipe", "cross pipe", "breaks a double buffer".
[[nodiscard]] QString reuseText(ReuseKind kind);
[[nodiscard]] QColor reuseColour(const Theme& theme, ReuseKind kind);
/// What a pipe does nothing for: "waits for V to free %s", "waits for %x".
[[nodiscard]] QString waitText(const PipeScene& scene, std::int32_t span, LaneWait cause);
/// "ns", or "bytes moved": what a unit of time is.
[[nodiscard]] QString timeUnit(const PipeScene& scene);

/// A line with an arrow head at its end over a halo of the well.
void paintReuseArrow(DrawList& list, const Theme& theme, const QPolygonF& path, const QColor& colour, double alpha = 1,
                     Dash dash = Dash::solid);

/// Without a scene, `empty` is said.
void paintPipes(DrawList& list, const PipeState& state, const PipeLayout& layout, const QString& empty = {});
/// What follows the pointer and the selection: cheap, and on top.
void paintPipesOverlay(DrawList& list, const PipeState& state, const PipeLayout& layout);
/// What is under the pointer. Nothing for rows of the list.
[[nodiscard]] std::optional<CardText> pipeCard(const PipeState& state, const PipeHit& hit);

} // namespace stowage
