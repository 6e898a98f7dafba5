// The bands of the stack, one painter each. Inside app/canvas only.
#pragma once

#include "app/canvas/axis/step_function.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/map/stack.h"

#include <functional>
#include <vector>

namespace stowage::stack {

/// The gutter of a band: panel, border, title and a second line.
void paintGutter(DrawList& list, const StackState& state, const QRectF& band, const QString& title, const QString& caption,
                 double titleY);
/// Grid lines of the steps across a plot.
void paintGrid(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band);
/// The 12 % band at the peak step of a strip, where cliques are shown.
void paintPeak(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band, std::int32_t pool);

/// A step curve with its area down to `floor`; `y` gives the height of a value.
void paintStepCurve(DrawList& list, const Curve& curve, double ratio, double left, double floor,
                    const std::function<double(Bytes)>& y, const QColor& colour);
void paintCurve(DrawList& list, const StackState& state, const StackLayout& layout);
void paintOps(DrawList& list, const StackState& state, const StackLayout& layout);
void paintRuler(DrawList& list, const StackState& state, const StackLayout& layout);
void paintNotes(DrawList& list, const StackState& state, const StackLayout& layout);
void paintRows(DrawList& list, const StackState& state, const StackLayout& layout);
void paintRowsOverlay(DrawList& list, const StackState& state, const StackLayout& layout);
/// Returns true when a vector body had to be a raster.
bool paintStrip(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip, BodyMode mode,
                const QImage& body);
/// Buffers that use the address at a point of the reuse bar, over all steps; 0 beside the bar and where the strip has none.
[[nodiscard]] std::int64_t usesAt(const StackState& state, const StackLayout& layout, std::size_t strip, QPointF at);
/// The chips that a strip's reference lines end in. The overlay draws them once more, over what it has laid on them.
void paintStripChips(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);
/// Of a single strip, the chips that would cover buffers: they go into the ruler. With several strips the ruler would not say of
/// which pool they are, and the gutters have the sizes.
[[nodiscard]] std::vector<LevelChip> chipsWithoutPlace(const DrawList& list, const StackState& state, const StackLayout& layout);
void paintStripOverlay(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);
/// Arrows from each buffer to those that take over its bytes.
void paintReuse(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);
/// What labels of a strip have to look out for.
struct LabelObstacles {
    std::span<const double> linesY; ///< reference lines, which a label covers with a patch of its buffer's fill
    std::vector<QRectF> chips;      ///< at the strip's right, which labels stay clear of
};
void paintLabels(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip,
                 const LabelObstacles& obstacles);
/// The name of up to two large free areas, each on a patch of the well.
void paintFreeNames(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);

/// The pool whose peak and curve stand for the stack: that of the first strip, else the largest.
[[nodiscard]] std::int32_t leadingPool(const StackState& state);
[[nodiscard]] QColor withAlpha(QColor colour, double alpha);
/// The ops that make and read the selected buffer, by step.
[[nodiscard]] std::vector<Step> selectedOpSteps(const StackState& state);

} // namespace stowage::stack
