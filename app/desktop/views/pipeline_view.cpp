#include "app/desktop/views/pipeline_view.h"

#include "app/canvas/axis/pipe_lanes.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/pipeline_pane.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPointer>
#include <QSplitter>
#include <QTimer>
#include <QUndoCommand>
#include <QVBoxLayout>

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr int slowMs = 300;
constexpr int roomy = 800;    ///< height from which the pane takes more, and the stages keep theirs
constexpr int paneFrom = 560; ///< height of the view from which the pane is open at first

} // namespace

/// A change of devices, objective or stages. The view may be gone when it is undone: then nothing happens.
class PipelineView::SetSetup : public QUndoCommand {
public:
    SetSetup(PipelineView& view, Setup before, Setup after, const QString& text)
        : QUndoCommand(text), view_(&view), model_(view.model_), before_(std::move(before)), after_(std::move(after))
    {
    }
    void redo() override
    {
        if (view_) view_->applySetup(model_, after_);
    }
    void undo() override
    {
        if (view_) view_->applySetup(model_, before_);
    }
    [[nodiscard]] const Setup& before() const { return before_; }
    [[nodiscard]] bool isOf(const PipelineView& view) const { return view_ == &view && model_ == view.model_; }

private:
    QPointer<PipelineView> view_;
    int model_;
    Setup before_, after_;
};

PipelineView::PipelineView(Workspace& workspace, const Look& look, QWidget* parent)
    : PictureView(*pictureEntry(QStringLiteral("pipeline")), workspace, look, parent)
{
    slow_ = new QTimer(this);
    slow_->setSingleShot(true);
    slow_->setInterval(slowMs);
    connect(slow_, &QTimer::timeout, this, [this] {
        cancel_->setVisible(splitting());
        if (!splitting()) return;
        const auto planned = std::int64_t(planned_->load());
        say(planned == 0 ? tr("finding the best split…")
                         : tr("finding the best split, %1 planned…").arg(countedText(planned, tr("stage"))));
        slow_->start();
    });
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
    connect(pane_, &PipelinePane::devicesEdited, this, [this](const pipeline::DeviceSet& devices, const QString& text) {
        Setup next = setup();
        next.devices = devices;
        next.placement.reset();
        change(next, text);
    });
    connect(pane_, &PipelinePane::refused, this, [this](const QString& why) { say(why, true); });
    connect(pane_, &PipelinePane::splitChosen, this, [this](const StagePlacement& placement) {
        Setup next = setup();
        next.placement = placement;
        change(next, tr("Choose a split"));
    });
    connect(pane_, &PipelinePane::curveWanted, this, &PipelineView::askCurve);
    PipelineFocus& focus = workspace.pipeline();
    connect(pane_, &PipelinePane::stageChosen, this, [&focus](int stage) {
        if (focus.selected().stage != stage) focus.select({stage, none, none}); // else a frame of it may be selected
    });
    connect(pane_, &PipelinePane::connectionChosen, this, [&focus](int connection) { focus.select({none, none, connection}); });
    connect(&focus, &PipelineFocus::selectionChanged, this, &PipelineView::showSelected);
    pipelinePicture().onSelect([this, &focus] {
        focus.select({pipelinePicture().selectedStage(), pipelinePicture().selectedFrame(), none});
    });
    makeControls();
    connect(canvas(), &Canvas::dropped, this, &PipelineView::borderDropped);
    pipelinePicture().onDrag([this](std::size_t border, std::size_t cut) { planBorder(border, cut); });
    refresh();
}

PipelineView::~PipelineView()
{
    workspace().pipeline().setActive(false);
    stop_.request_stop();
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
        for (const QString& name : installedDevices()) menu.addAction(name, this, [this, name] { chooseDevices(name); });
        menu.addSeparator();
        menu.addAction(tr("Two equal devices"), this, [this] {
            Setup next = setup();
            next.devices = {};
            next.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
            next.placement.reset();
            change(next, tr("Choose two equal devices"));
        });
        menu.addAction(tr("From a file…"), this, [this] {
            const QString file = QFileDialog::getOpenFileName(window(), tr("Devices"), {}, tr("Devices (*.json)"));
            if (!file.isEmpty()) chooseDevices(file);
        });
    });
    row->addWidget(devices_);
    objective_ = new SegmentedControl({tr("period"), tr("latency")}, true);
    objective_->setObjectName(QStringLiteral("pipelineObjective"));
    objective_->setAccessibleName(tr("Objective"));
    objective_->setToolTip(tr("What the automatic split makes smallest"));
    connect(objective_, &SegmentedControl::chosen, this, [this](int index) {
        Setup next = setup();
        next.objective = index == 1 ? pipeline::Objective::latency : pipeline::Objective::period;
        next.placement.reset();
        change(next, tr("Split for the smallest %1").arg(index == 1 ? tr("latency") : tr("period")));
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
            for (const auto& [text, value] : values) menu.addAction(text, this, [this, set, v = value] { (this->*set)(v); });
        });
        row->addWidget(button);
        return button;
    };
    QList<std::pair<QString, std::int64_t>> counts;
    for (const int count : {2, 4, 8, 16, 50, 200, 1000}) counts.emplace_back(QString::number(count), count);
    framesChoice_ = choice("pipelineFrames", tr("Frames"), counts, &PipelineView::setFrames);
    queueChoice_ =
        choice("pipelineQueue", tr("Queue"), {{tr("1"), 1}, {tr("2"), 2}, {tr("4"), 4}, {tr("16"), 16}, {tr("unbounded"), 0}},
               &PipelineView::setQueue);
    said_ = makeLabel({}, Tone::secondary);
    said_->setObjectName(QStringLiteral("pipelineSaid"));
    row->addWidget(said_, 1);
    cancel_ = makeButton(tr("Cancel"), {}, ButtonKind::normal, true);
    cancel_->hide();
    connect(cancel_, &QPushButton::clicked, this, &PipelineView::cancelSplit);
    row->addWidget(cancel_);
    again_ = makeButton(tr("Split again"), QStringLiteral("refresh"), ButtonKind::normal, true);
    again_->setObjectName(QStringLiteral("pipelineAgain"));
    again_->setToolTip(tr("Back to the best split, after borders were moved by hand"));
    connect(again_, &QPushButton::clicked, this, [this] {
        Setup next = setup();
        next.placement.reset();
        change(next, tr("Split again"));
    });
    row->addWidget(again_);
    measuredChoice_ = new ChoiceButton(QStringLiteral("replay"), true);
    measuredChoice_->setObjectName(QStringLiteral("pipelineMeasured"));
    measuredChoice_->setProperty("wordsGo", true);
    measuredChoice_->setChoice(tr("Measured run"));
    measuredChoice_->setToolTip(tr("Lays a run of 'pipeline run --trace' over the prediction"));
    measuredChoice_->setMenuFiller([this](QMenu& menu) {
        menu.addAction(tr("Open a trace…"), this, [this] {
            const QString file = QFileDialog::getOpenFileName(window(), tr("Measured run"), {}, tr("Traces and runs (*.json)"));
            if (!file.isEmpty()) showMeasured(file);
        });
        QAction* out = menu.addAction(tr("Leave out"), this, &PipelineView::leaveOutMeasured);
        out->setEnabled(measured_.contains(model_));
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

// --- what is split -------------------------------------------------------------------------------------------------------

const PipelineView::Setup& PipelineView::setup() const
{
    static const Setup nothing;
    const auto found = setups_.find(model_);
    return found == setups_.end() ? nothing : found->second;
}

void PipelineView::change(Setup next, const QString& text)
{
    if (next == setup()) return;
    // The stages that are shown, put by hand: nothing would change.
    if (next.placement && answer_ && answer_->data && next.devices == setup().devices && next.objective == setup().objective &&
        *next.placement == placementOf(answer_->split.stages) && !splitting())
        return;
    workspace().undoStack().push(new SetSetup(*this, setup(), std::move(next), text));
}

bool PipelineView::takeBack()
{
    QUndoStack& stack = workspace().undoStack();
    if (stack.index() == 0) return false;
    // The stack owns its commands and shows them as constant; the last one is this view's own.
    auto* last = const_cast<SetSetup*>(dynamic_cast<const SetSetup*>(stack.command(stack.index() - 1)));
    if (!last || !last->isOf(*this)) return false;
    setups_[model_] = last->before(); // what it asked for did not fit, and is not shown
    last->setObsolete(true);
    stack.undo(); // an obsolete command leaves the stack
    return true;
}

void PipelineView::applySetup(int model, const Setup& setup)
{
    setups_[model] = setup;
    if (model == model_) ask();
    refresh();
}

void PipelineView::chooseDevices(const QString& nameOrFile)
{
    auto devices = findDevices(nameOrFile);
    if (!devices) {
        workspace().report({tr("The devices were not read"), devices.error(), {}, nameOrFile, {}});
        return;
    }
    Setup next = setup();
    next.devices = *std::move(devices);
    if (next.devices.name.empty()) next.devices.name = nameOrFile.toStdString();
    next.placement.reset();
    change(next, tr("Choose devices"));
}

void PipelineView::showMeasured(const QString& file)
{
    auto run = readMeasuredRun(file);
    if (!run) return workspace().report({tr("The measured run was not read"), run.error(), {}, file, {}});
    const std::size_t stages = answer_ && answer_->data ? answer_->data->stages.size() : run->stages.size();
    if (run->stages.size() != stages)
        return workspace().report(
            {tr("The measured run is of another pipeline"),
             failure(Code::wrongFormat, fmt::format("it has {} stages, and there are {}", run->stages.size(), stages),
                     {file.toStdString(), 0, 0, -1}, "open the configuration that was run"),
             {},
             file,
             {}});
    constexpr std::int64_t most = 1000; // frames whose times runs keep
    const std::int64_t frames = std::clamp<std::int64_t>(run->framesOut, 2, most);
    measured_[model_] = std::make_shared<const pipeline::RunResult>(*std::move(run));
    if (frames != frames_)
        setFrames(frames);
    else
        showAnswer();
    refresh();
}

void PipelineView::leaveOutMeasured()
{
    measured_.erase(model_);
    showAnswer();
    refresh();
}

void PipelineView::setFrames(std::int64_t frames)
{
    if (std::exchange(frames_, frames) == frames) return;
    ask();
    refresh();
}

void PipelineView::setQueue(std::int64_t queue)
{
    if (std::exchange(queue_, queue) == queue) return;
    ask();
    refresh();
}

void PipelineView::setContext(const ViewContext& context)
{
    shownRun_ = context.run;
    numbers_ = context.numbers;
    canvas()->setNumbers(context.numbers);
    pane_->setNumbers(context.numbers);
    const Model* model = workspace().model();
    const auto program = model ? model->program : nullptr;
    const bool other = workspace().modelId() != model_ || program != program_;
    model_ = workspace().modelId();
    program_ = program;
    if (other) {
        answer_.reset();
        study_.reset();
        failure_.clear();
        canvas()->setSource({});
        if (model && model->importer == u"pipeline" && !setups_.contains(model_))
            readConfigured(model->path);
        else
            ask();
    } else if (answer_) {
        showAnswer();
    }
    refresh();
}

void PipelineView::setTheme(const Theme& theme)
{
    PictureView::setTheme(theme);
    pane_->recolour();
}

// --- bar and page --------------------------------------------------------------------------------------------------------

void PipelineView::say(const QString& text, bool warns)
{
    said_->setText(text);
    said_->setToolTip(text);
    setTone(said_, warns ? Tone::warn : Tone::secondary);
}

QString PipelineView::said() const
{
    return said_->text();
}

PictureView::Page PipelineView::page(const Error*) const
{
    const QString icon = QStringLiteral("pipeline");
    if (!program_) return {icon, tr("Open a model with ops to split it into stages."), {}};
    if (setup().devices.devices.empty()) return {icon, tr("No devices. Add two to split this model."), tr("Add two devices")};
    if (!failure_.empty()) return {QStringLiteral("warning"), QString::fromStdString(failure_), tr("Undo")};
    return {QStringLiteral("clock"), tr("Finding the best split…"), splitting() ? tr("Cancel") : QString()};
}

void PipelineView::pressPage()
{
    if (setup().devices.devices.empty()) {
        Setup next = setup();
        next.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
        change(next, tr("Add two devices"));
    } else if (!failure_.empty()) {
        workspace().undoStack().undo();
    } else {
        cancelSplit();
    }
}

void PipelineView::refresh()
{
    PictureView::refresh();
    if (!paneButton_ || !bar()) return; // still being made, or gone
    bar()->setEnabled(true);
    const Setup& now = setup();
    const auto count = std::int64_t(now.devices.devices.size());
    devices_->setChoice(count == 0                 ? tr("Choose devices")
                        : now.devices.name.empty() ? countedText(count, QStringLiteral("device"))
                                                   : QString::fromStdString(now.devices.name));
    objective_->setCurrent(now.objective == pipeline::Objective::latency ? 1 : 0);
    framesChoice_->setChoice(QString::number(frames_));
    queueChoice_->setChoice(queue_ == 0 ? tr("unbounded") : QString::number(queue_));
    again_->setEnabled(count > 0);
    again_->setVisible(now.placement.has_value());
    devices_->setEnabled(program_ != nullptr);
    measuredChoice_->setEnabled(answer_ && answer_->data);
    measuredChoice_->setChoice(measured_.contains(model_) ? tr("Measured") : tr("Measured run"));
    paneButton_->setEnabled(count > 0);
    split_->setVisible(count > 0 && program_);
    if (!answer_ || !answer_->data) pane_->showSplit(now.devices, nullptr, {}, 0, program_ != nullptr);
    tellFocus();
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
    content.devices = setup().devices;
    if (answer_ && answer_->data) {
        content.data = shown_ ? shown_ : answer_->data;
        content.latency = answer_->split.latency;
        content.bound = answer_->split.bound;
        content.proved = answer_->split.status == pipeline::PartitionStatus::optimal;
        content.byLatency = setup().objective == pipeline::Objective::latency;
        content.milliseconds = answer_->milliseconds;
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
