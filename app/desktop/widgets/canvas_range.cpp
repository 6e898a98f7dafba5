// What is in view of a picture: zooming, panning, and where one has been.
#include "app/desktop/widgets/canvas.h"

#include <QGuiApplication>
#include <QStyle>
#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double panShare = 0.2; ///< of the plot, for a key
constexpr double zoomKey = 1.25;
constexpr int fitMargin = 24;
constexpr int minBox = 4; ///< logical pixels

void centre(PixelAxis& axis, std::int64_t low, std::int64_t high)
{
    const double span = axis.range().span;
    axis.show({AxisPoint{low, 0.0}.plus(double(high - low) / 2 - span / 2), span});
}

/// In the middle within a pixel or two is in the middle.
bool near(const PixelAxis& a, const PixelAxis& b)
{
    return std::abs(a.range().begin.minus(b.range().begin)) * a.scale() <= 2;
}

} // namespace

ViewRange Canvas::range() const
{
    return scene() ? aim().range() : ViewRange{};
}

Viewport Canvas::aim() const
{
    Viewport viewport = picture_->viewport();
    if (moving()) viewport.show(target_);
    return viewport;
}

void Canvas::follow(const Canvas& other)
{
    if (!scene()) return;
    history_ = other.history_;
    lastChange_.reset();
    const ViewRange range = other.range();
    if (range == this->range()) return;
    fresh_ = false;
    animation_->stop();
    picture_->show(range, false);
    parts_ = picture_->parts();
    repaintAll();
}

void Canvas::go(const ViewRange& range)
{
    if (scene()) changeTo(range, Change::jump);
}

void Canvas::changeTo(const ViewRange& range, Change change, bool animated, const ViewHistory* history)
{
    Viewport next = aim();
    const ViewRange now = next.range();
    next.show(range);
    if (history) {
        history_ = *history;
        lastChange_.reset();
    }
    if (next.range() == now) return;
    fresh_ = false;
    if (!history) {
        const bool merge =
            change != Change::jump && lastChange_ == change && sinceChange_.isValid() && sinceChange_.elapsed() < historyMergeMs;
        history_.leave(now, merge);
        lastChange_ = change;
        sinceChange_.start();
    }
    // Motion helps to see where one goes; a drag moves by itself, and pictures of the window want the end.
    const bool still = !animated || !animated_ || !isVisible() || style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
    animation_->stop();
    animation_->disconnect(this);
    target_ = next.range();
    if (still) {
        picture_->show(target_, false);
    } else {
        const ViewRange from = picture_->viewport().range();
        const auto show = [this, from](double t) {
            if (!scene()) return;
            picture_->show(between(from, target_, t), t < 1);
            parts_ = picture_->parts();
            repaintAll();
        };
        connect(animation_, &QVariantAnimation::valueChanged, this, [show](const QVariant& t) { show(t.toDouble()); });
        connect(animation_, &QVariantAnimation::finished, this, [show] { show(1); }); // now without motion: tiles are asked for
        animation_->start();
    }
    parts_ = picture_->parts();
    hideCard();
    repaintAll();
    Q_EMIT rangeChanged();
}

void Canvas::zoomAcross(double factor, QPointF at)
{
    if (!parts_.zooms()) return;
    Viewport next = aim();
    const double pixel = std::clamp((at.x() - parts_.plotLeft) * ratio_, 0.0, double(next.steps.pixels()));
    if (parts_.uniform && !next.addresses.empty() && !parts_.strips.empty()) {
        // One scale for both: where one axis meets its limit, the other one stops too.
        PixelAxis& up = next.addresses.front();
        const double y = std::clamp((parts_.strips.front().bottom() - at.y()) * ratio_, 0.0, double(up.pixels()));
        const double least = std::max(next.steps.minimumSpan() / next.steps.range().span, up.minimumSpan() / up.range().span);
        const double most = std::min(next.steps.maximumSpan() / next.steps.range().span, up.maximumSpan() / up.range().span);
        factor = 1 / std::clamp(1 / factor, std::min(1.0, least), std::max(1.0, most));
        up.zoom(factor, y);
    }
    next.steps.zoom(factor, pixel);
    changeTo(next.range(), Change::zoom);
}

void Canvas::zoomUp(double factor, QPointF at)
{
    if (parts_.uniform) return zoomAcross(factor, at);
    Viewport next = aim();
    const std::size_t strip = parts_.stripAt(at);
    if (strip >= next.addresses.size()) return;
    const double pixel =
        std::clamp((parts_.strips[strip].bottom() - at.y()) * ratio_, 0.0, double(next.addresses[strip].pixels()));
    next.addresses[strip].zoom(factor, pixel);
    changeTo(next.range(), Change::zoom);
}

void Canvas::pan(double dx, double dy, std::size_t strip, bool animated)
{
    Viewport next = aim();
    if (parts_.zooms()) next.steps.pan(int(std::lround(dx * ratio_)));
    if (parts_.uniform) strip = 0;
    if (strip < next.addresses.size()) next.addresses[strip].pan(int(std::lround(dy * ratio_)));
    changeTo(next.range(), Change::pan, animated);
}

void Canvas::zoomToFit()
{
    if (!scene()) return;
    Viewport next = aim();
    next.steps.fit();
    for (PixelAxis& axis : next.addresses) axis.fit();
    changeTo(next.range(), Change::jump);
}

void Canvas::zoomToBox(const QRectF& box)
{
    if (box.width() < minBox && box.height() < minBox) return;
    Viewport next = aim();
    const auto part = [](const PixelAxis& axis, double first, double last) {
        return AxisRange{axis.at(first), std::max(1e-3, (last - first) / axis.scale())};
    };
    const double left = std::max(box.left(), parts_.plotLeft);
    const double right = std::min(box.right(), parts_.plotRight);
    const bool wide = right - left >= minBox;
    const bool inStrip = pressedStrip_ < next.addresses.size();
    const QRectF band = inStrip ? parts_.strips[pressedStrip_] : QRectF();
    const double top = std::max(box.top(), band.top());
    const double bottom = std::min(box.bottom(), band.bottom());
    const bool high = inStrip && bottom - top >= minBox;
    if (parts_.uniform) {
        if (!wide || !high) return;
        // The larger side counts, so that the whole box is seen.
        const double factor = std::min((parts_.plotRight - parts_.plotLeft) / (right - left), band.height() / (bottom - top));
        PixelAxis& up = next.addresses.front();
        const AxisPoint x = next.steps.at((left + right - 2 * parts_.plotLeft) / 2 * ratio_);
        const AxisPoint y = up.at((2 * band.bottom() - top - bottom) / 2 * ratio_);
        const double across = next.steps.range().span / factor;
        const double along = up.range().span / factor;
        next.steps.show({x.plus(-across / 2), across});
        up.show({y.plus(-along / 2), along});
    } else {
        if (wide) next.steps.show(part(next.steps, (left - parts_.plotLeft) * ratio_, (right - parts_.plotLeft) * ratio_));
        PixelAxis* axis = inStrip ? &next.addresses[pressedStrip_] : nullptr;
        if (high) axis->show(part(*axis, (band.bottom() - bottom) * ratio_, (band.bottom() - top) * ratio_));
    }
    changeTo(next.range(), Change::jump);
}

/// Centred with what is in view as large as it is; when it is in the middle already, or `aim.fit`, fitted.
void Canvas::goTo(const PictureAim& to)
{
    const Viewport now = aim();
    Viewport centred = now;
    Viewport fitted = now;
    const int margin = int(std::lround(fitMargin * ratio_));
    if (to.across) {
        centre(centred.steps, to.across->begin, to.across->end);
        fitted.steps.show(fitted.steps.around(to.across->begin, to.across->end, margin));
    }
    bool there = !to.across || near(now.steps, centred.steps);
    for (const PictureAim::Up& up : to.up) {
        if (up.axis >= now.addresses.size()) continue;
        centre(centred.addresses[up.axis], up.low, up.high);
        fitted.addresses[up.axis].show(fitted.addresses[up.axis].around(up.low, up.high, margin));
        there = there && near(now.addresses[up.axis], centred.addresses[up.axis]);
    }
    if (parts_.uniform && !now.addresses.empty()) {
        // The axis that would show more decides for both.
        PixelAxis& up = fitted.addresses.front();
        const double scale = std::min(fitted.steps.scale(), up.scale());
        for (PixelAxis* axis : {&fitted.steps, &up}) {
            const double span = axis->pixels() / scale;
            axis->show({axis->range().begin.plus((axis->range().span - span) / 2), span});
        }
    }
    changeTo((there || to.fit ? fitted : centred).range(), Change::jump);
}

/// The least pan that shows it, without changing how much is shown.
void Canvas::bringIntoView(const PictureAim& to)
{
    Viewport next = aim();
    const auto into = [&](PixelAxis& axis, std::int64_t low, std::int64_t high) {
        const double from = axis.toPixel(low);
        const double last = axis.toPixel(high);
        const int room = int(fitMargin * ratio_);
        if (last < room)
            axis.pan(int(std::floor(last - axis.pixels() / 2.0)));
        else if (from > axis.pixels() - room)
            axis.pan(int(std::ceil(from - axis.pixels() / 2.0)));
    };
    if (to.across) into(next.steps, to.across->begin, to.across->end);
    for (const PictureAim::Up& up : to.up)
        if (up.axis < next.addresses.size()) into(next.addresses[up.axis], up.low, up.high);
    changeTo(next.range(), Change::pan);
}

void Canvas::apply(const PictureAim& to)
{
    if (to.select)
        if (const BufferId id = toSelection(*to.select); id != none || *to.select == none) selection_.select(id);
    if (to.cursor) selection_.setCursor(*to.cursor);
}

void Canvas::zoomToSelection()
{
    if (!scene()) return;
    if (const auto to = picture_->selectionAim()) {
        parts_ = picture_->parts(); // a list may have scrolled to it
        goTo(*to);
    }
}

void Canvas::zoomToPeak()
{
    if (!scene()) return;
    const auto to = picture_->peakAim();
    if (!to) return;
    apply(*to);
    goTo(*to);
}

void Canvas::goToStep(Step step)
{
    selection_.setCursor(step);
    if (!scene() || parts_.ruler.isEmpty()) return; // without a ruler the axis is not one of steps
    PictureAim to;
    to.across = Interval{step, step + 1};
    bringIntoView(to);
}

QPointF Canvas::addressPoint()
{
    const QPointF at = pointer();
    const bool onStrip = parts_.stripAt(at) < parts_.strips.size();
    if (onStrip && underMouse()) return at;
    if (const auto to = picture_->selectionAim()) {
        parts_ = picture_->parts(); // a list may have scrolled to it
        repaintAll();
        const Viewport now = aim();
        std::optional<QPointF> hidden; // in the strip of a selection that is out of view: at the end nearest to it
        for (const PictureAim::Up& up : to->up) {
            if (up.axis >= parts_.strips.size() || up.axis >= now.addresses.size()) continue;
            const QRectF& strip = parts_.strips[up.axis];
            const PixelAxis& axis = now.addresses[up.axis];
            const double y = strip.bottom() - (axis.toPixel(up.low) + axis.toPixel(up.high)) / 2 / ratio_;
            if (y > strip.top() && y < strip.bottom()) return {at.x(), y};
            if (!hidden) hidden = QPointF(at.x(), y > strip.top() ? strip.bottom() - 1 : strip.top() + 1);
        }
        if (hidden) return *hidden;
    }
    return onStrip ? at : QPointF(at.x(), parts_.strips.front().center().y());
}

bool Canvas::sumVisible()
{
    if (!parts_.zooms()) return false;
    auto inside = picture_->areaOfView();
    if (!inside) return false;
    hideCard();
    area_ = *std::move(inside);
    selectArea({});
    update();
    return true;
}

void Canvas::forgetHistory()
{
    history_.clear();
    lastChange_.reset();
}

bool Canvas::goThroughHistory(bool back)
{
    if (back ? !history_.canGoBack() : !history_.canGoForward()) return false;
    const ViewRange now = range();
    ViewHistory kept = history_;
    const ViewRange next = back ? kept.goBack(now) : kept.goForward(now);
    changeTo(next, Change::jump, true, &kept); // going through history is no new entry
    return true;
}

bool Canvas::perform(ViewCommand command)
{
    if (!scene()) return false;
    const QPointF at = pointer();
    const double share = panShare * (parts_.plotRight - parts_.plotLeft);
    const auto neighbour = [this](Direction direction) {
        if (match().needed && !matched()) return true; // buffers without a counterpart are not known yet
        if (const auto to = picture_->neighbourAim(direction, [this](BufferId id) { return hasCounterpart(id); })) {
            apply(*to);
            bringIntoView(*to);
        }
        return true;
    };
    switch (command) {
    case ViewCommand::zoomIn: zoomAcross(zoomKey, at); return parts_.zooms();
    case ViewCommand::zoomOut: zoomAcross(1 / zoomKey, at); return parts_.zooms();
    case ViewCommand::panLeft: pan(-share, 0, parts_.strips.size(), true); return parts_.zooms();
    case ViewCommand::panRight: pan(share, 0, parts_.strips.size(), true); return parts_.zooms();
    case ViewCommand::addressZoomIn:
    case ViewCommand::addressZoomOut:
    case ViewCommand::panDown:
    case ViewCommand::panUp: {
        if (!parts_.zooms() || parts_.strips.empty()) return false;
        const QPointF on = addressPoint();
        const std::size_t strip = std::min(parts_.stripAt(on), parts_.strips.size() - 1);
        const double up = panShare * parts_.strips[strip].height();
        if (command == ViewCommand::panDown || command == ViewCommand::panUp)
            pan(0, command == ViewCommand::panUp ? up : -up, strip, true);
        else
            zoomUp(command == ViewCommand::addressZoomIn ? zoomKey : 1 / zoomKey, on);
        return true;
    }
    case ViewCommand::sumArea: return sumVisible();
    case ViewCommand::back: return goThroughHistory(true);
    case ViewCommand::forward: return goThroughHistory(false);
    case ViewCommand::neighbourLeft: return neighbour(Direction::left);
    case ViewCommand::neighbourRight: return neighbour(Direction::right);
    case ViewCommand::neighbourUp: return neighbour(Direction::up);
    case ViewCommand::neighbourDown: return neighbour(Direction::down);
    case ViewCommand::play:
    case ViewCommand::stepBack:
    case ViewCommand::stepForward:
    case ViewCommand::note:
    case ViewCommand::widerNames:
    case ViewCommand::narrowerNames:
    case ViewCommand::borderBack:
    case ViewCommand::borderForward:
    case ViewCommand::next:
    case ViewCommand::previous: return false; // of the view
    }
    return false;
}

} // namespace stowage
