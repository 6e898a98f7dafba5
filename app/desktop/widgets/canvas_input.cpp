// What pointer, wheel and keys do in every picture. The list of keys for people is in the action registry.
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/key_place.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double zoomNotch = 1.25; ///< for one notch of the wheel
constexpr double panNotch = 60;    ///< logical pixels
constexpr double scrollNotch = 36; ///< logical pixels
constexpr double scrollBarWidth = 10;
constexpr int dragDistance = 4;

/// Ctrl adds what is new, and takes away a single buffer that was there.
std::vector<BufferId> united(std::vector<BufferId> before, const std::vector<BufferId>& chosen)
{
    if (chosen.size() == 1)
        if (const auto found = std::ranges::find(before, chosen.front()); found != before.end()) {
            before.erase(found);
            return before;
        }
    std::vector<BufferId> known = before;
    std::ranges::sort(known);
    for (const BufferId id : chosen)
        if (!std::ranges::binary_search(known, id)) before.push_back(id);
    return before;
}

} // namespace

QPointF Canvas::pointer() const
{
    if (underMouse() && QRectF(rect()).contains(last_)) return last_;
    return {(parts_.plotLeft + parts_.plotRight) / 2, height() / 2.0};
}

// --- wheel and pinch -----------------------------------------------------------------------------------------------------

void Canvas::scrollBy(std::size_t part, double pixels)
{
    const PictureScroll& scroll = parts_.scrolls[part];
    picture_->scrollTo(part, std::round(std::clamp(scroll.at + pixels, 0.0, scroll.overhang())));
    relayout();
    update();
}

void Canvas::wheelEvent(QWheelEvent* event)
{
    event->accept();
    if (!scene()) return;
    const QPointF at = event->position();
    last_ = at;
    const double notches = event->angleDelta().y() / 120.0;
    const double sideways = event->angleDelta().x() / 120.0;
    const bool control = event->modifiers() & Qt::ControlModifier;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const std::size_t strip = parts_.stripAt(at);
    const std::size_t scroll = parts_.scrollAt(at);
    const auto scrolls = [&] {
        if (scroll == parts_.scrolls.size() || shift || notches == 0) return false;
        const PictureScroll& part = parts_.scrolls[scroll];
        const bool onBar = part.bar && at.x() >= part.box.right() - scrollBarWidth;
        return part.wheel || control || onBar || part.names.contains(at);
    };
    if (scrolls())
        scrollBy(scroll, -notches * scrollNotch);
    else if (shift && control)
        pan(0, notches * panNotch, strip, false);
    else if (shift)
        pan(-(notches + sideways) * panNotch, 0, parts_.strips.size(), false);
    else if (control || (!parts_.uniform && strip < parts_.strips.size() && at.x() < parts_.plotLeft))
        zoomUp(std::pow(zoomNotch, notches), at);
    else {
        if (notches != 0) zoomAcross(std::pow(zoomNotch, notches), at);
        if (sideways != 0) pan(-sideways * panNotch, 0, parts_.strips.size(), false);
    }
    if (gesture_ == Gesture::idle) hoverAt(at);
}

bool Canvas::event(QEvent* event)
{
    // Escape gives up what is being dragged before it deselects.
    if (event->type() == QEvent::ShortcutOverride && gesture_ != Gesture::idle &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::NativeGesture && scene()) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            last_ = gesture->position();
            zoomAcross(std::max(0.1, 1 + gesture->value()), last_);
            return true;
        }
    }
    return QWidget::event(event);
}

// --- buttons -------------------------------------------------------------------------------------------------------------

void Canvas::mousePressEvent(QMouseEvent* event)
{
    if (!scene() || gesture_ != Gesture::idle) return;
    hideCard();
    focusByKey_ = false;
    pressed_ = last_ = event->position();
    pressedStrip_ = parts_.stripAt(pressed_);
    pressedScroll_ = parts_.scrollAt(pressed_);
    button_ = event->button();
    const bool left = button_ == Qt::LeftButton;
    const bool onBar = pressedScroll_ < parts_.scrolls.size() && parts_.scrolls[pressedScroll_].bar &&
                       parts_.scrolls[pressedScroll_].overhang() > 0 &&
                       pressed_.x() >= parts_.scrolls[pressedScroll_].box.right() - scrollBarWidth;
    if (button_ == Qt::BackButton)
        perform(ViewCommand::back);
    else if (button_ == Qt::ForwardButton)
        perform(ViewCommand::forward);
    else if (button_ == Qt::MiddleButton || (left && event->modifiers() & Qt::AltModifier))
        gesture_ = Gesture::box;
    else if (left && event->modifiers() & Qt::ShiftModifier)
        gesture_ = Gesture::pan;
    else if (left && onBar)
        gesture_ = Gesture::scrollBar;
    else if (left && parts_.ruler.contains(pressed_) && pressed_.x() >= parts_.plotLeft) {
        gesture_ = Gesture::cursor;
        if (const auto step = picture_->hit(pressed_).step) selection_.setCursor(step);
    } else if (left)
        gesture_ = Gesture::press;
}

void Canvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!scene()) return;
    const QPointF at = event->position();
    if (gesture_ == Gesture::idle) {
        last_ = at;
        hoverAt(at);
        return;
    }
    dragTo(at);
    last_ = at;
    update();
}

void Canvas::beginDrag(QPointF at)
{
    selection_.hover(none);
    if (picture_->takeHold(pressed_)) {
        gesture_ = Gesture::move;
        setCursor(Qt::ClosedHandCursor);
        picture_->moveTo(at);
        return;
    }
    const bool refused = picture_->refusesHold(pressed_);
    if (auto inside = picture_->areaTo(pressed_, at)) {
        gesture_ = Gesture::area;
        area_ = *std::move(inside);
    }
    if (refused) Q_EMIT dragRefused();
}

void Canvas::dragTo(QPointF at)
{
    switch (gesture_) {
    case Gesture::press:
        if ((at - pressed_).manhattanLength() > dragDistance) beginDrag(at);
        break;
    case Gesture::area: area_ = picture_->areaTo(pressed_, at).value_or(std::vector<BufferId>()); break;
    case Gesture::move:
        picture_->moveTo(at);
        if (PictureParts now = picture_->parts(); now.plotLeft != parts_.plotLeft) { // the gutter's edge is held
            parts_ = std::move(now);
            baseStale_ = true;
        }
        break;
    case Gesture::pan: pan(last_.x() - at.x(), at.y() - last_.y(), pressedStrip_, false); break;
    case Gesture::cursor: {
        const double x = std::clamp(at.x(), parts_.plotLeft, std::max(parts_.plotLeft, parts_.plotRight - 1));
        if (const auto step = picture_->hit({x, parts_.ruler.center().y()}).step) selection_.setCursor(step);
        break;
    }
    case Gesture::scrollBar: {
        const PictureScroll& part = parts_.scrolls[pressedScroll_];
        scrollBy(pressedScroll_, (at.y() - last_.y()) * part.content / std::max(1.0, part.box.height()));
        break;
    }
    case Gesture::box:
    case Gesture::idle: break;
    }
}

void Canvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!scene() || event->button() != button_) return;
    const Gesture done = std::exchange(gesture_, Gesture::idle);
    button_ = Qt::NoButton;
    last_ = event->position();
    switch (done) {
    case Gesture::press:
        if ((last_ - pressed_).manhattanLength() <= dragDistance) click(last_, event->modifiers());
        break;
    case Gesture::area: selectArea(event->modifiers()); break;
    case Gesture::move:
        setCursor(Qt::ArrowCursor);
        if (picture_->drop()) Q_EMIT dropped();
        Q_EMIT optionsChanged(); // what was moved may be the picture's own: a gutter
        break;
    case Gesture::box: zoomToBox(QRectF(pressed_, last_).normalized()); break;
    case Gesture::pan:
    case Gesture::cursor:
    case Gesture::scrollBar:
    case Gesture::idle: break;
    }
    update();
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    // The first click selected; now the selection fills the view. Elsewhere it is one more click.
    if (!scene() || event->button() != Qt::LeftButton || picture_->hit(event->position()).buffer == none) {
        mousePressEvent(event);
        return;
    }
    zoomToSelection();
    zoomToSelection();
}

void Canvas::leaveEvent(QEvent*)
{
    hideCard();
    hit_ = {};
    if (!scene()) return;
    if (picture_->hover({})) update();
    if (gesture_ == Gesture::idle) selection_.hover(none);
}

void Canvas::cancelGesture()
{
    const Gesture given = std::exchange(gesture_, Gesture::idle);
    button_ = Qt::NoButton;
    if (given == Gesture::move) {
        picture_->letGo();
        relayout();
        setCursor(Qt::ArrowCursor);
    }
    if (given == Gesture::area) picture_->clearArea();
    update();
}

// --- keys ----------------------------------------------------------------------------------------------------------------

void Canvas::keyPressEvent(QKeyEvent* event)
{
    const bool alt = event->modifiers() == Qt::AltModifier;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    if (!alt && event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (event->key() == Qt::Key_Escape && gesture_ != Gesture::idle) {
        cancelGesture();
        return;
    }
    std::optional<ViewCommand> command;
    switch (keyByPlace(QGuiApplication::platformName(), event->nativeScanCode(), event->key())) {
    case Qt::Key_W: command = shift ? ViewCommand::addressZoomIn : ViewCommand::zoomIn; break;
    case Qt::Key_S: command = shift ? ViewCommand::addressZoomOut : ViewCommand::zoomOut; break;
    case Qt::Key_A: command = shift ? ViewCommand::panDown : ViewCommand::panLeft; break;
    case Qt::Key_D: command = shift ? ViewCommand::panUp : ViewCommand::panRight; break;
    case Qt::Key_Backspace: command = ViewCommand::back; break;
    case Qt::Key_Left: command = alt ? ViewCommand::back : ViewCommand::neighbourLeft; break;
    case Qt::Key_Right: command = alt ? ViewCommand::forward : ViewCommand::neighbourRight; break;
    case Qt::Key_Up: command = ViewCommand::neighbourUp; break;
    case Qt::Key_Down: command = ViewCommand::neighbourDown; break;
    default: break;
    }
    if (!command || !perform(*command)) QWidget::keyPressEvent(event);
}

void Canvas::focusInEvent(QFocusEvent* event)
{
    focusByKey_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void Canvas::focusOutEvent(QFocusEvent*)
{
    focusByKey_ = false;
    update();
}

// --- hovering and selecting ----------------------------------------------------------------------------------------------

void Canvas::hoverAt(QPointF at)
{
    PictureHit hit = picture_->hit(at);
    const bool same = hit == hit_;
    if (!same) {
        setHit(std::move(hit));
        scheduleCard(hit_);
    } else if (shownCard_) {
        update(); // it follows
    }
}

void Canvas::setHit(PictureHit hit)
{
    hit_ = std::move(hit);
    const bool onRuler = parts_.ruler.contains(last_) && last_.x() >= parts_.plotLeft;
    const bool onEdge = hit_.holds && std::abs(last_.x() - parts_.plotLeft) <= 4; // of the gutter
    setCursor(onRuler || onEdge ? Qt::SizeHorCursor
              : hit_.holds      ? Qt::OpenHandCursor
              : hit_.acts       ? Qt::PointingHandCursor
                                : Qt::ArrowCursor);
    selection_.hover(toSelection(hit_.buffer));
    if (picture_->hover(hit_)) update();
}

void Canvas::click(QPointF at, Qt::KeyboardModifiers modifiers)
{
    picture_->clearArea();
    const PictureHit hit = picture_->hit(at);
    ownSelection_ = true;
    if (!hit.keepsSelection && (hit.chosen.empty() || matched())) {
        std::vector<BufferId> chosen = toSelection(hit.chosen.list());
        if (!(modifiers & Qt::ControlModifier))
            selection_.selectMany(std::move(chosen));
        else if (!chosen.empty())
            selection_.selectMany(united(selection_.buffers(), chosen));
    }
    if (hit.step) selection_.setCursor(hit.step);
    ownSelection_ = false;
    apply(picture_->press(hit, modifiers));
    Q_EMIT clicked(hit);
}

void Canvas::selectArea(Qt::KeyboardModifiers modifiers)
{
    std::vector<BufferId> buffers = std::exchange(area_, {});
    if (auto listed = picture_->endArea()) buffers = *std::move(listed);
    if (!buffers.empty() && !matched()) return;
    buffers = toSelection(std::move(buffers));
    std::erase_if(buffers, [this](BufferId buffer) { return !selection_.passes(buffer); });
    if (modifiers & Qt::ControlModifier) {
        buffers.insert(buffers.end(), selection_.buffers().begin(), selection_.buffers().end());
        std::ranges::sort(buffers);
        buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
    }
    ownSelection_ = true; // an area without a buffer stays, and says so
    selection_.selectMany(std::move(buffers));
    ownSelection_ = false;
}

} // namespace stowage
