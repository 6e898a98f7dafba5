#include "app/desktop/widgets/hover_card.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cmath>

namespace stowage {

namespace {

constexpr int delayMs = 150;
constexpr int padding = 12;
constexpr int lineHeight = 17;
constexpr int captionWidth = 64;
constexpr int most = 380;
constexpr double distance = 18;

QFont fontOf(const HoverLine& line)
{
    if (line.caption.isEmpty()) return uiFont(metrics::body, QFont::DemiBold);
    return line.number ? monoFont(metrics::body) : uiFont(metrics::body);
}

} // namespace

HoverCard::HoverCard(QWidget* parent) : QWidget(parent), delay_(new QTimer(this))
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    delay_->setSingleShot(true);
    delay_->setInterval(delayMs);
    connect(delay_, &QTimer::timeout, this, [this] {
        place();
        show();
        raise();
    });
}

void HoverCard::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
}

void HoverCard::announce(std::vector<HoverLine> lines, QColor swatch, const QPointF& pointer, const QRectF& subject)
{
    const bool other = lines != lines_;
    lines_ = std::move(lines);
    swatch_ = swatch;
    pointer_ = pointer;
    subject_ = subject;
    if (isVisible()) {
        place();
        if (other) update();
    } else if (other || !delay_->isActive()) {
        delay_->start();
    }
}

void HoverCard::dismiss()
{
    delay_->stop();
    lines_.clear();
    hide();
}

QSize HoverCard::needed() const
{
    double width = 0;
    for (const HoverLine& line : lines_) {
        const double text = QFontMetricsF(fontOf(line)).horizontalAdvance(line.text);
        width = std::max(width, text + (line.caption.isEmpty() ? (swatch_.isValid() ? 16 : 0) : captionWidth));
    }
    return {std::min(most, int(std::ceil(width)) + 2 * padding), int(lines_.size()) * lineHeight + 2 * padding - 4};
}

void HoverCard::place()
{
    const QSizeF size = needed();
    const QRectF room = QRectF(parentWidget()->rect()).adjusted(4, 4, -4, -4);
    // Right below the pointer first, then the other corners, then clear of a subject that is larger than that, as near as the
    // room lets it be.
    const auto inX = [&](double x) { return std::clamp(x, room.left(), std::max(room.left(), room.right() - size.width())); };
    const auto inY = [&](double y) { return std::clamp(y, room.top(), std::max(room.top(), room.bottom() - size.height())); };
    const std::array<QPointF, 8> places{QPointF(pointer_.x() + distance, pointer_.y() + distance),
                                        QPointF(pointer_.x() - distance - size.width(), pointer_.y() + distance),
                                        QPointF(pointer_.x() + distance, pointer_.y() - distance - size.height()),
                                        QPointF(pointer_.x() - distance - size.width(), pointer_.y() - distance - size.height()),
                                        QPointF(inX(pointer_.x() + distance), subject_.bottom() + 8),
                                        QPointF(inX(pointer_.x() + distance), subject_.top() - 8 - size.height()),
                                        QPointF(subject_.right() + 8, inY(pointer_.y() + distance)),
                                        QPointF(subject_.left() - 8 - size.width(), inY(pointer_.y() + distance))};
    const auto fits = [&](const QPointF& at) { return room.contains(QRectF(at, size)); };
    const auto clear = [&](const QPointF& at) { return !QRectF(at, size).intersects(subject_); };
    auto best = std::find_if(places.begin(), places.end(), [&](const QPointF& at) { return fits(at) && clear(at); });
    if (best == places.end()) best = std::find_if(places.begin(), places.end(), fits);
    QPointF at = best == places.end() ? places.front() : *best;
    at = {inX(at.x()), inY(at.y())};
    setGeometry(QRectF(at, size).toRect());
}

void HoverCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme_->line2);
    painter.setBrush(theme_->raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::cardRadius, metrics::cardRadius);
    double y = padding - 2;
    for (const HoverLine& line : lines_) {
        QRectF box(padding, y, width() - 2 * padding, lineHeight);
        if (line.caption.isEmpty()) {
            if (swatch_.isValid()) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(swatch_);
                painter.drawRoundedRect(QRectF(padding, y + (lineHeight - 10) / 2.0, 10, 10), 2, 2);
                box.setLeft(box.left() + 16);
            }
        } else {
            painter.setFont(uiFont(metrics::body));
            painter.setPen(theme_->text3);
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, line.caption);
            box.setLeft(box.left() + captionWidth);
        }
        const QFont font = fontOf(line);
        painter.setFont(font);
        painter.setPen(line.caption.isEmpty() ? theme_->text : theme_->text2);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(line.text, Qt::ElideMiddle, box.width()));
        y += lineHeight;
    }
}

} // namespace stowage
