#include "app/desktop/workspace/pipeline_desk.h"

#include "app/desktop/workspace.h"
#include "app/session/pipeline_files.h"

#include <QFileInfo>
#include <QPointer>
#include <QTimer>
#include <QUndoCommand>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int slowMs = 300;

} // namespace

/// A change of devices, objective or stages. The desk may be gone when it is undone: then nothing happens.
class PipelineDesk::SetSetup : public QUndoCommand {
public:
    SetSetup(PipelineDesk& desk, int model, Setup before, Setup after, const QString& text)
        : QUndoCommand(text), desk_(&desk), model_(model), before_(std::move(before)), after_(std::move(after))
    {
    }
    void redo() override { apply(after_); }
    void undo() override { apply(before_); }
    [[nodiscard]] const Setup& before() const { return before_; }
    [[nodiscard]] bool isOf(const PipelineDesk& desk) const
    {
        return desk_ == &desk && desk.workspace_.models().successor(model_) == desk.model_;
    }

private:
    void apply(const Setup& setup)
    {
        if (desk_) desk_->applySetup(desk_->workspace_.models().successor(model_), setup);
    }

    QPointer<PipelineDesk> desk_;
    int model_; ///< when it was edited
    Setup before_, after_;
};

PipelineDesk::PipelineDesk(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace)
{
    slowTimer_ = new QTimer(this);
    slowTimer_->setSingleShot(true);
    slowTimer_->setInterval(slowMs);
    connect(slowTimer_, &QTimer::timeout, this, &PipelineDesk::tellWaiting);
    connect(&workspace_, &Workspace::modelsChanged, this, &PipelineDesk::tellFiles);
    connect(&workspace_.edits(), &ModelEdits::pipelineChanged, this, &PipelineDesk::tellFiles);
}

PipelineDesk::~PipelineDesk()
{
    stop_.request_stop();
    workspace_.pipeline().setFiles({}); // they are read again by this object
}

bool PipelineDesk::takeModel()
{
    const Model* model = workspace_.model();
    const auto program = model ? model->program : nullptr;
    if (workspace_.modelId() == model_ && program == program_) return false;
    model_ = workspace_.modelId();
    program_ = program;
    tellFiles();
    stop_.request_stop(); // what is under way is about another model
    splitJob_.drop();
    configuredJob_.drop();
    endWaiting();
    answer_.reset();
    study_.reset();
    failure_.clear();
    renewShown();
    // Also for stages that the user has edited: some of their cuts may be allowed only because the file has them.
    if (model && model->importer == u"pipeline" && !workspace_.edits().pipelineOfFile(model_))
        readConfigured(model->path);
    else
        ask();
    return true;
}

// --- edits ---------------------------------------------------------------------------------------------------------------

const PipelineDesk::Setup& PipelineDesk::setup() const
{
    static const Setup nothing;
    const Setup* chosen = workspace_.edits().pipelineOf(model_);
    return chosen ? *chosen : nothing;
}

void PipelineDesk::change(Setup next, const QString& text)
{
    if (next == setup()) return;
    // The stages that are shown, put by hand: nothing would change.
    if (next.placement && shown_ && next.devices == setup().devices && next.objective == setup().objective &&
        *next.placement == placement() && !splitting())
        return;
    workspace_.undoStack().push(new SetSetup(*this, model_, setup(), std::move(next), text));
}

bool PipelineDesk::takeBack()
{
    QUndoStack& stack = workspace_.undoStack();
    if (stack.index() == 0) return false;
    // The stack owns its commands and shows them as constant; the last one is this desk's own.
    auto* last = const_cast<SetSetup*>(dynamic_cast<const SetSetup*>(stack.command(stack.index() - 1)));
    if (!last || !last->isOf(*this)) return false;
    workspace_.edits().putPipeline(model_, last->before()); // what it asked for did not fit, and is not shown
    last->setObsolete(true);
    stack.undo(); // an obsolete command leaves the stack
    return true;
}

int PipelineDesk::lastEdit() const
{
    const QUndoStack& stack = workspace_.undoStack();
    for (int i = stack.index() - 1; i >= 0; --i)
        if (const auto* edit = dynamic_cast<const SetSetup*>(stack.command(i)); edit && edit->isOf(*this)) return i;
    return -1;
}

void PipelineDesk::undoEdit()
{
    QUndoStack& stack = workspace_.undoStack();
    const int last = lastEdit();
    if (last < 0) return;
    if (last + 1 == stack.index()) return stack.undo();
    const auto* edit = static_cast<const SetSetup*>(stack.command(last));
    change(edit->before(), tr("Undo: %1").arg(edit->text()));
}

void PipelineDesk::applySetup(int model, const Setup& setup)
{
    workspace_.edits().putPipeline(model, setup);
    if (model == model_) ask();
    Q_EMIT changed();
}

void PipelineDesk::chooseDevices(const QString& nameOrFile)
{
    giveDevices(model_, nameOrFile, false);
}

void PipelineDesk::giveDevices(int model, const QString& nameOrFile, bool again)
{
    auto devices = findDevices(nameOrFile);
    if (!devices) {
        workspace_.report({tr("The devices were not read"), devices.error(), {}, nameOrFile, {}});
        return;
    }
    const Setup* chosen = workspace_.edits().pipelineOf(model);
    const Setup before = chosen ? *chosen : Setup();
    Setup next = before;
    next.devices = *std::move(devices);
    if (next.devices.name.empty()) next.devices.name = nameOrFile.toStdString();
    if (!again || next.devices.devices.size() != before.devices.devices.size()) next.placement.reset();
    if (const QFileInfo file(nameOrFile); file.isFile())
        devices_[model] = {file.absoluteFilePath(), next.devices, std::make_shared<const int>(0)};
    else
        devices_.erase(model); // installed ones
    if (model == model_ && model == workspace_.modelId())
        change(std::move(next), tr("Choose devices"));
    else if (next != before) // the view is hidden, or shows another model
        workspace_.edits().stackOf(model).push(new SetSetup(*this, model, before, std::move(next), tr("Choose devices")));
    tellFiles();
}

void PipelineDesk::tellFiles()
{
    const auto hand = [this](auto& read) {
        auto before = std::exchange(read, {});
        for (auto& [id, contents] : before)
            if (const int now = workspace_.models().successor(id); workspace_.session().model(now))
                read.insert_or_assign(now, std::move(contents));
    };
    hand(devices_);
    hand(measured_);
    std::vector<BesideFile> files;
    for (const auto& [id, read] : devices_)
        if (const Setup* setup = workspace_.edits().pipelineOf(id); setup && setup->devices == read.devices)
            files.push_back({read.path, read.contents, [this, id = id, path = read.path] { giveDevices(id, path, true); }});
    for (const auto& [id, read] : measured_) files.push_back({read.path, read.run, [this, id = id] { readMeasuredAgain(id); }});
    workspace_.pipeline().setFiles(std::move(files));
}

void PipelineDesk::chooseEqualDevices(const QString& text)
{
    Setup next = setup();
    next.devices = {};
    next.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
    next.placement.reset();
    change(next, text);
}

void PipelineDesk::moveBorder(std::size_t border, std::size_t cut)
{
    if (!answer_) return;
    Setup next = setup();
    next.placement = placement();
    next.placement->cuts[border] = cut;
    change(next, tr("Move a border"));
}

void PipelineDesk::setFrames(std::int64_t frames)
{
    if (std::exchange(frames_, frames) == frames) return;
    ask();
    Q_EMIT changed();
}

void PipelineDesk::setQueue(std::int64_t queue)
{
    if (std::exchange(queue_, queue) == queue) return;
    ask();
    Q_EMIT changed();
}

// --- measured runs -------------------------------------------------------------------------------------------------------

void PipelineDesk::showMeasured(const QString& file)
{
    auto run = readMeasuredRun(file);
    if (!run) return workspace_.report({tr("The measured run was not read"), run.error(), {}, file, {}});
    const std::size_t stages = answer_ && answer_->data ? answer_->data->stages.size() : run->stages.size();
    if (run->stages.size() != stages)
        return workspace_.report(
            {tr("The measured run is of another pipeline"),
             stowage::failure(Code::wrongFormat, fmt::format("it has {} stages, and there are {}", run->stages.size(), stages),
                              {file.toStdString(), 0, 0, -1}, "open the configuration that was run"),
             {},
             file,
             {}});
    constexpr std::int64_t most = 1000; // frames whose times runs keep
    const std::int64_t frames = std::clamp<std::int64_t>(run->framesOut, 2, most);
    measured_[model_] = {QFileInfo(file).absoluteFilePath(), std::make_shared<const pipeline::RunResult>(*std::move(run))};
    tellFiles();
    if (frames != frames_)
        setFrames(frames);
    else
        renewShown();
    Q_EMIT changed();
}

void PipelineDesk::leaveOutMeasured()
{
    measured_.erase(model_);
    tellFiles();
    renewShown();
    Q_EMIT changed();
}

void PipelineDesk::readMeasuredAgain(int model)
{
    const auto measured = measured_.find(model);
    if (measured == measured_.end()) return;
    const QString file = measured->second.path;
    if (model == model_) return showMeasured(file);
    auto run = readMeasuredRun(file);
    if (!run) return workspace_.report({tr("The measured run was not read"), run.error(), {}, file, {}});
    measured->second.run = std::make_shared<const pipeline::RunResult>(*std::move(run));
    tellFiles();
}

// --- what is said --------------------------------------------------------------------------------------------------------

void PipelineDesk::say(const QString& text, bool warns)
{
    said_ = text;
    warns_ = warns;
    Q_EMIT changed();
}

void PipelineDesk::endWaiting()
{
    slowTimer_->stop();
    slow_ = false;
}

void PipelineDesk::tellWaiting()
{
    slow_ = splitting();
    if (!slow_) return;
    const auto planned = std::int64_t(planned_->load());
    say(planned == 0 ? tr("finding the best split…")
                     : tr("finding the best split, %1 planned…").arg(countedText(planned, tr("stage"))));
    slowTimer_->start();
}

} // namespace stowage
