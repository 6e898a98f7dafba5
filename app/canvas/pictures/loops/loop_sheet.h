// A loop as it is painted: its unrolled body in columns with the view that each iteration uses, and below what lies where in one
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
#include <vector>

namespace stowage {

/// What is shown. References must outlive the painting.
struct LoopState {
    const RunScene* scene = nullptr;
    const LoopPicture* picture = nullptr;
    const Theme* theme = nullptr;
    NumberFormat numbers;
    std::int64_t iteration = 0;
    std::vector<LoopHold> holds; ///< of that iteration
    bool close = false;          ///< strips show the addresses of the rows only, not all that the body uses
    double scroll = 0;           ///< of the rows, logical pixels
    BufferId selected = none;
    BufferId hovered = none;
    const std::vector<bool>* shown = nullptr; ///< by buffer, what a filter leaves; null: all
    std::optional<Step> cursor;
    double ratio = 1;  ///< device pixels for each logical one
    Viewport viewport; ///< of the strips, in device pixels; as `fitViewport` left it
};

/// Where things lie, in logical pixels.
struct LoopLayout {
    QRectF all;
    QRectF facts;                 ///< what is said about the loop
    QRectF head;                  ///< of the columns
    QRectF ops;                   ///< the ops of each column
    QRectF rows;                  ///< visible part of the rows
    double contentHeight = 0;     ///< of all rows
    std::vector<QRectF> columns;  ///< from the head to the end of the rows
    std::int64_t firstColumn = 0; ///< iteration of the first one
    std::vector<QRectF> strips;   ///< one for each pool that has room, of `LoopPicture::pools`
    QRectF ruler;
    double plotLeft = 0;
    double plotRight = 1;
};

/// How many columns a loop has: the iterations of its story, and the one that is like an earlier one again.
[[nodiscard]] std::int64_t loopColumns(const LoopPicture& picture);
[[nodiscard]] LoopLayout layOut(const LoopState& state, QSizeF size);
/// Sizes the axes of the strips for `layout`, keeping what they show; axes of another loop, or of other addresses, show
/// everything.
void fitViewport(LoopState& state, const LoopLayout& layout);
/// Where the bar of a row is in a column; not clipped to the rows.
[[nodiscard]] QRectF loopBar(const LoopState& state, const LoopLayout& layout, std::size_t row, std::size_t column);
/// Where a held piece is in a strip.
[[nodiscard]] QRectF loopHoldBox(const LoopState& state, const LoopLayout& layout, std::size_t strip, const LoopHold& hold);
/// The addresses [low, high) of a strip: up to the highest byte that anything in the loop has in any iteration, or those round
/// the rows' places. The same in all iterations, so that stepping moves nothing but what moves.
struct LoopRange {
    Bytes low = 0;
    Bytes high = 1;
};
[[nodiscard]] LoopRange loopRange(const LoopState& state, std::size_t strip);

/// What is under a point.
struct LoopHit {
    enum class Kind : std::uint8_t { nothing, bar, hold, column } kind = Kind::nothing;
    std::size_t row = 0;        ///< of a bar
    std::int64_t iteration = 0; ///< of a bar or column
    std::size_t hold = 0;       ///< into the state's
    BufferId buffer = none;
    QRectF box;
};
[[nodiscard]] LoopHit loopHit(const LoopState& state, const LoopLayout& layout, const QPointF& point);

void paintLoop(DrawList& list, const LoopState& state, const LoopLayout& layout);

} // namespace stowage
