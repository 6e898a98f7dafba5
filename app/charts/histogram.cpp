#include "app/charts/histogram.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedBarSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace stowage {

class Histogram::Canvas : public QChartView {
public:
    explicit Canvas(Histogram& owner)
        : QChartView(&owner), owner_(owner), x_(new QBarCategoryAxis(this)), y_(new QValueAxis(this))
    {
        QChart* chart = this->chart();
        chart->legend()->hide();
        chart->setAnimationOptions(QChart::NoAnimation);
        chart->setBackgroundRoundness(0);
        chart->setMargins({0, 0, 0, 0});
        chart->addAxis(x_, Qt::AlignBottom);
        chart->addAxis(y_, Qt::AlignLeft);
        x_->setVisible(false);
        y_->setVisible(false);
        auto* series = new QStackedBarSeries;
        series->setBarWidth(0.94);
        kept_ = new QBarSet(QString());
        others_ = new QBarSet(QString());
        series->append(kept_);
        series->append(others_);
        chart->addSeries(series);
        series->attachAxis(x_);
        series->attachAxis(y_);
        setFrameShape(QFrame::NoFrame);
        setMouseTracking(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

    void show(const std::vector<Bucket>& buckets, const std::optional<std::pair<int, int>>& range)
    {
        QStringList names;
        kept_->remove(0, int(kept_->count()));
        others_->remove(0, int(others_->count()));
        std::size_t most = 1;
        for (int i = 0; i < int(buckets.size()); ++i) {
            names << QString::number(i);
            const bool inside = !range || (i >= range->first && i <= range->second);
            const auto count = double(buckets[std::size_t(i)].count);
            kept_->append(inside ? count : 0);
            others_->append(inside ? 0 : count);
            most = std::max(most, buckets[std::size_t(i)].count);
        }
        x_->setCategories(names);
        y_->setRange(0, double(most));
    }
    void setColours(const Theme& theme)
    {
        QColor faded = mix(theme.panel, theme.accent, 0.32);
        kept_->setColor(theme.accent);
        others_->setColor(faded);
        for (QBarSet* set : {kept_, others_}) set->setPen(Qt::NoPen);
        chart()->setBackgroundBrush(theme.panel);
        setBackgroundBrush(theme.panel);
    }

protected:
    void drawForeground(QPainter* painter, const QRectF&) override { owner_.drawOver(*painter); }

private:
    Histogram& owner_;
    QBarCategoryAxis* x_;
    QValueAxis* y_;
    QBarSet* kept_ = nullptr;
    QBarSet* others_ = nullptr;
};

namespace {

/// "12K" for a narrow bar.
QString shortCount(std::size_t count)
{
    if (count < 1000) return QString::number(count);
    const bool millions = count >= 1'000'000;
    const double value = double(count) / (millions ? 1e6 : 1e3);
    return QString::number(value, 'f', value < 9.95 ? 1 : 0) + (millions ? u'M' : u'k');
}

} // namespace

Histogram::Histogram(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    canvas_ = new Canvas(*this);
    canvas_->viewport()->installEventFilter(this);
    canvas_->setFocusPolicy(Qt::NoFocus);
    setFocusPolicy(Qt::StrongFocus);
    canvas_->setColours(*theme_);
    setFixedHeight(150);
}

Histogram::~Histogram() = default;

void Histogram::setTheme(const Theme& theme)
{
    theme_ = &theme;
    canvas_->setColours(theme);
    canvas_->viewport()->update();
}

void Histogram::setBuckets(std::vector<Bucket> buckets, std::function<QString(const Bucket&, bool)> label)
{
    buckets_ = std::move(buckets);
    label_ = std::move(label);
    kept_.reset();
    arrange();
}

void Histogram::setKept(std::optional<std::pair<int, int>> range)
{
    if (range == kept_) return;
    kept_ = range;
    arrange();
}

QRectF Histogram::plot() const
{
    return QRectF(0, 18, width(), height() - 18 - 22);
}

QRectF Histogram::barBox(int index) const
{
    const QRectF box = plot();
    const double step = box.width() / double(std::max<std::size_t>(1, buckets_.size()));
    return QRectF(box.left() + index * step, box.top(), step, box.height());
}

int Histogram::classAt(double x) const
{
    if (buckets_.empty()) return -1;
    return std::clamp(int(x / (plot().width() / double(buckets_.size()))), 0, int(buckets_.size()) - 1);
}

void Histogram::arrange()
{
    canvas_->show(buckets_, kept_);
    canvas_->chart()->setPlotArea(plot());
    canvas_->viewport()->update();
    current_ = std::clamp(current_, 0, std::max(0, int(buckets_.size()) - 1));
    describe();
}

void Histogram::describe()
{
    // For screen readers: the classes, or the one that keys are at.
    QStringList texts;
    for (int i = 0; i < int(buckets_.size()); ++i) {
        if (hasFocus() && i != current_) continue;
        const Bucket& bucket = buckets_[std::size_t(i)];
        const QString name = label_ ? label_(bucket, i + 1 == int(buckets_.size())) : QString::number(bucket.low);
        texts << QStringLiteral("%1: %2").arg(name, countText(std::int64_t(bucket.count)));
    }
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
}

void Histogram::keyPressEvent(QKeyEvent* event)
{
    const int last = int(buckets_.size()) - 1;
    const bool extend = event->modifiers() & Qt::ShiftModifier;
    const auto go = [&](int to) {
        const int from = current_;
        current_ = std::clamp(to, 0, std::max(0, last));
        if (extend && last >= 0) {
            const auto [low, high] = kept_.value_or(std::pair(from, from));
            Q_EMIT kept(std::min(low, current_), std::max(high, current_));
        }
        describe();
        canvas_->viewport()->update();
    };
    switch (event->key()) {
    case Qt::Key_Left: go(current_ - 1); break;
    case Qt::Key_Right: go(current_ + 1); break;
    case Qt::Key_Home: go(0); break;
    case Qt::Key_End: go(last); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (last >= 0) Q_EMIT kept(current_, current_);
        break;
    case Qt::Key_Escape:
        if (kept_)
            Q_EMIT released();
        else
            QWidget::keyPressEvent(event);
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void Histogram::focusInEvent(QFocusEvent*)
{
    describe();
    canvas_->viewport()->update();
}

void Histogram::focusOutEvent(QFocusEvent*)
{
    describe();
    canvas_->viewport()->update();
}

void Histogram::resizeEvent(QResizeEvent*)
{
    canvas_->setGeometry(rect());
    arrange();
}

void Histogram::drawOver(QPainter& painter) const
{
    painter.save();
    painter.resetTransform();
    const QRectF box = plot();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(0, box.bottom(), width(), 1), theme_->line2);
    if (hasFocus() && !buckets_.empty()) {
        painter.setPen(theme_->accent);
        painter.drawRect(barBox(current_).adjusted(0, -17, -1, 20));
    }
    std::size_t most = 1;
    for (const Bucket& bucket : buckets_) most = std::max(most, bucket.count);
    double free = box.right() + 14; // labels from the last one on; one that would touch its neighbour is left out
    for (int i = int(buckets_.size()) - 1; i >= 0; --i) {
        const Bucket& bucket = buckets_[std::size_t(i)];
        const QRectF bar = barBox(i);
        const bool inside = !kept_ || (i >= kept_->first && i <= kept_->second);
        painter.setFont(monoFont(11));
        if (bucket.count > 0) {
            const double top = box.bottom() - box.height() * double(bucket.count) / double(most);
            painter.setPen(inside ? theme_->text : theme_->text3);
            // Not cut at an edge, and where a number is wider than its bar allows, in short.
            QString number = countText(std::int64_t(bucket.count));
            if (painter.fontMetrics().horizontalAdvance(number) > bar.width() + 8) number = shortCount(bucket.count);
            const double wide = painter.fontMetrics().horizontalAdvance(number);
            const double left = std::clamp(bar.center().x() - wide / 2, 0.0, std::max(0.0, width() - wide));
            painter.drawText(QRectF(left, top - 17, wide + 1, 16), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, number);
        }
        painter.setPen(i == hovered_ ? theme_->text : theme_->text2);
        const QString text = label_ ? label_(bucket, i + 1 == int(buckets_.size())) : QString::number(bucket.low);
        const double half = painter.fontMetrics().horizontalAdvance(text) / 2.0;
        const double left = std::clamp(bar.center().x() - half, 0.0, std::max(0.0, width() - 2 * half));
        if (left + 2 * half > free) continue;
        painter.drawText(QRectF(left, box.bottom() + 3, 2 * half + 1, 18), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                         text);
        free = left - 6;
    }
    painter.restore();
}

bool Histogram::eventFilter(QObject* object, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton) {
            pressed_ = classAt(mouse->position().x());
            before_ = kept_;
        }
        return true;
    }
    case QEvent::MouseMove: {
        const int now = classAt(static_cast<QMouseEvent*>(event)->position().x());
        if (pressed_ && now != *pressed_) setKept(std::pair(std::min(now, *pressed_), std::max(now, *pressed_)));
        if (now != hovered_) {
            hovered_ = now;
            canvas_->viewport()->update();
        }
        return true;
    }
    case QEvent::Leave:
        hovered_ = -1;
        canvas_->viewport()->update();
        break;
    case QEvent::MouseButtonRelease: {
        if (!pressed_) break;
        const int from = *pressed_, to = classAt(static_cast<QMouseEvent*>(event)->position().x());
        pressed_.reset();
        const bool again = from == to && before_ == std::pair(from, to);
        if (from < 0 || again) {
            setKept(std::nullopt);
            Q_EMIT released();
        } else {
            setKept(std::pair(std::min(from, to), std::max(from, to)));
            Q_EMIT kept(std::min(from, to), std::max(from, to));
        }
        return true;
    }
    default: break;
    }
    return QWidget::eventFilter(object, event);
}

} // namespace stowage
