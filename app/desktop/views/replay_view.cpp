#include "app/desktop/views/replay_view.h"

#include "app/canvas/export/render.h"
#include "app/canvas/pictures/replay/replay_picture.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/address_label.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/map_widget.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/workspace.h"
#include "core/explain/step_text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSlider>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stowage {

namespace {

constexpr int reasonLines = 3;
constexpr int lineOfText = 16;       ///< logical pixels
constexpr int sideBySideFrom = 1000; ///< logical pixels

} // namespace

ReplayView::ReplayView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace), theme_(&look.theme())
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    content_ = new QSplitter(Qt::Horizontal);
    content_->setChildrenCollapsible(false);
    map_ = new MapWidget(selection_, workspace_.scenes(), bandOps | bandMap);
    map_->setObjectName(QStringLiteral("replayMap"));
    map_->setMinimumSize(260, 120);
    auto course = std::make_unique<SearchPicture>();
    course_ = course.get();
    chart_ = new Canvas(selection_, std::move(course), tr("Best size and lower bound over the search"));
    chart_->setObjectName(QStringLiteral("searchChart"));
    chart_->setMinimumSize(200, 90);
    content_->addWidget(map_);
    content_->addWidget(chart_);
    content_->setStretchFactor(0, 3);
    content_->setStretchFactor(1, 2);
    column->addWidget(content_, 1);
    makeTransport();
    column->addWidget(transport_);
    page_ = new StatePage;
    column->addWidget(page_, 1);
    setFocusProxy(map_);
    makeBar();

    connect(&player_, &ReplayPlayer::made, this, &ReplayView::beginReplay);
    connect(&player_, &ReplayPlayer::moved, this, &ReplayView::showFrame);
    connect(&player_, &ReplayPlayer::switched, this, [this] {
        if (player_.run()) showTransport();
    });
    connect(page_, &StatePage::pressed, this, [this] {
        if (player_.run())
            Q_EMIT workspace_.openWanted(); // it has nothing to replay
        else if (workspace_.busy())
            workspace_.cancel();
        else
            workspace_.plan();
    });
    course_->onSought([this](double value) {
        if (abscissa_ == Abscissa::steps) player_.seek(std::size_t(std::llround(value)));
    });
    connect(&workspace_, &Workspace::jobsChanged, this, [this] {
        if (isVisible()) refresh();
    });
    setTheme(look.theme());
    refresh();
}

ReplayView::~ReplayView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

void ReplayView::makeTransport()
{
    transport_ = new QWidget;
    transport_->setMinimumHeight(62);
    transport_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    transport_->setProperty("surface", "panel");
    transport_->setProperty("edge", "top");
    transport_->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(transport_);
    column->setContentsMargins(12, 6, 12, 6);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    back_ = makeIconButton(QStringLiteral("step-back"), tr("One step back  ["), true);
    back_->setObjectName(QStringLiteral("replayBack"));
    play_ = makeIconButton(QStringLiteral("play"), tr("Play or pause  K or Space"), true);
    play_->setObjectName(QStringLiteral("replayPlay"));
    forward_ = makeIconButton(QStringLiteral("step-forward"), tr("One step forward  ]"), true);
    forward_->setObjectName(QStringLiteral("replayForward"));
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(QStringLiteral("replaySlider"));
    slider_->setAccessibleName(tr("Recorded step"));
    count_ = makeNumber({}, Tone::secondary);
    row->addWidget(back_);
    row->addWidget(play_);
    row->addWidget(forward_);
    row->addWidget(slider_, 1);
    row->addWidget(count_);
    column->addLayout(row);
    step_ = new AddressLabel;
    step_->setObjectName(QStringLiteral("replayStep"));
    step_->setProperty("tone", "secondary");
    column->addWidget(step_);
    reasons_ = new QWidget;
    reasons_->setObjectName(QStringLiteral("replayReasons"));
    auto* grid = new QGridLayout(reasons_);
    grid->setContentsMargins(0, 2, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(4);
    const auto line = [&](int at, const QString& caption) {
        QLabel* name = makeLabel(caption, Tone::caption);
        name->setFixedWidth(64);
        grid->addWidget(name, at, 0, Qt::AlignTop);
        QLabel* text = makeLabel({}, Tone::main);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        grid->addWidget(text, at, 1);
        return text;
    };
    selectionText_ = line(0, tr("Selection"));
    selectionText_->setObjectName(QStringLiteral("replayChosen"));
    why_ = line(1, tr("Insertion"));
    why_->setObjectName(QStringLiteral("replayWhy"));
    grid->setColumnStretch(1, 1);
    reasons_->hide();
    column->addWidget(reasons_);
    fitReasons();
    connect(back_, &QToolButton::clicked, this, [this] { perform(ViewCommand::stepBack); });
    connect(forward_, &QToolButton::clicked, this, [this] { perform(ViewCommand::stepForward); });
    connect(play_, &QToolButton::clicked, this, [this] { perform(ViewCommand::play); });
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        if (replayed() && std::size_t(value) != replayed()->at()) player_.seek(std::size_t(value));
    });
}

void ReplayView::makeBar()
{
    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(10);
    caption_ = new ElidedLabel;
    caption_->setObjectName(QStringLiteral("replayCaption"));
    row->addWidget(caption_, 1);
    row->addWidget(makeLabel(tr("Curve by"), Tone::secondary));
    by_ = new SegmentedControl({tr("steps"), tr("time"), tr("work")}, true);
    by_->setToolTip(tr("Axis of the curve: recorded steps, time, or placements tried"));
    by_->setObjectName(QStringLiteral("replayBy"));
    by_->setAccessibleName(tr("Curve by"));
    connect(by_, &SegmentedControl::chosen, this, [this](int index) {
        abscissa_ = Abscissa(index);
        chosen_ = true;
        showChart();
    });
    row->addWidget(by_);
    record_ = makeButton(tr("Record the search"), QStringLiteral("dot"), ButtonKind::normal, true);
    record_->setObjectName(QStringLiteral("recordSearch"));
    record_->setToolTip(tr("Plans again with this planner and records each of its steps"));
    connect(record_, &QPushButton::clicked, this, [this] {
        const auto run = workspace_.run();
        workspace_.plannings().planRecorded(
            run && workspace_.session().planners().find(run->plan.planner) ? run->plan.planner : workspace_.planners().focus());
    });
    row->addWidget(record_);
}

void ReplayView::setTheme(const Theme& theme)
{
    theme_ = &theme;
    map_->setTheme(theme);
    chart_->setTheme(theme);
    page_->update();
}

void ReplayView::setContext(const ViewContext& context)
{
    numbers_ = context.numbers;
    map_->setNumbers(numbers_);
    chart_->setNumbers(numbers_);
    if (context.run != player_.run()) chosen_ = false;
    player_.setRun(context.run);
    refresh();
}

void ReplayView::refresh()
{
    const QString nothing = player_.run() ? whyNothingToPlace(*player_.run()) : QString();
    const bool any = player_.run() && nothing.isEmpty();
    transport_->setVisible(any);
    page_->standIn(*content_, !any);
    if (bar_) bar_->setEnabled(any);
    if (!any) {
        if (!nothing.isEmpty())
            page_->say(QStringLiteral("replay"), nothing, tr("Open another file…"));
        else if (workspace_.busy())
            page_->say(QStringLiteral("clock"), tr("Planning. The first valid plan is shown as soon as it is there."),
                       tr("Cancel"));
        else
            page_->say(QStringLiteral("replay"), tr("Nothing is planned yet."), tr("Plan"));
        map_->setRun(nullptr);
        return;
    }
    if (!replayed()) {
        map_->setScale(0, gutterWidth);
        map_->setRun(player_.run());
    }
    showTransport();
    showChart();
}

void ReplayView::beginReplay()
{
    const Replay& replay = *replayed();
    const Run& run = *player_.run();
    // One address scale for all steps, so that the map does not breathe.
    std::vector<Bytes> used;
    for (const PoolReport& pool : run.report.pools)
        if (replay.maxOf(pool.pool) > 0) used.push_back(std::max(replay.maxOf(pool.pool), pool.size));
    map_->setScale(used.size() == 1 ? Bytes(double(used.front()) * 1.06) : 0, gutterWidth);
    const auto& reasons = run.steps->reasons();
    reasons_->setVisible(std::ranges::any_of(reasons, isLong));
    slider_->setRange(0, int(std::min<std::size_t>(replay.steps(), std::size_t(std::numeric_limits<int>::max()))));
    if (!chosen_) abscissa_ = Abscissa::steps;
    showFrame();
}

void ReplayView::showFrame()
{
    const Replay* replay = replayed();
    if (!replay) return;
    const auto& run = player_.run();
    map_->setRun(replay->at() == replay->steps() ? run : replay->frame());
    const RecordedStep* last = replay->last();
    const bool known = last && last->buffer >= 0 && std::size_t(last->buffer) < run->problem().buffers.size();
    selection_.hover(known && replay->at() < replay->steps() ? last->buffer : none);
    showTransport();
    showChart();
}

void ReplayView::showTransport()
{
    const bool busy = !workspace_.searching().empty();
    const Replay* replay = replayed();
    const auto& run = player_.run();
    caption_->setFullText(busy ? tr("%1 searches").arg(QString::fromStdString(workspace_.searching()))
                               : tr("%1, %2").arg(QString::fromStdString(run->plan.planner), planningTimeText(run->elapsedMs)));
    for (QWidget* part : std::initializer_list<QWidget*>{back_, play_, forward_, slider_}) part->setEnabled(replay != nullptr);
    play_->setIcon(themedIcon(player_.playing() ? QStringLiteral("pause") : QStringLiteral("play")));
    record_->setEnabled(!workspace_.busy());
    if (!replay) {
        reasons_->hide();
        slider_->setRange(0, 0);
        count_->setText({});
        const bool kept = run->steps != nullptr;
        step_->setFullText(player_.making() ? tr("Preparing the steps…")
                           : busy           ? tr("The map follows the best plan found so far.")
                           : kept           ? tr("%1 recorded no steps. Show the run of another planner, and record its search.")
                                        .arg(QString::fromStdString(run->plan.planner))
                                  : tr("The steps of this planning were not recorded. Record the search to replay them."));
        return;
    }
    slider_->setValue(int(replay->at()));
    count_->setText(tr("%1 of %2").arg(countText(std::int64_t(replay->at())), countText(std::int64_t(replay->steps()))));
    const Replay::Told told = replay->tell();
    const bool apart = !reasons_->isHidden();
    QString text = QString::fromStdString(apart ? told.what : replay->describe());
    if (apart) {
        if (const RecordedStep* last = replay->last(); last && last->kind == StepKind::note) text = tr("selects %1").arg(text);
        const auto show = [](QLabel* label, const std::string& what) {
            label->setText(what.empty() ? QStringLiteral("\u2013") : QString::fromStdString(what));
            label->setToolTip(QString::fromStdString(what));
        };
        show(selectionText_, told.chosen);
        show(why_, told.why);
    }
    if (text.isEmpty()) text = tr("Nothing is placed yet.");
    if (run->steps->truncated())
        text += tr("  (%1 later steps were not recorded)").arg(countText(std::int64_t(run->steps->dropped())));
    step_->setFullText(text);
}

void ReplayView::showChart()
{
    const bool busy = !workspace_.searching().empty();
    const Abscissa by = abscissa_ == Abscissa::steps && !replayed() ? Abscissa::time : abscissa_;
    by_->setCurrent(int(by));
    auto subject = std::make_shared<SearchSubject>();
    SearchCurve& curve = subject->curve;
    std::vector<SearchSample>& samples = subject->samples;
    curve.byWork = by == Abscissa::work;
    curve.running = busy;
    if (by == Abscissa::steps) {
        RecordedCurve recorded = recordedCurve(*replayed());
        samples = std::move(recorded.samples);
        curve = std::move(recorded.curve);
        curve.running = busy;
    } else {
        curve.xTitle = by == Abscissa::work ? tr("placements tried") : tr("time");
        const std::vector<SearchSample>* search = workspace_.search(busy ? 0 : workspace_.shownRun());
        if (search) samples = *search;
        curve.empty = tr("The progress of this search was not recorded.");
    }
    // A step of a replay moves the line alone: a drag in the curve goes on.
    if (!search_ || !search_->sameButForMarker(*subject)) {
        search_ = std::move(subject);
        PictureSource source;
        source.scenes = workspace_.scenes();
        source.subject = search_;
        chart_->setSource(std::move(source));
    } else {
        chart_->apply(course_->setMarker(curve.marker));
    }
}

QString ReplayView::message() const
{
    return page_->isHidden() ? step_->fullText() : page_->sentence();
}

Canvas* ReplayView::canvas()
{
    return map_;
}

QString ReplayView::picture(RenderOptions& options) const
{
    if (!replayed()) return QStringLiteral("memory-map");
    options.set.emplace_back(QStringLiteral("step"), QString::number(replayed()->at()));
    return QStringLiteral("replay");
}

bool ReplayView::perform(ViewCommand command)
{
    switch (command) {
    case ViewCommand::play: player_.play(!player_.playing()); return replayed() != nullptr;
    case ViewCommand::stepBack:
    case ViewCommand::stepForward:
        if (!replayed()) return false;
        player_.play(false);
        if (command == ViewCommand::stepForward)
            player_.seek(replayed()->at() + 1);
        else if (replayed()->at() > 0)
            player_.seek(replayed()->at() - 1);
        return true;
    default: return map_->perform(command);
    }
}

void ReplayView::hideEvent(QHideEvent* event)
{
    View::hideEvent(event);
    player_.play(false);
}

void ReplayView::keyPressEvent(QKeyEvent* event)
{
    // Not an action: Space presses the button that has the focus everywhere else.
    if (replayed() && event->key() == Qt::Key_Space)
        player_.play(!player_.playing());
    else if (replayed() && event->key() == Qt::Key_Home)
        player_.seek(0);
    else if (replayed() && event->key() == Qt::Key_End)
        player_.seek(replayed()->steps());
    else
        View::keyPressEvent(event);
}

/// As many lines as the longest reasons take, whatever the step: else the map would jump from step to step.
void ReplayView::fitReasons()
{
    const int lines = width() >= sideBySideFrom - 100 ? reasonLines : reasonLines + 2;
    for (QLabel* text : {selectionText_, why_}) text->setFixedHeight(lines * lineOfText);
}

void ReplayView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    fitReasons();
    const Qt::Orientation wanted = width() >= sideBySideFrom ? Qt::Horizontal : Qt::Vertical;
    if (content_->orientation() == wanted) return;
    content_->setOrientation(wanted);
    content_->setSizes(wanted == Qt::Horizontal ? QList<int>{3 * width() / 5, 2 * width() / 5}
                                                : QList<int>{2 * height() / 3, height() / 3});
}

} // namespace stowage
