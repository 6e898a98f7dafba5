#include "app/desktop/widgets/picture_widget.h"

#include "app/canvas/pictures/map/stack_parts.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QWheelEvent>

#include <utility>

namespace stowage {

namespace {

constexpr int cardDelayMs = 150;
constexpr double dragThreshold = 4;
constexpr std::size_t mostSelected = 4096;

} // namespace

PictureWidget::PictureWidget(SelectionModel& selection, const QString& name, QWidget* parent)
    : QWidget(parent), selection_(selection)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(320, 160);
    setAccessibleName(name);
    cardDelay_ = new QTimer(this);
    cardDelay_->setSingleShot(true);
    cardDelay_->setInterval(cardDelayMs);
    connect(cardDelay_, &QTimer::timeout, this, [this] {
        cardShown_ = true;
        update();
    });
    sinceChange_.start();
}

void PictureWidget::changed()
{
    baseStale_ = true;
    update();
}

void PictureWidget::renewBase(double ratio)
{
    DrawList list(shaper_, ratio);
    paintBase(list);
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (base_.size() != pixels) base_ = QImage(pixels, QImage::Format_RGB32);
    base_.setDevicePixelRatio(ratio);
    QPainter painter(&base_);
    replay(list, painter);
    baseStale_ = false;
}

void PictureWidget::leaveRange(bool merge)
{
    history_.leave(range(), merge && sinceChange_.elapsed() < historyMergeMs);
    sinceChange_.restart();
}

void PictureWidget::showCardSoon()
{
    if (!cardShown_) cardDelay_->start();
}

void PictureWidget::hideCard()
{
    cardShown_ = false;
    cardDelay_->stop();
}

void PictureWidget::beginGesture(QMouseEvent* event, const QRectF& plot)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    pressed_ = last_ = event->position();
    const bool box = event->button() == Qt::MiddleButton || event->modifiers() & Qt::AltModifier;
    gesture_ = box && plot.contains(pressed_) ? Gesture::box : Gesture::press;
    hideCard();
}

bool PictureWidget::dragged() const
{
    return (last_ - pressed_).manhattanLength() > dragThreshold;
}

bool PictureWidget::isBox(double side)
{
    return side > dragThreshold;
}

void PictureWidget::paintBox(DrawList& overlay, const Theme& theme, const QRectF& plot) const
{
    const QRectF box = overlay.snapped(QRectF(pressed_, last_).normalized() & plot);
    overlay.fill(box, stack::withAlpha(theme.text, 0.1));
    overlay.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.text2, 1, 0, Dash::stall);
}

void PictureWidget::readSelection(std::size_t buffers, BufferId& selected, std::vector<BufferId>& others) const
{
    const auto known = [&](BufferId id) { return id >= 0 && std::size_t(id) < buffers; };
    selected = known(selection_.buffer()) ? selection_.buffer() : BufferId(none);
    others.clear();
    if (selection_.buffers().size() <= 1 || selection_.buffers().size() > mostSelected) return;
    for (const BufferId id : selection_.buffers())
        if (known(id)) others.push_back(id);
}

void PictureWidget::select(std::vector<BufferId> chosen)
{
    if (chosen.size() > mostSelected) chosen.resize(mostSelected);
    if (chosen.size() == 1)
        selection_.select(chosen.front());
    else if (!chosen.empty())
        selection_.selectMany(std::move(chosen));
}

double PictureWidget::notches(const QWheelEvent& event)
{
    const QPoint angle = event.angleDelta();
    return (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
}

void PictureWidget::keyPressEvent(QKeyEvent* event)
{
    const bool alt = event->modifiers() & Qt::AltModifier;
    if (!alt && event->modifiers() & ~Qt::KeyboardModifiers(Qt::ShiftModifier | Qt::KeypadModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_W: zoomByKey(1.25); return;
    case Qt::Key_S: zoomByKey(0.8); return;
    case Qt::Key_A: pan(-0.125); return;
    case Qt::Key_D: pan(0.125); return;
    case Qt::Key_Backspace: goBack(); return;
    case Qt::Key_Left: alt ? void(goBack()) : goToNeighbour(Direction::left); return;
    case Qt::Key_Right: alt ? void(goForward()) : goToNeighbour(Direction::right); return;
    case Qt::Key_Up: goToNeighbour(Direction::up); return;
    case Qt::Key_Down: goToNeighbour(Direction::down); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace stowage
