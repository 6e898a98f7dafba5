// Pipes over time: a lane for each with its ops and stalls, arrows for reuse, and the list of reuses. The state, the layout, the
// object under a point, and the functions that paint it to the screen, into files and for tests.
#pragma once

#include "app/canvas/axis/pipe_lanes.h"
#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/kit/card.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/shared_buffers.h"
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
    double ratio = 1;  ///< device pixels for each logical pixel
    PixelAxis axis;    ///< time, in device pixels
    double scroll = 0; ///< of the list, logical pixels
    /// By ReuseKind: whether its arrows are drawn. Those of the selected buffer always are.
    std::array<bool, reuseKinds> arrows{false, true, true};

    BufferId selected = none;
    SharedBuffers others;                     ///< all selected ones if there are several, else empty
    std::optional<Step> cursor;               ///< ops of this step are marked
    const std::vector<bool>* shown = nullptr; ///< by buffer: whether the filter includes it; null: all
    std::int32_t hoveredSpan = none;          ///< into the report's spans
    std::int32_t hoveredEdge = none;          ///< into the report's edges
};

/// The positions of the parts, in logical pixels. Empty rectangles: not shown.
struct PipeLayout {
    QRectF all;
    QRectF summary;
    QRectF loops;
    std::vector<QRectF> lanes; ///< in the order of the scene's lanes
    QRectF ruler;
    QRectF listHead;
    QRectF list;
    double plotLeft = 0;
    double plotRight = 1;

    [[nodiscard]] double plotWidth() const { return plotRight - plotLeft; }
};
[[nodiscard]] PipeLayout layOut(const PipeState& state, QSizeF size);
/// Sets the size of the axis for `layout` and keeps its visible range; a new axis shows everything.
void fitAxis(PipeState& state, const PipeLayout& layout);
/// The maximum scroll position of the list.
[[nodiscard]] double listOverhang(const PipeState& state, const PipeLayout& layout);

struct PipeGeometry {
    const PipeState& state;
    const PipeLayout& layout;

    [[nodiscard]] double x(std::int64_t time) const { return layout.plotLeft + double(state.axis.edge(time)) / state.ratio; }
    /// The box of [begin, end) in a lane, not clipped; at least `least` wide.
    [[nodiscard]] QRectF box(std::size_t lane, std::int64_t begin, std::int64_t end, double least = 0) const;
    [[nodiscard]] QRectF row(std::size_t edge) const; ///< row of the list, not clipped
};

/// The object under a point.
struct PipeHit {
    enum class What : std::uint8_t { nothing, op, gap, edge } what = What::nothing;
    std::int32_t lane = none;
    std::int32_t span = none; ///< op: the execution; gap: the execution after it
    LaneWait cause = LaneWait::data;
    std::int32_t edge = none; ///< edge: a row of the list; gap: the reuse that the pipe waits for, if any

    friend bool operator==(const PipeHit&, const PipeHit&) = default;
};
/// Ops have priority over gaps; an op thinner than a pixel is hit within 2 logical pixels. O(log executions).
[[nodiscard]] PipeHit hitPipes(const PipeState& state, const PipeLayout& layout, QPointF at);

/// "same pipe", "cross pipe", "breaks a double buffer".
[[nodiscard]] QString reuseText(ReuseKind kind);
[[nodiscard]] QColor reuseColour(const Theme& theme, ReuseKind kind);
/// The cause of a gap in words: "waits for V to free %s", "waits for %x".
[[nodiscard]] QString waitText(const PipeScene& scene, std::int32_t span, LaneWait cause);
/// The unit of simulated time: "ns" or "bytes moved".
[[nodiscard]] QString timeUnit(const PipeScene& scene);

/// Paints a line with an arrow head at its end, with a halo in the background colour. That of a broken double buffer has a stroke
/// across it: its colour and that of reuse across pipes are much the same for eyes weak in red and green.
void paintReuseArrow(DrawList& list, const Theme& theme, const QPolygonF& path, ReuseKind kind, double alpha = 1,
                     Dash dash = Dash::solid);

/// Paints the picture; without a scene the text `empty`.
void paintPipes(DrawList& list, const PipeState& state, const PipeLayout& layout, const QString& empty = {});
/// Paints the marks of pointer and selection, on top. Fast.
void paintPipesOverlay(DrawList& list, const PipeState& state, const PipeLayout& layout);
/// The card of the object under the pointer; no value for rows of the list.
[[nodiscard]] std::optional<CardText> pipeCard(const PipeState& state, const PipeHit& hit);

} // namespace stowage
