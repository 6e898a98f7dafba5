#include "app/desktop/views/pipeline_view.h"

#include "app/canvas/axis/pipe_lanes.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/pipeline_pane.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QFileDialog>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QMenu>
#include <QPointer>
#include <QSplitter>
#include <QTimer>
#include <QUndoCommand>
#include <QVBoxLayout>
#include <QtConcurrentRun>

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr int slowMs = 300;
constexpr int paneFrom = 560; ///< height of the view from which the pane is open at first
constexpr std::size_t curvePoints = 60;

/// Buffers that each operator of the program's entry writes in a run; empty when the run is of something else.
std::vector<std::vector<BufferId>> buffersByOp(const Run* run, const Program& program, const pipeline::CutMap& map)
{
    std::vector<std::vector<BufferId>> buffers;
    if (!run || !run->lowering || run->program.get() != &program || run->lowering->instances.empty() ||
        run->lowering->instances.front().function != program.entry)
        return buffers;
    const auto& bindings = run->lowering->instances.front().bindings;
    for (const OpId op : map.ops()) {
        auto& own = buffers.emplace_back();
        for (const TensorId tensor : map.function().ops[std::size_t(op)].outputs)
            if (std::size_t(tensor) < bindings.size() && bindings[std::size_t(tensor)].buffer != none)
                own.push_back(bindings[std::size_t(tensor)].buffer);
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return buffers;
}

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
        if (running_ > 0) say(tr("finding the best split…"));
        cancel_->setVisible(running_ > 0);
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
    connect(pane_, &PipelinePane::stageChosen, this, [this](int stage) {
        if (!canvas()->scene()) return;
        pipelinePicture().selectStage(stage);
        canvas()->apply(PictureChange::paint);
    });
    makeControls();
    connect(canvas(), &Canvas::dropped, this, &PipelineView::borderDropped);
    pipelinePicture().onDrag([this](std::size_t border, std::size_t cut) { planBorder(border, cut); });
    refresh();
}

PipelineView::~PipelineView()
{
    stop_.request_stop();
    curveStop_.request_stop();
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
        row->addWidget(makeLabel(label, Tone::secondary));
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
    paneButton_ = makeButton(tr("Devices and charts"), {}, ButtonKind::normal, true);
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
    workspace().undoStack().push(new SetSetup(*this, setup(), std::move(next), text));
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

// --- in the background ---------------------------------------------------------------------------------------------------

void PipelineView::ask()
{
    const Setup& wanted = setup();
    if (!program_ || wanted.devices.devices.empty()) {
        stop_.request_stop();
        ++asked_;
        answer_.reset();
        study_.reset();
        canvas()->setSource({});
        return;
    }
    const bool same = study_ && studied_ == program_ && studiedSetup_.devices == wanted.devices &&
                      studiedSetup_.objective == wanted.objective && !stop_.stop_requested();
    if (!same) {
        stop_.request_stop(); // what is under way is of no use any more
        stop_ = std::stop_source();
        study_.reset();
    }
    StudyRequest request;
    request.program = program_;
    request.name = workspace().model() ? workspace().model()->name.toStdString() : std::string();
    request.devices = wanted.devices;
    request.objective = wanted.objective;
    request.cancel = stop_.get_token();
    studied_ = program_;
    studiedSetup_ = wanted;
    auto* watcher = new QFutureWatcher<std::shared_ptr<Outcome>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        --running_;
        take(*watcher->result());
        watcher->deleteLater();
        refresh();
    });
    ++running_;
    slow_->start();
    say({});
    watcher->setFuture(QtConcurrent::run([request = std::move(request), study = study_, asked = ++asked_,
                                          placement = wanted.placement, frames = frames_, queue = queue_] {
        auto outcome = std::make_shared<Outcome>();
        outcome->asked = asked;
        outcome->placement = placement;
        outcome->study = study ? study : std::make_shared<PipelineStudy>(request);
        outcome->answer = placement ? outcome->study->placed(*placement, frames, queue) : outcome->study->best(frames, queue);
        return outcome;
    }));
}

void PipelineView::cancelSplit()
{
    stop_.request_stop();
    ++asked_;
    say(tr("cancelled"));
}

void PipelineView::take(const Outcome& outcome)
{
    if (running_ == 0) {
        slow_->stop();
        cancel_->hide();
    }
    if (outcome.asked != asked_ || !outcome.answer) return;
    say({});
    const Expected<StudyAnswer>& answer = *outcome.answer;
    failure_.clear();
    if (!answer) {
        answer_.reset();
        failure_ = answer.error().message;
        canvas()->setSource({});
        Q_EMIT answered();
        return;
    }
    const bool other = study_ != outcome.study;
    study_ = outcome.study;
    if (!answer->data) {
        const std::string why = misfitText(answer->split);
        if (outcome.placement && answer_ && answer_->data) {
            // A border that does not fit goes back: the stages stay as they are shown.
            Setup before = setup();
            before.placement = placementOf(answer_->split.stages);
            setups_[model_] = before;
            say(QString::fromStdString(why), true);
            Q_EMIT answered();
            return;
        }
        answer_ = *answer;
        failure_ = why;
        canvas()->setSource({});
        Q_EMIT answered();
        return;
    }
    answer_ = *answer;
    showAnswer();
    if (other) askCurve();
    Q_EMIT answered();
}

std::string PipelineView::misfitText(const pipeline::Split& split) const
{
    const auto& devices = setup().devices.devices;
    if (split.misfits.empty())
        return split.stages.empty() ? "No split fits: together the ops need more devices than there are."
                                    : "This split does not fit.";
    const pipeline::Misfit& misfit = split.misfits.front();
    const std::string what = misfit.end - misfit.begin == 1
                                 ? fmt::format("op {}", misfit.begin)
                                 : fmt::format("the stage of ops {} to {}", misfit.begin, misfit.end - 1);
    return fmt::format("Does not fit: {} needs {}; {} has {}.", what, bytesText(misfit.needed, numbers_).toStdString(),
                       devices[std::size_t(misfit.device)].name, bytesText(misfit.memory, numbers_).toStdString());
}

void PipelineView::showAnswer()
{
    if (!answer_ || !answer_->data || !study_) return;
    auto subject = std::make_shared<PipelineSubject>();
    subject->data = answer_->data;
    subject->cuts = placementOf(answer_->split.stages).cuts;
    subject->latency = answer_->split.latency;
    subject->bound = answer_->split.bound;
    subject->proved = answer_->split.status == pipeline::PartitionStatus::optimal;
    subject->byLatency = setup().objective == pipeline::Objective::latency;
    subject->buffers = buffersByOp(shownRun_.get(), *program_, study_->map());
    subject->effect = [this](std::size_t border, std::size_t cut) { return effectOf(border, cut); };
    PictureSource source;
    source.run = shownRun_;
    source.program = program_;
    source.subject = std::move(subject);
    source.scenes = workspace().scenes();
    canvas()->setSource(std::move(source));
    pane_->showSplit(setup().devices, answer_->data, placementOf(answer_->split.stages), answer_->split.latency, true);
}

void PipelineView::askCurve()
{
    curveStop_.request_stop();
    ++curveAsked_;
    if (!pane_->showsTradeOff() || !study_ || pane_->isHidden()) return;
    curveStop_ = std::stop_source();
    pane_->setTradeOff(std::nullopt, tr("Finding the splits that no other beats in both…"));
    StudyRequest request = study_->request(); // a study of its own: borders are planned meanwhile
    request.cancel = curveStop_.get_token();
    const bool byBytes = pane_->chart() == PipelinePane::MemoryCurve;
    ++curves_;
    using Points = std::vector<pipeline::TradeOffPoint>;
    auto* watcher = new QFutureWatcher<Points>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, asked = curveAsked_] {
        --curves_;
        if (asked == curveAsked_) pane_->setTradeOff(watcher->result(), {});
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(
        [request = std::move(request), byBytes] { return PipelineStudy(request).tradeOff(byBytes, curvePoints); }));
}

void PipelineView::resizeEvent(QResizeEvent* event)
{
    PictureView::resizeEvent(event);
    if (sized_ || !isVisible()) return;
    sized_ = true;
    const bool room = height() >= paneFrom;
    paneButton_->setChecked(room);
    pane_->setVisible(room);
    const int low = std::clamp(height() * 3 / 10, 170, 300);
    split_->setSizes({height() - low, low});
}

// --- borders -------------------------------------------------------------------------------------------------------------

std::optional<BorderEffect> PipelineView::effectOf(std::size_t border, std::size_t cut) const
{
    if (!study_ || !answer_ || !study_->map().allowed(cut)) return std::nullopt;
    StagePlacement placement = placementOf(answer_->split.stages);
    if (border >= placement.cuts.size()) return std::nullopt;
    placement.cuts[border] = cut;
    const pipeline::Split moved = study_->timesOf(placement);
    BorderEffect effect{moved.period, moved.latency, {}};
    for (const pipeline::SplitStage& stage : moved.stages) effect.costs.push_back(stage.cost);
    return effect;
}

void PipelineView::planBorder(std::size_t border, std::size_t cut)
{
    if (planning_) { // the latest wins
        plansNext_ = std::pair(border, cut);
        return;
    }
    planning_ = std::pair(border, cut);
    StagePlacement placement = placementOf(answer_->split.stages);
    placement.cuts[border] = cut;
    auto* watcher = new QFutureWatcher<std::vector<pipeline::StageMemory>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        const auto planned = *std::exchange(planning_, std::nullopt);
        if (pipelinePicture().setMemories(planned.first, planned.second, watcher->result())) canvas()->update();
        watcher->deleteLater();
        const auto next = std::exchange(plansNext_, std::nullopt);
        if (next && pipelinePicture().drag() && pipelinePicture().drag()->sameAs(next->first, next->second))
            planBorder(next->first, next->second);
    });
    watcher->setFuture(QtConcurrent::run([study = study_, placement] { return study->memoriesOf(placement); }));
}

void PipelineView::borderDropped()
{
    const auto& drop = pipelinePicture().dropped();
    if (!drop || !answer_) return;
    Setup next = setup();
    next.placement = placementOf(answer_->split.stages);
    next.placement->cuts[drop->border] = drop->cut;
    change(next, tr("Move a border"));
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
    return {QStringLiteral("clock"), tr("Finding the best split…"), running_ > 0 ? tr("Cancel") : QString()};
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
    paneButton_->setEnabled(count > 0);
    split_->setVisible(count > 0 && program_);
    if (!answer_ || !answer_->data) pane_->showSplit(now.devices, nullptr, {}, 0, program_ != nullptr);
}

} // namespace stowage
