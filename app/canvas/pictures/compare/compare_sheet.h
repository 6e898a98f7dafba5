// Runs of one model side by side: the head above each map, bars of their sizes, and the sheet that `render --view compare`
// writes.
#pragma once

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/pictures/map/stack.h"
#include "app/session/verdicts.h"
#include "core/explain/ranking.h"

#include <QRectF>
#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace stowage {

inline constexpr double paneHeadHeight = 54;

/// The word of a verdict, as `verdictWord` has it.
[[nodiscard]] QString verdictText(VerdictKind verdict);

/// What stands above one of several maps.
struct PaneHead {
    struct Figure {
        QString label;
        QString value;
        QColor colour;
    };
    QString title;     ///< the planner
    NamesApart titles; ///< of all heads, for a title that has to be shortened
    VerdictKind verdict = VerdictKind::valid;
    bool good = true; ///< a plan that may be called best
    bool best = false;
    QString remark; ///< at the right end, where there is room: "proved smallest", "190 KiB short"
    std::vector<Figure> figures;
};
/// The planners of the runs, to be shortened beside each other.
[[nodiscard]] NamesApart plannerNames(std::span<const std::shared_ptr<const Run>> runs);
/// Of the pool that is shown, and of all pools together where there are several. `best`: of its group.
[[nodiscard]] PaneHead paneHead(const Run& run, PoolId pool, bool best, const Theme& theme, const NumberFormat& numbers);
void paintPaneHead(DrawList& list, const Theme& theme, const QRectF& box, const PaneHead& head);

/// The gutter that the addresses of a map up to `top` ask for when there is no room for a title.
[[nodiscard]] double narrowGutter(TextShaper& shaper, Bytes top, const NumberFormat& numbers);

/// The pool that comparisons show first: of the workspaces, else of all, the one in which the runs put the most buffers; none
/// without any.
[[nodiscard]] PoolId comparedPool(std::span<const std::shared_ptr<const Run>> runs);

/// What a bar of full length stands for: the largest size, but no more than twice the least that any of them could need; longer
/// bars are cut.
[[nodiscard]] Bytes barScale(std::span<const std::shared_ptr<const Run>> runs);
/// Sum of the capacities of the pools that are used, at most 2^62 bytes; nothing when one of them has none, or when none is used.
[[nodiscard]] std::optional<Bytes> capacityOf(const Report& report);
/// A bar in `track`: grey to the bound, amber (red when it does not fit) to the size, marks at bound and capacity, a cut when it
/// is off the scale.
void paintSizeBar(DrawList& list, const Theme& theme, const QRectF& track, const Run& run, Bytes scale);
/// One row for each run, by groups that may be ranked together. Rows without room are counted in the last one.
void paintRunRows(DrawList& list, const Theme& theme, const QRectF& box, std::span<const std::shared_ptr<const Run>> runs,
                  const NumberFormat& numbers);
/// Why sizes of several groups are not ranked together; empty with one group.
[[nodiscard]] QString groupsCaption(std::span<const RunGroup> groups);

class SceneCache;

inline constexpr std::size_t maxComparedMaps = 8; ///< of one sheet

struct CompareOptions {
    QSizeF size;
    SceneCache* scenes = nullptr; ///< where the maps' scenes are; null: each is made when it is painted
    const Theme* theme = nullptr;
    ColourBy colourBy = ColourBy::size;
    PoolId pool = none;
    NumberFormat numbers;
    BodyMode mode = BodyMode::raster;
};
/// Maps side by side, the difference of the second run against the first, bars of all. Requires a run. Returns true when a vector
/// body had to be a raster.
bool paintCompareSheet(DrawList& list, std::span<const std::shared_ptr<const Run>> runs, const CompareOptions& options);

} // namespace stowage
