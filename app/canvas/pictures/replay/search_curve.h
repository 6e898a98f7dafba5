// The course of a search: the best size and the lower bound over time or work. Geometry without QPainter.
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

/// The state of a search at one moment.
struct SearchSample {
    double ms = 0;          ///< milliseconds since it began
    std::uint64_t work = 0; ///< placements tried
    Bytes best = 0;         ///< total size of the best plan so far
    Bytes bound = 0;        ///< total lower bound

    friend bool operator==(const SearchSample&, const SearchSample&) = default;
};

/// The mark of a step below the curve.
struct CurveMark {
    double at = 0;          ///< abscissa of its end; it begins at the end of the previous mark
    std::int8_t level = -1; ///< level at which a buffer was placed: 0 to 3; -1: none
    bool rollback = false;  ///< the step is a rollback

    friend bool operator==(const CurveMark&, const CurveMark&) = default;
};

/// A curve with its axes. The abscissa is in milliseconds, placements or steps.
struct SearchCurve {
    std::span<const SearchSample> samples; ///< ascending
    bool byWork = false;                   ///< abscissa: work; false: time
    bool running = false;                  ///< the search is running, and the curve does not end with a mark
    std::optional<double> marker;          ///< abscissa of a vertical line, such as the position of a replay
    QString xTitle;                        ///< "time", "placements tried", "recorded step"
    QString empty;                         ///< text that is shown without samples
    std::vector<CurveMark> marks;          ///< ascending; painted in a band below the plot, rollbacks also on the curve
};

/// The scales of a curve in a box, from values to logical pixels and back.
struct SearchScale {
    QRectF plot;
    double most = 1; ///< maximum abscissa
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
/// The scale that shows the whole curve. That of a search with improvements goes from slightly below the smallest bound to
/// slightly above the first plan, so that a small gap is visible; any other begins at 0. O(samples).
[[nodiscard]] SearchScale searchScale(const SearchCurve& curve, const QRectF& box);
/// The band of the marks, below the plot; null without any.
[[nodiscard]] QRectF markBand(const SearchCurve& curve, const SearchScale& scale);
/// The colour of a level's mark on the ramp: the lower the level, the nearer to its end.
[[nodiscard]] QColor levelColour(const Theme& theme, std::int8_t level);
/// The corners of a staircase through the samples' `best` (or `bound`), at most four for each pixel column. It begins at the
/// first sample, before which nothing is known: a single sample is a single point. O(samples).
[[nodiscard]] QPolygonF searchStairs(const SearchCurve& curve, const SearchScale& scale, bool bound);
/// Paints axes, the gap as an area between both curves, the curves, and their last values.
void paintSearchCurve(DrawList& list, const Theme& theme, const SearchCurve& curve, const QRectF& box,
                      const NumberFormat& numbers);

} // namespace stowage
