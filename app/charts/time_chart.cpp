#include "app/charts/time_chart.h"

#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/fonts.h"

#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QValueAxis>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace stowage {

/// The chart itself: series and nothing else. Axes, levels and cursor are drawn over it, as the design language has them.
class TimeChart::Canvas : public QChartView {
public:
    explicit Canvas(TimeChart& owner) : QChartView(&owner), owner_(owner), x_(new QValueAxis(this)), y_(new QValueAxis(this))
    {
        QChart* chart = this->chart();
        chart->legend()->hide();
        chart->setAnimationOptions(QChart::NoAnimation);
        chart->setBackgroundVisible(false); // the grid is drawn below the curves
        chart->setPlotAreaBackgroundVisible(false);
        chart->setMargins({0, 0, 0, 0});
        chart->setContentsMargins(0, 0, 0, 0);
        chart->setDropShadowEnabled(false);
        chart->addAxis(x_, Qt::AlignBottom);
        chart->addAxis(y_, Qt::AlignLeft);
        for (QValueAxis* axis : {x_, y_}) {
            axis->setVisible(false);
            axis->setLabelsVisible(false);
        }
        setFrameShape(QFrame::NoFrame);
        setRenderHint(QPainter::Antialiasing);
        setFocusPolicy(Qt::StrongFocus);
        setMouseTracking(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

    void setCurves(const std::vector<ChartCurve>& curves)
    {
        chart()->removeAllSeries(); // deletes them
        lines_.clear();
        for (const ChartCurve& curve : curves) {
            auto* line = new QLineSeries;
            QPen pen(curve.colour, 1.5);
            if (curve.dashed) pen.setDashPattern({4, 3});
            pen.setJoinStyle(Qt::MiterJoin);
            if (curve.area) {
                auto* area = new QAreaSeries(line);
                QColor fill = curve.colour;
                fill.setAlphaF(0.18F);
                area->setBrush(fill);
                area->setPen(pen);
                line->setParent(area);
                add(area);
            } else {
                line->setPen(pen);
                add(line);
            }
            lines_.push_back(line);
        }
    }

    void replace(std::size_t index, const std::vector<ChartPoint>& points)
    {
        QList<QPointF> list;
        list.reserve(qsizetype(points.size()));
        for (const ChartPoint& point : points) list.append({point.x, point.y});
        lines_[index]->replace(list);
    }
    void setRanges(double begin, double end, double top)
    {
        x_->setRange(begin, end);
        y_->setRange(0, top);
    }
    [[nodiscard]] std::size_t points(std::size_t index) const { return std::size_t(lines_[index]->count()); }

protected:
    void drawBackground(QPainter* painter, const QRectF&) override { owner_.drawUnder(*painter); }
    void drawForeground(QPainter* painter, const QRectF&) override { owner_.drawOver(*painter); }

private:
    void add(QAbstractSeries* series)
    {
        chart()->addSeries(series);
        series->attachAxis(x_);
        series->attachAxis(y_);
    }

    TimeChart& owner_;
    QValueAxis* x_;
    QValueAxis* y_;
    std::vector<QLineSeries*> lines_;
};

TimeChart::TimeChart(QWidget* parent)
    : QWidget(parent), theme_(&Theme::darkTheme()), format_([](double value) { return QString::number(value); })
{
    canvas_ = new Canvas(*this);
    canvas_->viewport()->installEventFilter(this);
    setTheme(*theme_);
}

TimeChart::~TimeChart() = default;

void TimeChart::setTheme(const Theme& theme)
{
    theme_ = &theme;
    canvas_->viewport()->update();
}

void TimeChart::setTitle(const QString& title, const QString& caption)
{
    title_ = title;
    caption_ = caption;
    canvas_->viewport()->update();
}

void TimeChart::setFormat(std::function<QString(double)> format)
{
    format_ = std::move(format);
    canvas_->viewport()->update();
}

void TimeChart::setCurves(std::vector<ChartCurve> curves, double steps)
{
    const bool whole = begin_ <= 0 && end_ >= steps_;
    curves_ = std::move(curves);
    steps_ = std::max(1.0, steps);
    if (whole || end_ > steps_) begin_ = 0, end_ = steps_;
    canvas_->setCurves(curves_);
    arrange();
}

void TimeChart::setLevels(std::vector<ChartLevel> levels)
{
    levels_ = std::move(levels);
    arrange();
}

void TimeChart::setPeak(std::optional<ChartSample> peak, const QString& text)
{
    peak_ = peak;
    peakText_ = text;
    canvas_->viewport()->update();
}

void TimeChart::setRulerShown(bool shown)
{
    ruler_ = shown;
    arrange();
}

void TimeChart::setCursor(std::optional<double> step)
{
    if (step == cursor_) return;
    cursor_ = step;
    canvas_->viewport()->update();
}

void TimeChart::setRange(double begin, double end)
{
    const double length = std::clamp(end - begin, 1.0, steps_);
    begin = std::clamp(begin, 0.0, steps_ - length);
    if (begin == begin_ && begin + length == end_) return;
    begin_ = begin;
    end_ = begin + length;
    arrange();
}

std::size_t TimeChart::mostPoints() const
{
    std::size_t most = 0;
    for (std::size_t i = 0; i < curves_.size(); ++i) most = std::max(most, canvas_->points(i));
    return most;
}

QRectF TimeChart::plot() const
{
    return QRectF(gutter, 10, width() - gutter - rightMargin, height() - 10 - (ruler_ ? ruler : 8));
}

double TimeChart::xOf(double step) const
{
    return plot().left() + plot().width() * (step - begin_) / (end_ - begin_);
}

double TimeChart::yOf(double value) const
{
    return plot().bottom() - plot().height() * value / top_;
}

double TimeChart::stepAt(double x) const
{
    return begin_ + (x - plot().left()) / plot().width() * (end_ - begin_);
}

void TimeChart::arrange()
{
    const QRectF box = plot();
    if (box.width() < 4 || box.height() < 4) return;
    double highest = 0;
    for (const ChartCurve& curve : curves_)
        for (const ChartSample& sample : curve.samples) highest = std::max(highest, sample.y);
    // A level far above everything would flatten the curves: it is left out of the scale, and then of the picture.
    for (const ChartLevel& level : levels_)
        if (level.y <= 2 * highest) highest = std::max(highest, level.y);
    top_ = std::max(1.0, highest * 1.06);
    canvas_->setRanges(begin_, end_, top_);
    canvas_->chart()->setPlotArea(box);
    for (std::size_t i = 0; i < curves_.size(); ++i)
        canvas_->replace(i, stepLine(curves_[i].samples, begin_, end_, std::max(1, int(box.width()))));
    canvas_->viewport()->update();
}

void TimeChart::resizeEvent(QResizeEvent*)
{
    canvas_->setGeometry(rect());
    arrange();
}

void TimeChart::drawUnder(QPainter& painter) const
{
    painter.save();
    painter.resetTransform();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(rect(), theme_->well);
    const Bytes spacing = addressTicks(plot().height() / top_, 34, 34).major;
    for (Bytes value = 0; double(value) <= top_; value += spacing)
        painter.fillRect(QRectF(gutter, std::round(yOf(double(value))), width() - gutter, 1), theme_->grid);
    painter.restore();
}

void TimeChart::drawOver(QPainter& painter) const
{
    const QRectF box = plot();
    painter.save();
    painter.resetTransform(); // logical pixels of the view
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(0, 0, gutter, height()), theme_->panel);
    painter.fillRect(QRectF(gutter - 1, 0, 1, height()), theme_->line2);

    // gutter: title, caption, values
    painter.setFont(uiFont(12, QFont::DemiBold));
    painter.setPen(theme_->text);
    painter.drawText(QRectF(10, 8, gutter - 20, 16), Qt::AlignLeft | Qt::AlignVCenter, title_);
    painter.setFont(uiFont(11));
    painter.setPen(theme_->text2);
    painter.drawText(QRectF(10, 23, gutter - 20, 15), Qt::AlignLeft | Qt::AlignVCenter, caption_);
    const Bytes spacing = addressTicks(box.height() / top_, 34, 34).major;
    painter.setFont(monoFont(11));
    for (Bytes value = 0; double(value) <= top_; value += spacing) {
        const double y = std::round(yOf(double(value)));
        if (y < 46) continue; // the title is there
        painter.setPen(theme_->text3);
        painter.drawText(QRectF(0, std::min(y, box.bottom() - 8) - 8, gutter - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
                         format_(double(value)));
    }

    // ruler
    if (ruler_) {
        const double top = height() - ruler;
        painter.fillRect(QRectF(0, top, width(), ruler), theme_->raised);
        painter.fillRect(QRectF(0, top, width(), 1), theme_->line);
        painter.setFont(uiFont(11));
        painter.setPen(theme_->text2);
        painter.drawText(QRectF(10, top, gutter - 12, ruler), Qt::AlignLeft | Qt::AlignVCenter, tr("step [first, end)"));
        const auto ticks = stepTicks(box.width() / (end_ - begin_));
        painter.setFont(monoFont(11));
        for (std::int64_t step = std::int64_t(std::ceil(begin_ / double(ticks.major))) * ticks.major; double(step) <= end_;
             step += ticks.major) {
            const double x = std::round(xOf(double(step)));
            painter.fillRect(QRectF(x, top, 1, 4), theme_->line2);
            painter.setPen(theme_->text2);
            painter.drawText(QRectF(x - 40, top + 3, 80, ruler - 4), Qt::AlignCenter, QString::number(step));
        }
    }

    // levels end in chips; chips that would touch go apart
    painter.setClipRect(QRectF(gutter, 0, width() - gutter, box.bottom() + 1));
    if (peak_ && peak_->x + 1 > begin_ && peak_->x < end_) {
        const QPointF dot(xOf(peak_->x + 0.5), yOf(peak_->y));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme_->well, 1.5));
        painter.setBrush(theme_->warn);
        painter.drawEllipse(dot, 3.5, 3.5);
        painter.setFont(monoFont(11));
        const double wide = painter.fontMetrics().horizontalAdvance(peakText_) + 12;
        const bool rightOf = dot.x() + 15 + wide <= box.right() - 150; // the levels' chips are at the right end
        const QRectF chip(rightOf ? dot.x() + 15 : dot.x() - 15 - wide, std::min(dot.y() + 7, box.bottom() - 19), wide, 17);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_->warnSoft);
        painter.drawRoundedRect(chip, 3, 3);
        painter.setPen(theme_->warn);
        painter.drawText(chip, Qt::AlignCenter, peakText_);
    }
    double lastChip = -100;
    for (const ChartLevel& level : levels_) {
        if (level.y > top_) { // off the scale: said at the top
            painter.setFont(monoFont(11));
            const QString text = tr("%1, far above").arg(level.text);
            const double wide = painter.fontMetrics().horizontalAdvance(text) + 12;
            const QRectF chip(width() - rightMargin - wide, 2, wide, 17);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(level.colour, 1));
            painter.setBrush(theme_->well);
            painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
            painter.drawText(chip, Qt::AlignCenter, text);
            lastChip = chip.top();
            continue;
        }
        const double y = std::round(yOf(level.y)) + 0.5;
        QPen pen(level.colour, level.dashed ? 1.25 : 1.5);
        if (level.dashed) pen.setDashPattern({5 / 1.25, 3 / 1.25});
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(pen);
        painter.drawLine(QPointF(gutter, y), QPointF(width(), y));
        painter.setFont(monoFont(11));
        const double wide = painter.fontMetrics().horizontalAdvance(level.text) + 12;
        double chipY = y + 4;
        if (std::abs(chipY - lastChip) < 20) chipY = y - 22;
        chipY = std::clamp(chipY, 2.0, box.bottom() - 20);
        lastChip = chipY;
        const QRectF chip(width() - rightMargin - wide, chipY, wide, 17);
        painter.setPen(QPen(level.colour, 1));
        painter.setBrush(theme_->well);
        painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.drawText(chip, Qt::AlignCenter, level.text);
    }
    painter.setClipping(false);

    if (cursor_ && *cursor_ >= begin_ && *cursor_ < end_) {
        const double x = std::round(xOf(*cursor_ + 0.5));
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme_->warn, 1));
        painter.drawLine(QPointF(x, 0), QPointF(x, box.bottom()));
        if (ruler_) {
            painter.setFont(monoFont(11));
            const QString text = QString::number(std::int64_t(*cursor_));
            const double wide = painter.fontMetrics().horizontalAdvance(text) + 12;
            const QRectF tag(std::clamp(x - wide / 2, double(gutter), width() - wide), height() - ruler + 2, wide, 18);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_->warn);
            painter.drawRoundedRect(tag, 3, 3);
            painter.setPen(theme_->inkOn(theme_->warn));
            painter.drawText(tag, Qt::AlignCenter, text);
        }
        // the values there
        painter.setFont(monoFont(11));
        double y = 6;
        for (const ChartCurve& curve : curves_) {
            const auto after = std::upper_bound(curve.samples.begin(), curve.samples.end(), *cursor_,
                                                [](double step, const ChartSample& sample) { return step < sample.x; });
            const double value = after == curve.samples.begin() ? 0 : std::prev(after)->y;
            const QString text = QStringLiteral("%1 %2").arg(curve.name, format_(value));
            const double wide = painter.fontMetrics().horizontalAdvance(text) + 10;
            const bool left = x + wide + 10 > width() - rightMargin;
            const QRectF label(left ? x - wide - 6 : x + 6, y, wide, 16);
            QColor back = theme_->raised;
            back.setAlphaF(0.92F);
            painter.fillRect(label, back);
            painter.setPen(curve.colour);
            painter.drawText(label, Qt::AlignCenter, text);
            y += 17;
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(0, height() - 1, width(), 1), theme_->line);
    if (canvas_->hasFocus()) {
        painter.setPen(QPen(theme_->accent, 2));
        painter.drawRect(QRectF(1, 1, width() - 2, height() - 2));
    }
    painter.restore();
}

bool TimeChart::eventFilter(QObject* object, QEvent* event)
{
    const auto change = [this](double begin, double end) {
        setRange(begin, end);
        Q_EMIT rangeChanged(begin_, end_);
    };
    switch (event->type()) {
    case QEvent::Wheel: {
        const auto* wheel = static_cast<QWheelEvent*>(event);
        const double length = end_ - begin_;
        if (wheel->modifiers() & Qt::ShiftModifier || wheel->angleDelta().x() != 0) {
            const int delta = wheel->angleDelta().x() != 0 ? wheel->angleDelta().x() : wheel->angleDelta().y();
            change(begin_ - length * delta / 1200.0, end_ - length * delta / 1200.0);
        } else {
            const double factor = std::pow(0.8, wheel->angleDelta().y() / 120.0), at = stepAt(wheel->position().x());
            change(at - (at - begin_) * factor, at + (end_ - at) * factor);
        }
        return true;
    }
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() != Qt::LeftButton || mouse->position().x() < gutter) break;
        canvas_->setFocus();
        dragFrom_ = mouse->position().x();
        dragBegin_ = begin_;
        dragEnd_ = end_;
        dragged_ = false;
        return true;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (!dragFrom_) break;
        const double moved = mouse->position().x() - *dragFrom_;
        if (std::abs(moved) > 3) dragged_ = true;
        if (dragged_) {
            const double steps = moved / plot().width() * (dragEnd_ - dragBegin_);
            change(dragBegin_ - steps, dragEnd_ - steps);
        }
        return true;
    }
    case QEvent::MouseButtonRelease: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (!dragFrom_) break;
        dragFrom_.reset();
        if (!dragged_) Q_EMIT stepChosen(std::clamp(std::floor(stepAt(mouse->position().x())), 0.0, steps_ - 1));
        return true;
    }
    default: break;
    }
    return QWidget::eventFilter(object, event);
}

} // namespace stowage
