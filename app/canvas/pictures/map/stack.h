// The memory map and the liveness timeline as one stack of bands on one time axis: total live bytes, ops, one map for each pool,
// ruler, rows of buffers. The state and the layout; paint_stack.h paints them.
#pragma once

#include "app/canvas/axis/run_scene.h"
#include "app/canvas/axis/timeline.h"
#include "app/canvas/axis/viewport.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/kit/shared_buffers.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/pictures/map/map_note.h"

#include <QImage>
#include <QRectF>
#include <QSizeF>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

inline constexpr double gutterWidth = 128;
inline constexpr double titledGutter = gutterWidth * 0.75; ///< wider gutters have titles and reuse bars
inline constexpr double rightMargin = 14;
inline constexpr double rulerHeight = 22;

/// The state of the stack. References must outlive the painting.
struct StackState {
    const RunScene* scene = nullptr;
    const Theme* theme = nullptr;
    const Colouring* colouring = nullptr;
    const Timeline* timeline = nullptr;
    std::span<const BufferStyle> styles; ///< by buffer
    NumberFormat numbers;
    double ratio = 1; ///< device pixels for each logical pixel

    bool curve = true;
    bool opTrack = true;
    bool map = true;
    bool rows = true;
    std::vector<std::int32_t> strips; ///< into `RunScene::pools`, top to bottom
    Viewport viewport;                ///< in device pixels; one address axis for each strip
    double scroll = 0;                ///< of the rows, logical pixels
    double rowsShare = 0.29;          ///< fraction of the height of maps and rows
    double gutter = gutterWidth;      ///< width left of the plots; up to `titledGutter` without titles and reuse bars (maps only)
    std::optional<Bytes> baseline;    ///< size of the pool in an earlier plan, for a further line; no value: none
    Bytes minTop = 0;                 ///< minimum end of the address axes, so that several maps have one scale

    bool clique = true;               ///< band at the peak step, bars in the members of the clique
    bool chain = true;                ///< buffers on which the selected buffer rests
    bool conflicts = false;           ///< outlines of the buffers that conflict with the selected buffer
    const PipeScene* reuse = nullptr; ///< reuse to draw as arrows; null: none. That of the selected buffer is highlighted
    BufferId selected = none;
    BufferId hovered = none;
    SharedBuffers area; ///< all selected ones if there are several, else empty
    std::optional<Step> cursor;
    SupportChain support;      ///< of the selected buffer
    SharedBuffers conflicting; ///< buffers that conflict with the selected buffer, if `conflicts`
    std::vector<MapNote> notes;
};

/// The positions of the bands, in logical pixels. Empty rectangles: not shown.
struct StackLayout {
    QRectF all;
    QRectF curve;
    QRectF ops;
    std::vector<QRectF> strips;
    QRectF ruler;
    QRectF rows;
    double plotLeft = gutterWidth;
    double plotRight = gutterWidth + 1;

    [[nodiscard]] double plotWidth() const { return plotRight - plotLeft; }
};

/// The bands of a picture of `size`. Heights are integers, in logical pixels.
[[nodiscard]] StackLayout layOut(const StackState& state, QSizeF size);
/// Sets the sizes of the axes for `layout` and keeps their visible ranges; new axes show everything.
void fitViewport(StackState& state, const StackLayout& layout);
/// The highest address that a strip can show: slightly above top and capacity; above the top alone if the capacity is more than
/// 2.5 times as high.
[[nodiscard]] Bytes addressLimit(const MapData& map);

/// Converts steps to x and addresses to y and back, in logical pixels.
struct StackGeometry {
    const StackState& state;
    const StackLayout& layout;

    [[nodiscard]] double x(Step step) const { return layout.plotLeft + double(state.viewport.steps.edge(step)) / state.ratio; }
    [[nodiscard]] double y(std::size_t strip, Bytes address) const
    {
        return layout.strips[strip].bottom() - double(state.viewport.addresses[strip].edge(address)) / state.ratio;
    }
    [[nodiscard]] MapPicture picture(std::size_t strip) const;
    /// The visible steps and addresses of a strip.
    [[nodiscard]] StepBytes inView(std::size_t strip) const;
    /// A rectangle of a map as drawn, with its padding, and at least `least` logical pixels in each direction; not clipped.
    [[nodiscard]] QRectF rectOf(std::size_t strip, std::size_t rect, double least = 0) const;
    /// The column of a step, at least one logical pixel wide.
    [[nodiscard]] QRectF column(Step step, const QRectF& band) const;
};

/// The box of a note's flag; null if its place is not visible.
[[nodiscard]] QRectF noteBox(const StackState& state, const StackLayout& layout, const MapNote& note);

/// An area of a map, painted by the raster, in device pixels.
[[nodiscard]] QImage rasterArea(const MapPicture& picture, const PixelArea& area);

} // namespace stowage
