#include "app/desktop/widgets/pipe_widget.h"

#include <QFutureWatcher>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <QtConcurrentRun>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr std::int64_t simulateAtOnce = 5000; ///< steps x iterations up to which no thread is worth it
constexpr double scrollPixels = 44;           ///< of the list for a notch of the wheel

} // namespace

PipeWidget::PipeWidget(SelectionModel& selection, QWidget* parent) : PictureWidget(selection, tr("Pipes"), parent)
{
    state_.theme = &Theme::darkTheme();
    connect(&selection_, &SelectionModel::selectionChanged, this, &PipeWidget::showSelection);
    connect(&selection_, &SelectionModel::cursorChanged, this, [this] {
        state_.cursor = selection_.cursor();
        update();
    });
    connect(&selection_, &SelectionModel::maskChanged, this, &PipeWidget::showMask);
}

PipeWidget::~PipeWidget() = default;

// --- what is shown -------------------------------------------------------------------------------------------------------

void PipeWidget::setRun(std::shared_ptr<const Run> run)
{
    if (run == run_) return;
    run_ = std::move(run);
    simulate();
}

void PipeWidget::setIterations(std::int64_t iterations)
{
    iterations = std::max<std::int64_t>(1, iterations);
    if (iterations == options_.iterations) return;
    options_.iterations = iterations;
    simulate();
}

void PipeWidget::simulate()
{
    const std::uint64_t generation = ++generation_;
    waiting_ = false;
    if (!run_ || !whyNoPipes(*run_).empty()) {
        take(nullptr);
        return;
    }
    const auto make = [run = run_, options = options_] { return makePipeScene(run, options); };
    if (run_->problem().horizon() * options_.iterations <= simulateAtOnce) {
        take(make());
        return;
    }
    waiting_ = true;
    auto* watcher = new QFutureWatcher<std::shared_ptr<const PipeScene>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        watcher->deleteLater();
        if (generation != generation_) return;
        waiting_ = false;
        take(watcher->future().takeResult());
    });
    watcher->setFuture(QtConcurrent::run(make));
}

void PipeWidget::take(std::shared_ptr<const PipeScene> scene)
{
    scene_ = std::move(scene);
    state_.scene = scene_.get();
    state_.hoveredSpan = state_.hoveredEdge = none;
    state_.scroll = 0;
    hit_ = {};
    current_ = none;
    hideCard();
    gesture_ = Gesture::idle;
    if (scene_) {
        if (state_.axis.high() != scene_->report().time) history_.clear();
        state_.cursor = selection_.cursor();
        relayout();
    }
    showMask();
    showSelection();
    Q_EMIT sceneChanged();
}

void PipeWidget::setTheme(const Theme& theme)
{
    state_.theme = &theme;
    changed();
}

void PipeWidget::setNumbers(const NumberFormat& numbers)
{
    state_.numbers = numbers;
    changed();
}

void PipeWidget::setArrows(ReuseKind kind, bool on)
{
    state_.arrows[std::size_t(kind)] = on;
    changed();
}

void PipeWidget::relayout()
{
    if (!scene_) return;
    state_.ratio = devicePixelRatioF();
    layout_ = layOut(state_, QSizeF(size()));
    fitAxis(state_, layout_);
    state_.scroll = std::clamp(state_.scroll, 0.0, listOverhang(state_, layout_));
    changed();
}

void PipeWidget::showSelection()
{
    readSelection(scene_ ? scene_->run->problem().buffers.size() : 0, state_.selected, state_.others);
    update();
}

void PipeWidget::showMask()
{
    mask_ = selection_.mask();
    state_.shown = mask_ ? &mask_->shown : nullptr;
    changed();
}

void PipeWidget::paintBase(DrawList& list)
{
    paintPipes(list, state_, layout_);
}

QRectF PipeWidget::lanesArea() const
{
    if (layout_.lanes.empty()) return {};
    return {layout_.plotLeft, layout_.lanes.front().top(), layout_.plotWidth(),
            layout_.lanes.back().bottom() - layout_.lanes.front().top()};
}

void PipeWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!scene_) {
        painter.fillRect(rect(), state_.theme->well);
        return;
    }
    if (state_.ratio != devicePixelRatioF()) relayout(); // moved to another screen
    if (baseStale_) renewBase(state_.ratio);
    painter.drawImage(QPointF(0, 0), base_);
    DrawList overlay(shaper_, state_.ratio);
    paintPipesOverlay(overlay, state_, layout_);
    if (gesture_ == Gesture::box || gesture_ == Gesture::area) paintBox(overlay, *state_.theme, lanesArea());
    if (hasFocus()) overlay.outline(QRectF(rect()).adjusted(1, 1, -1, -1), state_.theme->accent, 2);
    if (cardShown_ && gesture_ == Gesture::idle) paintPipeCard(overlay, state_, layout_, hit_, last_);
    replay(overlay, painter);
}

void PipeWidget::resizeEvent(QResizeEvent*)
{
    relayout();
}

// --- what is in view -----------------------------------------------------------------------------------------------------

void PipeWidget::zoomToFit()
{
    if (!scene_) return;
    leaveRange(false);
    state_.axis.fit();
    changed();
}

void PipeWidget::showTime(std::int64_t begin, std::int64_t end)
{
    leaveRange(false);
    state_.axis.show(state_.axis.around(begin, end, state_.axis.pixels() / 5));
    changed();
}

void PipeWidget::zoomToSelection()
{
    if (!scene_) return;
    if (current_ != none) {
        showTime(scene_->span(current_).begin - scene_->span(current_).stall, scene_->endOf(current_));
        return;
    }
    std::int64_t begin = -1, end = 0;
    for (std::size_t i = 0; i < scene_->report().spans.size(); ++i) {
        const auto span = std::int32_t(i);
        const bool meant = state_.selected != none ? scene_->touches(span, state_.selected)
                                                   : state_.cursor && scene_->opOf(span).step == *state_.cursor;
        if (!meant) continue;
        begin = begin < 0 ? scene_->span(span).begin : std::min(begin, scene_->span(span).begin);
        end = std::max(end, scene_->endOf(span));
    }
    if (begin >= 0) showTime(begin, end);
}

void PipeWidget::zoomToPeak()
{
    if (!scene_ || scene_->report().spans.empty()) return;
    const auto& spans = scene_->report().spans;
    const auto longest = std::ranges::max_element(spans, {}, &PipeSpan::stall);
    if (longest->stall <= 0) return;
    const auto span = std::int32_t(longest - spans.begin());
    choose(span);
    showTime(longest->begin - longest->stall, scene_->endOf(span));
}

void PipeWidget::zoom(double factor)
{
    if (!scene_) return;
    leaveRange(true);
    const QRectF area = lanesArea();
    const double x = underMouse() && area.contains(last_) ? last_.x() : area.center().x();
    state_.axis.zoom(factor, (x - layout_.plotLeft) * state_.ratio);
    changed();
}

void PipeWidget::pan(double share)
{
    if (!scene_) return;
    leaveRange(true);
    state_.axis.pan(int(std::lround(share * state_.axis.pixels())));
    changed();
}

bool PipeWidget::goBack()
{
    if (!scene_ || !history_.canGoBack()) return false;
    state_.axis.show(history_.goBack(range()).steps);
    changed();
    return true;
}

bool PipeWidget::goForward()
{
    if (!scene_ || !history_.canGoForward()) return false;
    state_.axis.show(history_.goForward(range()).steps);
    changed();
    return true;
}

void PipeWidget::choose(std::int32_t span)
{
    const PipeOp& op = scene_->opOf(span);
    const BufferId buffer = !op.writes.empty() ? op.writes.front() : !op.reads.empty() ? op.reads.front() : BufferId(none);
    selection_.select(buffer);
    selection_.setCursor(op.step);
    current_ = span;
}

void PipeWidget::goToNeighbour(Direction direction)
{
    if (!scene_ || scene_->lanes.empty()) return;
    const auto& lanes = scene_->lanes;
    std::int32_t next = none;
    if (current_ == none) {
        // The first one in view.
        const std::int64_t first = state_.axis.unitAt(0);
        for (const PipeLane& lane : lanes) {
            const auto at = std::ranges::upper_bound(lane.ops, first, {}, &LaneOp::end);
            if (at != lane.ops.end() && (next == none || at->begin < scene_->span(next).begin)) next = at->span;
        }
    } else {
        const std::int32_t lane = scene_->laneOf(scene_->opOf(current_).pipes.front());
        const std::int64_t begin = scene_->span(current_).begin;
        const auto& ops = lanes[std::size_t(lane)].ops;
        const auto here = std::ranges::lower_bound(ops, begin, {}, &LaneOp::begin);
        if (direction == Direction::left && here != ops.begin()) next = std::prev(here)->span;
        if (direction == Direction::right && here != ops.end() && std::next(here) != ops.end()) next = std::next(here)->span;
        const std::int32_t other = direction == Direction::up ? lane - 1 : lane + 1;
        if ((direction == Direction::up || direction == Direction::down) && other >= 0 && std::size_t(other) < lanes.size()) {
            const auto& row = lanes[std::size_t(other)].ops;
            const auto behind = std::ranges::lower_bound(row, begin, {}, &LaneOp::begin);
            if (behind != row.end()) next = behind->span;
            if (behind != row.begin() && (next == none || begin - std::prev(behind)->begin < behind->begin - begin))
                next = std::prev(behind)->span;
        }
    }
    if (next == none) return;
    choose(next);
    // Into view, without changing how much is shown.
    const double left = state_.axis.toPixel(scene_->span(next).begin), right = state_.axis.toPixel(scene_->endOf(next));
    if (left < 0 || right > state_.axis.pixels()) {
        leaveRange(true);
        state_.axis.pan(int(std::lround((left + right - state_.axis.pixels()) / 2)));
        changed();
    }
}

// --- pointer, wheel, keys ------------------------------------------------------------------------------------------------

void PipeWidget::hoverAt(QPointF at)
{
    const PipeHit hit = hitPipes(state_, layout_, at);
    if (hit == hit_) {
        if (cardShown_) update(); // the card follows
        return;
    }
    hit_ = hit;
    state_.hoveredSpan = hit.what == PipeHit::What::op ? hit.span : std::int32_t(none);
    state_.hoveredEdge = hit.edge;
    const bool card = hit.what == PipeHit::What::op || hit.what == PipeHit::What::gap;
    if (!card)
        hideCard();
    else
        showCardSoon();
    setCursor(hit.what == PipeHit::What::nothing ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void PipeWidget::click(QPointF at)
{
    const PipeHit hit = hitPipes(state_, layout_, at);
    current_ = none;
    switch (hit.what) {
    case PipeHit::What::op: choose(hit.span); return;
    case PipeHit::What::gap:
    case PipeHit::What::edge:
        if (hit.edge != none) {
            // Who waits first, then whom for.
            const ReuseEdge& edge = scene_->report().edges[std::size_t(hit.edge)];
            selection_.select(edge.to);
        } else {
            choose(hit.span);
        }
        return;
    case PipeHit::What::nothing: selection_.select(none); return;
    }
}

void PipeWidget::mousePressEvent(QMouseEvent* event)
{
    if (scene_) beginGesture(event, lanesArea());
}

void PipeWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (!scene_) return;
    last_ = event->position();
    if (gesture_ == Gesture::press && lanesArea().contains(pressed_) && dragged()) gesture_ = Gesture::area;
    if (gesture_ == Gesture::idle)
        hoverAt(last_);
    else
        update();
}

void PipeWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const Gesture gesture = std::exchange(gesture_, Gesture::idle);
    if (!scene_) return;
    last_ = event->position();
    const QRectF box = QRectF(pressed_, last_).normalized() & lanesArea();
    if (gesture == Gesture::press) {
        click(last_);
    } else if (gesture == Gesture::box && isBox(box.width())) {
        leaveRange(false);
        state_.axis.show(state_.axis.around(timeAt(box.left()), timeAt(box.right()) + 1, 0));
        changed();
    } else if (gesture == Gesture::area) {
        std::vector<BufferId> chosen;
        const std::int64_t begin = timeAt(box.left()), end = timeAt(box.right()) + 1;
        for (std::size_t i = 0; i < layout_.lanes.size(); ++i) {
            if (!layout_.lanes[i].intersects(box)) continue;
            const auto& ops = scene_->lanes[i].ops;
            for (auto op = std::ranges::upper_bound(ops, begin, {}, &LaneOp::end); op != ops.end() && op->begin < end; ++op) {
                const PipeOp& what = scene_->opOf(op->span);
                chosen.insert(chosen.end(), what.writes.begin(), what.writes.end());
                chosen.insert(chosen.end(), what.reads.begin(), what.reads.end());
            }
        }
        std::ranges::sort(chosen);
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        select(std::move(chosen));
    }
    update();
}

void PipeWidget::leaveEvent(QEvent*)
{
    hit_ = {};
    state_.hoveredSpan = state_.hoveredEdge = none;
    hideCard();
    update();
}

void PipeWidget::wheelEvent(QWheelEvent* event)
{
    if (!scene_) return;
    last_ = event->position();
    const double turn = notches(*event);
    const bool upright = event->angleDelta().y() != 0;
    if (layout_.list.contains(last_) && upright) {
        state_.scroll = std::clamp(state_.scroll - turn * scrollPixels, 0.0, listOverhang(state_, layout_));
    } else {
        leaveRange(true);
        if (event->modifiers() & Qt::ShiftModifier || !upright)
            state_.axis.pan(int(std::lround(-turn * state_.axis.pixels() / 10)));
        else
            state_.axis.zoom(std::pow(1.25, turn),
                             (std::clamp(last_.x(), layout_.plotLeft, layout_.plotRight) - layout_.plotLeft) * state_.ratio);
    }
    changed();
    hoverAt(last_);
    event->accept();
}

} // namespace stowage
