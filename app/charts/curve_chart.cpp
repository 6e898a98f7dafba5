#include "app/charts/curve_chart.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/charts/chart_legend.h"

#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QFontMetricsF>
#include <QGraphicsSimpleTextItem>
#include <QKeyEvent>
#include <QLabel>
#include <QLegend>
#include <QLineF>
#include <QLineSeries>
#include <QMouseEvent>
#include <QScatterSeries>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double markRadius = 3.5;
constexpr double chosenRadius = markRadius + 2.5; ///< with its ring
constexpr double clickDistance = 9;
constexpr double closest = 16;    ///< numbers one above the other, in pixels
constexpr double tickMargin = 10; ///< that Qt Charts keeps free beside the text of a tick, both sides together

QString tickText(const ChartAxis& axis, double value)
{
    return axis.text ? axis.text(value) : countText(std::llround(value));
}

/// At most two points for each pixel: the least and the largest in between.
std::vector<QPointF> thinned(const std::vector<QPointF>& points, std::size_t pixels)
{
    const std::size_t room = std::max<std::size_t>(pixels, 50);
    if (points.size() <= 2 * room) return points;
    std::vector<QPointF> kept;
    const std::size_t group = points.size() / room + 1;
    for (std::size_t i = 0; i < points.size(); i += group) {
        const auto begin = points.begin() + std::ptrdiff_t(i);
        const auto end = points.begin() + std::ptrdiff_t(std::min(i + group, points.size()));
        auto [low, high] = std::minmax_element(begin, end, [](QPointF a, QPointF b) { return a.y() < b.y(); });
        if (low->x() > high->x()) std::swap(low, high);
        kept.push_back(*low);
        if (high != low) kept.push_back(*high);
    }
    return kept;
}

/// A step that its texts can tell apart.
double stepOf(const ChartAxis& axis, double span, double pixels, double apart)
{
    const double step = tickStep(span, pixels, apart);
    return axis.text ? step : std::max(1.0, step);
}

} // namespace

double tickStep(double span, double pixels, double apart)
{
    if (!(span > 0) || !(pixels > 0)) return 1;
    const double least = span * apart / pixels;
    double step = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= least) return step * factor;
    return step * 10;
}

std::vector<double> logarithmicTicks(double low, double high, double pixels, double apart)
{
    if (!(high > low) || !(pixels > 0)) return {};
    const double least = apart * (high - low) / pixels; // between two ticks
    static const std::vector<std::vector<int>> digits{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1}};
    const auto fits = [&](const std::vector<int>& each) {
        for (std::size_t i = 0; i < each.size(); ++i)
            if (std::log10(double(i + 1 < each.size() ? each[i + 1] : 10) / each[i]) < least) return false;
        return true;
    };
    const auto chosen = std::ranges::find_if(digits, fits);
    const auto every = std::max(1LL, std::llround(std::ceil(least))); // powers of ten
    std::vector<double> ticks;
    for (auto power = std::llround(std::floor(low)); power <= std::llround(std::ceil(high)); ++power)
        for (const int digit : chosen == digits.end() ? digits.back() : *chosen)
            if (const double at = double(power) + std::log10(digit); power % every == 0 && at >= low && at <= high)
                ticks.push_back(at);
    if (ticks.size() >= 2) return ticks;
    // Less than a decade: even steps, of which the last one, which looks shortest, is wide enough.
    const double top = std::pow(10, high);
    const double step = tickStep(top * (1 - std::pow(10, -least)), 1, 1);
    std::vector<double> even;
    for (double value = std::ceil(std::pow(10, low) / step) * step; value <= top; value += step)
        even.push_back(std::log10(value));
    return even.size() > ticks.size() ? even : ticks;
}

/// Qt Charts draws all of it: axes with their titles, curves, points, and the note beside the chosen one.
class CurveChart::Canvas : public QChartView {
public:
    explicit Canvas(CurveChart& owner)
        : QChartView(&owner), owner_(owner), x_(new QCategoryAxis(this)), y_(new QCategoryAxis(this))
    {
        QChart* own = chart();
        own->setAnimationOptions(QChart::NoAnimation);
        own->setBackgroundRoundness(0);
        own->setMargins({4, 4, 14, 2});
        own->legend()->hide(); // the chart has one in the colours and sizes of all legends
        own->addAxis(x_, Qt::AlignBottom);
        own->addAxis(y_, Qt::AlignLeft);
        for (QCategoryAxis* axis : {x_, y_}) {
            axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
            axis->setLabelsFont(monoFont(11));
            axis->setTitleFont(uiFont(11));
            axis->setGridLineVisible(false);
        }
        note_ = new QGraphicsSimpleTextItem(own);
        note_->setFont(uiFont(11));
        note_->setZValue(1000); // above all series
        connect(own, &QChart::plotAreaChanged, this, [this] { placeNote(); });
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus); // the chart has it
        setMouseTracking(true);
        setRenderHint(QPainter::Antialiasing);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

    void showCurves()
    {
        marks_.clear();
        chart()->removeAllSeries(); // and deletes them
        const QRectF& range = owner_.range_;
        const bool any = std::ranges::any_of(owner_.curves_, [](const ChartCurve& curve) { return !curve.points.empty(); });
        // What Qt Charts leaves: at most two fifths of the width for the numbers at the left, and for each number below an equal
        // share of the rest.
        const double high = std::max(30.0, height() - 50.0);
        const double atLeft = label(*y_, owner_.up_, range.top(), range.bottom(), high, 34, 0.4 * (width() - 18.0) - 40);
        const double wide = std::max(50.0, width() - 40.0 - (atLeft + 40));
        label(*x_, owner_.across_, range.left(), range.right(), wide, 84, wide);
        for (QCategoryAxis* axis : {x_, y_}) axis->setVisible(any);
        for (const ChartCurve& curve : owner_.curves_) {
            if (!curve.line) continue;
            auto* series = new QLineSeries;
            series->setName(curve.name);
            QList<QPointF> points;
            for (const QPointF& point : thinned(curve.points, std::size_t(wide))) {
                if (curve.steps && !points.isEmpty()) points << QPointF(point.x(), points.back().y());
                points << point;
            }
            if (curve.steps && !points.isEmpty()) points << QPointF(range.right(), points.back().y());
            series->append(points);
            QPen pen(curve.colour, 1.5);
            pen.setJoinStyle(Qt::MiterJoin);
            series->setPen(pen);
            add(series);
        }
        markPoints();
    }
    /// The points of the first curve: those that are hovered or chosen are filled, the chosen one has a ring and its note.
    void markPoints()
    {
        for (QXYSeries* series : std::exchange(marks_, {})) {
            chart()->removeSeries(series);
            delete series;
        }
        if (owner_.curves_.empty() || !owner_.curves_.front().markers) return;
        const ChartCurve& curve = owner_.curves_.front();
        const Theme& theme = *owner_.theme_;
        for (const bool lit : {false, true}) {
            for (const bool filled : {false, true}) {
                auto* series = new QScatterSeries;
                for (int i = 0; i < int(curve.points.size()); ++i) {
                    const bool chosen = i == owner_.chosen_;
                    if (chosen == lit && (chosen || i == owner_.pointed()) == filled)
                        series->append(curve.points[std::size_t(i)]);
                }
                if (series->count() == 0) {
                    delete series;
                    continue;
                }
                series->setMarkerSize(lit ? 2 * markRadius + 3 : 2 * markRadius);
                series->setPen(QPen(lit ? theme.sel : curve.colour, lit ? 2 : 1.5));
                series->setBrush(filled ? QBrush(curve.colour) : QBrush(theme.well));
                add(series);
                marks_.push_back(series);
            }
        }
        placeNote();
    }
    /// In the plot where it covers neither a curve nor a point: beside the chosen point, first above it, to its right, since
    /// curves of trade-offs fall; else in a corner; nowhere if all of it is taken.
    void placeNote()
    {
        note_->setVisible(false);
        if (owner_.note_.isEmpty() || owner_.curves_.empty() || owner_.chosen_ < 0 ||
            owner_.chosen_ >= int(owner_.curves_.front().points.size()))
            return;
        constexpr double beside = chosenRadius + 3, above = chosenRadius + 2;
        note_->setText(owner_.note_);
        note_->setBrush(owner_.theme_->text);
        const QSizeF size = note_->boundingRect().size();
        const QRectF room = chart()->plotArea().adjusted(2, 2, -2 - size.width(), -2 - size.height()); // of its corner
        if (room.width() < 0 || room.height() < 0) return;
        const QPointF point = owner_.place(owner_.curves_.front().points[std::size_t(owner_.chosen_)]);
        std::vector<QPointF> corners;
        for (const double y : {point.y() - above - size.height(), point.y() + above, point.y() - size.height() / 2,
                               point.y() - 3 * above - size.height(), point.y() + 3 * above})
            for (const double x : {point.x() + beside, point.x() - beside - size.width(), point.x() - size.width() / 2})
                if (y >= room.top() && y <= room.bottom()) corners.emplace_back(std::clamp(x, room.left(), room.right()), y);
        for (const QPointF& corner : {room.topRight(), room.bottomLeft(), room.bottomRight(), room.topLeft()})
            corners.push_back(corner);
        const auto isFree = [&](const QPointF& corner) { return !covers(QRectF(corner, size)); };
        const auto found = std::ranges::find_if(corners, isFree);
        if (found == corners.end()) return;
        note_->setPos(*found);
        note_->setVisible(true);
    }
    /// Whether a box lies on a curve or on a point that can be chosen. O(points).
    [[nodiscard]] bool covers(const QRectF& box) const
    {
        constexpr double lineMargin = 1.5;
        const QRectF apart = box.adjusted(-lineMargin, -lineMargin, lineMargin, lineMargin);
        const auto onLine = [&](QPointF from, QPointF to) {
            const QLineF line(from, to);
            if (apart.contains(from) || apart.contains(to)) return true;
            return line.intersects({apart.topLeft(), apart.bottomRight()}, nullptr) == QLineF::BoundedIntersection ||
                   line.intersects({apart.bottomLeft(), apart.topRight()}, nullptr) == QLineF::BoundedIntersection;
        };
        for (const ChartCurve& curve : owner_.curves_)
            for (std::size_t i = 0; i < curve.points.size(); ++i) {
                const QPointF at = owner_.place(curve.points[i]);
                if (curve.markers && box.adjusted(-chosenRadius, -chosenRadius, chosenRadius, chosenRadius).contains(at))
                    return true;
                if (!curve.line) continue;
                const bool last = i + 1 == curve.points.size();
                const QPointF next = last ? QPointF(chart()->plotArea().right(), at.y()) : owner_.place(curve.points[i + 1]);
                if (!curve.steps) {
                    if (!last && onLine(at, next)) return true;
                } else if (const QPointF step(next.x(), at.y()); onLine(at, step) || onLine(step, next)) {
                    return true;
                }
            }
        return false;
    }
    void setColours(const Theme& theme)
    {
        chart()->setBackgroundBrush(theme.well);
        showFocus();
        setBackgroundBrush(theme.well);
        for (QCategoryAxis* axis : {x_, y_}) {
            axis->setLabelsColor(theme.text2);
            axis->setLinePenColor(theme.line2);
            axis->setTitleBrush(theme.text3);
        }
    }

    /// A frame while the chart has the keys.
    void showFocus() { chart()->setBackgroundPen(owner_.hasFocus() ? QPen(owner_.theme_->accent, 2) : QPen(Qt::NoPen)); }

private:
    void add(QXYSeries* series)
    {
        chart()->addSeries(series);
        series->attachAxis(x_);
        series->attachAxis(y_);
    }
    /// Ticks at round values, none of which Qt Charts has to shorten: so far apart that each has its share of the axis, and none
    /// at all where they are wider than `most`. Returns the width of the widest text.
    static double label(QCategoryAxis& axis, const ChartAxis& wanted, double low, double high, double pixels, double apart,
                        double most)
    {
        for (const QString& old : axis.categoriesLabels()) axis.remove(old);
        axis.setTitleText(wanted.title);
        axis.setRange(low, high);
        axis.setStartValue(low);
        const QFontMetricsF metrics(axis.labelsFont());
        const bool across = axis.orientation() == Qt::Horizontal;
        std::vector<std::pair<double, QString>> finer; // the ticks of the step before, and the widest of their texts
        double finerWidest = 0;
        for (;; apart *= 1.5) {
            std::vector<double> places = wanted.logarithmic ? logarithmicTicks(low, high, pixels, apart) : std::vector<double>();
            // Counted: large values may not change by a step that is small beside them.
            const double step = stepOf(wanted, high - low, pixels, apart), first = std::ceil(low / step);
            if (places.empty())
                for (int i = 0; i < 200 && (first + i) * step <= high + step * 1e-9; ++i) places.push_back((first + i) * step);
            std::vector<std::pair<double, QString>> ticks;
            double widest = 0;
            for (const double at : places) {
                if (at <= low && low != 0) continue;
                ticks.emplace_back(std::max(at, low + step * 1e-9), tickText(wanted, at));
                widest = std::max(widest, metrics.horizontalAdvance(ticks.back().second) + tickMargin);
            }
            // One number alone is no scale: they may stand as close as lines of text.
            if (!across && ticks.size() < 2 && apart > closest) {
                apart = std::max(closest, apart / 1.5) / 1.5;
                continue;
            }
            if (ticks.empty()) return 0;
            if (across && ticks.size() == 3 && pixels / 5 < widest && pixels / 4 >= widest)
                ticks.erase(ticks.begin() + 1); // the next step may leave one, which is no scale
            if (across && pixels / double(ticks.size() + 2) < widest && ticks.size() > 1 && step < high - low) {
                finer = std::move(ticks);
                finerWidest = widest;
                continue;
            }
            if (ticks.size() == 1 && finer.size() > 1 && pixels / 4 >= finerWidest &&
                (finer.back().first - finer.front().first) / (high - low) * pixels >= finerWidest) {
                ticks = {finer.front(), finer.back()}; // one number alone is no scale
                widest = finerWidest;
            }
            if (across ? pixels / double(ticks.size() + 2) < widest : widest > most) return 0;
            for (const auto& [at, text] : ticks) axis.append(text, at);
            return widest;
        }
    }

    CurveChart& owner_;
    QCategoryAxis* x_;
    QCategoryAxis* y_;
    QGraphicsSimpleTextItem* note_ = nullptr;
    std::vector<QXYSeries*> marks_;
};

CurveChart::CurveChart(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    legend_ = new ChartLegend(this);
    canvas_ = new Canvas(*this);
    canvas_->viewport()->installEventFilter(this);
    canvas_->setColours(*theme_);
    instead_ = new QLabel(this);
    instead_->setAlignment(Qt::AlignCenter);
    instead_->setFont(uiFont(12));
    instead_->setAttribute(Qt::WA_TransparentForMouseEvents);
}

CurveChart::~CurveChart() = default;

void CurveChart::setTheme(const Theme& theme)
{
    theme_ = &theme;
    canvas_->setColours(theme);
    legend_->setTheme(theme);
    arrange();
}

void CurveChart::setEmptyText(const QString& text)
{
    instead_->setText(text);
    describe();
}

void CurveChart::setCurves(std::vector<ChartCurve> curves, ChartAxis across, ChartAxis up)
{
    curves_ = std::move(curves);
    std::vector<std::pair<QString, QColor>> named;
    for (const ChartCurve& curve : curves_) named.emplace_back(curve.name, curve.colour);
    legend_->setEntries(named);
    across_ = std::move(across);
    up_ = std::move(up);
    chosen_ = hovered_ = -1;
    note_.clear();
    double left = 0, right = 0, low = 0, high = 0;
    bool any = false;
    for (const ChartCurve& curve : curves_)
        for (const QPointF& point : curve.points) {
            left = any ? std::min(left, point.x()) : point.x();
            right = any ? std::max(right, point.x()) : point.x();
            low = any ? std::min(low, point.y()) : point.y();
            high = any ? std::max(high, point.y()) : point.y();
            any = true;
        }
    // Some room round the outermost points.
    const double wide = right > left ? (right - left) * 0.06 : std::max(1.0, std::abs(right) * 0.05);
    const double tall = high > low ? (high - low) * 0.12 : std::max(1.0, std::abs(high) * 0.05);
    const bool noted = std::ranges::any_of(curves_, [](const ChartCurve& curve) { return curve.markers; });
    const double x0 = across_.fromZero ? 0 : left - wide, y0 = up_.fromZero ? 0 : low - tall * (noted ? 2 : 1);
    range_ = QRectF(QPointF(x0, y0), QPointF(right + (across_.fromZero ? 0 : wide), high + tall));
    if (range_.width() <= 0) range_.setWidth(1);
    if (range_.height() <= 0) range_.setHeight(1);
    if (const int same = pointOf(currentId_); same >= 0)
        current_ = same;
    else if (choosable() > 0)
        setCurrent(std::clamp(current_, 0, choosable() - 1));
    if (!hasFocus()) acceptFocus(); // else when it has gone: there may be points again by then
    describe();
    arrange();
}

void CurveChart::acceptFocus()
{
    setFocusPolicy(choosable() > 0 ? Qt::StrongFocus : Qt::NoFocus);
}

void CurveChart::setChosen(int point, const QString& note)
{
    chosen_ = point;
    const int id = chosen_ >= 0 && chosen_ < choosable() ? idOf(chosen_) : -1;
    if (id >= 0 && (id != chosenId_ || !hasFocus())) setCurrent(chosen_);
    if (id >= 0) chosenId_ = id;
    note_ = note;
    describe();
    canvas_->markPoints();
}

QString CurveChart::valueAt(QPointF point) const
{
    return tr("%1 at %2").arg(tickText(up_, point.y()), tickText(across_, point.x()));
}

QString CurveChart::textOf(int point) const
{
    const ChartCurve& first = curves_.front();
    const auto at = std::size_t(point);
    return at < first.texts.size() ? first.texts[at] : valueAt(first.points[at]);
}

void CurveChart::describe()
{
    // For screen readers: how each curve begins and ends, and between which values it stays.
    if (hasFocus() && choosable() > 0) {
        const QString text = tr("point %1 of %2: %3").arg(countText(current_ + 1), countText(choosable()), textOf(current_));
        setAccessibleDescription(current_ == chosen_ ? tr("%1, shown").arg(text) : text);
        return;
    }
    QStringList texts;
    for (const ChartCurve& curve : curves_) {
        if (curve.points.empty()) continue;
        const auto [low, high] = std::ranges::minmax_element(curve.points, {}, &QPointF::y);
        const QString text = curve.points.size() == 1 ? tr("one point, %1").arg(valueAt(curve.points.front()))
                                                      : tr("%1, from %2 to %3, lowest %4, highest %5")
                                                            .arg(countedText(std::int64_t(curve.points.size()), tr("point")),
                                                                 valueAt(curve.points.front()), valueAt(curve.points.back()),
                                                                 tickText(up_, low->y()), tickText(up_, high->y()));
        texts << (curve.name.isEmpty() ? text : QStringLiteral("%1: %2").arg(curve.name, text));
    }
    if (!texts.isEmpty()) texts.push_front(tr("%1 over %2").arg(up_.title, across_.title));
    if (!curves_.empty() && chosen_ >= 0 && std::size_t(chosen_) < curves_.front().points.size())
        texts << tr("shown: %1").arg(textOf(chosen_));
    setAccessibleDescription(texts.isEmpty() ? instead_->text() : texts.join(QStringLiteral("; ")));
}

QPointF CurveChart::place(QPointF value) const
{
    const QRectF box = canvas_->chart()->plotArea();
    return {box.left() + (value.x() - range_.left()) / range_.width() * box.width(),
            box.bottom() - (value.y() - range_.top()) / range_.height() * box.height()};
}

int CurveChart::choosable() const
{
    return curves_.empty() || !curves_.front().markers ? 0 : int(curves_.front().points.size());
}

int CurveChart::idOf(int point) const
{
    const std::vector<int>& ids = curves_.front().ids;
    return std::size_t(point) < ids.size() ? ids[std::size_t(point)] : point;
}

int CurveChart::pointOf(int id) const
{
    for (int point = 0; point < choosable(); ++point)
        if (idOf(point) == id) return point;
    return -1;
}

void CurveChart::setCurrent(int point)
{
    current_ = point;
    currentId_ = idOf(point);
}

int CurveChart::pointed() const
{
    return hovered_ >= 0 ? hovered_ : hasFocus() && choosable() > 0 ? current_ : -1;
}

void CurveChart::markPointed()
{
    describe();
    canvas_->markPoints();
    canvas_->viewport()->update(); // the frame of the focus
    Q_EMIT pointHovered(pointed());
}

void CurveChart::keyPressEvent(QKeyEvent* event)
{
    const int last = choosable() - 1;
    if (last < 0) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: setCurrent(std::max(0, current_ - 1)); break;
    case Qt::Key_Right: setCurrent(std::min(last, current_ + 1)); break;
    case Qt::Key_Home: setCurrent(0); break;
    case Qt::Key_End: setCurrent(last); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: Q_EMIT pointChosen(current_); return;
    default: return QWidget::keyPressEvent(event);
    }
    hovered_ = -1; // the pointer rests elsewhere
    markPointed();
}

void CurveChart::focusInEvent(QFocusEvent*)
{
    canvas_->showFocus();
    markPointed();
}

void CurveChart::focusOutEvent(QFocusEvent*)
{
    acceptFocus();
    canvas_->showFocus();
    markPointed();
}

int CurveChart::pointAt(QPointF at) const
{
    if (choosable() == 0) return -1;
    int nearest = -1;
    double best = clickDistance;
    for (std::size_t i = 0; i < curves_.front().points.size(); ++i) {
        const QPointF by = place(curves_.front().points[i]) - at;
        const double distance = std::hypot(by.x(), by.y());
        if (distance > best) continue;
        best = distance;
        nearest = int(i);
    }
    return nearest;
}

void CurveChart::arrange()
{
    const bool any = std::ranges::any_of(curves_, [](const ChartCurve& curve) { return !curve.points.empty(); });
    QPalette colours = instead_->palette();
    colours.setColor(QPalette::WindowText, theme_->text2);
    colours.setColor(QPalette::Window, theme_->well);
    instead_->setPalette(colours);
    instead_->setAutoFillBackground(true);
    instead_->setVisible(!any);
    const int legend = legend_->heightFor(width());
    legend_->setGeometry(0, 0, width(), legend);
    canvas_->setGeometry(0, legend, width(), std::max(0, height() - legend));
    canvas_->showCurves();
    canvas_->setVisible(any);
}

void CurveChart::resizeEvent(QResizeEvent*)
{
    instead_->setGeometry(rect());
    arrange();
}

bool CurveChart::eventFilter(QObject* object, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseMove: {
        const int now = pointAt(static_cast<QMouseEvent*>(event)->position());
        if (now != hovered_) {
            hovered_ = now;
            canvas_->viewport()->setCursor(now >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
            markPointed();
        }
        return true;
    }
    case QEvent::MouseButtonPress: return true;
    case QEvent::MouseButtonRelease: {
        const int point = pointAt(static_cast<QMouseEvent*>(event)->position());
        if (point < 0) return true;
        setCurrent(point);
        Q_EMIT pointChosen(point);
        return true;
    }
    case QEvent::Leave:
        hovered_ = -1;
        markPointed();
        break;
    default: break;
    }
    return QWidget::eventFilter(object, event);
}

} // namespace stowage
