#include "app/canvas/pictures/replay/search_curve.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double minMarginLeft = 88;
constexpr double tickLetter = 6.3; ///< logical pixels: Face::tick has letters of one width
constexpr double plotMarginRight = 14;
constexpr double plotMarginTop = 30;
constexpr double legendRoom = 17; ///< of what the colours of the marks mean, above the plot
constexpr double plotMarginBottom = 24;
constexpr double markHeight = 8;
constexpr double markGap = 8;   ///< from the plot down to the band of marks: its caption stands clear of the axis' lowest number
constexpr double markRoom = 17; ///< of the band of marks, below the plot

/// 1, 2 or 5 times a power of ten, so that about `count` of them make `most`.
double niceStep(double most, int count)
{
    const double raw = std::max(most, 1e-9) / std::max(1, count);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw) return factor * power;
    return 10 * power;
}

/// What the colours of the marks mean, from `left` to the right; what would end beyond `right` is left out.
void paintMarkLegend(DrawList& list, const Theme& theme, const SearchCurve& curve, double left, double right, double y)
{
    const auto key = [&](const QString& text, const QColor& colour) {
        constexpr double between = 10, swatch = 12;
        const double width = list.width(Face::tick, text) + (colour.isValid() ? swatch : 0);
        if (left + width > right) return;
        if (colour.isValid()) list.fill(list.snapped({left, y - 4, 8, 8}), colour, 1);
        list.text(Face::tick, left + (colour.isValid() ? swatch : 0), y, text, theme.text2);
        left += width + between;
    };
    const auto any = [&](const auto& is) { return std::ranges::any_of(curve.marks, is); };
    if (any([](const CurveMark& mark) { return mark.level >= 0; })) key(QStringLiteral("level"), {});
    for (std::int8_t level = 0; level <= 3; ++level)
        if (any([&](const CurveMark& mark) { return mark.level == level; }))
            key(QString::number(level), levelColour(theme, level));
    if (any([](const CurveMark& mark) { return mark.level < 0 && !mark.rollback; }))
        key(QStringLiteral("no reuse"), levelColour(theme, -1));
    if (any(&CurveMark::rollback)) key(QStringLiteral("rolled back"), theme.bad);
}

/// Levels as a band of cells below the plot; what was taken back also as discs on the curve.
void paintMarks(DrawList& list, const Theme& theme, const SearchCurve& curve, const SearchScale& scale)
{
    const QRectF band = markBand(curve, scale);
    if (band.isNull()) return;
    list.text(Face::tick, band.left() - 8, band.center().y(), QStringLiteral("level"), theme.text2, draw::Text::Align::right);
    double before = 0;
    double painted = band.left() - 1;
    for (const CurveMark& mark : curve.marks) {
        const double begin = scale.x(std::max(before, mark.at - 1));
        const double end = scale.x(mark.at);
        before = mark.at;
        if (mark.rollback || end - painted >= 0.5) {
            const double width = std::max(1.0, end - begin - (end - begin >= 4 ? 1 : 0));
            list.fill(list.snapped({begin, band.top(), width, band.height()}),
                      mark.rollback ? theme.bad : levelColour(theme, mark.level));
            painted = end;
        }
        if (!mark.rollback) continue;
        const auto sample = std::ranges::lower_bound(curve.samples, mark.at, {}, &SearchSample::ms);
        if (sample != curve.samples.end()) list.add(draw::Disc{{end, scale.y(sample->best)}, 2.5, theme.bad, theme.well, 1});
    }
}

/// A multiple of `step` on an axis up to `most`: all numbers of one axis have the same unit and the same decimals.
QString timeTick(double value, double step, double most)
{
    if (value == 0) return QStringLiteral("0");
    const bool seconds = most >= 1000, milliseconds = most >= 1;
    const double factor = seconds ? 1e-3 : milliseconds ? 1 : 1e3;
    const int decimals = std::clamp(int(std::ceil(-std::log10(step * factor) - 1e-9)), 0, 6);
    return QString::number(value * factor, 'f', decimals) + (seconds        ? QStringLiteral(" s")
                                                             : milliseconds ? QStringLiteral(" ms")
                                                                            : QStringLiteral(" µs"));
}

} // namespace

SearchScale searchScale(const SearchCurve& curve, const QRectF& box)
{
    SearchScale scale;
    const auto plotFrom = [&](double left) {
        const double top = plotMarginTop + (curve.marks.empty() ? 0 : legendRoom);
        return QRectF(box.left() + left, box.top() + top, std::max(1.0, box.width() - left - plotMarginRight),
                      std::max(1.0, box.height() - top - plotMarginBottom - (curve.marks.empty() ? 0 : markRoom)));
    };
    scale.plot = plotFrom(minMarginLeft);
    if (curve.samples.empty()) return scale;
    Bytes least = 0;
    Bytes greatest = 0;
    double most = 0;
    for (const SearchSample& sample : curve.samples) {
        most = std::max(most, abscissa(sample, curve.byWork));
        const Bytes lower = sample.bound > 0 ? std::min(sample.bound, sample.best) : sample.best;
        least = least == 0 ? lower : std::min(least, lower);
        greatest = std::max({greatest, sample.best, sample.bound});
    }
    if (most > 0) scale.most = most; // also where all took less than a millisecond
    // Without an improvement there is no small difference to show: sizes are heights above nothing.
    if (curve.samples.back().best >= curve.samples.front().best) least = 0;
    // A curve that is flat still has a height to be seen in.
    const Bytes margin = std::max<Bytes>({(greatest - least) / 8, least / 200, 1});
    scale.low = std::max<Bytes>(0, least - margin);
    scale.high = greatest + margin;
    // Room for the longest number at the axis: bytes with all their digits.
    scale.plot = plotFrom(std::max(minMarginLeft, 16 + tickLetter * double(countText(scale.high).size())));
    return scale;
}

QRectF markBand(const SearchCurve& curve, const SearchScale& scale)
{
    if (curve.marks.empty()) return {};
    return {scale.plot.left(), scale.plot.bottom() + markGap, scale.plot.width(), markHeight};
}

QColor levelColour(const Theme& theme, std::int8_t level)
{
    return level < 0 ? theme.text3 : theme.rampAt(0.9 - 0.17 * double(level));
}

QPolygonF searchStairs(const SearchCurve& curve, const SearchScale& scale, bool bound)
{
    QPolygonF line;
    double before = 0;
    for (const SearchSample& sample : curve.samples) {
        const Bytes value = bound ? sample.bound : sample.best;
        if (value <= 0) continue;
        const double x = scale.x(abscissa(sample, curve.byWork));
        const double y = scale.y(value);
        if (!line.isEmpty()) {
            if (y == before) continue;
            // Within one pixel the last value counts, and the way there.
            if (line.size() > 2 && x - line.last().x() < 0.25) {
                line.last().setY(y);
                before = y;
                continue;
            }
            line.append({x, before});
        }
        line.append({x, y});
        before = y;
    }
    if (line.isEmpty()) return line;
    const double end = scale.x(abscissa(curve.samples.back(), curve.byWork));
    if (line.last().x() < end) line.append({end, before});
    return line;
}

void paintSearchCurve(DrawList& list, const Theme& theme, const SearchCurve& curve, const QRectF& box,
                      const NumberFormat& numbers)
{
    list.fill(box, theme.well);
    if (curve.samples.empty()) {
        list.text(Face::body, box.center().x(), box.center().y(), list.elided(Face::body, curve.empty, box.width() - 24),
                  theme.text2, draw::Text::Align::centre);
        return;
    }
    const SearchScale scale = searchScale(curve, box);
    const QRectF& plot = scale.plot;
    const QRectF band = markBand(curve, scale);
    const double axisY = band.isNull() ? plot.bottom() : plot.bottom() + markRoom;
    const bool steps = !curve.byWork && curve.xTitle.contains(QStringLiteral("step"));

    // Axes.
    const double apart = std::max(plot.height() / 6, 20.0); // at least
    const double byteStep =
        std::max(1.0, std::pow(2.0, std::ceil(std::log2(double(scale.high - scale.low) * apart / plot.height()))));
    for (double bytes = std::ceil(double(scale.low) / byteStep) * byteStep; bytes <= double(scale.high); bytes += byteStep) {
        const double y = scale.y(Bytes(bytes));
        list.horizontal(plot.left(), plot.right(), y, theme.grid);
        list.text(Face::tick, plot.left() - 8, y, bytesTick(Bytes(bytes), Bytes(byteStep), numbers), theme.text2,
                  draw::Text::Align::right);
    }
    const double step = niceStep(scale.most, std::max(2, int(plot.width() / 90)));
    for (double value = 0; value <= scale.most * 1.0001; value += step) {
        const double x = scale.x(value);
        list.vertical(x, plot.top(), plot.bottom(), theme.grid);
        const QString text =
            curve.byWork || steps ? countText(std::int64_t(std::llround(value))) : timeTick(value, step, scale.most);
        const double width = list.width(Face::tick, text);
        if (x + width / 2 < plot.right() + plotMarginRight)
            list.text(Face::tick, std::max(x, plot.left() + width / 2 - 6), axisY + 13, text, theme.text2,
                      draw::Text::Align::centre);
    }
    list.horizontal(plot.left(), plot.right(), plot.bottom(), theme.line2);

    // Steps that build one plan go up to its size: that is no search, and leaves no gap.
    const bool building = steps && curve.samples.size() > 1 && curve.samples.front().best < curve.samples.back().best;
    // The gap between what is found and what is proved.
    const QPolygonF upper = searchStairs(curve, scale, false);
    const QPolygonF lower = searchStairs(curve, scale, true);
    if (!building && upper.size() > 1 && lower.size() > 1) {
        QPolygonF gap = upper;
        for (qsizetype i = lower.size(); i-- > 0;) gap.append(lower[i]);
        QColor soft = theme.warn;
        soft.setAlphaF(0.14F);
        list.add(draw::Area{gap, soft});
    }
    if (lower.size() > 1) list.add(draw::Line{lower, theme.ok, 1.5, Dash::bound});
    if (upper.size() > 1) list.add(draw::Line{upper, theme.accent, 1.5, Dash::solid});
    const SearchSample& last = curve.samples.back();
    const double end = scale.x(abscissa(last, curve.byWork));
    list.add(draw::Disc{{end, scale.y(last.best)}, 3.5, curve.running ? theme.accent : theme.well, theme.accent, 1.5});
    if (last.bound > 0)
        list.add(draw::Disc{{end, scale.y(last.bound)}, 3.5, curve.running ? theme.ok : theme.well, theme.ok, 1.5});
    if (curve.marker) {
        const double x = scale.x(std::clamp(*curve.marker, 0.0, scale.most));
        list.vertical(x, plot.top(), plot.bottom(), theme.sel);
    }

    paintMarks(list, theme, curve, scale);

    // What it comes to, above the plot.
    double x = box.left() + 12;
    const auto figure = [&](const QString& label, const QString& value, const QColor& colour) {
        const double width = list.width(Face::label, label) + 5 + list.width(Face::numberStrong, value);
        if (x + width > box.right() - 12) return;
        list.text(Face::label, x, box.top() + 15, label, theme.text3);
        list.text(Face::numberStrong, x + list.width(Face::label, label) + 5, box.top() + 15, value, colour);
        x += width + 16;
    };
    figure(building ? QStringLiteral("height") : QStringLiteral("best"), bytesText(last.best, numbers), theme.accent);
    if (last.bound > 0) {
        figure(QStringLiteral("bound"), bytesText(last.bound, numbers), theme.ok);
        const bool open = last.best > last.bound;
        if (!building)
            figure(QStringLiteral("gap"),
                   open ? QStringLiteral("%1, %2").arg(bytesText(last.best - last.bound, numbers),
                                                       percentText(double(last.best - last.bound) / double(last.bound)))
                        : QStringLiteral("closed"),
                   open ? theme.warn : theme.ok);
    }
    if (!building)
        figure(QStringLiteral("improvements"),
               countText(std::int64_t(std::ranges::count_if(curve.samples,
                                                            [before = Bytes{0}](const SearchSample& s) mutable {
                                                                const bool better = before > 0 && s.best < before;
                                                                before = s.best;
                                                                return better;
                                                            }))),
               theme.text);
    if (!curve.marks.empty())
        figure(QStringLiteral("rolled back"), countText(std::ranges::count_if(curve.marks, &CurveMark::rollback)),
               std::ranges::any_of(curve.marks, &CurveMark::rollback) ? theme.bad : theme.text);
    const double titleWidth = list.width(Face::label, curve.xTitle);
    const double right = box.right() - 12;
    if (right - titleWidth > x)
        list.text(Face::label, right, box.top() + 15, curve.xTitle, theme.text3, draw::Text::Align::right);
    paintMarkLegend(list, theme, curve, box.left() + 12, right, box.top() + 15 + legendRoom);
}

} // namespace stowage
