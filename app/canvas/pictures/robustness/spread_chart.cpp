#include "app/canvas/pictures/robustness/spread_chart.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double gutter = 128;
constexpr double figures = 178; ///< at the right
constexpr double axisHeight = 26;
constexpr double dotRadius = 4.5;

} // namespace

SpreadLayout spreadLayout(std::span<const SpreadRow> rows, const QRectF& box)
{
    SpreadLayout layout;
    layout.plot = {box.left() + gutter, box.top() + 10, std::max(1.0, box.width() - gutter - figures),
                   std::max(1.0, box.height() - 10 - axisHeight)};
    layout.rowHeight = layout.plot.height() / double(std::max<std::size_t>(1, rows.size()));
    double least = 1;
    double most = 1;
    for (const SpreadRow& row : rows)
        for (const RobustnessSample& sample : row.samples)
            if (sample.valid) {
                least = std::min(least, sample.ratio());
                most = std::max(most, sample.ratio());
            }
    // Where all are alike, a scale of a few percent says so; what is below the bound does not exist.
    const double span = std::max(0.05, most - least);
    layout.low = least - span * 0.03;
    layout.high = least + span * 1.06;
    return layout;
}

std::vector<QPointF> SpreadLayout::dots(std::size_t index, std::span<const RobustnessSample> samples) const
{
    const QRectF band = row(index);
    std::vector<QPointF> placed;
    std::vector<QPointF> result;
    for (const RobustnessSample& sample : samples) {
        QPointF at(x(sample.ratio()), band.bottom() - 16);
        const double step = 2 * dotRadius + 1;
        const auto covered = [&] {
            return std::any_of(placed.begin(), placed.end(), [&](const QPointF& p) {
                return std::abs(p.x() - at.x()) < step && std::abs(p.y() - at.y()) < step - 0.5;
            });
        };
        while (covered() && at.y() - step > band.top() + 26) at.ry() -= step;
        placed.push_back(at);
        result.push_back(at);
    }
    return result;
}

std::optional<std::pair<std::size_t, std::size_t>> sampleAt(std::span<const SpreadRow> rows, const SpreadLayout& layout,
                                                            QPointF point)
{
    std::optional<std::pair<std::size_t, std::size_t>> best;
    double nearest = 6;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto dots = layout.dots(r, rows[r].samples);
        for (std::size_t i = 0; i < dots.size(); ++i)
            if (const double distance = std::hypot(dots[i].x() - point.x(), dots[i].y() - point.y()); distance < nearest) {
                nearest = distance;
                best = std::pair(r, i);
            }
    }
    return best;
}

void paintSpreadDot(DrawList& list, const Theme& theme, const RobustnessSample& sample, QPointF at, bool hovered)
{
    list.add(
        draw::Disc{at, dotRadius, sample.fits ? theme.accent : theme.bad, hovered ? theme.sel : theme.well, hovered ? 2.0 : 1.0});
    // A cross tells what does not fit without colours.
    if (sample.fits) return;
    for (const double slope : {-1.0, 1.0})
        list.add(draw::Line{QPolygonF{QPointF(at.x() - 2, at.y() - 2 * slope), QPointF(at.x() + 2, at.y() + 2 * slope)},
                            theme.well, 1.2, Dash::solid});
}

void paintSpread(DrawList& list, const Theme& theme, std::span<const SpreadRow> rows, const QRectF& box)
{
    list.fill(box, theme.well);
    const SpreadLayout layout = spreadLayout(rows, box);
    const QRectF& plot = layout.plot;
    list.fill({box.left(), box.top(), gutter, box.height()}, theme.panel);
    list.fill({box.left() + gutter, box.top(), 1, box.height()}, theme.line2);

    // Percent over the bound, at round numbers.
    const double span = (layout.high - layout.low) * 100;
    double step = 0.1;
    for (const double candidate : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0}) {
        step = candidate;
        if (span / candidate * 70 <= plot.width()) break;
    }
    for (double percent = std::ceil((layout.low - 1) * 100 / step) * step; percent <= (layout.high - 1) * 100; percent += step) {
        const double x = layout.x(1 + percent / 100);
        const bool bound = std::abs(percent) < 1e-9;
        if (bound)
            list.vertical(x, plot.top(), plot.bottom(), theme.ok, 1.25, Dash::bound);
        else
            list.vertical(x, plot.top(), plot.bottom(), theme.grid);
        const QString text =
            bound ? QStringLiteral("bound")
                  : QStringLiteral("%1%2 %").arg(percent > 0 ? QStringLiteral("+") : QString(), QString::number(percent, 'g', 4));
        list.text(Face::tick, std::max(x, plot.left() + 4 + list.width(Face::tick, text) / 2), plot.bottom() + 13, text,
                  bound ? theme.ok : theme.text2, Align::centre);
    }
    list.horizontal(plot.left(), plot.right(), plot.bottom(), theme.line2);
    list.text(Face::label, box.left() + 10, plot.bottom() + 13, QStringLiteral("size over bound"), theme.text3);

    for (std::size_t r = 0; r < rows.size(); ++r) {
        const QRectF band = layout.row(r);
        if (r > 0) list.horizontal(box.left(), box.right(), band.top(), theme.line);
        list.text(Face::labelStrong, box.left() + 10, band.top() + 16, rows[r].name, theme.text);
        list.text(Face::label, box.left() + 10, band.top() + 31, list.elided(Face::label, rows[r].caption, gutter - 16),
                  theme.text3);
        const auto found = spreadFigures(rows[r].samples);
        if (found) {
            // From the least to the greatest, with the middle.
            const double y = band.bottom() - 6;
            list.fill(
                list.snapped({layout.x(found->least), y - 2, std::max(2.0, layout.x(found->most) - layout.x(found->least)), 4}),
                mix(theme.well, theme.text3, 0.5), 2);
            list.fill(list.snapped({layout.x(found->median) - 1.5, y - 5, 3, 10}), theme.text);
            const double right = box.right() - 12;
            const double key = plot.right() + 18;
            double line = band.top() + 16;
            const auto figure = [&](const QString& label, const QString& value, const QColor& colour) {
                if (line > band.bottom() - 6) return;
                list.text(Face::label, key, line, label, theme.text3);
                list.text(Face::numberStrong, right, line, value, colour, Align::right);
                line += 15;
            };
            const auto over = [](double ratio) { return ratio <= 1 ? QStringLiteral("bound") : percentText(ratio - 1); };
            const auto tone = [&](double ratio) { return ratio <= 1 ? theme.ok : theme.warn; };
            figure(QStringLiteral("least"), over(found->least), tone(found->least));
            figure(QStringLiteral("median"), over(found->median), tone(found->median));
            figure(QStringLiteral("most"), over(found->most), tone(found->most));
            figure(QStringLiteral("at the bound"), QStringLiteral("%1 of %2").arg(found->atBound).arg(found->valid), theme.text);
            if (found->fitting < found->valid)
                figure(QStringLiteral("fits"), QStringLiteral("%1 of %2").arg(found->fitting).arg(found->valid), theme.bad);
        } else {
            list.text(Face::label, plot.center().x(), band.center().y(), QStringLiteral("no valid plan"), theme.text2,
                      Align::centre);
        }
        const auto dots = layout.dots(r, rows[r].samples);
        for (std::size_t i = 0; i < dots.size(); ++i) {
            const RobustnessSample& sample = rows[r].samples[i];
            if (!sample.valid) continue;
            paintSpreadDot(list, theme, sample, dots[i], false);
        }
    }
}

} // namespace stowage
