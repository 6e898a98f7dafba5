#include "app/charts/histogram.h"

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double barShare = 0.94; ///< of the width that a class has

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
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setFixedHeight(150);
}

void Histogram::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
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

QString Histogram::labelText(int index) const
{
    const Bucket& bucket = buckets_[std::size_t(index)];
    return label_ ? label_(bucket, index + 1 == int(buckets_.size())) : QString::number(bucket.low);
}

std::pair<double, double> Histogram::labelSpan(const DrawList& list, int index) const
{
    const double wide = list.width(Face::number, labelText(index));
    const double left = std::clamp(barBox(index).center().x() - wide / 2, 0.0, std::max(0.0, width() - wide));
    return {left, left + wide};
}

int Histogram::labelStride(const DrawList& list) const
{
    constexpr double apart = 6;
    const int last = int(buckets_.size()) - 1;
    for (int stride = 1; stride <= last; ++stride) {
        bool clear = true;
        for (int i = last; clear && i - stride >= 0; i -= stride)
            clear = labelSpan(list, i - stride).second + apart <= labelSpan(list, i).first;
        if (clear) return stride;
    }
    return last + 1;
}

void Histogram::arrange()
{
    update();
    current_ = std::clamp(current_, 0, std::max(0, int(buckets_.size()) - 1));
    describe();
}

void Histogram::moveTo(int index)
{
    current_ = std::max(0, index);
    describe();
    update();
}

void Histogram::describe()
{
    // For screen readers: the classes, or the one that keys are at.
    QStringList texts;
    for (int i = 0; i < int(buckets_.size()); ++i) {
        if (hasFocus() && i != current_) continue;
        const Bucket& bucket = buckets_[std::size_t(i)];
        texts << QStringLiteral("%1: %2").arg(labelText(i), countText(std::int64_t(bucket.count)));
    }
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
}

bool Histogram::event(QEvent* event)
{
    // Escape is a command of the window, but first lets go of what is kept.
    if (event->type() == QEvent::ShortcutOverride && kept_ && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void Histogram::keyPressEvent(QKeyEvent* event)
{
    const int last = int(buckets_.size()) - 1;
    const bool extend = event->modifiers() & Qt::ShiftModifier;
    const auto go = [&](int to) {
        const int from = current_;
        moveTo(std::clamp(to, 0, std::max(0, last)));
        if (extend && last >= 0) {
            const auto [low, high] = kept_.value_or(std::pair(from, from));
            Q_EMIT kept(std::min(low, current_), std::max(high, current_));
        }
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
    update();
}

void Histogram::focusOutEvent(QFocusEvent*)
{
    describe();
    update();
}

void Histogram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    DrawList list(shaper_, devicePixelRatioF());
    paint(list);
    replay(list, painter);
}

void Histogram::paint(DrawList& list) const
{
    const QRectF box = plot();
    list.fill(QRectF(rect()), theme_->panel);
    list.horizontal(0, width(), box.bottom(), theme_->line2);
    if (buckets_.empty())
        list.text(Face::label, box.center().x(), box.center().y(), QStringLiteral("no buffers"), theme_->text3,
                  draw::Text::Align::centre);
    if (hasFocus() && !buckets_.empty()) list.outline(barBox(current_).adjusted(0.5, -16.5, -0.5, 20.5), theme_->accent);
    std::size_t most = 1;
    for (const Bucket& bucket : buckets_) most = std::max(most, bucket.count);
    const QColor faded = mix(theme_->panel, theme_->accent, 0.32);
    const int last = int(buckets_.size()) - 1, stride = labelStride(list);
    for (int i = 0; i <= last; ++i) {
        const Bucket& bucket = buckets_[std::size_t(i)];
        const QRectF bar = barBox(i);
        const bool inside = !kept_ || (i >= kept_->first && i <= kept_->second);
        if (bucket.count > 0) {
            const double top = box.bottom() - box.height() * double(bucket.count) / double(most);
            const double gap = bar.width() * (1 - barShare) / 2;
            list.fill(list.snapped({bar.left() + gap, top, bar.width() - 2 * gap, box.bottom() - top}),
                      inside ? theme_->accent : faded);
            // Not cut at an edge, and where a number is wider than its bar allows, in short.
            QString number = countText(std::int64_t(bucket.count));
            if (list.width(Face::number, number) > bar.width() + 8) number = shortCount(bucket.count);
            const double wide = list.width(Face::number, number);
            const double left = std::clamp(bar.center().x() - wide / 2, 0.0, std::max(0.0, width() - wide));
            list.text(Face::number, left, top - 9, number, inside ? theme_->text : theme_->text3);
        }
        if ((last - i) % stride == 0)
            list.text(Face::number, labelSpan(list, i).first, box.bottom() + 12, labelText(i),
                      i == hovered_ ? theme_->text : theme_->text2);
    }
}

void Histogram::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    pressed_ = classAt(event->position().x());
    before_ = kept_;
    moveTo(*pressed_);
}

void Histogram::mouseMoveEvent(QMouseEvent* event)
{
    const int now = classAt(event->position().x());
    if (pressed_ && now >= 0 && now != current_) {
        moveTo(now); // keys go on from where the pointer was
        setKept(std::pair(std::min(now, *pressed_), std::max(now, *pressed_)));
    }
    if (now == hovered_) return;
    hovered_ = now;
    update();
}

void Histogram::leaveEvent(QEvent*)
{
    hovered_ = -1;
    update();
}

void Histogram::mouseReleaseEvent(QMouseEvent* event)
{
    if (!pressed_) return;
    const int from = *pressed_, to = classAt(event->position().x());
    pressed_.reset();
    const bool again = from == to && before_ == std::pair(from, to);
    if (from < 0 || again) {
        setKept(std::nullopt);
        Q_EMIT released();
    } else {
        setKept(std::pair(std::min(from, to), std::max(from, to)));
        Q_EMIT kept(std::min(from, to), std::max(from, to));
    }
}

} // namespace stowage
