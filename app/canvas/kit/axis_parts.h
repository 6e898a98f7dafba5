// Common parts of pictures with a time axis: the ruler of the steps, and the chips at the ends of reference lines.
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

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// The label of a reference line at the height `y`.
struct LevelChip {
    double y = 0;
    QString text;
    QColor colour;
    bool below = true;  ///< the chip is below its line, if there is room
    bool first = false; ///< among chips without a place, it goes before the others
    bool away = false;  ///< its line is above the picture: the chip may stand below the lines of others, but covers none
};

/// Whether a chip or tag should avoid a place. Null: never.
using Taken = std::function<bool(const QRectF&)>;

/// The extent of the plot along which chips are placed: the whole axis, whatever part is visible. Chips are placed along all of
/// it and then moved into the view, so that panning moves them with the plot, or keeps them at the edge.
struct ChipSpan {
    double begin = 0; ///< begin of the axis, logical pixels: at the left edge of the plot or left of it
    double end = 0;   ///< end of the axis: at the right edge of the plot or right of it

    /// The extent of `axis` (device pixels from `plotLeft`).
    [[nodiscard]] static ChipSpan of(const PixelAxis& axis, double plotLeft, double ratio);
};

/// `box`; if that is taken, the nearest free place left of it, not beyond `left`; `box` if there is none.
[[nodiscard]] QRectF freePlace(const QRectF& box, double left, const Taken& taken);
/// The free place nearest to the end of `span`, at the height of `box`; no value if there is none within the width of a picture.
[[nodiscard]] std::optional<QRectF> homeOf(const QRectF& box, const ChipSpan& span, const Taken& taken);

/// Chips with a free place, and chips without one.
struct LevelChips {
    std::vector<LevelChip> shown;   ///< from the top
    std::vector<QRectF> boxes;      ///< boxes of `shown`
    std::vector<LevelChip> without; ///< chips without a free place, in the order of the levels, but `first` ones first
};

/// Places chips beside their lines, inside `band` and left of `right`. Chips that would touch move apart; lines at one height
/// share a chip if it has a free place. Chips end at the end of `span`, or left of it if that place is taken. A chip that would
/// cover the line of another goes below that. A chip without any other place lies over its own line or those above it; one that
/// is `away` has no place then. A chip whose place is out of view moves to the edge of the view, unless a taken place is between
/// the two.
[[nodiscard]] LevelChips placeLevelChips(const DrawList& list, const QRectF& band, double right, const ChipSpan& span,
                                         std::vector<LevelChip> levels, const Taken& taken = {});
/// Paints the placed chips.
void paintLevelChips(DrawList& list, const Theme& theme, const LevelChips& chips);

/// Whether a curve runs through `box`: `function` over `axis` (device pixels), `y` gives the height of a value.
[[nodiscard]] bool curveMeets(const StepFunction& function, const PixelAxis& axis, double ratio, double plotLeft,
                              const std::function<double(Bytes)>& y, const QRectF& box);

/// What the tag of a peak says.
enum class PeakTag : std::uint8_t { whole, shorter, nothing };
/// Paints the highest point of a curve with its tag beside it, between `left` and `right` and never below `floor`. A line leads
/// from the point to the tag; a point out of view has none. The tag takes
/// the nearest place of `span` (no value: of the visible part) that is free of curves and clear of `chips`. Without such a place
/// it says `shorter` (empty: nothing), and is left out where that has no place either. With `taken` null, it takes the nearest
/// place clear of `chips`, else the place below the point.
PeakTag paintPeakTag(DrawList& list, const Theme& theme, QPointF point, const QString& text, double left, double right,
                     double floor, const Taken& taken = {}, std::span<const QRectF> chips = {}, std::optional<ChipSpan> span = {},
                     const QString& shorter = {});

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
    std::span<const Interval> selected; ///< live ranges to mark along the upper edge
    double labelPixels = 60;            ///< minimum distance between numbers; larger for long numbers
    std::vector<LevelChip> levels;      ///< chips without a free place in the plot: painted at the right end, as many as fit
};
void paintStepRuler(DrawList& list, const StepRuler& ruler);

/// The gutter of a map: an address axis with ticks and numbers, and title and caption in the first place that covers no numbers.
struct AddressGutter {
    const Theme* theme = nullptr;
    const PixelAxis* axis = nullptr; ///< device pixels, 0 at the lower edge of `band`
    double ratio = 1;
    QRectF band; ///< the gutter itself; its right edge is the line
    NumberFormat numbers;
    std::optional<Bytes> capacity; ///< marked in red
    QString title;                 ///< empty: none
    QString caption;               ///< below the title, or further down where it is wider than the place beside a number
    /// Lines below the caption, if there is room. Each has ever shorter texts: the first that fits is written.
    std::vector<std::pair<QStringList, QColor>> further;
    double titleRoom = 0; ///< height that the title needs; with less it moves down; 0: it stays at the top
    /// Paints the area below the lines of text, given the height at which they end. May be null.
    std::function<void(double)> under = {};
    /// For a band too low for title and caption: its figures in ever shorter words; the first that fits is written below or
    /// beside the title. A caption that is one of them gives way to those after it.
    QStringList figures = {};
};
/// Returns the middle height of the next line of text, which `under` gets, too. Does not draw the line at the right edge.
double paintAddressGutter(DrawList& list, const AddressGutter& gutter);

/// "step [first, end)", or the caption for a problem without an order of steps.
[[nodiscard]] QString stepCaption(bool ordered);

} // namespace stowage
