// The paint functions of the bands of the stack. For app/canvas only.
#pragma once

#include "app/canvas/axis/step_function.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/map/stack.h"

#include <functional>
#include <vector>

namespace stowage::stack {

/// Paints the gutter of a band: panel, border, title and a second line.
void paintGutter(DrawList& list, const StackState& state, const QRectF& band, const QString& title, const QString& caption,
                 double titleY);
/// Paints grid lines of the steps across a plot.
void paintGrid(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band);
/// Paints the 12 % band at the peak step of a pool, if cliques are shown.
void paintPeak(DrawList& list, const StackState& state, const StackLayout& layout, const QRectF& band, std::int32_t pool);

/// Paints a step curve with its area down to `floor`; `y` gives the height of a value.
void paintStepCurve(DrawList& list, const Curve& curve, double ratio, double left, double floor,
                    const std::function<double(Bytes)>& y, const QColor& colour);
void paintCurve(DrawList& list, const StackState& state, const StackLayout& layout);
void paintOps(DrawList& list, const StackState& state, const StackLayout& layout);
void paintRuler(DrawList& list, const StackState& state, const StackLayout& layout);
void paintNotes(DrawList& list, const StackState& state, const StackLayout& layout);
void paintRows(DrawList& list, const StackState& state, const StackLayout& layout);
void paintRowsOverlay(DrawList& list, const StackState& state, const StackLayout& layout);
/// Returns true if a vector body had to become a raster.
bool paintStrip(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip, BodyMode mode,
                const QImage& body);
/// Count of buffers, over all steps, that use the address at a point of the reuse bars; 0 beside and above the bars, and if the
/// strip has none.
[[nodiscard]] std::int64_t usesAt(TextShaper& shaper, const StackState& state, const StackLayout& layout, std::size_t strip,
                                  QPointF at);
/// Paints the chips at the ends of a strip's reference lines. The overlay paints them again, over its own marks.
void paintStripChips(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);
/// The chips of a single strip that would cover buffers; they are painted in the ruler. Empty for several strips, because the
/// ruler could not show which pool a chip belongs to, and the gutters have the sizes; and with a narrow gutter, because a map
/// among others has its sizes in the head above it.
[[nodiscard]] std::vector<LevelChip> chipsWithoutPlace(const DrawList& list, const StackState& state, const StackLayout& layout);
void paintStripOverlay(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);
/// Paints arrows from each buffer to those that reuse its bytes.
void paintReuse(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);
/// Obstacles for the labels of a strip.
struct LabelObstacles {
    std::span<const double> linesY; ///< reference lines; a label over one covers it with the fill of its buffer
    std::vector<QRectF> chips;      ///< chips at the right of the strip, which labels avoid
};
void paintLabels(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip,
                 const LabelObstacles& obstacles);
/// Paints the names of up to two large free areas, each on a patch of the background.
void paintFreeNames(DrawList& list, const StackState& state, const StackLayout& layout, std::size_t strip);

/// The pool whose peak and curve the stack shows: that of the first strip, else the largest.
[[nodiscard]] std::int32_t leadingPool(const StackState& state);
[[nodiscard]] QColor withAlpha(QColor colour, double alpha);
/// The steps of the ops that make and read the selected buffer.
[[nodiscard]] std::vector<Step> selectedOpSteps(const StackState& state);

} // namespace stowage::stack
