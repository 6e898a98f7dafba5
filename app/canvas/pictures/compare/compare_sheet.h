// Runs of one model side by side: the head above each map, bars of their sizes, and the sheet that `render --view compare`
// writes.
#pragma once

#include "app/canvas/axis/difference_colours.h"
#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/pictures/map/stack.h"
#include "app/session/verdicts.h"
#include "core/explain/ranking.h"

#include <QColor>
#include <QRectF>
#include <QString>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stowage {

inline constexpr double paneHeadHeight = 54;

/// The word of a verdict, from `verdictWord`.
[[nodiscard]] QString verdictText(VerdictKind verdict);

/// The text, or its first words that fit, of which neither the first nor the last is a number; empty without room for them.
[[nodiscard]] QString firstWords(const DrawList& list, Face face, const QString& text, double room);

/// The ink of a verdict: green or red; amber where it decides nothing, as tensors are left out or a limit stopped the planner.
[[nodiscard]] QColor verdictColour(VerdictKind verdict, const Theme& theme);
/// The ink of what is good about a run: green, but plain where tensors of unknown size are left out, as they add to its size.
[[nodiscard]] QColor goodColour(VerdictKind verdict, const Theme& theme);
/// The ink of a run's percentage over its bound: red for a plan that is not good, amber above the bound, else `goodColour`.
[[nodiscard]] QColor overBoundColour(const Run& run, const Theme& theme);

/// The head above one of several maps.
struct PaneHead {
    struct Figure {
        QString label;
        QString value;
        QColor colour;
    };
    QString title;     ///< see `runTitles`
    NamesApart titles; ///< titles of all heads, to shorten them
    VerdictKind verdict = VerdictKind::valid;
    bool good = true; ///< see `isGood`
    bool best = false;
    QString remark; ///< at the right end, if there is room: "proved smallest", "190 KiB short"
    std::vector<Figure> figures;
};
/// The titles of runs side by side: the planner of each; of runs with one planner also the target, the settings of the lowering,
/// the options and the seed in which they differ: "greedy-by-size, inplace=on".
[[nodiscard]] std::vector<std::string> runTitles(std::span<const std::shared_ptr<const Run>> runs);
/// The head for a run: of the shown pool, and of all pools together if there are several. `best`: the best of its group. Its
/// title is the planner.
[[nodiscard]] PaneHead paneHead(const Run& run, PoolId pool, bool best, const Theme& theme, const NumberFormat& numbers);
void paintPaneHead(DrawList& list, const Theme& theme, const QRectF& box, const PaneHead& head);

/// An entry of a difference's legend: its shades side by side, and its name with its count. `y`: middle of the line.
[[nodiscard]] double differenceEntryWidth(const DrawList& list, const DifferenceCount& count);
void paintDifferenceEntry(DrawList& list, const Theme& theme, const DifferenceCount& count, double left, double y);

/// Width of the gutter for the addresses of a map up to `top`, without room for a title.
[[nodiscard]] double narrowGutter(TextShaper& shaper, Bytes top, const NumberFormat& numbers);

/// The default pool of comparisons: of the workspace pools, else of all, the one in which the runs place the most buffers; `none`
/// without pools.
[[nodiscard]] PoolId comparedPool(std::span<const std::shared_ptr<const Run>> runs);

/// The value of a bar of full length: the largest size, but at most twice the smallest lower bound of the runs; longer bars are
/// cut.
[[nodiscard]] Bytes barScale(std::span<const std::shared_ptr<const Run>> runs);
/// The capacity of the used pool. No value if it has none, and if several pools are used: the sum of their capacities limits no
/// plan, and is far above every size where one of them is large.
[[nodiscard]] std::optional<Bytes> capacityOf(const Report& report);
/// Whether a bar of these runs has a mark at its capacity: titles of bars name what they have.
[[nodiscard]] bool marksCapacity(std::span<const std::shared_ptr<const Run>> runs);
/// Paints a bar in `track`: grey up to the bound, amber (red if the plan does not fit) up to the size, marks at bound and
/// capacity, a cut if it is longer than the scale.
void paintSizeBar(DrawList& list, const Theme& theme, const QRectF& track, const Run& run, Bytes scale);
/// Paints one row for each run, by groups that may be ranked together. The last row gives the count of rows without room.
void paintRunRows(DrawList& list, const Theme& theme, const QRectF& box, std::span<const std::shared_ptr<const Run>> runs,
                  const NumberFormat& numbers);
/// The reason why sizes of several groups are not ranked together; empty for one group.
[[nodiscard]] QString groupsCaption(std::span<const RunGroup> groups);

class SceneCache;

inline constexpr std::size_t maxComparedMaps = 8; ///< maximum count of maps in one sheet

struct CompareOptions {
    QSizeF size;
    SceneCache* scenes = nullptr; ///< cache of the maps' scenes; null: each is made when it is painted
    const Theme* theme = nullptr;
    ColourBy colourBy = ColourBy::size;
    PoolId pool = none;
    NumberFormat numbers;
    BodyMode mode = BodyMode::raster;
};
/// Paints maps side by side, the difference of the second run from the first, and bars of all runs. Requires a run. Returns true
/// if a vector body had to become a raster.
bool paintCompareSheet(DrawList& list, std::span<const std::shared_ptr<const Run>> runs, const CompareOptions& options);

} // namespace stowage
