#include "app/desktop/widgets/heat_widget.h"

#include <QFutureWatcher>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <QtConcurrentRun>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr std::size_t heatAtOnce = 5000; ///< buffers up to which a scene is made without leaving the frame

} // namespace

HeatWidget::HeatWidget(SelectionModel& selection, QWidget* parent) : PictureWidget(selection, tr("Occupancy heatmap"), parent)
{
    state_.theme = &Theme::darkTheme();
    connect(&selection_, &SelectionModel::selectionChanged, this, [this] {
        if (selection_.buffers().empty() && gesture_ == Gesture::idle) state_.area.reset();
        showSelection();
    });
    connect(&selection_, &SelectionModel::cursorChanged, this, [this] {
        state_.cursor = selection_.cursor();
        update();
    });
}

HeatWidget::~HeatWidget() = default;

// --- what is shown -------------------------------------------------------------------------------------------------------

void HeatWidget::setRun(std::shared_ptr<const Run> run)
{
    if (run == run_) return;
    run_ = std::move(run);
    const std::uint64_t generation = ++generation_;
    if (!run_) {
        take(nullptr);
        return;
    }
    const auto make = [shown = run_] { return makeHeatScene(makeScene(shown)); };
    if (run_->problem().buffers.size() <= heatAtOnce) {
        take(make());
        return;
    }
    auto* watcher = new QFutureWatcher<std::shared_ptr<const HeatScene>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        if (generation == generation_) take(watcher->future().takeResult());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(make));
}

void HeatWidget::take(std::shared_ptr<const HeatScene> scene)
{
    // The same pool and the same problem keep what is in view.
    const std::shared_ptr<const HeatScene> before = std::move(scene_);
    const PoolId pool =
        before && !before->pools.empty() ? before->pools[std::size_t(state_.pool)].occupancy.pool() : PoolId(none);
    scene_ = std::move(scene);
    state_.scene = scene_.get();
    state_.hovered.reset();
    state_.area.reset();
    state_.grid = {};
    hideCard();
    gesture_ = Gesture::idle;
    const bool placed = this->scene() != nullptr;
    if (placed) {
        const Run& run = *scene_->scene->run;
        colouring_ = std::make_shared<const Colouring>(colouring(run, defaultColouring(run)));
        state_.colouring = colouring_.get();
        const bool same = before && before->scene->run->lowering->fingerprint == run.lowering->fingerprint &&
                          before->scene->run->problem().name == run.problem().name;
        state_.pool = defaultPool(*scene_);
        if (same && poolChosen_)
            for (std::size_t i = 0; i < scene_->pools.size(); ++i)
                if (scene_->pools[i].occupancy.pool() == pool) state_.pool = std::int32_t(i);
        if (!same) poolChosen_ = false;
        if (!same || state_.addresses.high() <= 1) {
            state_.steps = {};
            state_.addresses = {};
            history_.clear();
        }
        state_.cursor = selection_.cursor();
        relayout();
    }
    showSelection();
    changed();
    Q_EMIT sceneChanged();
}

void HeatWidget::setTheme(const Theme& theme)
{
    state_.theme = &theme;
    changed();
}

void HeatWidget::setNumbers(const NumberFormat& numbers)
{
    state_.numbers = numbers;
    changed();
}

PoolId HeatWidget::pool() const
{
    return scene() ? state_.shown().occupancy.pool() : PoolId(none);
}

void HeatWidget::setPool(PoolId pool)
{
    if (!scene()) return;
    for (std::size_t i = 0; i < scene_->pools.size(); ++i)
        if (scene_->pools[i].occupancy.pool() == pool) choosePool(std::int32_t(i));
}

void HeatWidget::choosePool(std::int32_t pool)
{
    poolChosen_ = true;
    if (pool == state_.pool) return;
    state_.pool = pool;
    state_.addresses = {};
    state_.hovered.reset();
    state_.area.reset();
    history_.clear();
    relayout();
    update();
}

void HeatWidget::setMeasure(HeatMeasure measure)
{
    state_.measure = measure;
    changed();
    Q_EMIT binsChanged();
}

void HeatWidget::setBins(HeatBins bins)
{
    if (bins == state_.bins) return;
    state_.bins = bins;
    state_.hovered.reset();
    if (!scene()) return;
    recount();
}

void HeatWidget::relayout()
{
    if (!scene()) return;
    state_.ratio = devicePixelRatioF();
    layout_ = layOut(state_, QSizeF(size()));
    fitAxes(state_, layout_);
    recount();
}

void HeatWidget::recount()
{
    // More than is shown, so that a pan mostly finds its bins counted.
    const BinSizes bins = wantedBins(state_);
    const OccupancyWindow shown = shownWindow(state_);
    const OccupancyGrid& grid = state_.grid;
    const bool covered = grid.columns > 0 && grid.pool == pool() && grid.binSteps == bins.steps && grid.binBytes == bins.bytes &&
                         grid.firstStep <= shown.steps.begin && grid.stepsOf(grid.columns - 1).end >= shown.steps.end &&
                         grid.firstByte <= shown.low && grid.bytesOf(grid.rows - 1).second >= shown.high;
    changed();
    if (covered) return;
    OccupancyWindow wider = shown;
    const Step aside = shown.steps.length() / 2;
    const Bytes above = (shown.high - shown.low) / 2;
    wider.steps = {std::max<Step>(0, shown.steps.begin - aside), std::min(scene_->scene->steps, shown.steps.end + aside)};
    wider.low = std::max<Bytes>(0, shown.low - above);
    wider.high = std::min(state_.addresses.high(), shown.high + above);
    setGrid(state_, state_.shown().occupancy.grid(bins, wider));
    ++counts_;
    Q_EMIT binsChanged();
}

void HeatWidget::showSelection()
{
    if (!scene()) return;
    readSelection(scene_->scene->run->problem().buffers.size(), state_.selected, state_.others);
    update();
}

void HeatWidget::paintBase(DrawList& list)
{
    (void)paintHeatmap(list, state_, layout_, false);
}

void HeatWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!scene()) {
        painter.fillRect(rect(), state_.theme->well);
        return;
    }
    if (state_.ratio != devicePixelRatioF()) relayout(); // moved to another screen
    if (baseStale_) renewBase(state_.ratio);
    painter.drawImage(QPointF(0, 0), base_);
    DrawList overlay(shaper_, state_.ratio);
    paintHeatmapOverlay(overlay, state_, layout_);
    if (gesture_ == Gesture::box) paintBox(overlay, *state_.theme, layout_.body());
    if (hasFocus()) overlay.outline(QRectF(rect()).adjusted(1, 1, -1, -1), state_.theme->accent, 2);
    if (cardShown_ || state_.area) paintHeatCard(overlay, state_, layout_, last_);
    replay(overlay, painter);
}

void HeatWidget::resizeEvent(QResizeEvent*)
{
    relayout();
}

// --- what is in view -----------------------------------------------------------------------------------------------------

void HeatWidget::show(const ViewRange& range)
{
    state_.steps.show(range.steps);
    if (!range.addresses.empty()) state_.addresses.show(range.addresses.front());
    state_.hovered.reset();
    hideCard();
    recount();
}

void HeatWidget::zoomToFit()
{
    if (!scene()) return;
    leaveRange(false);
    state_.steps.fit();
    state_.addresses.fit();
    recount();
}

void HeatWidget::zoomToSelection()
{
    if (!scene() || state_.selected == none) return;
    const std::int32_t at = scene_->scene->poolOf(state_.selected);
    if (at == none) return;
    if (at != state_.shown().of) {
        choosePool(at);
        Q_EMIT poolChanged();
    }
    const MapData& map = state_.shownScene().map;
    StepBytes box = map.rects[map.rectsOf(state_.selected).front()];
    for (const std::uint32_t rect : map.rectsOf(state_.selected)) {
        const StepBytes& r = map.rects[rect];
        box = {std::min(box.begin, r.begin), std::max(box.end, r.end), std::min(box.low, r.low), std::max(box.high, r.high)};
    }
    leaveRange(false);
    const ViewRange wanted{state_.steps.around(box.begin, box.end, state_.steps.pixels() / 4),
                           {state_.addresses.around(box.low, box.high, state_.addresses.pixels() / 4)}};
    show(wanted);
}

void HeatWidget::zoomToPeak()
{
    if (!scene() || state_.shownScene().peakStep < 0) return;
    const Step peak = state_.shownScene().peakStep;
    leaveRange(false);
    const Step half = std::max<Step>(4, scene_->scene->steps / 16);
    state_.steps.show(state_.steps.around(std::max<Step>(0, peak - half), peak + half + 1, 0));
    recount();
    selection_.setCursor(peak);
}

void HeatWidget::zoom(double steps, double addresses)
{
    if (!scene()) return;
    leaveRange(true);
    const QPointF pointer = layout_.body().contains(last_) && underMouse() ? last_ : layout_.body().center();
    if (steps != 1) state_.steps.zoom(steps, (pointer.x() - layout_.plotLeft) * state_.ratio);
    if (addresses != 1) state_.addresses.zoom(addresses, (layout_.map.bottom() - pointer.y()) * state_.ratio);
    state_.hovered.reset();
    hideCard();
    recount();
}

void HeatWidget::pan(double share)
{
    if (!scene()) return;
    leaveRange(true);
    state_.steps.pan(int(std::lround(share * state_.steps.pixels())));
    state_.hovered.reset();
    hideCard();
    recount();
}

bool HeatWidget::goBack()
{
    if (!scene() || !history_.canGoBack()) return false;
    show(history_.goBack(range()));
    return true;
}

bool HeatWidget::goForward()
{
    if (!scene() || !history_.canGoForward()) return false;
    show(history_.goForward(range()));
    return true;
}

void HeatWidget::goToNeighbour(Direction direction)
{
    if (!scene()) return;
    const MapData& map = state_.shownScene().map;
    const auto rects = map.rectsOf(state_.selected);
    if (rects.empty()) {
        const auto touching = state_.shown().occupancy.touching(shownWindow(state_));
        if (!touching.empty()) selection_.select(touching.front().buffer);
        return;
    }
    if (const auto next = neighbour(map, rects.front(), direction)) selection_.select(map.buffer[*next]);
}

// --- pointer, wheel, keys ------------------------------------------------------------------------------------------------

OccupancyWindow HeatWidget::windowOf(const QRectF& box) const
{
    const HeatGeometry g = geometry();
    OccupancyWindow window;
    window.steps = {g.stepAt(box.left()), g.stepAt(box.right()) + 1};
    window.low = g.addressAt(box.bottom());
    window.high = g.addressAt(box.top()) + 1;
    return window;
}

void HeatWidget::hoverAt(QPointF at)
{
    const auto bin = geometry().binAt(at);
    if (bin == state_.hovered) {
        if (cardShown_) update(); // the card follows
        return;
    }
    state_.hovered = bin;
    if (!bin)
        hideCard();
    else
        showCardSoon();
    update();
}

void HeatWidget::click(QPointF at, Qt::KeyboardModifiers modifiers)
{
    state_.area.reset();
    for (std::size_t i = 0; i < layout_.pools.size(); ++i)
        if (layout_.pools[i].contains(at)) {
            choosePool(layout_.poolOrder[i]);
            Q_EMIT poolChanged();
        }
    if (at.x() >= layout_.plotLeft && at.x() < layout_.plotRight) selection_.setCursor(geometry().stepAt(at.x()));
    const auto bin = geometry().binAt(at);
    if (bin) {
        std::vector<BufferId> chosen;
        for (const PoolOccupancy::Touch& touch : state_.shown().occupancy.touching(*bin)) chosen.push_back(touch.buffer);
        if (modifiers & Qt::ControlModifier) {
            std::vector<BufferId> united = selection_.buffers();
            for (const BufferId id : chosen)
                if (std::ranges::find(united, id) == united.end()) united.push_back(id);
            chosen = std::move(united);
        }
        if (!chosen.empty())
            select(std::move(chosen));
        else if (!(modifiers & Qt::ControlModifier))
            selection_.select(none);
    }
    update();
}

void HeatWidget::mousePressEvent(QMouseEvent* event)
{
    if (scene()) beginGesture(event, layout_.body());
}

void HeatWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (!scene()) return;
    last_ = event->position();
    const QRectF body = layout_.body();
    if (gesture_ == Gesture::press && body.contains(pressed_) && dragged()) {
        gesture_ = Gesture::area;
        state_.hovered.reset();
    }
    if (gesture_ == Gesture::area) state_.area = windowOf(QRectF(pressed_, last_).normalized() & body);
    if (gesture_ == Gesture::idle)
        hoverAt(last_);
    else
        update();
}

void HeatWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const Gesture gesture = gesture_;
    gesture_ = Gesture::idle;
    if (!scene()) return;
    last_ = event->position();
    const QRectF box = QRectF(pressed_, last_).normalized() & layout_.body();
    if (gesture == Gesture::press) {
        click(last_, event->modifiers());
    } else if (gesture == Gesture::box && isBox(box.width()) && isBox(box.height())) {
        const OccupancyWindow window = windowOf(box);
        leaveRange(false);
        show({state_.steps.around(window.steps.begin, window.steps.end, 0),
              {state_.addresses.around(window.low, window.high, 0)}});
    } else if (gesture == Gesture::area && state_.area) {
        std::vector<BufferId> chosen;
        for (const PoolOccupancy::Touch& touch : state_.shown().occupancy.touching(*state_.area)) chosen.push_back(touch.buffer);
        select(std::move(chosen));
    }
    update();
}

void HeatWidget::leaveEvent(QEvent*)
{
    state_.hovered.reset();
    hideCard();
    update();
}

void HeatWidget::wheelEvent(QWheelEvent* event)
{
    if (!scene()) return;
    last_ = event->position();
    const double turn = notches(*event);
    const double factor = std::pow(1.25, turn);
    leaveRange(true);
    if (event->modifiers() & Qt::ShiftModifier || event->angleDelta().y() == 0)
        state_.steps.pan(int(std::lround(-turn * state_.steps.pixels() / 10)));
    else if (event->modifiers() & Qt::ControlModifier)
        state_.addresses.zoom(factor, (layout_.map.bottom() - std::clamp(last_.y(), layout_.map.top(), layout_.map.bottom())) *
                                          state_.ratio);
    else
        state_.steps.zoom(factor, (std::clamp(last_.x(), layout_.plotLeft, layout_.plotRight) - layout_.plotLeft) * state_.ratio);
    recount();
    hoverAt(last_);
    event->accept();
}

} // namespace stowage
