// Paints a loop: above, its unrolled body in columns with the view that each iteration uses; below, the placements in one
// iteration.
#pragma once

#include "app/canvas/axis/run_scene.h"
#include "app/canvas/axis/viewport.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/pictures/loops/loop_picture.h"

#include <QRectF>
#include <QSizeF>

#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// The state that is painted. References must outlive the painting.
struct LoopState {
    const RunScene* scene = nullptr;
    const LoopPicture* picture = nullptr;
    const Theme* theme = nullptr;
    NumberFormat numbers;
    std::int64_t iteration = 0;
    std::vector<LoopHold> holds; ///< of that iteration
    bool close = false;          ///< strips show only the addresses of the rows, not all that the body uses
    double scroll = 0;           ///< of the rows, logical pixels
    BufferId selected = none;
    BufferId hovered = none;
    const std::vector<bool>* shown = nullptr; ///< by buffer: whether the filter includes it; null: all
    std::optional<Step> cursor;
    double ratio = 1;  ///< device pixels for each logical pixel
    Viewport viewport; ///< axes of the strips, in device pixels, set by `fitViewport`
};

/// The positions of the parts, in logical pixels.
struct LoopLayout {
    QRectF all;
    QRectF facts;                 ///< sentences about the loop
    QRectF head;                  ///< of the columns
    QRectF ops;                   ///< the ops of each column
    QRectF rows;                  ///< visible part of the rows
    double contentHeight = 0;     ///< of all rows
    std::vector<QRectF> columns;  ///< from the head to the end of the rows
    std::int64_t firstColumn = 0; ///< iteration of the first one
    std::vector<QRectF> strips;   ///< one for each of `LoopPicture::pools` that has room
    QRectF ruler;
    double plotLeft = 0;
    double plotRight = 1;
};

/// Count of columns of a loop: the iterations of its story, and the first repeated one.
[[nodiscard]] std::int64_t loopColumns(const LoopPicture& picture);
[[nodiscard]] LoopLayout layOut(const LoopState& state, QSizeF size);
/// Sets the sizes of the strips' axes for `layout` and keeps their visible ranges; axes of another loop, or of other addresses,
/// show everything.
void fitViewport(LoopState& state, const LoopLayout& layout);
/// The bar of a row in a column; not clipped to the rows.
[[nodiscard]] QRectF loopBar(const LoopState& state, const LoopLayout& layout, std::size_t row, std::size_t column);
/// The box of a hold in a strip.
[[nodiscard]] QRectF loopHoldBox(const LoopState& state, const LoopLayout& layout, std::size_t strip, const LoopHold& hold);
/// The name of what lies there: of the tensor of a row, in the part of the iteration that it is used in; else of the buffer,
/// which is called by one of its tensors.
[[nodiscard]] std::string loopHoldName(const LoopState& state, const LoopHold& hold);
/// The addresses [low, high) of a strip: up to the highest byte of the loop in any iteration, or those around the rows' places.
/// The same in all iterations, so that stepping does not change the scale.
struct LoopRange {
    Bytes low = 0;
    Bytes high = 1;
};
[[nodiscard]] LoopRange loopRange(const LoopState& state, std::size_t strip);

/// The object under a point.
struct LoopHit {
    enum class Kind : std::uint8_t { nothing, bar, hold, column } kind = Kind::nothing;
    std::size_t row = 0;        ///< of a bar
    std::int64_t iteration = 0; ///< of a bar or column
    std::size_t hold = 0;       ///< index into `LoopState::holds`
    BufferId buffer = none;
    QRectF box;
};
[[nodiscard]] LoopHit loopHit(const LoopState& state, const LoopLayout& layout, const QPointF& point);

void paintLoop(DrawList& list, const LoopState& state, const LoopLayout& layout);

} // namespace stowage
