// What pointer, wheel and keys do in a stack of bands. The list of keys for people is in the action registry.
#include "app/desktop/widgets/map_widget.h"

#include "app/canvas/axis/hit_test.h"
#include "core/ir/checked.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QVariantAnimation>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double zoomNotch = 1.25; ///< for one notch of the wheel
constexpr double panNotch = 60;    ///< logical pixels
constexpr double rowsNotch = 3 * Timeline::rowHeight;
constexpr int dragDistance = 4;
constexpr double tolerance = 3; ///< logical pixels from a buffer that is hit all the same
constexpr double scrollBarWidth = 10;

/// The letter that a key has on an American keyboard, whatever the layout: W, A, S and D are a place for the hand. Scan codes are
/// those of evdev.
int physicalKey(const QKeyEvent& event)
{
    const QString platform = QGuiApplication::platformName();
    if (platform == u"xcb" || platform.startsWith(u"wayland")) {
        switch (event.nativeScanCode()) {
        case 25: return Qt::Key_W;
        case 38: return Qt::Key_A;
        case 39: return Qt::Key_S;
        case 40: return Qt::Key_D;
        default: break;
        }
    }
    return event.key();
}

} // namespace

// --- where things are ----------------------------------------------------------------------------------------------------

MapWidget::Spot MapWidget::spotAt(const QPointF& point) const
{
    if (!view_) return {};
    const bool inGutter = point.x() < layout_.plotLeft;
    if (layout_.rows.contains(point)) {
        const bool scrolls = view_->timeline().height() > layout_.rows.height() + 1;
        if (scrolls && point.x() >= layout_.rows.right() - scrollBarWidth) return {Place::scrollBar, 0};
        return {inGutter ? Place::rowNames : Place::rows, 0};
    }
    for (std::size_t i = 0; i < layout_.strips.size(); ++i)
        if (layout_.strips[i].contains(point)) return {Place::strip, i};
    if (layout_.ruler.contains(point)) return {inGutter ? Place::nowhere : Place::ruler, 0};
    if (inGutter) return {};
    if (layout_.curve.contains(point)) return {Place::curve, 0};
    if (layout_.ops.contains(point)) return {Place::ops, 0};
    return {};
}

std::optional<Step> MapWidget::stepAt(const QPointF& point) const
{
    if (!view_ || point.x() < layout_.plotLeft || point.x() >= layout_.plotRight) return std::nullopt;
    return view_->state().viewport.steps.unitAt((point.x() - layout_.plotLeft) * view_->state().ratio);
}

BufferId MapWidget::bufferAt(const QPointF& point) const
{
    if (!view_) return none;
    const Spot spot = spotAt(point);
    const StackState& state = view_->state();
    if (spot.place == Place::strip && point.x() >= layout_.plotLeft) {
        const MapData& map = view_->scene().pools[std::size_t(state.strips[spot.strip])].map;
        const auto hit =
            hitTest(map, state.viewport.steps, state.viewport.addresses[spot.strip], (point.x() - layout_.plotLeft) * state.ratio,
                    (layout_.strips[spot.strip].bottom() - point.y()) * state.ratio, tolerance * state.ratio);
        if (!hit || (state.styles[std::size_t(map.buffer[*hit])] & styleHidden)) return none;
        return map.buffer[*hit];
    }
    if (spot.place == Place::rows || spot.place == Place::rowNames) {
        const auto row = view_->timeline().rowAt(point.y() - layout_.rows.top() + state.scroll);
        if (!row || row->buffer == none || (state.styles[std::size_t(row->buffer)] & styleHidden)) return none;
        if (spot.place == Place::rowNames) return row->buffer;
        // In the plot the bar itself is meant, or the empty row.
        const auto step = stepAt(point);
        const auto& live = view_->scene().run->problem().buffers[std::size_t(row->buffer)].live;
        return step && std::ranges::any_of(live, [&](const Interval& range) { return range.contains(*step); }) ? row->buffer
                                                                                                               : BufferId(none);
    }
    return none;
}

QRectF MapWidget::boxOf(BufferId buffer) const
{
    if (!view_) return {};
    const StackGeometry g = geometry();
    const StackState& state = view_->state();
    for (std::size_t i = 0; i < layout_.strips.size(); ++i)
        for (const std::uint32_t rect : view_->scene().pools[std::size_t(state.strips[i])].map.rectsOf(buffer)) {
            const QRectF plot(layout_.plotLeft, layout_.strips[i].top(), layout_.plotWidth(), layout_.strips[i].height());
            if (const QRectF box = g.rectOf(i, rect, 1) & plot; !box.isEmpty()) return box;
        }
    if (const auto row = layout_.rows.isEmpty() ? std::nullopt : view_->timeline().rowOf(buffer)) {
        const Interval hull = view_->scene().run->problem().buffers[std::size_t(buffer)].hull();
        const QRectF plot(layout_.plotLeft, layout_.rows.top(), layout_.plotWidth(), layout_.rows.height());
        const double top = layout_.rows.top() + row->top - state.scroll;
        return QRectF(QPointF(g.x(hull.begin), top), QPointF(std::max(g.x(hull.begin) + 1, g.x(hull.end)), top + row->height)) &
               plot;
    }
    return {};
}

QPointF MapWidget::pointer() const
{
    const QPointF at = last_;
    return underMouse() && QRectF(rect()).contains(at) ? at : QPointF(layout_.plotLeft + layout_.plotWidth() / 2, height() / 2.0);
}

// --- events --------------------------------------------------------------------------------------------------------------

void MapWidget::resizeEvent(QResizeEvent*)
{
    animation_->stop();
    card_->dismiss();
    relayout();
}

/// Time at the pointer; Ctrl: addresses; Shift: pans time; Ctrl+Shift: pans addresses. Over the names of rows and with Ctrl over
/// rows it scrolls them, over the addresses of a map it zooms addresses: what the pointer is on.
void MapWidget::wheelEvent(QWheelEvent* event)
{
    event->accept();
    if (!view_) return;
    const QPointF at = event->position();
    last_ = at;
    const Spot spot = spotAt(at);
    const double notches = event->angleDelta().y() / 120.0;
    const double sideways = event->angleDelta().x() / 120.0;
    const bool control = event->modifiers() & Qt::ControlModifier;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const bool inRows = spot.place == Place::rows || spot.place == Place::rowNames || spot.place == Place::scrollBar;
    const bool onAddresses = spot.place == Place::strip && at.x() < layout_.plotLeft;
    if (inRows && (control || spot.place != Place::rows))
        scrollTo(view_->state().scroll - notches * rowsNotch);
    else if (shift && control)
        pan(0, notches * panNotch, spot.strip, false);
    else if (shift)
        pan(-(notches + sideways) * panNotch, 0, 0, false);
    else if (control || onAddresses) {
        if (spot.place == Place::strip) zoomAddresses(std::pow(zoomNotch, notches), spot.strip, at.y());
    } else {
        if (notches != 0) zoomSteps(std::pow(zoomNotch, notches), at.x());
        if (sideways != 0) pan(-sideways * panNotch, 0, 0, false);
    }
}

bool MapWidget::event(QEvent* event)
{
    // Escape gives up what is being dragged before it deselects.
    if (event->type() == QEvent::ShortcutOverride && gesture_ != Gesture::idle &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::NativeGesture && view_) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            last_ = gesture->position();
            zoomSteps(1 + gesture->value(), gesture->position().x());
            return true;
        }
    }
    return QWidget::event(event);
}

void MapWidget::mousePressEvent(QMouseEvent* event)
{
    if (!view_ || gesture_ != Gesture::idle) return;
    card_->dismiss();
    focusByKey_ = false;
    pressed_ = last_ = event->position();
    pressedSpot_ = spotAt(pressed_);
    button_ = event->button();
    if (button_ == Qt::BackButton)
        perform(ViewCommand::back);
    else if (button_ == Qt::ForwardButton)
        perform(ViewCommand::forward);
    else if (button_ == Qt::MiddleButton || (button_ == Qt::LeftButton && event->modifiers() & Qt::AltModifier))
        gesture_ = Gesture::box;
    else if (button_ == Qt::LeftButton && event->modifiers() & Qt::ShiftModifier)
        gesture_ = Gesture::pan;
    else if (button_ == Qt::LeftButton && pressedSpot_.place == Place::scrollBar)
        gesture_ = Gesture::scrollBar;
    else if (button_ == Qt::LeftButton && pressedSpot_.place == Place::ruler) {
        gesture_ = Gesture::cursor;
        selection_.setCursor(stepAt(pressed_));
    } else if (button_ == Qt::LeftButton)
        gesture_ = Gesture::press;
    if (noteEdit_) closeNote(true);
}

void MapWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (!view_) return;
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

void MapWidget::dragTo(const QPointF& at)
{
    switch (gesture_) {
    case Gesture::press:
        if ((at - pressed_).manhattanLength() <= dragDistance || pressedSpot_.place == Place::nowhere ||
            pressed_.x() < layout_.plotLeft)
            return;
        selection_.hover(none);
        if (takeHold()) {
            gesture_ = Gesture::move;
            moveTo(at);
            break;
        }
        gesture_ = Gesture::area;
        [[fallthrough]];
    case Gesture::area:
        area_ = areaBetween(pressed_, at);
        sumUp(*area_);
        break;
    case Gesture::move: moveTo(at); break;
    case Gesture::pan:
        pan(last_.x() - at.x(), at.y() - last_.y(),
            pressedSpot_.place == Place::strip ? pressedSpot_.strip : layout_.strips.size(), false);
        break;
    case Gesture::cursor: {
        const double x = std::clamp(at.x(), layout_.plotLeft, layout_.plotRight - 1);
        selection_.setCursor(stepAt({x, at.y()}));
        break;
    }
    case Gesture::scrollBar: {
        const double all = view_->timeline().height();
        scrollTo(view_->state().scroll + (at.y() - last_.y()) * all / std::max(1.0, layout_.rows.height()));
        break;
    }
    case Gesture::box:
    case Gesture::idle: break;
    }
}

void MapWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (!view_ || event->button() != button_) return;
    const Gesture done = std::exchange(gesture_, Gesture::idle);
    button_ = Qt::NoButton;
    last_ = event->position();
    switch (done) {
    case Gesture::press: click(event->position(), event->modifiers()); break;
    case Gesture::area: selectArea(event->modifiers()); break;
    case Gesture::move:
        if (const std::optional<Move> dropped = std::exchange(move_, std::nullopt); dropped && dropped->verdict.legal()) {
            const MapData& map = view_->scene().pools[std::size_t(view_->state().strips[dropped->strip])].map;
            Q_EMIT moveRequested(dropped->buffer, map.pool, dropped->verdict.offset);
        }
        break;
    case Gesture::box: zoomToBox(QRectF(pressed_, event->position()).normalized()); break;
    case Gesture::pan:
    case Gesture::cursor:
    case Gesture::scrollBar:
    case Gesture::idle: break;
    }
    update();
}

void MapWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    // The first click selected; now the selection fills the view. Elsewhere it is one more click.
    if (event->button() != Qt::LeftButton || bufferAt(event->position()) == none) {
        mousePressEvent(event);
        return;
    }
    zoomToSelection();
    zoomToSelection();
}

void MapWidget::leaveEvent(QEvent*)
{
    card_->dismiss();
    if (gesture_ == Gesture::idle) selection_.hover(none);
}

void MapWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (event->key() == Qt::Key_Escape && gesture_ != Gesture::idle) {
        move_.reset();
        if (gesture_ == Gesture::area) area_.reset();
        gesture_ = Gesture::idle;
        update();
        return;
    }
    std::optional<ViewCommand> command;
    switch (physicalKey(*event)) {
    case Qt::Key_W: command = ViewCommand::zoomIn; break;
    case Qt::Key_S: command = ViewCommand::zoomOut; break;
    case Qt::Key_A: command = ViewCommand::panLeft; break;
    case Qt::Key_D: command = ViewCommand::panRight; break;
    case Qt::Key_Backspace: command = ViewCommand::back; break;
    case Qt::Key_Left: command = ViewCommand::neighbourLeft; break;
    case Qt::Key_Right: command = ViewCommand::neighbourRight; break;
    case Qt::Key_Up: command = ViewCommand::neighbourUp; break;
    case Qt::Key_Down: command = ViewCommand::neighbourDown; break;
    default: break;
    }
    if (!command || !perform(*command)) QWidget::keyPressEvent(event);
}

void MapWidget::focusInEvent(QFocusEvent* event)
{
    focusByKey_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void MapWidget::focusOutEvent(QFocusEvent*)
{
    focusByKey_ = false;
    update();
}

// --- selecting -----------------------------------------------------------------------------------------------------------

void MapWidget::hoverAt(const QPointF& point)
{
    const Spot spot = spotAt(point);
    const BufferId buffer = bufferAt(point);
    selection_.hover(buffer);
    const bool movable = editable_ && buffer != none && spot.place == Place::strip && buffer == selection_.buffer();
    setCursor(spot.place == Place::ruler ? Qt::SizeHorCursor : movable ? Qt::OpenHandCursor : Qt::ArrowCursor);
    if (const MapNote* note = noteAt(point)) {
        card_->announce({{{}, note->text, false}, {tr("step"), countText(note->step), true}}, theme_->warn, point,
                        noteBox(view_->state(), layout_, *note));
        return;
    }
    if (buffer != none) {
        card_->announce(describe(buffer),
                        paletteOf(*theme_, view_->colouring().by).fills[view_->state().styles[std::size_t(buffer)] & styleClass],
                        point, boxOf(buffer));
        return;
    }
    const auto step = stepAt(point);
    const RunScene& scene = view_->scene();
    if (spot.place == Place::ops && step && std::size_t(*step) < scene.ops.kindOf.size() &&
        scene.ops.kindOf[std::size_t(*step)] != none) {
        const auto kind = std::size_t(scene.ops.kindOf[std::size_t(*step)]);
        const StepInfo& info = scene.run->lowering->steps[std::size_t(*step)];
        const Op& op = scene.run->program->functions[std::size_t(info.function)].ops[std::size_t(info.op)];
        std::vector<HoverLine> lines{{{}, QString::fromStdString(scene.ops.kinds[kind]), false},
                                     {tr("step"), countText(*step), true}};
        if (!op.name.empty()) lines.push_back({tr("name"), QString::fromStdString(op.name), false});
        card_->announce(std::move(lines), paletteOf(*theme_, ColourBy::opKind).fills[scene.ops.colours[kind]], point,
                        geometry().column(*step, layout_.ops));
        return;
    }
    card_->dismiss();
}

std::vector<HoverLine> MapWidget::describe(BufferId id) const
{
    const Run& run = *view_->scene().run;
    const Problem& problem = run.problem();
    const Buffer& buffer = problem.buffers[std::size_t(id)];
    std::vector<HoverLine> lines{{{}, QString::fromStdString(buffer.name), false}};
    QString size = bytesText(buffer.size, numbers_);
    if (buffer.alignment > 1) size += tr(", aligned to %1").arg(countText(buffer.alignment));
    lines.push_back({tr("size"), size, true});
    const Placement& placement = run.plan.placements[std::size_t(id)];
    if (placement.placed()) {
        QString at = addressText(placement.offset, numbers_) + tr(" to ") + addressText(placement.offset + buffer.size, numbers_);
        if (placement.rotating()) at += tr(", %1 slots").arg(placement.offsets.size());
        if (view_->scene().pools.size() > 1)
            at += QStringLiteral(", ") + QString::fromStdString(problem.pools[std::size_t(placement.pool)].name);
        lines.push_back({tr("offset"), at, true});
    } else {
        lines.push_back({tr("offset"), tr("not placed"), false});
    }
    if (!buffer.live.empty()) {
        const Interval hull = buffer.hull();
        QString live =
            QStringLiteral("[%1, %2), ").arg(countText(hull.begin), countText(hull.end)) + countedText(hull.length(), tr("step"));
        if (buffer.live.size() > 1) live += tr(", %1 ranges").arg(buffer.live.size());
        lines.push_back({tr("live"), live, true});
    }
    if (isFallback(problem, buffer, placement)) {
        // Instead of who made it: five lines are the most.
        QString why = tr("the first choice is %1")
                          .arg(QString::fromStdString(problem.pools[std::size_t(problem.candidates(buffer).front())].name));
        if (const auto out = view_->scene().displacedFrom(id)) {
            why = tr("from %1").arg(QString::fromStdString(problem.pools[std::size_t(out->first)].name));
            if (out->second.more)
                why += *out->second.more > 0 ? tr(", %1 more would bring it back").arg(bytesText(*out->second.more, numbers_))
                                             : tr(", where it would fit as it is");
        }
        lines.push_back({tr("fallback"), why, false});
        return lines;
    }
    if (remark_) {
        if (const QString remark = remark_(id); !remark.isEmpty()) lines.push_back({tr("change"), remark, false});
        return lines;
    }
    if (const Step made = view_->scene().makingStep(id); made >= 0 && std::size_t(made) < view_->scene().ops.kindOf.size()) {
        if (const std::int32_t kind = view_->scene().ops.kindOf[std::size_t(made)]; kind != none)
            lines.push_back(
                {tr("made by"),
                 tr("%1 at %2").arg(QString::fromStdString(view_->scene().ops.kinds[std::size_t(kind)]), countText(made)),
                 false});
    }
    return lines;
}

void MapWidget::click(const QPointF& point, Qt::KeyboardModifiers modifiers)
{
    area_.reset();
    if (const MapNote* note = noteAt(point)) {
        editNote(*note);
        return;
    }
    const Spot spot = spotAt(point);
    if (spot.place == Place::nowhere || (spot.place == Place::strip && point.x() < layout_.plotLeft)) return;
    const auto step = stepAt(point);
    if (spot.place == Place::rows || spot.place == Place::rowNames) {
        const auto row = view_->timeline().rowAt(point.y() - layout_.rows.top() + view_->state().scroll);
        if (row && row->buffer == none) {
            view_->timeline().setOpen(row->group, !view_->timeline().groups()[row->group].open);
            relayout();
            Q_EMIT openChanged();
            return;
        }
    }
    ownSelection_ = true;
    if (spot.place == Place::ops && step) {
        // What the op at this step makes.
        const Lowering& lowering = *view_->scene().run->lowering;
        const StepInfo info = std::size_t(*step) < lowering.steps.size() ? lowering.steps[std::size_t(*step)] : StepInfo{};
        std::vector<BufferId> made;
        for (std::size_t i = 0; info.op != none && i < lowering.origins.size(); ++i)
            if (lowering.origins[i].function == info.function && lowering.origins[i].producer == info.op)
                made.push_back(BufferId(i));
        selection_.selectMany(std::move(made));
    } else if (spot.place != Place::curve) {
        const BufferId buffer = bufferAt(point);
        if (modifiers & Qt::ControlModifier && buffer != none) {
            std::vector<BufferId> buffers = selection_.buffers();
            const auto found = std::ranges::find(buffers, buffer);
            if (found == buffers.end())
                buffers.push_back(buffer);
            else
                buffers.erase(found);
            selection_.selectMany(std::move(buffers));
        } else {
            selection_.select(buffer);
        }
    }
    ownSelection_ = false;
    if (step) selection_.setCursor(step);
}

MapWidget::Area MapWidget::areaBetween(const QPointF& from, const QPointF& to) const
{
    const StackState& state = view_->state();
    const double ratio = state.ratio;
    Area area;
    area.place = pressedSpot_.place == Place::strip  ? Place::strip
                 : pressedSpot_.place == Place::rows ? Place::rows
                                                     : Place::curve;
    area.strip = pressedSpot_.strip;
    const auto x = std::minmax({from.x(), to.x()});
    const PixelAxis& steps = state.viewport.steps;
    // Whole steps: all that are touched.
    area.box.begin = steps.unitAt(std::max(0.0, (x.first - layout_.plotLeft) * ratio));
    area.box.end = steps.unitAt(std::min(double(steps.pixels()) - 0.5, (x.second - layout_.plotLeft) * ratio)) + 1;
    const auto y = std::minmax({from.y(), to.y()});
    if (area.place == Place::strip) {
        const QRectF& band = layout_.strips[area.strip];
        const PixelAxis& axis = state.viewport.addresses[area.strip];
        area.box.low = axis.unitAt(std::max(0.0, (band.bottom() - y.second) * ratio));
        area.box.high = axis.unitAt(std::min(double(axis.pixels()) - 0.5, (band.bottom() - y.first) * ratio)) + 1;
    } else if (area.place == Place::rows) {
        area.box.low = Bytes(std::max(0.0, y.first - layout_.rows.top() + state.scroll));
        area.box.high = Bytes(std::max(0.0, y.second - layout_.rows.top() + state.scroll)) + 1;
    } else {
        area.box.high = maxBytes;
    }
    return area;
}

void MapWidget::sumUp(Area& area) const
{
    const RunScene& scene = view_->scene();
    const Problem& problem = scene.run->problem();
    const StackState& state = view_->state();
    area.sums = {};
    if (area.place == Place::rows) {
        for (const TimelineRow& row : view_->timeline().rowsIn(double(area.box.low), double(area.box.high))) {
            if (row.buffer == none) continue;
            const Buffer& buffer = problem.buffers[std::size_t(row.buffer)];
            Step together = 0;
            for (const Interval& live : buffer.live)
                together += std::max<Step>(0, std::min(live.end, area.box.end) - std::max(live.begin, area.box.begin));
            if (together == 0) continue;
            AreaSums one;
            one.buffers = {row.buffer};
            one.bytes = buffer.size;
            one.occupied = double(buffer.size) * double(together);
            area.sums.add(one);
        }
        return;
    }
    for (std::size_t i = 0; i < state.strips.size(); ++i) {
        if (area.place == Place::strip && i != area.strip) continue;
        const MapData& map = scene.pools[std::size_t(state.strips[i])].map;
        StepBytes box = area.box;
        if (area.place == Place::curve) box = {area.box.begin, area.box.end, 0, map.top};
        area.sums.add(sumsIn(map, problem, box));
    }
}

void MapWidget::selectArea(Qt::KeyboardModifiers modifiers)
{
    if (!area_) return;
    std::vector<BufferId> buffers = area_->sums.buffers;
    std::erase_if(buffers, [this](BufferId buffer) {
        return !selection_.passes(buffer) || (view_->state().styles[std::size_t(buffer)] & styleHidden);
    });
    if (modifiers & Qt::ControlModifier) {
        const auto& before = selection_.buffers();
        buffers.insert(buffers.end(), before.begin(), before.end());
        std::ranges::sort(buffers);
        buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
    }
    ownSelection_ = true;
    const std::optional<Area> kept = area_;
    selection_.selectMany(std::move(buffers));
    area_ = kept; // an area without a buffer says so
    ownSelection_ = false;
}

} // namespace stowage
