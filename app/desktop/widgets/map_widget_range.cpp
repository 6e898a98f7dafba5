// What is in view of a stack of bands: zooming, panning, and where one has been.
#include "app/desktop/widgets/map_widget.h"

#include "app/canvas/axis/hit_test.h"
#include "app/canvas/pictures/map/stack_parts.h"
#include "app/desktop/widgets/picture_widget.h"
#include "core/ir/checked.h"

#include <QGuiApplication>
#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double panShare = 0.2; ///< of the plot, for a key
constexpr double zoomKey = 1.25;
constexpr int fitMargin = 24;
constexpr int leastBox = 4; ///< logical pixels

} // namespace

ViewRange MapWidget::range() const
{
    return view_ ? aim().range() : ViewRange{};
}

Viewport MapWidget::aim() const
{
    Viewport viewport = view_->state().viewport;
    if (animation_->state() == QAbstractAnimation::Running) viewport.show(target_);
    return viewport;
}

void MapWidget::follow(const ViewRange& range)
{
    if (!view_ || range == this->range()) return;
    animation_->stop();
    view_->state().viewport.show(range);
    baseStale_ = true;
    update();
}

void MapWidget::go(const ViewRange& range)
{
    if (view_) changeTo(range, Change::jump);
}

void MapWidget::changeTo(const ViewRange& range, Change change, bool animated)
{
    Viewport next = aim();
    const ViewRange now = next.range();
    next.show(range);
    if (next.range() == now) return;
    const bool merge =
        change != Change::jump && lastChange_ == change && sinceChange_.isValid() && sinceChange_.elapsed() < historyMergeMs;
    history_.leave(now, merge);
    lastChange_ = change;
    sinceChange_.start();
    // Motion helps to see where one goes; a drag moves by itself, and tests and pictures want the end.
    static const bool still = QGuiApplication::platformName() == u"offscreen";
    animation_->stop();
    animation_->disconnect(this);
    target_ = next.range();
    if (!animated || still) {
        view_->state().viewport = next;
    } else {
        const ViewRange from = view_->state().viewport.range();
        const auto show = [this, from](double t) {
            if (!view_) return;
            view_->state().viewport.show(between(from, target_, t));
            baseStale_ = true;
            update();
        };
        connect(animation_, &QVariantAnimation::valueChanged, this, [show](const QVariant& t) { show(t.toDouble()); });
        connect(animation_, &QVariantAnimation::finished, this, [show] { show(1); }); // now without motion: tiles are asked for
        animation_->start();
    }
    baseStale_ = true;
    card_->dismiss();
    update();
    Q_EMIT rangeChanged();
}

void MapWidget::zoomSteps(double factor, double x)
{
    Viewport next = aim();
    const double pixel = std::clamp((x - layout_.plotLeft) * view_->state().ratio, 0.0, double(next.steps.pixels()));
    next.steps.zoom(factor, pixel);
    changeTo(next.range(), Change::zoom);
}

void MapWidget::zoomAddresses(double factor, std::size_t strip, double y)
{
    Viewport next = aim();
    if (strip >= next.addresses.size()) return;
    const double pixel =
        std::clamp((layout_.strips[strip].bottom() - y) * view_->state().ratio, 0.0, double(next.addresses[strip].pixels()));
    next.addresses[strip].zoom(factor, pixel);
    changeTo(next.range(), Change::zoom);
}

void MapWidget::pan(double dx, double dy, std::size_t strip, bool animated)
{
    Viewport next = aim();
    next.steps.pan(int(std::lround(dx * view_->state().ratio)));
    if (strip < next.addresses.size()) next.addresses[strip].pan(int(std::lround(dy * view_->state().ratio)));
    changeTo(next.range(), Change::pan, animated);
}

void MapWidget::zoomToFit()
{
    if (!view_) return;
    Viewport next = aim();
    next.steps.fit();
    for (PixelAxis& axis : next.addresses) axis.fit();
    changeTo(next.range(), Change::jump);
}

void MapWidget::zoomToSelection()
{
    if (!view_) return;
    const std::vector<BufferId>& buffers = selection_.buffers();
    if (buffers.empty()) return;
    const StackState& state = view_->state();
    const Problem& problem = view_->scene().run->problem();
    const auto size = BufferId(problem.buffers.size());
    // What the selection takes up on each axis.
    Interval steps;
    for (const BufferId buffer : buffers) {
        if (buffer < 0 || buffer >= size) continue;
        const Interval hull = problem.buffers[std::size_t(buffer)].live.empty() ? Interval{0, view_->scene().steps}
                                                                                : problem.buffers[std::size_t(buffer)].hull();
        steps = steps.empty() ? hull : Interval{std::min(steps.begin, hull.begin), std::max(steps.end, hull.end)};
    }
    if (steps.empty()) return;
    Viewport now = aim();
    Viewport centred = now;
    Viewport fitted = now;
    const int margin = int(std::lround(fitMargin * state.ratio));
    const auto centre = [](PixelAxis& axis, std::int64_t low, std::int64_t high) {
        const double span = axis.range().span;
        axis.show({AxisPoint{low, 0.0}.plus(double(high - low) / 2 - span / 2), span});
    };
    centre(centred.steps, steps.begin, steps.end);
    fitted.steps.show(fitted.steps.around(steps.begin, steps.end, margin));
    for (std::size_t i = 0; i < layout_.strips.size(); ++i) {
        const MapData& map = view_->scene().pools[std::size_t(state.strips[i])].map;
        Bytes low = maxBytes;
        Bytes high = 0;
        for (const BufferId buffer : buffers)
            for (const std::uint32_t rect : map.rectsOf(buffer)) {
                low = std::min(low, map.rects[rect].low);
                high = std::max(high, map.rects[rect].high);
            }
        if (low >= high) continue;
        centre(centred.addresses[i], low, high);
        fitted.addresses[i].show(fitted.addresses[i].around(low, high, margin));
    }
    revealRow();
    // In the middle within a pixel or two is in the middle.
    const auto near = [](const PixelAxis& a, const PixelAxis& b) {
        return std::abs(a.range().begin.minus(b.range().begin)) * a.scale() <= 2;
    };
    bool there = near(now.steps, centred.steps);
    for (std::size_t i = 0; i < now.addresses.size(); ++i) there = there && near(now.addresses[i], centred.addresses[i]);
    changeTo((there ? fitted : centred).range(), Change::jump);
}

void MapWidget::zoomToPeak()
{
    if (!view_) return;
    const std::int32_t leading = stack::leadingPool(view_->state());
    if (leading == none) return;
    const Step peak = view_->scene().pools[std::size_t(leading)].peakStep;
    if (peak < 0) return;
    selection_.setCursor(peak);
    Viewport next = aim();
    const double span = next.steps.range().span;
    next.steps.show({AxisPoint{peak, 0.5}.plus(-span / 2), span});
    changeTo(next.range(), Change::jump);
}

void MapWidget::zoomToBox(const QRectF& box)
{
    if (box.width() < leastBox && box.height() < leastBox) return;
    const double ratio = view_->state().ratio;
    Viewport next = aim();
    const auto part = [](const PixelAxis& axis, double first, double last) {
        return AxisRange{axis.at(first), std::max(1e-3, (last - first) / axis.scale())};
    };
    const double left = std::max(box.left(), layout_.plotLeft);
    const double right = std::min(box.right(), layout_.plotRight);
    if (right - left >= leastBox)
        next.steps.show(part(next.steps, (left - layout_.plotLeft) * ratio, (right - layout_.plotLeft) * ratio));
    if (pressedSpot_.place == Place::strip && pressedSpot_.strip < layout_.strips.size()) {
        const QRectF& band = layout_.strips[pressedSpot_.strip];
        const double top = std::max(box.top(), band.top());
        const double bottom = std::min(box.bottom(), band.bottom());
        PixelAxis& axis = next.addresses[pressedSpot_.strip];
        if (bottom - top >= leastBox) axis.show(part(axis, (band.bottom() - bottom) * ratio, (band.bottom() - top) * ratio));
    }
    changeTo(next.range(), Change::jump);
}

void MapWidget::ensureVisible(BufferId buffer)
{
    const StackState& state = view_->state();
    Viewport next = aim();
    const auto into = [&](PixelAxis& axis, std::int64_t low, std::int64_t high) {
        const double from = axis.toPixel(low);
        const double to = axis.toPixel(high);
        const int room = int(fitMargin * state.ratio);
        if (to < room)
            axis.pan(int(std::floor(to - axis.pixels() / 2.0)));
        else if (from > axis.pixels() - room)
            axis.pan(int(std::ceil(from - axis.pixels() / 2.0)));
    };
    for (std::size_t i = 0; i < layout_.strips.size(); ++i) {
        const MapData& map = view_->scene().pools[std::size_t(state.strips[i])].map;
        const auto rects = map.rectsOf(buffer);
        if (rects.empty()) continue;
        into(next.steps, map.rects[rects.front()].begin, map.rects[rects.front()].end);
        into(next.addresses[i], map.rects[rects.front()].low, map.rects[rects.front()].high);
        break;
    }
    changeTo(next.range(), Change::pan);
}

void MapWidget::selectNeighbour(Direction direction)
{
    const StackState& state = view_->state();
    const BufferId from = state.selected;
    if (layout_.strips.empty()) {
        // In rows: the one above or below, a step back or forth.
        if (direction == Direction::left || direction == Direction::right) {
            const Step step = selection_.cursor().value_or(direction == Direction::left ? view_->scene().steps : -1) +
                              (direction == Direction::left ? -1 : 1);
            selection_.setCursor(std::clamp<Step>(step, 0, view_->scene().steps - 1));
            return;
        }
        const auto row = from == none ? view_->timeline().rowAt(state.scroll) : view_->timeline().rowOf(from);
        if (!row) return;
        double y = row->top;
        for (auto next = row; next;) {
            y += direction == Direction::down ? next->height : -1;
            next = view_->timeline().rowAt(y);
            if (next && direction == Direction::up) y = next->top;
            if (next && next->buffer != none && selection_.passes(next->buffer)) {
                selection_.select(next->buffer);
                return;
            }
        }
        return;
    }
    for (std::size_t i = 0; i < layout_.strips.size(); ++i) {
        const MapData& map = view_->scene().pools[std::size_t(state.strips[i])].map;
        const auto rects = map.rectsOf(from);
        std::optional<std::size_t> next;
        if (from == none) {
            // Nothing to start from: what lies in the middle of what is in view.
            next = hitTest(map, state.viewport.steps, state.viewport.addresses[i], state.viewport.steps.pixels() / 2.0,
                           state.viewport.addresses[i].pixels() / 2.0, 4000);
        } else if (!rects.empty()) {
            std::size_t at = rects.front();
            // Past what the filter leaves out; a row of neighbours ends.
            for (std::size_t tries = 0; tries < 1000 && (next = neighbour(map, at, direction)); ++tries) {
                if (selection_.passes(map.buffer[*next])) break;
                at = *next;
            }
        }
        if (!next) continue;
        selection_.select(map.buffer[*next]);
        ensureVisible(map.buffer[*next]);
        return;
    }
}

bool MapWidget::perform(ViewCommand command)
{
    if (!view_) return false;
    const QPointF at = pointer();
    switch (command) {
    case ViewCommand::zoomIn: zoomSteps(zoomKey, at.x()); break;
    case ViewCommand::zoomOut: zoomSteps(1 / zoomKey, at.x()); break;
    case ViewCommand::panLeft: pan(-panShare * layout_.plotWidth(), 0, 0, true); break;
    case ViewCommand::panRight: pan(panShare * layout_.plotWidth(), 0, 0, true); break;
    case ViewCommand::back:
    case ViewCommand::forward: {
        const bool back = command == ViewCommand::back;
        if (back ? !history_.canGoBack() : !history_.canGoForward()) return false;
        const ViewRange now = range();
        ViewHistory kept = history_;
        const ViewRange next = back ? kept.goBack(now) : kept.goForward(now);
        changeTo(next, Change::jump);
        history_ = std::move(kept); // going through history is no new entry
        lastChange_.reset();
        break;
    }
    case ViewCommand::neighbourLeft: selectNeighbour(Direction::left); break;
    case ViewCommand::neighbourRight: selectNeighbour(Direction::right); break;
    case ViewCommand::neighbourUp: selectNeighbour(Direction::up); break;
    case ViewCommand::neighbourDown: selectNeighbour(Direction::down); break;
    case ViewCommand::play:
    case ViewCommand::stepBack:
    case ViewCommand::stepForward: // of a replay
    case ViewCommand::next:
    case ViewCommand::previous: return false;
    case ViewCommand::note: noteAtPointer(); break;
    }
    return true;
}

} // namespace stowage
