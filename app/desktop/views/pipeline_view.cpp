#include "app/desktop/views/pipeline_view.h"

#include "app/canvas/axis/pipe_lanes.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/pipeline_pane.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/open_dialog.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr int roomy = 800;    ///< height from which the pane takes more, and the stages keep theirs
constexpr int paneFrom = 560; ///< height of the view from which the pane is open at first

} // namespace

PipelineView::PipelineView(Workspace& workspace, const Look& look, QWidget* parent)
    : PictureView(*pictureEntry(QStringLiteral("pipeline")), workspace, look, parent), desk_(workspace)
{
    split_ = new QSplitter(Qt::Vertical);
    split_->setHandleWidth(1);
    split_->setChildrenCollapsible(false);
    column().removeWidget(canvas());
    split_->addWidget(canvas());
    pane_ = new PipelinePane(look);
    pane_->recolour();
    split_->addWidget(pane_);
    split_->setStretchFactor(0, 1);
    column().insertWidget(0, split_, 1);
    makeControls();
    listen();
    refresh();
}

PipelineView::~PipelineView()
{
    workspace().pipeline().setActive(false);
}

void PipelineView::listen()
{
    connect(&desk_, &PipelineDesk::changed, this, [this] { refresh(); });
    connect(&desk_, &PipelineDesk::shownChanged, this, &PipelineView::showSplit);
    connect(&desk_, &PipelineDesk::studied, this, &PipelineView::askCurve);
    connect(&desk_, &PipelineDesk::curveFound, this,
            [this](const std::vector<pipeline::TradeOffPoint>& points) { pane_->setTradeOff(points, {}); });
    connect(&desk_, &PipelineDesk::memoriesFound, this,
            [this](std::size_t border, std::size_t cut, const std::vector<pipeline::StageMemory>& memories) {
                if (pipelinePicture().setMemories(border, cut, memories)) canvas()->update();
            });

    connect(pane_, &PipelinePane::devicesEdited, this, [this](const pipeline::DeviceSet& devices, const QString& text) {
        PipelineDesk::Setup next = desk_.setup();
        next.devices = devices;
        next.placement.reset();
        desk_.change(next, text);
    });
    connect(pane_, &PipelinePane::refused, this, [this](const QString& why) { desk_.say(why, true); });
    connect(pane_, &PipelinePane::splitChosen, this, [this](const StagePlacement& placement) {
        PipelineDesk::Setup next = desk_.setup();
        next.placement = placement;
        desk_.change(next, tr("Choose a split"));
    });
    connect(pane_, &PipelinePane::curveWanted, this, &PipelineView::askCurve);

    PipelineFocus& focus = workspace().pipeline();
    connect(pane_, &PipelinePane::stageChosen, this, [&focus](int stage) {
        if (focus.selected().stage != stage) focus.select({stage, none, none}); // else a frame of it may be selected
    });
    connect(pane_, &PipelinePane::connectionChosen, this, [&focus](int connection) { focus.select({none, none, connection}); });
    connect(&focus, &PipelineFocus::selectionChanged, this, &PipelineView::showSelected);
    pipelinePicture().onSelect([this, &focus] {
        focus.select({pipelinePicture().selectedStage(), pipelinePicture().selectedFrame(), none});
    });

    const auto dragged = [this](std::size_t border, std::size_t cut) {
        return pipelinePicture().drag() && pipelinePicture().drag()->sameAs(border, cut);
    };
    pipelinePicture().onDrag([this, dragged](std::size_t border, std::size_t cut) { desk_.planBorder(border, cut, dragged); });
    connect(canvas(), &Canvas::dropped, this, [this] {
        if (const auto& drop = pipelinePicture().dropped()) desk_.moveBorder(drop->border, drop->cut);
    });
}

bool PipelineView::applies(const Workspace& workspace)
{
    const Model* model = workspace.model();
    return model && model->program && model->program->main().body().ops.size() > 1 && !hasPipes(*model->program);
}

void PipelineView::makeControls()
{
    controls_ = new QWidget;
    auto* row = new QHBoxLayout(controls_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    devices_ = new ChoiceButton(QStringLiteral("target"), true);
    devices_->setObjectName(QStringLiteral("pipelineDevices"));
    devices_->setAccessibleName(tr("Devices"));
    devices_->setToolTip(tr("The devices that stages are put on, one stage each"));
    devices_->setMenuFiller([this](QMenu& menu) {
        for (const QString& name : installedDevices()) menu.addAction(name, this, [this, name] { desk_.chooseDevices(name); });
        menu.addSeparator();
        menu.addAction(tr("Two equal devices"), this, [this] { desk_.chooseEqualDevices(tr("Choose two equal devices")); });
        menu.addAction(tr("From a file…"), this, [this] {
            OpenDialog dialog(workspace().session().importers(), tr("Devices"), {tr("Devices (*.json)")},
                              QLatin1String(entry().guide), {}, window());
            if (const QString file = dialog.ask(); !file.isEmpty()) desk_.chooseDevices(file);
        });
    });
    row->addWidget(devices_);
    objective_ = new SegmentedControl({tr("period"), tr("latency")}, true);
    objective_->setObjectName(QStringLiteral("pipelineObjective"));
    objective_->setAccessibleName(tr("Objective"));
    objective_->setToolTip(tr("Quantity that the automatic split minimises"));
    connect(objective_, &SegmentedControl::chosen, this, [this](int index) {
        PipelineDesk::Setup next = desk_.setup();
        next.objective = index == 1 ? pipeline::Objective::latency : pipeline::Objective::period;
        next.placement.reset();
        desk_.change(next, tr("Split for the smallest %1").arg(index == 1 ? tr("latency") : tr("period")));
    });
    row->addWidget(objective_);
    const auto choice = [&](const char* name, const QString& label, const QList<std::pair<QString, std::int64_t>>& values,
                            auto set) {
        QLabel* caption = makeLabel(label, Tone::secondary);
        caption->setProperty("caption", true); // the first to go where the bar is narrow
        row->addWidget(caption);
        auto* button = new ChoiceButton({}, true);
        button->setObjectName(QLatin1String(name));
        button->setAccessibleName(label);
        button->setMenuFiller([this, values, set](QMenu& menu) {
            for (const auto& [text, value] : values) menu.addAction(text, this, [this, set, v = value] { (desk_.*set)(v); });
        });
        row->addWidget(button);
        return button;
    };
    QList<std::pair<QString, std::int64_t>> counts;
    for (const int count : {2, 4, 8, 16, 50, 200, 1000}) counts.emplace_back(QString::number(count), count);
    framesChoice_ = choice("pipelineFrames", tr("Frames"), counts, &PipelineDesk::setFrames);
    queueChoice_ =
        choice("pipelineQueue", tr("Queue"), {{tr("1"), 1}, {tr("2"), 2}, {tr("4"), 4}, {tr("16"), 16}, {tr("unbounded"), 0}},
               &PipelineDesk::setQueue);
    said_ = makeLabel({}, Tone::secondary);
    said_->setObjectName(QStringLiteral("pipelineSaid"));
    row->addWidget(said_, 1);
    cancel_ = makeButton(tr("Cancel"), {}, ButtonKind::normal, true);
    cancel_->hide();
    connect(cancel_, &QPushButton::clicked, &desk_, &PipelineDesk::cancelSplit);
    row->addWidget(cancel_);
    again_ = makeButton(tr("Split again"), QStringLiteral("refresh"), ButtonKind::normal, true);
    again_->setObjectName(QStringLiteral("pipelineAgain"));
    again_->setToolTip(tr("Back to the best split, after borders were moved by hand"));
    connect(again_, &QPushButton::clicked, this, [this] {
        PipelineDesk::Setup next = desk_.setup();
        next.placement.reset();
        desk_.change(next, tr("Split again"));
    });
    row->addWidget(again_);
    measuredChoice_ = new ChoiceButton(QStringLiteral("replay"), true);
    measuredChoice_->setObjectName(QStringLiteral("pipelineMeasured"));
    measuredChoice_->setProperty("wordsGo", true);
    measuredChoice_->setChoice(tr("Measured run"));
    measuredChoice_->setToolTip(tr("Shows a run of 'pipeline run --trace' over the prediction"));
    measuredChoice_->setMenuFiller([this](QMenu& menu) {
        menu.addAction(tr("Open a trace…"), this, [this] {
            OpenDialog dialog(workspace().session().importers(), tr("Measured run"), {tr("Traces and runs (*.json)")},
                              QLatin1String(entry().guide), {}, window());
            if (const QString file = dialog.ask(); !file.isEmpty()) desk_.showMeasured(file);
        });
        QAction* out = menu.addAction(tr("Hide the measured run"), &desk_, &PipelineDesk::leaveOutMeasured);
        out->setEnabled(desk_.hasMeasured());
    });
    row->addWidget(measuredChoice_);
    paneButton_ = makeButton(tr("Devices and charts"), QStringLiteral("table"), ButtonKind::normal, true);
    paneButton_->setObjectName(QStringLiteral("pipelinePane"));
    paneButton_->setCheckable(true);
    paneButton_->setChecked(true);
    connect(paneButton_, &QPushButton::clicked, this, [this](bool on) {
        pane_->setVisible(on);
        if (on) askCurve();
    });
    row->addWidget(paneButton_);
    barRow().insertWidget(0, controls_, 1);
    barRow().setStretch(barRow().count() - 1, 0); // waits have their legend beside the lanes
}

// --- what is shown -------------------------------------------------------------------------------------------------------

void PipelineView::setContext(const ViewContext& context)
{
    shownRun_ = context.run;
    desk_.setNumbers(context.numbers);
    canvas()->setNumbers(context.numbers);
    pane_->setNumbers(context.numbers);
    if (!desk_.takeModel() && desk_.shown()) showSplit(); // with the buffers of another run
    refresh();
}

void PipelineView::showSplit()
{
    PictureSource source;
    source.subject = desk_.subject(shownRun_.get());
    if (source.subject) {
        source.run = shownRun_;
        source.program = desk_.program();
        source.scenes = workspace().scenes();
    }
    canvas()->setSource(std::move(source));
    if (!desk_.shown()) return;
    pane_->showSplit(desk_.setup().devices, desk_.shown(), desk_.placement(), true);
    tellFocus();
    pipelinePicture().selectStage(workspace().pipeline().selected().stage, workspace().pipeline().selected().frame);
}

void PipelineView::askCurve()
{
    if (!pane_->showsTradeOff() || pane_->isHidden()) return desk_.dropCurve();
    if (desk_.findCurve(pane_->chart() == PipelinePane::MemoryCurve))
        pane_->setTradeOff(std::nullopt,
                           tr("Finding the splits that no other split beats in both quantities; another chart ends the search."));
}

void PipelineView::setTheme(const Theme& theme)
{
    PictureView::setTheme(theme);
    pane_->recolour();
}

bool PipelineView::perform(ViewCommand command)
{
    if (command == ViewCommand::borderBack) return stepBorder(false);
    if (command == ViewCommand::borderForward) return stepBorder(true);
    return PictureView::perform(command);
}

bool PipelineView::performs(ViewCommand command)
{
    return command == ViewCommand::borderBack || command == ViewCommand::borderForward || PictureView::performs(command);
}

bool PipelineView::stepBorder(bool later)
{
    const PipelineSubject* subject = canvas()->scene() ? pipelinePicture().subject() : nullptr;
    if (!subject || !subject->effect || subject->cuts.empty()) return false;
    const std::vector<std::size_t>& cuts = subject->cuts;
    const std::int32_t stage = std::max(workspace().pipeline().selected().stage, 0);
    const std::size_t border = std::min(std::size_t(stage), cuts.size() - 1);
    std::size_t ops = 0;
    for (const StageFigures& figures : subject->data->stages) ops += figures.ops.size();
    const std::size_t low = border > 0 ? cuts[border - 1] + 1 : 1;
    const std::size_t end = border + 1 < cuts.size() ? cuts[border + 1] : ops;
    for (std::size_t cut = cuts[border]; later ? cut + 1 < end : cut > low;) {
        later ? ++cut : --cut;
        if (!subject->effect(border, cut)) continue;
        desk_.moveBorder(border, cut);
        return true;
    }
    desk_.say(later ? tr("No later place is allowed for this border.") : tr("No earlier place is allowed for this border."),
              true);
    return true;
}

// --- bar and page --------------------------------------------------------------------------------------------------------

PictureView::Page PipelineView::page(const Error*) const
{
    const QString icon = QStringLiteral("pipeline");
    if (!desk_.program()) return {icon, tr("Open a model with ops to split it into stages."), tr("Open another file…")};
    if (desk_.setup().devices.devices.empty())
        return {icon, tr("No devices. Add two to split this model."), tr("Add two devices")};
    if (!desk_.failure().empty())
        return {QStringLiteral("warning"), QString::fromStdString(desk_.failure()), desk_.hasEdit() ? tr("Undo") : QString()};
    return {QStringLiteral("clock"), tr("Finding the best split…"), desk_.splitting() ? tr("Cancel") : QString()};
}

void PipelineView::pressPage()
{
    if (!desk_.program())
        Q_EMIT workspace().openWanted();
    else if (desk_.setup().devices.devices.empty())
        desk_.chooseEqualDevices(tr("Add two devices"));
    else if (!desk_.failure().empty())
        desk_.undoEdit();
    else
        desk_.cancelSplit();
}

void PipelineView::refresh()
{
    PictureView::refresh();
    if (!paneButton_ || !bar()) return; // still being made, or gone
    bar()->setEnabled(true);
    const PipelineDesk::Setup& now = desk_.setup();
    const auto count = std::int64_t(now.devices.devices.size());
    devices_->setChoice(count == 0                 ? tr("Choose devices")
                        : now.devices.name.empty() ? countedText(count, QStringLiteral("device"))
                                                   : QString::fromStdString(now.devices.name));
    objective_->setCurrent(now.objective == pipeline::Objective::latency ? 1 : 0);
    framesChoice_->setChoice(QString::number(desk_.frames()));
    queueChoice_->setChoice(desk_.queue() == 0 ? tr("unbounded") : QString::number(desk_.queue()));
    const bool otherWords = said_->text() != desk_.said() || again_->isHidden() == now.placement.has_value();
    said_->setText(desk_.said());
    said_->setToolTip(desk_.said());
    setTone(said_, desk_.warns() ? Tone::warn : Tone::secondary);
    cancel_->setVisible(desk_.slow());
    again_->setEnabled(count > 0);
    again_->setVisible(now.placement.has_value());
    devices_->setEnabled(desk_.program() != nullptr);
    measuredChoice_->setEnabled(desk_.shown() != nullptr);
    measuredChoice_->setChoice(desk_.hasMeasured() ? tr("Measured") : tr("Measured run"));
    paneButton_->setEnabled(count > 0);
    split_->setVisible(count > 0 && desk_.program());
    if (!desk_.shown()) pane_->showSplit(now.devices, nullptr, {}, desk_.program() != nullptr);
    tellFocus();
    if (otherWords) Q_EMIT barChanged();
}

void PipelineView::showEvent(QShowEvent* event)
{
    PictureView::showEvent(event);
    workspace().pipeline().setActive(true);
}

void PipelineView::hideEvent(QHideEvent* event)
{
    PictureView::hideEvent(event);
    workspace().pipeline().setActive(false);
}

void PipelineView::showSelected()
{
    const PipelineFocus::Selected& selected = workspace().pipeline().selected();
    pane_->selectConnection(selected.connection);
    pane_->selectStage(selected.stage);
    if (!canvas()->scene()) return;
    pipelinePicture().selectStage(selected.stage, selected.frame);
    canvas()->apply(PictureChange::paint);
}

void PipelineView::tellFocus()
{
    PipelineFocus::Content content;
    content.devices = desk_.setup().devices;
    if (desk_.shown()) {
        const StudyAnswer& answer = *desk_.answer();
        content.data = desk_.shown();
        content.latency = answer.split.latency;
        content.bound = answer.split.bound;
        content.proved = answer.split.status == pipeline::PartitionStatus::optimal;
        content.byLatency = desk_.byLatency();
        content.milliseconds = answer.milliseconds;
    }
    workspace().pipeline().setContent(std::move(content));
}

void PipelineView::resizeEvent(QResizeEvent* event)
{
    PictureView::resizeEvent(event);
    if (sized_ || !isVisible()) return;
    sized_ = true;
    const bool room = height() >= paneFrom;
    paneButton_->setChecked(room);
    pane_->setVisible(room);
    const int low = std::clamp(height() * (height() < roomy ? 30 : 34) / 100, 170, 340);
    split_->setSizes({height() - low, low});
}

} // namespace stowage
