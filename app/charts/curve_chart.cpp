#include "app/charts/curve_chart.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"

#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double markRadius = 3.5;
constexpr double clickDistance = 9;

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

class CurveChart::Canvas : public QChartView {
public:
    explicit Canvas(CurveChart& owner) : QChartView(&owner), owner_(owner), x_(new QValueAxis(this)), y_(new QValueAxis(this))
    {
        QChart* own = chart();
        own->legend()->hide();
        own->setAnimationOptions(QChart::NoAnimation);
        own->setBackgroundRoundness(0);
        own->setMargins({0, 0, 0, 0});
        own->addAxis(x_, Qt::AlignBottom);
        own->addAxis(y_, Qt::AlignLeft);
        x_->setVisible(false);
        y_->setVisible(false);
        setFrameShape(QFrame::NoFrame);
        setMouseTracking(true);
        setRenderHint(QPainter::Antialiasing);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

    void show(const std::vector<ChartCurve>& curves, const QRectF& range, double pixels)
    {
        chart()->removeAllSeries();
        x_->setRange(range.left(), range.right());
        y_->setRange(range.top(), range.bottom());
        for (const ChartCurve& curve : curves) {
            auto* series = new QLineSeries;
            QList<QPointF> points;
            for (const QPointF& point : thinned(curve.points, std::size_t(std::max(1.0, pixels)))) {
                if (curve.steps && !points.isEmpty()) points << QPointF(point.x(), points.back().y());
                points << point;
            }
            if (curve.steps && !points.isEmpty()) points << QPointF(range.right(), points.back().y());
            series->append(points);
            QPen pen(curve.colour, 1.5);
            pen.setJoinStyle(Qt::MiterJoin);
            series->setPen(pen);
            chart()->addSeries(series);
            series->attachAxis(x_);
            series->attachAxis(y_);
        }
    }
    void setColours(const Theme& theme)
    {
        chart()->setBackgroundBrush(theme.well);
        setBackgroundBrush(theme.well);
    }

protected:
    void drawForeground(QPainter* painter, const QRectF&) override { owner_.drawOver(*painter); }

private:
    CurveChart& owner_;
    QValueAxis* x_;
    QValueAxis* y_;
};

CurveChart::CurveChart(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    canvas_ = new Canvas(*this);
    canvas_->viewport()->installEventFilter(this);
    canvas_->setColours(*theme_);
}

CurveChart::~CurveChart() = default;

void CurveChart::setTheme(const Theme& theme)
{
    theme_ = &theme;
    canvas_->setColours(theme);
    canvas_->viewport()->update();
}

void CurveChart::setEmptyText(const QString& text)
{
    empty_ = text;
    canvas_->viewport()->update();
}

void CurveChart::setCurves(std::vector<ChartCurve> curves, ChartAxis across, ChartAxis up)
{
    curves_ = std::move(curves);
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
    arrange();
}

void CurveChart::setChosen(int point, const QString& note)
{
    chosen_ = point;
    note_ = note;
    canvas_->viewport()->update();
}

QRectF CurveChart::plot() const
{
    return QRectF(gutter_, 8, std::max(1.0, width() - gutter_ - 14.0), std::max(1.0, height() - 8 - 36.0));
}

QPointF CurveChart::place(QPointF value) const
{
    const QRectF box = plot();
    return {box.left() + (value.x() - range_.left()) / range_.width() * box.width(),
            box.bottom() - (value.y() - range_.top()) / range_.height() * box.height()};
}

int CurveChart::pointAt(QPointF at) const
{
    if (curves_.empty() || !curves_.front().markers) return -1;
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
    const QFontMetricsF metrics(monoFont(11));
    const double step = stepOf(up_, range_.height(), plot().height(), 34);
    gutter_ = 30;
    for (double y = std::ceil(range_.top() / step) * step; y <= range_.bottom(); y += step)
        gutter_ = std::max(gutter_, 30 + metrics.horizontalAdvance(tickText(up_, y)));
    canvas_->show(curves_, range_, plot().width());
    canvas_->chart()->setPlotArea(plot());
    canvas_->viewport()->update();
}

void CurveChart::resizeEvent(QResizeEvent*)
{
    canvas_->setGeometry(rect());
    arrange();
}

void CurveChart::drawOver(QPainter& painter) const
{
    painter.save();
    painter.resetTransform();
    const QRectF box = plot();
    const bool any = std::ranges::any_of(curves_, [](const ChartCurve& curve) { return !curve.points.empty(); });
    if (!any) {
        painter.setFont(uiFont(12));
        painter.setPen(theme_->text2);
        painter.drawText(QRectF(rect()), Qt::AlignCenter, empty_);
        painter.restore();
        return;
    }
    painter.setFont(monoFont(11));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(box.left(), box.bottom(), box.width(), 1), theme_->line2);
    painter.fillRect(QRectF(box.left() - 1, box.top(), 1, box.height()), theme_->line2);
    const double up = stepOf(up_, range_.height(), box.height(), 34);
    for (double y = std::ceil(range_.top() / up) * up; y <= range_.bottom() + up * 1e-9; y += up) {
        const double at = place({range_.left(), y}).y();
        painter.fillRect(QRectF(box.left() - 4, at, 3, 1), theme_->line2);
        painter.setPen(theme_->text2);
        painter.drawText(QRectF(0, at - 9, box.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter, tickText(up_, y));
    }
    const double across = stepOf(across_, range_.width(), box.width(), 84);
    for (double x = std::ceil(range_.left() / across) * across; x <= range_.right() + across * 1e-9; x += across) {
        const double at = place({x, range_.top()}).x();
        painter.fillRect(QRectF(at, box.bottom(), 1, 4), theme_->line2);
        const QString text = tickText(across_, x);
        const double half = painter.fontMetrics().horizontalAdvance(text) / 2.0;
        if (at + half > width() || at - half < 0) continue; // a cut number is another number
        painter.setPen(theme_->text2);
        painter.drawText(QRectF(at - 60, box.bottom() + 3, 120, 16), Qt::AlignCenter, text);
    }
    painter.setFont(uiFont(11));
    painter.setPen(theme_->text3);
    painter.drawText(QRectF(box.left(), box.bottom() + 18, box.width(), 16), Qt::AlignCenter, across_.title);
    painter.save();
    painter.translate(11, box.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-box.height(), -9, 2 * box.height(), 18), Qt::AlignCenter, up_.title);
    painter.restore();

    painter.setRenderHint(QPainter::Antialiasing);
    if (!curves_.empty() && curves_.front().markers)
        for (std::size_t i = 0; i < curves_.front().points.size(); ++i) {
            const QPointF at = place(curves_.front().points[i]);
            const bool lit = int(i) == chosen_;
            painter.setPen(QPen(lit ? theme_->sel : curves_.front().colour, lit ? 2 : 1.5));
            painter.setBrush(lit || int(i) == hovered_ ? QBrush(curves_.front().colour) : QBrush(theme_->well));
            painter.drawEllipse(at, lit ? markRadius + 1.5 : markRadius, lit ? markRadius + 1.5 : markRadius);
        }
    if (chosen_ >= 0 && std::size_t(chosen_) < curves_.front().points.size() && !note_.isEmpty()) {
        const QPointF at = place(curves_.front().points[std::size_t(chosen_)]);
        const double wide = painter.fontMetrics().horizontalAdvance(note_) + 4.0;
        // Below and to the left of a falling curve there is nothing.
        const double x = at.x() - 6 - wide >= box.left() ? at.x() - 6 - wide : at.x() + 10;
        const double y = at.y() + 22 <= box.bottom() ? at.y() + 6 : at.y() - 22;
        painter.setPen(theme_->text);
        painter.drawText(QRectF(x, y, wide, 16), Qt::AlignLeft | Qt::AlignVCenter, note_);
    }
    double right = box.right();
    for (std::size_t c = curves_.size(); c-- > 0;) { // names from the right
        if (curves_[c].name.isEmpty()) continue;
        const double wide = painter.fontMetrics().horizontalAdvance(curves_[c].name);
        painter.setPen(theme_->text2);
        painter.drawText(QRectF(right - wide, box.top() - 4, wide + 2, 16), Qt::AlignLeft | Qt::AlignVCenter, curves_[c].name);
        painter.fillRect(QRectF(right - wide - 16, box.top() + 3, 10, 3), curves_[c].colour);
        right -= wide + 28;
    }
    painter.restore();
}

bool CurveChart::eventFilter(QObject* object, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseMove: {
        const int now = pointAt(static_cast<QMouseEvent*>(event)->position());
        if (now != hovered_) {
            hovered_ = now;
            canvas_->viewport()->setCursor(now >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
            canvas_->viewport()->update();
        }
        return true;
    }
    case QEvent::MouseButtonPress: return true;
    case QEvent::MouseButtonRelease: {
        const int point = pointAt(static_cast<QMouseEvent*>(event)->position());
        if (point >= 0) Q_EMIT pointChosen(point);
        return true;
    }
    case QEvent::Leave:
        hovered_ = -1;
        canvas_->viewport()->update();
        break;
    default: break;
    }
    return QWidget::eventFilter(object, event);
}

} // namespace stowage
