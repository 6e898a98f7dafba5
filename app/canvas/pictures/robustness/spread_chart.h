// The spread of the results of one planner: a dot for each planning, with the minimum, the median and the maximum of each group.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/theme.h"
#include "core/explain/robustness.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace stowage {

/// A group of plannings in one row: of one problem with several seeds, or with slightly changed sizes.
struct SpreadRow {
    QString name;    ///< "seeds"
    QString caption; ///< "the problem itself"
    std::vector<RobustnessSample> samples;
};

/// The positions of the parts: size / bound along x, rows below each other.
struct SpreadLayout {
    QRectF plot;
    double low = 1; ///< size / bound at the left edge
    double high = 1.1;
    double rowHeight = 100;

    [[nodiscard]] double x(double ratio) const { return plot.left() + plot.width() * (ratio - low) / (high - low); }
    [[nodiscard]] QRectF row(std::size_t index) const
    {
        return {plot.left(), plot.top() + rowHeight * double(index), plot.width(), rowHeight};
    }
    /// The centre of each sample's dot. Dots that would overlap are stacked, the first samples lowest.
    [[nodiscard]] std::vector<QPointF> dots(std::size_t index, std::span<const RobustnessSample> samples) const;
};
[[nodiscard]] SpreadLayout spreadLayout(std::span<const SpreadRow> rows, const QRectF& box);
/// The sample of a row whose dot is within 6 logical pixels of a point: row and index.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> sampleAt(std::span<const SpreadRow> rows,
                                                                          const SpreadLayout& layout, QPointF point);
void paintSpread(DrawList& list, const Theme& theme, std::span<const SpreadRow> rows, const QRectF& box);
/// One dot; `hovered`: with a ring.
void paintSpreadDot(DrawList& list, const Theme& theme, const RobustnessSample& sample, QPointF at, bool hovered);

} // namespace stowage
