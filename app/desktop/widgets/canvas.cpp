#include "app/desktop/widgets/canvas.h"

#include "app/canvas/export/picture_file.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/session/verdicts.h"
#include "core/explain/plan_difference.h"
#include "core/io/output_file.h"

#include <QGuiApplication>
#include <QPainter>
#include <QTimer>
#include <QVariantAnimation>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace stowage {

namespace {

constexpr int cardDelayMs = 150;
constexpr int zoomMs = 120;

/// The buffer of the other run in a list of `Canvas::Match`.
BufferId counterpart(const std::vector<BufferId>& list, BufferId id)
{
    return id >= 0 && std::size_t(id) < list.size() ? list[std::size_t(id)] : BufferId(none);
}

} // namespace

Canvas::Canvas(SelectionModel& selection, std::unique_ptr<Picture> picture, const QString& name, QWidget* parent)
    : QWidget(parent), selection_(selection), picture_(std::move(picture))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 120);
    setSpokenRole(*this, QAccessible::Canvas);
    setAccessibleName(name);
    animated_ = QGuiApplication::platformName() != u"offscreen";
    animation_ = new QVariantAnimation(this);
    animation_->setStartValue(0.0);
    animation_->setEndValue(1.0);
    animation_->setDuration(zoomMs);
    animation_->setEasingCurve(QEasingCurve::OutCubic);
    cardDelay_ = new QTimer(this);
    cardDelay_->setSingleShot(true);
    cardDelay_->setInterval(cardDelayMs);
    connect(cardDelay_, &QTimer::timeout, this, [this] {
        if (!scene() || gesture_ != Gesture::idle) return;
        shownCard_ = picture_->card(hit_);
        update();
    });
    picture_->onReady([this] { QMetaObject::invokeMethod(this, &Canvas::repaintAll, Qt::QueuedConnection); });
    connect(&selection_, &SelectionModel::selectionChanged, this, [this] {
        if (selection_.buffers().empty() && gesture_ == Gesture::idle && !ownSelection_) picture_->clearArea();
        if (!takesMarks()) return;
        showMarks(ownSelection_);
        describe();
        repaintAll(); // bands mark the selection too
    });
    const auto showPointer = [this] {
        if (takesMarks()) showMarks(true);
    };
    connect(&selection_, &SelectionModel::hoverChanged, this, showPointer);
    connect(&selection_, &SelectionModel::cursorChanged, this, showPointer);
    connect(&selection_, &SelectionModel::maskChanged, this, [this] {
        if (!takesMarks()) return;
        showMarks(true);
        repaintAll();
    });
}

Canvas::~Canvas()
{
    job_.drop();
    picture_.reset(); // waits for those who paint for it
}

// --- what is shown -------------------------------------------------------------------------------------------------------

void Canvas::setSource(PictureSource source)
{
    PictureSource known = source;
    if (!picture_->usesAllRuns()) known.runs = source_.runs;
    const bool same = known.sameAs(source_);
    source_ = std::move(source);
    if (!same) makeScene();
}

bool Canvas::setOption(const QString& id, const QString& value)
{
    const PictureChange change = picture_->set(id, value);
    apply(change);
    return change != PictureChange::unknown;
}

void Canvas::apply(PictureChange change)
{
    if (change == PictureChange::scene) makeScene();
    if (change == PictureChange::paint && scene()) {
        relayout();
        renewHit();
        describe();
        update();
    }
    if (change == PictureChange::scene || change == PictureChange::paint) Q_EMIT optionsChanged();
}

void Canvas::makeScene()
{
    if (!source_.any()) {
        job_.stop();
        again_ = job_.running(); // what is being made is nobody's any more
        adopt(nullptr);
        return;
    }
    if (job_.running()) {
        again_ = true;
        job_.stop();
        return;
    }
    again_ = false;
    PictureJob job = picture_->prepare(source_);
    if (job.work <= Picture::sceneAtOnce) {
        adopt(job.make({}));
        return;
    }
    job_.start(std::move(job.make), [this](std::shared_ptr<const PictureScene> made) {
        // A search may find better plans faster than they can be made ready: each one that is ready is shown, then the latest is
        // made.
        const bool any = source_.any();
        if (made && any && (!again_ || picture_->stillOf(*made, source_))) adopt(std::move(made));
        if (again_ && any) makeScene();
        again_ = again_ && job_.running();
    });
    update(); // the picture says so
}

void Canvas::adopt(std::shared_ptr<const PictureScene> scene)
{
    animation_->stop();
    if (gesture_ != Gesture::idle) cancelGesture();
    hideCard();
    const bool before = this->scene() != nullptr;
    scene_ = std::move(scene);
    const bool any = this->scene() != nullptr;
    const bool same = picture_->take(any ? scene_ : nullptr) && before;
    if (!same) {
        fresh_ = true;
        history_.clear();
        lastChange_.reset();
        picture_->clearArea();
    }
    hit_ = {};
    if (any) relayout();
    const bool missed = std::exchange(marksMissed_, false);
    showMarks(same && !missed); // in other data a list scrolls to the selection
    describe();
    repaintAll();
    Q_EMIT sceneChanged();
    if (!same && any) Q_EMIT rangeChanged();
}

void Canvas::describe()
{
    if (!scene()) {
        setAccessibleDescription(tr("Nothing to show"));
        return;
    }
    QStringList words;
    if (const QString spoken = picture_->spoken(); !spoken.isEmpty()) words << spoken;
    const std::shared_ptr<const Run> run = scene()->run;
    if (run) {
        words << tr("plan of %1, %2 in %3")
                     .arg(nameText(run->plan.planner), bytesText(run->report.totalSize(), picture_->numbers()),
                          countedText(std::int64_t(run->problem().buffers.size()), tr("buffer")))
              << QString::fromUtf8(verdictWord(*run)).toLower();
        const auto worst = std::ranges::max_element(run->report.pools, {}, &PoolReport::size);
        if (worst != run->report.pools.end() && worst->peakStep >= 0)
            words << tr("peak at step %1").arg(countText(worst->peakStep));
    }
    const BufferId selected = toPicture(selection_.buffer());
    if (run && selected >= 0 && std::size_t(selected) < run->problem().buffers.size()) {
        words << tr("selected: %1, %2")
                     .arg(nameText(run->problem().buffers[std::size_t(selected)].name),
                          bytesText(run->problem().buffers[std::size_t(selected)].size, picture_->numbers()));
        if (const auto all = std::int64_t(selection_.buffers().size()); all > 1)
            words.back() += tr(" and %1 more").arg(countText(all - 1));
    }
    setAccessibleDescription(words.join(QStringLiteral("; ")));
}

void Canvas::relayout()
{
    ratio_ = devicePixelRatioF();
    if (!scene()) return;
    laidOut_ = size();
    picture_->layOut(QSizeF(laidOut_), ratio_);
    parts_ = picture_->parts();
    baseStale_ = true;
}

void Canvas::repaintAll()
{
    baseStale_ = true;
    update();
}

void Canvas::setTheme(const Theme& theme)
{
    picture_->setTheme(theme);
    if (scene()) relayout(); // a picture takes the theme with its layout, and the card is made before the next painting
    if (shownCard_) shownCard_ = picture_->card(hit_);
    repaintAll();
}

void Canvas::setNumbers(const NumberFormat& numbers)
{
    if (numbers == picture_->numbers()) return;
    picture_->setNumbers(numbers);
    if (scene()) relayout();
    describe();
    if (shownCard_) shownCard_ = picture_->card(hit_);
    repaintAll();
}

// --- selection, pointer, cursor and filter -------------------------------------------------------------------------------

Canvas::Match& Canvas::match()
{
    const std::shared_ptr<const Run> own = scene() ? scene()->run : nullptr;
    const std::shared_ptr<const Run>& of = selection_.run();
    const bool both = own && of;
    const std::shared_ptr<const Lowering> here = both ? own->lowering : nullptr;
    const std::shared_ptr<const Lowering> there = both ? of->lowering : nullptr;
    if (here == match_.picture && there == match_.selection) return match_;
    matchJob_.drop();
    match_ = {};
    match_.picture = here;
    match_.selection = there;
    match_.needed = both && !sameBuffers(*here, *there);
    match_.known = !match_.needed;
    return match_;
}

bool Canvas::matched()
{
    if (match().known) return true;
    if (matchJob_.running()) return false;
    using Lists = std::pair<std::vector<BufferId>, std::vector<BufferId>>;
    auto make = [here = match_.picture, there = match_.selection](const std::stop_token&) {
        Lists lists;
        lists.first = matchedByName(here->problem, there->problem);
        lists.second.assign(there->problem.buffers.size(), none);
        for (std::size_t i = 0; i < lists.first.size(); ++i)
            if (lists.first[i] != none) lists.second[std::size_t(lists.first[i])] = BufferId(i);
        return lists;
    };
    const auto take = [this](Lists lists) {
        match_.toSelection = std::move(lists.first);
        match_.toPicture = std::move(lists.second);
        match_.known = true;
    };
    if (std::max(match_.picture->problem.buffers.size(), match_.selection->problem.buffers.size()) <= Picture::sceneAtOnce) {
        take(make({}));
        return true;
    }
    matchJob_.start(std::move(make), [this, take](Lists lists) {
        take(std::move(lists));
        showMarks(true);
        describe();
        repaintAll();
    });
    return false;
}

BufferId Canvas::toSelection(BufferId id)
{
    if (id == none || !match().needed) return id;
    return matched() ? counterpart(match_.toSelection, id) : BufferId(none);
}

std::vector<BufferId> Canvas::toSelection(std::vector<BufferId> ids)
{
    if (!match().needed) return ids;
    if (!matched()) return {};
    for (BufferId& id : ids) id = counterpart(match_.toSelection, id);
    std::erase(ids, none);
    return ids;
}

BufferId Canvas::toPicture(BufferId id)
{
    if (id == none || !match().needed) return id;
    return matched() ? counterpart(match_.toPicture, id) : BufferId(none);
}

bool Canvas::hasCounterpart(BufferId id) const
{
    return !match_.needed || id < 0 || counterpart(match_.toSelection, id) != none;
}

PictureMarks Canvas::currentMarks()
{
    PictureMarks marks;
    marks.selected = toPicture(selection_.buffer());
    marks.hovered = toPicture(selection_.hovered());
    marks.cursor = selection_.cursor();
    const std::shared_ptr<const BufferMask>& mask = selection_.mask();
    if (!match().needed) {
        marks.selection = selection_.shared();
        if (mask) marks.shown = {mask, &mask->shown};
        return marks;
    }
    if ((selection_.shared().empty() && !mask) || !matched()) return marks;
    if (!match_.selectedOf.sharesWith(selection_.shared())) {
        std::vector<BufferId> own;
        for (const BufferId id : selection_.shared())
            if (const BufferId here = counterpart(match_.toPicture, id); here != none) own.push_back(here);
        match_.selected = SharedBuffers(std::move(own));
        match_.selectedOf = selection_.shared();
    }
    marks.selection = match_.selected;
    if (marks.selected == none && !marks.selection.empty()) marks.selected = marks.selection.front();
    if (mask && match_.shownOf != mask) {
        std::vector<bool> shown;
        for (const BufferId there : match_.toSelection) shown.push_back(selection_.passes(there)); // without a counterpart: true
        match_.shown = std::make_shared<const std::vector<bool>>(std::move(shown));
        match_.shownOf = mask;
    }
    if (mask) marks.shown = match_.shown;
    return marks;
}

void Canvas::showMarks(bool fromHere)
{
    if (picture_->setMarks(currentMarks(), fromHere) == PictureChange::scene && source_.any()) makeScene();
    if (scene() && !fromHere) {
        parts_ = picture_->parts(); // a list may have scrolled to the selection
        baseStale_ = true;
    }
    update();
}

bool Canvas::takesMarks()
{
    marksMissed_ = marksMissed_ || !isVisible();
    return isVisible();
}

void Canvas::catchUp()
{
    if (!std::exchange(marksMissed_, false)) return;
    showMarks(false);
    describe();
    repaintAll();
}

void Canvas::showEvent(QShowEvent*)
{
    catchUp();
}

bool Canvas::moving() const
{
    return animation_->state() == QAbstractAnimation::Running;
}

bool Canvas::settled() const
{
    return ready() && !moving() && !baseStale_ && !matchJob_.running() && (!scene() || picture_->settled());
}

// --- painting ------------------------------------------------------------------------------------------------------------

void Canvas::renewBase(double ratio)
{
    DrawList list(shaper_, ratio);
    picture_->paint(list, BodyMode::given);
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (base_.size() != pixels) base_ = QImage(pixels, QImage::Format_RGB32);
    base_.setDevicePixelRatio(ratio);
    QPainter painter(&base_);
    replay(list, painter);
    baseStale_ = false;
    ++framesPainted_;
}

void Canvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!scene()) {
        painter.fillRect(rect(), picture_->theme().well);
        return;
    }
    const double ratio = devicePixelRatioF();
    // Moved to another screen, or painted before the event of a new size has come.
    if (ratio_ != ratio || laidOut_ != size()) relayout();
    if (baseStale_) renewBase(ratio);
    painter.drawImage(QPointF(0, 0), base_);
    DrawList overlay(shaper_, ratio);
    picture_->paintOverlay(overlay);
    const Theme& theme = picture_->theme();
    if (gesture_ == Gesture::box) {
        const QRectF box = overlay.snapped(QRectF(pressed_, last_).normalized());
        QColor wash = theme.text;
        wash.setAlphaF(0.10F);
        overlay.fill(box, wash);
        overlay.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.text2, 1, 0, Dash::stall);
    }
    // The old picture stays while the next one is made, but it does not pass for it.
    if (job_.running() && !waitingText_.isEmpty()) overlay.chip(width() - 6, 6, waitingText_, theme.accent, theme.well);
    if (shownCard_ && gesture_ == Gesture::idle)
        cardBox_ = paintCard(overlay, theme, *shownCard_, last_, QRectF(rect()), hit_.box);
    if (focusByKey_ && hasFocus()) overlay.outline(QRectF(rect()).adjusted(1, 1, -1, -1), theme.accent, 2);
    replay(overlay, painter);
}

void Canvas::resizeEvent(QResizeEvent*)
{
    animation_->stop();
    hideCard();
    relayout();
    if (scene()) Q_EMIT optionsChanged(); // sizes of bins follow the window
}

Expected<Diagnostics> Canvas::exportTo(const QString& file, double scale)
{
    auto made = encode(file, scale);
    if (!made) return std::move(made).error();
    if (auto wrong = io::writeFile(file.toStdString(), {made->bytes.constData(), std::size_t(made->bytes.size())}))
        return *std::move(wrong);
    return std::move(made->notes);
}

QSize Canvas::fileSize() const
{
    return size() + QSize(0, int(pictureHeadHeight));
}

Expected<PictureBytes> Canvas::encode(const QString& file, double scale)
{
    PictureFileOptions options;
    options.size = fileSize();
    options.scale = scale;
    catchUp();
    const ViewRange shown = scene() ? picture_->viewport().range() : ViewRange{};
    auto done = encodePicture(*picture_, source_, fileTitle_.isEmpty() ? accessibleName() : fileTitle_, options, file);
    relayout(); // the picture was laid out for the file
    if (scene()) {
        picture_->show(shown, false); // exactly: another size rounds ranges another way
        parts_ = picture_->parts();
    }
    update();
    return done;
}

// --- the card ------------------------------------------------------------------------------------------------------------

void Canvas::scheduleCard(const PictureHit& hit)
{
    if (shownCard_) { // it follows at once
        shownCard_ = picture_->card(hit);
        if (!shownCard_) cardDelay_->stop();
        update();
    } else {
        cardDelay_->start();
    }
}

void Canvas::renewHit()
{
    if (hit_ == PictureHit{}) return;
    if (gesture_ != Gesture::idle) {
        hit_ = {};
        return;
    }
    setHit(picture_->hit(last_));
    if (shownCard_) scheduleCard(hit_);
}

void Canvas::hideCard()
{
    cardDelay_->stop();
    if (std::exchange(shownCard_, std::nullopt)) update();
}

} // namespace stowage
