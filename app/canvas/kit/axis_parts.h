// What pictures on a time axis have in common: the ruler of the steps, and the chips that reference lines end in.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/axis/step_function.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "core/ir/types.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// The text of a reference line at the height `y`.
struct LevelChip {
    double y = 0;
    QString text;
    QColor colour;
    bool below = true; ///< the chip lies below its line where there is room
};

/// True for a place that a chip or tag should leave free. Null: every place will do.
using Taken = std::function<bool(const QRectF&)>;

/// The ends of what chips lie beside: all that the axis has, wherever the view is. Chips are placed along all of it and then
/// moved into the view, so that panning moves them with what they lie beside, or leaves them at the edge.
struct ChipSpan {
    double begin = 0; ///< where the axis begins, logical pixels: at the left edge of the plot or further left
    double end = 0;   ///< where it ends: at its right edge or further right

    /// The whole of `axis` (device pixels from `plotLeft`).
    [[nodiscard]] static ChipSpan of(const PixelAxis& axis, double plotLeft, double ratio);
};

/// `box`, or where that is taken, the nearest free place to its left from `left` on; `box` where there is none.
[[nodiscard]] QRectF freePlace(const QRectF& box, double left, const Taken& taken);
/// The free place that is nearest to the end of `span`, at the height of `box`; nothing where there is none within a picture's
/// width.
[[nodiscard]] std::optional<QRectF> homeOf(const QRectF& box, const ChipSpan& span, const Taken& taken);

/// Chips that have a free place, and those that have none.
struct LevelChips {
    std::vector<LevelChip> shown;   ///< from the top
    std::vector<QRectF> boxes;      ///< of `shown`
    std::vector<LevelChip> without; ///< a place: in the order in which the levels were given
};

/// Places for chips beside their lines, inside `band` and left of `right`; those that would touch move apart, lines that coincide
/// share one where it has a free place. They end where `span` does, or further left where that is taken. A chip whose place is
/// out of view lies at the edge of the view as long as nothing taken is between the two.
[[nodiscard]] LevelChips placeLevelChips(const DrawList& list, const QRectF& band, double right, const ChipSpan& span,
                                         std::vector<LevelChip> levels, const Taken& taken = {});
/// Those that have a place.
void paintLevelChips(DrawList& list, const Theme& theme, const LevelChips& chips);

/// True where the line of a curve runs through `box`: `function` over `axis` (device pixels), `y` its heights.
[[nodiscard]] bool curveMeets(const StepFunction& function, const PixelAxis& axis, double ratio, double plotLeft,
                              const std::function<double(Bytes)>& y, const QRectF& box);

/// The highest point of a curve with its tag, beside the point between `left` and `right` and never below `floor`: in the nearest
/// place of `span` (nothing: of what is in view) that is free, else in the nearest one that is clear of `chips`, else below the
/// point.
void paintPeakTag(DrawList& list, const Theme& theme, QPointF point, const QString& text, double left, double right, double floor,
                  const Taken& taken = {}, std::span<const QRectF> chips = {}, std::optional<ChipSpan> span = {});

/// A ruler of steps: `axis` in device pixels from `plotLeft` to `plotRight`.
struct StepRuler {
    const Theme* theme = nullptr;
    const PixelAxis* axis = nullptr;
    double ratio = 1;
    QRectF band;
    double plotLeft = 0;
    double plotRight = 1;
    Step steps = 1;
    QString caption;                    ///< in the gutter
    Step peak = -1;                     ///< gets a tag
    std::optional<Step> cursor;         ///< gets a tag
    std::span<const Interval> selected; ///< live ranges that are marked along the upper edge
    double labelPixels = 60;            ///< from one number to the next, at least: more where they are long
    std::vector<LevelChip> levels;      ///< chips that would cover what the plot shows: at the right end, as many as have room
};
void paintStepRuler(DrawList& list, const StepRuler& ruler);

/// The gutter of a map: addresses upwards, marked and in numbers, with title and caption in the first place that leaves the
/// numbers alone.
struct AddressGutter {
    const Theme* theme = nullptr;
    const PixelAxis* axis = nullptr; ///< device pixels, 0 at the lower edge of `band`
    double ratio = 1;
    QRectF band; ///< the gutter itself; its right edge is the line
    NumberFormat numbers;
    std::optional<Bytes> capacity; ///< its mark is red
    QString title;                 ///< empty: none
    QString caption;
    std::vector<std::pair<QString, QColor>> further; ///< lines below the caption, where there is room for them
    double titleRoom = 0; ///< what the title asks for before it gives way further down; 0: it stays at the top
    /// Paints what lies below the lines of text; gets the height at which these end. Null: nothing.
    std::function<void(double)> under = {};
    /// Of a band that is too low for title and caption: its figures in shorter and shorter words, of which the first that fits is
    /// written, below the title or beside it.
    QStringList figures = {};
};
/// Returns where the next line of text may go (its middle height), which is the one that `under` gets. The line at the right edge
/// is not drawn.
double paintAddressGutter(DrawList& list, const AddressGutter& gutter);

/// "step [first, end)", or what it is without an order of steps.
[[nodiscard]] QString stepCaption(bool ordered);

} // namespace stowage
