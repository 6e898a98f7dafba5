// How a search went: the best size so far and what is proved that no plan can be below, over time or over work. Geometry without
// Qt Gui's painter.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "core/ir/types.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// What was known at one moment of a search.
struct SearchSample {
    double ms = 0;          ///< since it began
    std::uint64_t work = 0; ///< placements tried
    Bytes best = 0;         ///< total size of the best plan so far: no smaller one was known
    Bytes bound = 0;        ///< total lower bound: no plan can be smaller

    friend bool operator==(const SearchSample&, const SearchSample&) = default;
};

/// What a step was, below the curve.
struct CurveMark {
    double at = 0;          ///< abscissa of its end; it begins at the one before
    std::int8_t level = -1; ///< at which a buffer was placed: 0 to 3; -1: at none
    bool rollback = false;  ///< a place was taken back

    friend bool operator==(const CurveMark&, const CurveMark&) = default;
};

/// A curve with its axes: `at` gives the abscissa of a sample (milliseconds, placements or steps).
struct SearchCurve {
    std::span<const SearchSample> samples; ///< ascending
    bool byWork = false;                   ///< else by time
    bool running = false;                  ///< the search goes on: the curve does not end with a mark
    std::optional<double> marker;          ///< a vertical line there, as where a replay is
    QString xTitle;                        ///< "time", "placements tried", "recorded step"
    QString empty;                         ///< said where there are no samples
    std::vector<CurveMark> marks;          ///< ascending; a band below the plot, rollbacks on the curve too
};

/// Scales of a curve in a box: from values to logical pixels and back.
struct SearchScale {
    QRectF plot;
    double most = 1; ///< greatest abscissa
    Bytes low = 0;   ///< at the lower edge
    Bytes high = 1;  ///< at the upper edge

    [[nodiscard]] double x(double value) const { return plot.left() + plot.width() * (most > 0 ? value / most : 0); }
    [[nodiscard]] double y(Bytes bytes) const { return plot.bottom() - plot.height() * double(bytes - low) / double(high - low); }
    [[nodiscard]] double valueAt(double px) const { return plot.width() > 0 ? most * (px - plot.left()) / plot.width() : 0; }
};

/// The abscissa of a sample.
[[nodiscard]] inline double abscissa(const SearchSample& sample, bool byWork)
{
    return byWork ? double(sample.work) : sample.ms;
}
/// The scale that shows all of the curve: bytes from a little below the least bound to a little above the first plan, so that a
/// small gap is seen. O(samples).
[[nodiscard]] SearchScale searchScale(const SearchCurve& curve, const QRectF& box);
/// The band of the marks, below the plot; null without any.
[[nodiscard]] QRectF markBand(const SearchCurve& curve, const SearchScale& scale);
/// The colour of a level's mark: the lower the level, the further along the ramp.
[[nodiscard]] QColor levelColour(const Theme& theme, std::int8_t level);
/// The corners of a staircase through the samples' `best` (or `bound`), at most four for each pixel column. O(samples).
[[nodiscard]] QPolygonF searchStairs(const SearchCurve& curve, const SearchScale& scale, bool bound);
/// Paints axes, the gap as an area between both curves, the curves, and what they come to.
void paintSearchCurve(DrawList& list, const Theme& theme, const SearchCurve& curve, const QRectF& box,
                      const NumberFormat& numbers);

} // namespace stowage
