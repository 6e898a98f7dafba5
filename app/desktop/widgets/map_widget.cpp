#include "app/desktop/widgets/map_widget.h"

#include "app/canvas/pictures/map/stack_parts.h"
#include "app/desktop/scene_cache.h"

#include <QFutureWatcher>
#include <QGuiApplication>
#include <QPainter>
#include <QVariantAnimation>
#include <QtConcurrentRun>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr std::size_t buildAtOnce = 5000;    ///< buffers up to which a scene is made without leaving the frame
constexpr std::size_t supportAtOnce = 20000; ///< the same for what rests on what
constexpr std::size_t mostOutlined = 2000;   ///< selected buffers; beyond that the area itself has to do
constexpr std::size_t mostRevealed = 50000;  ///< rows of a closed group that a selection from elsewhere may open
constexpr int zoomMs = 120;

bool showsAll(const PixelAxis& axis)
{
    return axis.range().span >= axis.maximumSpan() * (1 - 1e-9);
}

std::vector<std::string> classNames(const Colouring& colouring)
{
    std::vector<std::string> names;
    for (const ColourClass& c : colouring.classes) names.push_back(c.name);
    return names;
}

} // namespace

MapWidget::MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, MapBands bands, QWidget* parent)
    : QWidget(parent), selection_(selection), scenes_(std::move(scenes)), bands_(bands), theme_(&Theme::darkTheme())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 120);
    setAccessibleName(bands.testFlag(MapBand::map) ? tr("Memory map") : tr("Liveness timeline"));
    card_ = new HoverCard(this);
    animation_ = new QVariantAnimation(this);
    animation_->setStartValue(0.0);
    animation_->setEndValue(1.0);
    animation_->setDuration(zoomMs);
    animation_->setEasingCurve(QEasingCurve::OutCubic);
    connect(&selection_, &SelectionModel::selectionChanged, this, [this] {
        if (selection_.buffers().empty() && gesture_ == Gesture::idle) area_.reset();
        showSelection();
        if (!ownSelection_) revealRow();
    });
    connect(&selection_, &SelectionModel::hoverChanged, this, [this] {
        if (view_) view_->state().hovered = selection_.hovered();
        update();
    });
    connect(&selection_, &SelectionModel::cursorChanged, this, [this] {
        if (view_) view_->state().cursor = selection_.cursor();
        update();
    });
    connect(&selection_, &SelectionModel::maskChanged, this, &MapWidget::showMask);
}

MapWidget::~MapWidget()
{
    tiles_.clear(); // waits for those who paint
}

// --- what is shown -------------------------------------------------------------------------------------------------------

bool MapWidget::ready() const
{
    return run_ ? view_ && !building_ && view_->scene().run == run_ : !view_;
}

void MapWidget::setRun(std::shared_ptr<const Run> run)
{
    if (run == run_) return;
    run_ = std::move(run);
    buildScene();
}

void MapWidget::buildScene()
{
    if (!run_) {
        view_.reset();
        area_.reset();
        history_.clear();
        card_->dismiss();
        Q_EMIT sceneChanged();
        update();
        return;
    }
    if (building_) {
        rebuild_ = true;
        return;
    }
    const ColourBy by = colourBy_ && hasColouring(*run_, *colourBy_) ? *colourBy_ : defaultColouring(*run_);
    if (!groupingChosen_ || !hasColouring(*run_, grouping_)) grouping_ = defaultGrouping(*run_);
    const bool regroup = groupingChosen_;
    const auto make = [run = run_, scenes = scenes_, theme = theme_, by, regroup, grouping = grouping_] {
        auto view = std::make_unique<ViewState>(scenes->scene(run), *theme, by);
        if (regroup) view->setGrouping(grouping);
        return view;
    };
    if (run_->problem().buffers.size() <= buildAtOnce) {
        adopt(make());
        return;
    }
    building_ = true;
    rebuild_ = false;
    update(); // the picture says so
    auto* watcher = new QFutureWatcher<std::unique_ptr<ViewState>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        building_ = false;
        auto made = watcher->future().takeResult();
        watcher->deleteLater();
        // A search may find better plans faster than they can be made ready: each one that is ready is shown, then the latest is
        // made.
        if (run_ && (made->scene().run == run_ || (rebuild_ && sameBuffers(*made->scene().run, *run_)))) adopt(std::move(made));
        if (rebuild_ || !ready()) buildScene();
    });
    watcher->setFuture(QtConcurrent::run(make));
}

void MapWidget::adopt(std::unique_ptr<ViewState> view)
{
    animation_->stop();
    const std::unique_ptr<ViewState> before = std::move(view_);
    view_ = std::move(view);
    StackState& state = view_->state();
    state.theme = theme_;
    state.numbers = numbers_;
    state.curve = bands_.testFlag(MapBand::curve);
    state.opTrack = bands_.testFlag(MapBand::ops);
    state.map = bands_.testFlag(MapBand::map);
    state.rows = bands_.testFlag(MapBand::rows);
    state.chain = chain_;
    state.leastTop = leastTop_;
    state.gutter = gutter_;
    if (ownColouring_ && ownColouring_->of.size() == view_->scene().run->problem().buffers.size())
        view_->setColouring(*ownColouring_);
    state.cursor = selection_.cursor();
    state.hovered = selection_.hovered();
    state.notes = notes_;
    move_.reset();
    if (!clique_) view_->setClique(false);
    view_->setConflicts(conflicts_);
    view_->setReuse(reuse_);
    const bool same = before && sameBuffers(*before->scene().run, *view_->scene().run);
    if (same) {
        if (classNames(before->colouring()) == classNames(view_->colouring())) view_->setHiddenClasses(before->hiddenClasses());
        const auto& groups = before->timeline().groups();
        for (std::size_t g = 0; g < groups.size() && g < view_->timeline().groups().size(); ++g)
            if (groups[g].name == view_->timeline().groups()[g].name) view_->timeline().setOpen(g, groups[g].open);
        state.scroll = before->state().scroll;
    } else {
        history_.clear();
        lastChange_.reset();
        area_.reset();
    }
    applyStrips();
    relayout();
    if (same) {
        // What was zoomed in on stays in view; what showed everything goes on showing everything, however large that is now.
        const Viewport& old = before->state().viewport;
        Viewport& now = state.viewport;
        if (old.steps.high() == now.steps.high()) now.steps.show(old.steps.range());
        for (std::size_t i = 0; i < now.addresses.size(); ++i)
            for (std::size_t k = 0; k < old.addresses.size(); ++k)
                if (before->scene().pools[std::size_t(before->state().strips[k])].map.pool ==
                        view_->scene().pools[std::size_t(state.strips[i])].map.pool &&
                    !showsAll(old.addresses[k]))
                    now.addresses[i].show(old.addresses[k].range());
        if (area_) sumUp(*area_);
    }
    showMask();
    showSelection();
    baseStale_ = true;
    update();
    Q_EMIT sceneChanged();
    if (!same) Q_EMIT rangeChanged();
}

void MapWidget::applyStrips()
{
    StackState& state = view_->state();
    state.strips.clear();
    const auto& pools = view_->scene().pools;
    for (std::size_t i = 0; i < pools.size(); ++i)
        if (onlyPool_ == none || pools[i].map.pool == onlyPool_) state.strips.push_back(std::int32_t(i));
    if (state.strips.empty())
        for (std::size_t i = 0; i < pools.size(); ++i) state.strips.push_back(std::int32_t(i));
    state.viewport.addresses.clear();
    tiles_.clear();
    if (!state.map) return;
    for (std::size_t i = 0; i < state.strips.size(); ++i)
        tiles_.push_back(std::make_unique<MapTiles>([this] {
            QMetaObject::invokeMethod(
                this,
                [this] {
                    baseStale_ = true;
                    update();
                },
                Qt::QueuedConnection);
        }));
}

void MapWidget::relayout()
{
    if (!view_) return;
    StackState& state = view_->state();
    state.ratio = devicePixelRatioF();
    layout_ = layOut(state, QSizeF(size()));
    fitViewport(state, layout_);
    scrollTo(state.scroll);
    baseStale_ = true;
}

void MapWidget::setTheme(const Theme& theme)
{
    theme_ = &theme;
    card_->setTheme(theme);
    if (view_) view_->setTheme(theme);
    baseStale_ = true;
    update();
}

void MapWidget::setNumbers(const NumberFormat& numbers)
{
    if (numbers == numbers_) return;
    numbers_ = numbers;
    if (view_) view_->state().numbers = numbers;
    baseStale_ = true;
    update();
}

void MapWidget::setColourBy(std::optional<ColourBy> by)
{
    if (by == colourBy_) return;
    colourBy_ = by;
    if (run_) buildScene();
}

ColourBy MapWidget::colourBy() const
{
    return view_ ? view_->colouring().by : colourBy_.value_or(ColourBy::opKind);
}

void MapWidget::setHiddenClasses(unsigned classes)
{
    if (!view_ || classes == view_->hiddenClasses()) return;
    view_->setHiddenClasses(classes);
    baseStale_ = true;
    update();
}

void MapWidget::setGrouping(ColourBy by)
{
    groupingChosen_ = true;
    if (by == grouping_) return;
    grouping_ = by;
    if (run_) buildScene();
}

void MapWidget::setAllOpen(bool open)
{
    if (!view_) return;
    view_->timeline().setAllOpen(open);
    relayout();
    update();
    Q_EMIT openChanged();
}

void MapWidget::setClique(bool on)
{
    clique_ = on;
    if (view_) view_->setClique(on);
    baseStale_ = true;
    update();
}

void MapWidget::setChain(bool on)
{
    chain_ = on;
    if (view_) view_->state().chain = on;
    showSelection();
}

void MapWidget::setReuse(bool on)
{
    reuse_ = on;
    if (view_) view_->setReuse(on);
    update();
}

void MapWidget::setConflicts(bool on)
{
    conflicts_ = on;
    if (view_) view_->setConflicts(on);
    update();
}

void MapWidget::setPool(PoolId pool)
{
    if (pool == onlyPool_) return;
    onlyPool_ = pool;
    if (!view_) return;
    area_.reset();
    history_.clear();
    applyStrips();
    relayout();
    update();
    Q_EMIT rangeChanged();
}

void MapWidget::setScale(Bytes top, double gutter)
{
    if (top == leastTop_ && gutter == gutter_) return;
    leastTop_ = top;
    gutter_ = gutter;
    if (!view_) return;
    StackState& state = view_->state();
    const ViewRange before = state.viewport.range();
    std::vector<bool> whole;
    for (const PixelAxis& axis : state.viewport.addresses) whole.push_back(showsAll(axis));
    state.leastTop = top;
    state.gutter = gutter;
    relayout();
    state.viewport.steps.show(before.steps);
    for (std::size_t i = 0; i < std::min(before.addresses.size(), state.viewport.addresses.size()); ++i)
        if (!whole[i]) state.viewport.addresses[i].show(before.addresses[i]);
    update();
}

void MapWidget::setOwnColouring(std::shared_ptr<const Colouring> colouring)
{
    ownColouring_ = std::move(colouring);
    if (!view_) return;
    if (!ownColouring_) {
        buildScene();
    } else if (ownColouring_->of.size() == view_->scene().run->problem().buffers.size()) {
        view_->setColouring(*ownColouring_);
        baseStale_ = true;
        update();
    }
}

// --- selection -----------------------------------------------------------------------------------------------------------

void MapWidget::showSelection()
{
    if (!view_) return;
    const std::vector<BufferId>& many = selection_.buffers();
    const BufferId main = selection_.buffer();
    const RunScene& scene = view_->scene();
    const bool now = chain_ && (scene.supportReady() || scene.run->problem().buffers.size() <= supportAtOnce);
    view_->select(main, many.size() > 1 && many.size() <= mostOutlined ? many : std::vector<BufferId>{}, now);
    if (chain_ && !now && main != none) {
        auto* watcher = new QFutureWatcher<void>(this);
        connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
            watcher->deleteLater();
            if (view_ && view_->scene().supportReady()) showSelection();
        });
        watcher->setFuture(QtConcurrent::run([shared = view_->sharedScene()] { (void)shared->support(); }));
    }
    baseStale_ = true; // ops and rows mark the selection too
    update();
}

void MapWidget::showMask()
{
    if (!view_) return;
    const auto mask = selection_.mask();
    const bool fits = mask && mask->shown.size() == view_->scene().run->problem().buffers.size();
    view_->setShown(fits ? mask->shown : std::vector<bool>{});
    baseStale_ = true;
    update();
}

void MapWidget::revealRow()
{
    if (!view_ || layout_.rows.isEmpty() || view_->state().selected == none) return;
    Timeline& timeline = view_->timeline();
    const BufferId buffer = view_->state().selected;
    if (!timeline.rowOf(buffer)) {
        for (const TimelineGroup& group : timeline.groups())
            if (!group.open && group.members.size() > mostRevealed) return;
        timeline.reveal(buffer);
        relayout();
        Q_EMIT openChanged();
    }
    if (const auto row = timeline.rowOf(buffer)) {
        const double scroll = view_->state().scroll;
        if (row->top < scroll || row->top + row->height > scroll + layout_.rows.height())
            scrollTo(row->top - layout_.rows.height() / 2);
    }
}

void MapWidget::scrollTo(double y)
{
    StackState& state = view_->state();
    const double most = std::max(0.0, view_->timeline().height() - layout_.rows.height());
    const double next = std::round(std::clamp(y, 0.0, most));
    if (next == state.scroll) return;
    state.scroll = next;
    baseStale_ = true;
    update();
}

// --- painting ------------------------------------------------------------------------------------------------------------

std::size_t MapWidget::areasPainted() const
{
    std::size_t count = 0;
    for (const auto& tiles : tiles_) count += tiles->painted();
    return count;
}

bool MapWidget::settled() const
{
    return ready() && animation_->state() != QAbstractAnimation::Running && !baseStale_ &&
           std::ranges::all_of(tiles_, [](const auto& tiles) { return tiles->complete(); });
}

void MapWidget::renewBase()
{
    const StackState& state = view_->state();
    const bool moving = animation_->state() == QAbstractAnimation::Running;
    bodies_.assign(layout_.strips.size(), QImage());
    for (std::size_t i = 0; i < layout_.strips.size() && i < tiles_.size(); ++i)
        bodies_[i] = tiles_[i]->body({view_->sharedScene(), view_->styles(), geometry().picture(i)}, moving);
    DrawList list(shaper_, state.ratio);
    paintStack(list, state, layout_, BodyMode::given, bodies_);
    const QSize pixels = (QSizeF(size()) * state.ratio).toSize();
    if (base_.size() != pixels) base_ = QImage(pixels, QImage::Format_RGB32);
    base_.setDevicePixelRatio(state.ratio);
    QPainter painter(&base_);
    replay(list, painter);
    baseStale_ = false;
    ++framesPainted_;
}

void MapWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!view_) {
        painter.fillRect(rect(), theme_->well);
        return;
    }
    if (view_->state().ratio != devicePixelRatioF()) relayout(); // moved to another screen
    if (baseStale_) renewBase();
    painter.drawImage(QPointF(0, 0), base_);
    DrawList overlay(shaper_, view_->state().ratio);
    paintStackOverlay(overlay, view_->state(), layout_);
    paintOwnOverlay(overlay);
    replay(overlay, painter);
}

QRectF MapWidget::boxOfArea(const Area& area) const
{
    const StackGeometry g = geometry();
    const double left = std::max(g.x(area.box.begin), layout_.plotLeft);
    const double right = std::min(g.x(area.box.end), layout_.plotRight);
    double top = 0;
    double bottom = layout_.ruler.top();
    if (area.place == Place::strip && area.strip < layout_.strips.size()) {
        top = std::max(g.y(area.strip, area.box.high), layout_.strips[area.strip].top());
        bottom = std::min(g.y(area.strip, area.box.low), layout_.strips[area.strip].bottom());
    } else if (area.place == Place::rows) {
        top = std::max(layout_.rows.top() + double(area.box.low) - view_->state().scroll, layout_.rows.top());
        bottom = std::min(layout_.rows.top() + double(area.box.high) - view_->state().scroll, layout_.rows.bottom());
    }
    return right > left && bottom > top ? QRectF(QPointF(left, top), QPointF(right, bottom)) : QRectF();
}

void MapWidget::paintOwnOverlay(DrawList& list) const
{
    if (area_ && gesture_ != Gesture::box) {
        const QRectF box = list.snapped(boxOfArea(*area_));
        if (!box.isEmpty()) {
            list.fill(box, stack::withAlpha(theme_->accent, 0.14));
            list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme_->accent, 1);
            paintAreaSums(list, box, area_->sums);
        }
    }
    if (gesture_ == Gesture::box) {
        const QRectF box = list.snapped(QRectF(pressed_, last_).normalized());
        list.fill(box, stack::withAlpha(theme_->text, 0.10));
        list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme_->text2, 1, 0, Dash::stall);
    }
    if (move_) paintMove(list);
    // The old picture stays while the next one is made, but it does not pass for it.
    if (!ready() && run_)
        list.chip(layout_.plotRight - 6, 6, tr("making the picture of %1 ready").arg(QString::fromStdString(run_->plan.planner)),
                  theme_->accent, theme_->well);
    if (focusByKey_ && hasFocus()) list.outline(QRectF(rect()).adjusted(1, 1, -1, -1), theme_->accent, 2);
}

void MapWidget::paintAreaSums(DrawList& list, const QRectF& box, const AreaSums& sums) const
{
    const QString first =
        countedText(std::int64_t(sums.buffers.size()), tr("buffer")) + QStringLiteral(", ") + bytesText(sums.bytes, numbers_);
    constexpr double exact = 9007199254740992.0; // 2^53
    QString second = sums.occupied < exact ? tr("%1 B x steps inside").arg(countText(std::int64_t(sums.occupied)))
                                           : tr("%1 B x steps inside").arg(QString::number(sums.occupied, 'g', 4));
    if (sums.area > 0) second += tr(", %1 full").arg(shareText(std::min(1.0, sums.occupied / sums.area)));
    const QString third =
        tr("steps [%1, %2)").arg(countText(area_->box.begin), countText(area_->box.end)) +
        (area_->place == Place::strip
             ? tr(", %1 to %2").arg(addressText(area_->box.low, numbers_), addressText(area_->box.high, numbers_))
             : QString());
    double width = list.width(Face::bodyStrong, first);
    for (const QString& line : {second, third}) width = std::max(width, list.width(Face::number, line));
    QSizeF size(std::ceil(width) + 24, 3 * 17 + 18);
    // Beside the area, where there is room.
    const QRectF room = QRectF(rect()).adjusted(gutterWidth + 6, 6, -6, -6);
    QPointF at(box.right() + 8, box.top());
    if (at.x() + size.width() > room.right()) at.setX(box.left() - 8 - size.width());
    if (at.x() < room.left()) at = {box.right() - size.width() - 6, box.top() + 6};
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - size.width())));
    at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - size.height())));
    const QRectF panel = list.snapped(QRectF(at, size));
    list.fill(panel, theme_->raised, 6);
    list.outline(panel.adjusted(0.5, 0.5, -0.5, -0.5), theme_->line2, 1, 6);
    list.text(Face::bodyStrong, panel.left() + 12, panel.top() + 18, first, theme_->text);
    list.text(Face::number, panel.left() + 12, panel.top() + 35, second, theme_->text2);
    list.text(Face::number, panel.left() + 12, panel.top() + 52, third, theme_->text2);
}

} // namespace stowage
