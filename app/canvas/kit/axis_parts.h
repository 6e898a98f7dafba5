// What pictures on a time axis have in common: the ruler of the steps, and the chips that reference lines end in.
#pragma once

#include "app/canvas/axis/pixel_axis.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "core/ir/types.h"

#include <QPointF>
#include <QRectF>
#include <QString>

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

/// Where the chips of `paintLevelChips` lie, from the top.
[[nodiscard]] std::vector<QRectF> levelChipBoxes(const DrawList& list, const QRectF& band, double right,
                                                 std::vector<LevelChip> levels);

/// Chips end at `right`, beside their lines and inside `band`; those that would touch move apart, lines that coincide share one.
void paintLevelChips(DrawList& list, const Theme& theme, const QRectF& band, double right, std::vector<LevelChip> levels);

/// The highest point of a curve with its tag: to the right of the point where that ends at `right` at most, else to its left
/// where it begins at `left` at least, else flush with `right`; never below `floor`.
void paintPeakTag(DrawList& list, const Theme& theme, QPointF point, const QString& text, double left, double right,
                  double floor);

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
};
/// Returns where the next line of text may go (its middle height). The line at the right edge is not drawn.
double paintAddressGutter(DrawList& list, const AddressGutter& gutter);

/// "step [first, end)", or what it is without an order of steps.
[[nodiscard]] QString stepCaption(bool ordered);

} // namespace stowage
